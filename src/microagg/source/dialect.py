"""Find out how a text file is written, so that it can be written the same way again."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from microagg.model.errors import ReadError, WriteError
from microagg.model.reading import Reading

_DELIMITERS = "\t;|,"  # the first of equals: commas stand in texts and numbers too
_MARKS = {  # the longer byte order marks first: one starts with another
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_MARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}  # names that leave the mark open
_FIRST = 200  # records looked at to find the delimiter
_QUOTED = b'"[^"]*+"(?:"[^"]*+")*+'  # a doubled quote ends one quoted part and starts the next
_LONGEST_FIELD = 2**31 - 1
_QUOTE, _LINE_FEED, _RETURN = b'"\n\r'


@dataclass(frozen=True)
class Dialect:
    """How a text file is written.

    Parameters
    ----------
    mark
        The byte order mark it starts with, perhaps none.
    encoding
        As Python names it.
    line_end
        What ends a record.
    closed
        Whether the last record is ended too.
    delimiter
        What stands between two fields.
    header
        Whether the first line names the columns.
    """

    mark: bytes
    encoding: str
    line_end: str
    closed: bool
    delimiter: str
    header: bool

    def encode(self, text: str) -> bytes:
        """Turn a text into the bytes of a file; refuse one that the encoding does not know."""
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError as error:
            sign = text[error.start]
            raise WriteError(
                f"the encoding {self.encoding} of the input has no {sign!r}: read the file with another, "
                "or write another kind of file"
            ) from None


def sniff(raw: bytes, file: str, reading: Reading) -> tuple[bytes, tuple[str, ...], Dialect]:
    """Find out a text file's dialect, where it is not said; refuse what could be read in two ways.

    Returns
    -------
    data : bytes
        The file in UTF-8, each record ended by a line feed, without empty lines at its end.
    names : tuple of str
        The names of the columns.
    dialect : Dialect
        How it is written.
    """
    mark, encoding, data = _decode(raw, file, reading.encoding)
    while data.startswith(codecs.BOM_UTF8):  # a mark that was written twice
        mark += codecs.BOM_UTF8.decode().encode(encoding)
        data = data.removeprefix(codecs.BOM_UTF8)
    if not data or data.isspace():
        raise ReadError(f"{file} is empty: expected a line of column names and a line for each record")
    closed = data.endswith((b"\n", b"\r"))
    old_mac = b"\r" in data and b"\n" not in data
    windows = re.match(rb'(?:%b|[^"\r\n]++)*+\r\n' % _QUOTED, data) is not None
    line_end = "\r" if old_mac else "\r\n" if windows else "\n"
    data = data.replace(b"\r", b"\n") if old_mac else data
    delimiter = reading.delimiter or _delimiter(data, reading)
    first = tuple(next(_records(data, delimiter), ()))
    data = _trimmed(data, len(first))
    _check_quotes(data, delimiter, file)
    header = reading.header is not False
    if not first:
        raise ReadError(f"{file} starts with an empty line: expected the names of the columns there")
    if header:
        _check_names(first, file, said=reading.header is not None)
    names = first if header else tuple(f"column_{place + 1}" for place in range(len(first)))
    return data, names, Dialect(mark, encoding, line_end, closed, delimiter, header)


def check_rectangular(data: bytes, dialect: Dialect, width: int, file: str) -> None:
    """Refuse a record that has more or fewer fields than the first."""
    line = 1
    for row, record in enumerate(_records(data, dialect.delimiter), start=0 if dialect.header else 1):
        if len(record) != width and not (width == 1 and not record):
            first = f"line names {width} column{'s' * (width != 1)}" if dialect.header else f"has {width}"
            raise ReadError(
                f"row {row} of {file} (line {line}) has {len(record)} field{'s' * (len(record) != 1)} where the first "
                f"{first}: mend it"
            )
        line += 1 + sum(field.count("\n") for field in record)


def count_unquoted(data: bytes, sign: str) -> int:
    """Count how often a sign stands outside quotes."""
    if b'"' not in data:
        return data.count(sign.encode())
    signs = np.frombuffer(data, dtype=np.uint8)
    places = np.flatnonzero(signs == ord(sign))
    quotes = np.flatnonzero(signs == _QUOTE)
    return int(np.count_nonzero(np.searchsorted(quotes, places) % 2 == 0))


def _decode(raw: bytes, file: str, said: str | None) -> tuple[bytes, str, bytes]:
    """Give the byte order mark, the encoding, and the rest of the file in UTF-8.

    Where no encoding is said, what cannot be UTF-8 is taken for Windows-1252, or for Latin-1: both turn every byte
    into one character and back, so a wrong guess damages nothing.
    """
    if said is not None:
        return _decode_as(raw, file, said)
    mark = next((mark for mark in _MARKS if raw.startswith(mark)), b"")
    if not mark and b"\0" in raw[:4096]:
        raise ReadError(f"{file} is no text file, nor Parquet, nor Arrow: expected one of these")
    for encoding in [_MARKS[mark]] if mark else ["utf-8", "cp1252", "latin-1"]:
        data = _as_utf8(raw[len(mark) :] if mark else raw, encoding)
        if data is not None:
            return mark, encoding, data
    raise ReadError(f"{file} is not valid {_MARKS[mark]}, though it starts as such: save it again as UTF-8")


def _decode_as(raw: bytes, file: str, said: str) -> tuple[bytes, str, bytes]:
    """Obey the encoding that is said; the file may start with a byte order mark of it."""
    name = codecs.lookup(said).name
    known = [mark for mark, encoding in _MARKS.items() if encoding.startswith(name.removesuffix("-sig"))]
    mark = next((mark for mark in known if raw.startswith(mark)), b"")
    encoding = _MARKS[mark] if mark else _MARKED.get(name, name)
    data = _as_utf8(raw[len(mark) :] if mark else raw, encoding)
    if data is None:
        raise ReadError(f"{file} is not valid {said}: say its real encoding, or leave it out to have it found out")
    return mark, encoding, data


def _as_utf8(raw: bytes, encoding: str) -> bytes | None:
    """Give the bytes in UTF-8; None where they are not valid."""
    if encoding == "utf-8" and raw.isascii():
        return raw
    try:
        text = raw.decode(encoding)
        return raw if encoding == "utf-8" else text.encode()
    except UnicodeError:
        return None


def _trimmed(data: bytes, width: int) -> bytes:
    """End the last record by one line feed.

    Empty lines at the end are no records, but in a file of one column they may be missing values.
    """
    if width == 1:
        return data if data.endswith(b"\n") else data.removesuffix(b"\r") + b"\n"
    if data.endswith(b"\n") and data[-2:-1] not in (b"\n", b"\r"):
        return data
    return data.rstrip(b"\r\n") + b"\n"


def _records(data: bytes, delimiter: str) -> Iterator[list[str]]:
    """Split the data into records, as far as they can be: `_check_quotes` tells why not further."""
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        yield from csv.reader(_lines(data), delimiter=delimiter)
    except csv.Error:
        return
    finally:
        csv.field_size_limit(limit)


def _lines(data: bytes) -> Iterator[str]:
    """Split the data lazily: they may be large, and only their beginning wanted."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end].decode()
        start = end


def _delimiter(data: bytes, reading: Reading) -> str:
    """Choose the sign that splits the most of the first records into as many fields as the first, above one.

    Where quotes make sense with some of the signs, only these count.
    """

    def agreement(widths: list[int]) -> int:
        return widths.count(widths[0]) if widths and widths[0] > 1 else 0

    def worth(delimiter: str) -> tuple[int, int]:
        lenient = [len(record) for record in islice(_records(data, delimiter), _FIRST) if record]
        return agreement(_sound_widths(data, delimiter)), agreement(lenient)

    worths = {delimiter: worth(delimiter) for delimiter in _DELIMITERS}
    best = max(worths, key=lambda delimiter: worths[delimiter])
    if any(worths[best]):
        return best
    return ";" if reading.decimal == "," else ","


def _field(delimiter: str) -> bytes:
    """Give the pattern of one field and what ends it."""
    sign = re.escape(delimiter.encode())
    return rb'(?:%b|[^"%b\r\n]*+)(%b|\r?\n|\Z)' % (_QUOTED, sign, sign)


def _sound_widths(data: bytes, delimiter: str) -> list[int]:
    """Count the fields of the first records, or none where a quote stands in the wrong place."""
    field = re.compile(_field(delimiter))
    widths: list[int] = []
    fields, position = 0, 0
    while len(widths) < _FIRST:
        found = field.match(data, position)
        if found is None:
            return []
        fields, position = fields + 1, found.end()
        if found[1] != delimiter.encode():
            widths.append(fields)
            fields = 0
        if not found[1]:
            break
    return widths


def _check_quotes(data: bytes, delimiter: str, file: str) -> None:
    """Refuse quotes that readers of CSV do not agree on: they would tear records apart, or glue them together."""
    if _is_sound(data, delimiter):
        return
    sound = re.compile(rb"(?:%b)*+" % _field(delimiter)).match(data)
    assert sound is not None, "the pattern matches the empty text"
    line = data.count(b"\n", 0, sound.end()) + 1
    raise ReadError(
        f"line {line} of {file} has a quote or a carriage return inside a field, or a quote that is never closed "
        f"(fields are taken to be separated by {delimiter!r}): put the field into quotes and double those in it"
    )


def _is_sound(data: bytes, delimiter: str) -> bool:
    """Say whether quotes open and close fields only, and carriage returns outside them stand before line feeds."""
    lone = b"\r" in data and data.count(b"\r") > data.count(b"\r\n")
    if b'"' not in data:
        return not lone
    signs = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(signs == _QUOTE)
    if len(quotes) % 2:
        return False
    ends = np.array([ord(delimiter), _LINE_FEED, _QUOTE], dtype=np.uint8)
    opening, closing = quotes[::2], quotes[1::2]
    before = signs[opening - 1]  # of the first sign of all, the last: the data end in a line feed
    after = signs[closing + 1]
    returns = (after == _RETURN) & (signs[np.minimum(closing + 2, len(signs) - 1)] == _LINE_FEED)
    if not (np.isin(before, ends).all() and (np.isin(after, ends) | returns).all()):
        return False
    returned = np.flatnonzero((signs[:-1] == _RETURN) & (signs[1:] != _LINE_FEED)) if lone else quotes[:0]
    return bool((np.searchsorted(quotes, returned) % 2).all())


def _check_names(names: tuple[str, ...], file: str, said: bool) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ReadError(f"{file} has {times} columns named {name!r}: give each a name of its own")
    if not said and all(re.fullmatch(r" *[+-]?\d+(?:[.,]\d+)? *", name) for name in names):
        raise ReadError(
            f"the first line of {file} holds only numbers: say whether it is a record (header=False, --no-header) or "
            "names the columns (header=True, --header)"
        )
