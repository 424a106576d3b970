"""Find out how a text file is written, so that it can be written the same way again."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from microagg.errors import ReadError

_DELIMITERS = "\t;|,"  # the first of equals: commas stand in texts and numbers too
_MARKS = {  # the longer byte order marks first: one starts with another
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_FIRST = 200  # records looked at to find the delimiter
_QUOTED = '"[^"]*+"(?:"[^"]*+")*+'  # a doubled quote ends one quoted part and starts the next
_FIELD = "(?:" + _QUOTED + r"|[^\"{0}\r\n]*+)({0}|\r?\n|\Z)"
_LONGEST_FIELD = 2**31 - 1


@dataclass(frozen=True)
class Dialect:
    """Hold how a text file is written.

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
    """

    mark: bytes
    encoding: str
    line_end: str
    closed: bool
    delimiter: str

    def encode(self, text: str) -> bytes:
        """Turn a text whose records are all ended by `line_end` into the bytes of a file."""
        if not self.closed:
            text = text.removesuffix(self.line_end)
        return self.mark + text.encode(self.encoding)


def sniff(raw: bytes, path: Path) -> tuple[str, tuple[str, ...], Dialect]:
    """Find out a text file's dialect; refuse what could be read in two ways.

    Returns
    -------
    text : str
        The decoded file, without empty lines at its end.
    names : tuple of str
        Its first record: the names of the columns.
    dialect : Dialect
        How it is written.
    """
    mark, encoding, text = _decode(raw, path)
    if not text.strip():
        raise ReadError(f"{path} is empty: expected a line of column names and a line for each record")
    closed = text.endswith(("\n", "\r"))
    old_mac = "\n" not in text and "\r" in text
    windows = re.match(rf"(?:{_QUOTED}|[^\"\r\n])*+\r\n", text) is not None
    line_end = "\r" if old_mac else "\r\n" if windows else "\n"
    text = text.replace("\r", "\n") if old_mac else text
    delimiter = _delimiter(text.rstrip("\r\n"))
    names = tuple(next(_records(text, delimiter), ()))
    # Empty lines at the end are no records, but in a file of one column they may be missing values.
    text = text.rstrip("\r\n") if len(names) > 1 else text.removesuffix("\n").removesuffix("\r")
    _check_quotes(text, delimiter, path)
    _check_names(names, path)
    return text, names, Dialect(mark, encoding, line_end, closed, delimiter)


def check_rectangular(text: str, delimiter: str, names: tuple[str, ...], path: Path) -> None:
    """Refuse a record that has more or fewer fields than there are names."""
    line = 1
    for row, record in enumerate(_records(text, delimiter)):
        if len(record) != len(names) and not (len(names) == 1 and not record):
            raise ReadError(
                f"row {row} of {path} (line {line}) has {len(record)} field{'s' * (len(record) != 1)} where the first "
                f"line names {len(names)} column{'s' * (len(names) != 1)}: mend it"
            )
        line += 1 + sum(field.count("\n") for field in record)


def _decode(raw: bytes, path: Path) -> tuple[bytes, str, str]:
    """Decode a text file; what cannot be UTF-8 is taken for Windows-1252, or for Latin-1.

    Both of the latter turn every byte into one character and back, so a wrong guess damages nothing.
    """
    mark = next((mark for mark in _MARKS if raw.startswith(mark)), b"")
    if not mark and b"\0" in raw[:4096]:
        raise ReadError(f"{path} is no text file, nor Parquet, nor Arrow: expected one of these")
    for encoding in [_MARKS[mark]] if mark else ["utf-8", "cp1252", "latin-1"]:
        try:
            return mark, encoding, raw[len(mark) :].decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ReadError(f"{path} is not valid {_MARKS[mark]}, though it starts as such: save it again as UTF-8")


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    """Split a text into records, as far as it can be: `_check_quotes` tells why not further."""
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        yield from csv.reader(_lines(text), delimiter=delimiter)
    except csv.Error:
        return
    finally:
        csv.field_size_limit(limit)


def _lines(text: str) -> Iterator[str]:
    """Split a text lazily: it may be large, and only its beginning wanted."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _delimiter(text: str) -> str:
    """Choose the sign that splits the most of the first records into as many fields as the first, above one.

    Where quotes make sense with some of the signs, only these count.
    """

    def agreement(widths: list[int]) -> int:
        return widths.count(widths[0]) if widths and widths[0] > 1 else 0

    def worth(delimiter: str) -> tuple[int, int]:
        lenient = [len(record) for record in islice(_records(text, delimiter), _FIRST) if record]
        return agreement(_sound_widths(text, delimiter)), agreement(lenient)

    best = max(_DELIMITERS, key=worth)
    return best if any(worth(best)) else ","


def _sound_widths(text: str, delimiter: str) -> list[int]:
    """Count the fields of the first records, or none where a quote stands in the wrong place."""
    field = re.compile(_FIELD.format(re.escape(delimiter)))
    widths: list[int] = []
    fields, position = 0, 0
    while len(widths) < _FIRST:
        found = field.match(text, position)
        if found is None:
            return []
        fields, position = fields + 1, found.end()
        if found[1] != delimiter:
            widths.append(fields)
            fields = 0
        if not found[1]:
            break
    return widths


def _check_quotes(text: str, delimiter: str, path: Path) -> None:
    """Refuse quotes that readers of CSV do not agree on: they would tear records apart, or glue them together."""
    if '"' not in text and not re.search(r"\r(?!\n)", text):
        return
    sound = re.compile(f"(?:{_FIELD.format(re.escape(delimiter))})*+").match(text)
    assert sound is not None, "the pattern matches the empty text"
    if sound.end() < len(text):
        line = text.count("\n", 0, sound.end()) + 1
        raise ReadError(
            f"line {line} of {path} has a quote or a carriage return inside a field, or a quote that is never closed "
            f"(fields are taken to be separated by {delimiter!r}): put the field into quotes and double those in it"
        )


def _check_names(names: tuple[str, ...], path: Path) -> None:
    if not names:
        raise ReadError(f"{path} starts with an empty line: expected the names of the columns there")
    for name, times in Counter(names).items():
        if times > 1:
            raise ReadError(f"{path} has {times} columns named {name!r}: give each a name of its own")
    if all(re.fullmatch(r" *[+-]?\d+(?:[.,]\d+)? *", name) for name in names):
        raise ReadError(
            f"the first line of {path} holds only numbers: expected the names of the columns, put them there"
        )
