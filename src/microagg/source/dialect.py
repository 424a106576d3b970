"""Dialect of a text file, detected so that the release can be written in the same one."""

import re
from codecs import IncrementalEncoder
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from microagg.model.errors import ReadError, WriteError
from microagg.model.reading import Reading
from microagg.source.csv_grammar import check_quotes, records, starts_with_windows_line, well_quoted_widths
from microagg.source.text_decoding import decode

_DELIMITERS = "\t;|,"  # ties go to the first, as commas occur in texts and numbers too
_RECORDS_FOR_DELIMITER = 200  # looked at to detect the delimiter


@dataclass(frozen=True)
class Dialect:
    """Encoding and layout of a text file.

    Parameters
    ----------
    byte_order_mark
        What the file starts with; empty if it has none.
    encoding
        As Python names it.
    line_end
        What ends a record.
    final_line_end
        Whether the last record is ended too.
    delimiter
        What separates two fields.
    header
        Whether the first line names the columns.
    """

    byte_order_mark: bytes
    encoding: str
    line_end: str
    final_line_end: bool
    delimiter: str
    header: bool

    def described(self) -> dict[str, str]:
        """Return each part of it as a text, by what it is."""
        return {
            "encoding": f"{self.encoding.upper()}{', with a byte order mark' if self.byte_order_mark else ''}",
            "delimiter": repr(self.delimiter),
            "line end": repr(self.line_end),
            "last line": "ended" if self.final_line_end else "not ended",
            "names of columns": "in the first line" if self.header else "none",
        }

    def encode(self, text: str, encoder: IncrementalEncoder) -> bytes:
        """Encode the next text by an encoder of this encoding; raise `WriteError` for a character that it lacks."""
        try:
            return encoder.encode(text)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise WriteError(
                f"the encoding {self.encoding} of the input has no {character!r}: read the file with another, "
                "or write another kind of file"
            ) from None


class Layout(NamedTuple):
    """Layout of a text file, as its beginning shows it: what ends a line, separates two fields, and stands first."""

    line_end: str
    delimiter: str
    first_record: tuple[str, ...]


def sniff(raw: bytes, file: str, reading: Reading) -> tuple[bytes, tuple[str, ...], Dialect]:
    """Detect the dialect of a text file, as far as it is not given; raise `ReadError` if it is ambiguous.

    Returns
    -------
    data : bytes
        The file in UTF-8, each record ended by a line feed, without empty lines at its end.
    names : tuple of str
        The names of the columns.
    dialect : Dialect
        The dialect.
    """
    byte_order_mark, encoding, data = decode(raw, file, reading.encoding)
    line_end, delimiter, first = detect_layout(data, file, reading)
    final_line_end = data.endswith((b"\n", b"\r"))
    data = trimmed(with_line_feeds(data, line_end), len(first))
    check_quotes(data, delimiter, file)
    names = column_names(first, file, reading)
    header = reading.header is not False
    return data, names, Dialect(byte_order_mark, encoding, line_end, final_line_end, delimiter, header)


def detect_layout(data: bytes, file: str, reading: Reading) -> Layout:
    """Detect the layout of a text file by its content, or its beginning, in UTF-8; raise `ReadError` if it is empty."""
    if not data or data.isspace():
        raise ReadError(f"{file} is empty: expected a line of column names and a line for each record")
    line_end = _line_end(data)
    data = with_line_feeds(data, line_end)
    delimiter = reading.delimiter or _delimiter(data, reading)
    return Layout(line_end, delimiter, tuple(next(records(data, delimiter), ())))


def column_names(first_record: tuple[str, ...], file: str, reading: Reading) -> tuple[str, ...]:
    """Return the names of the columns; raise `ReadError` if there are none, or if they are ambiguous."""
    if not first_record:
        raise ReadError(f"{file} starts with an empty line: expected the names of the columns there")
    if reading.header is False:
        return tuple(f"column_{number}" for number in range(1, len(first_record) + 1))
    _check_names(first_record, file, header_given=reading.header is not None)
    return first_record


def with_line_feeds(data: bytes, line_end: str) -> bytes:
    """Return data in which line feeds end the lines, where lone carriage returns do."""
    return data.replace(b"\r", b"\n") if line_end == "\r" else data


def trimmed(data: bytes, width: int) -> bytes:
    """End the last record by one line feed.

    Empty lines at the end are no records, but in a file of one column they may be missing values.
    """
    if width == 1:
        return data if data.endswith(b"\n") else data.removesuffix(b"\r") + b"\n"
    if data.endswith(b"\n") and data[-2:-1] not in (b"\n", b"\r"):
        return data
    return data.rstrip(b"\r\n") + b"\n"


def _line_end(data: bytes) -> str:
    """Detect what ends a line: a lone carriage return in old Macintosh files."""
    if b"\r" in data and b"\n" not in data:
        return "\r"
    return "\r\n" if starts_with_windows_line(data) else "\n"


def _delimiter(data: bytes, reading: Reading) -> str:
    """Choose the delimiter that splits most of the first records into as many fields as the first, at least two.

    Delimiters with which all quotes are in place come before others.
    """
    scores = {delimiter: _delimiter_score(data, delimiter) for delimiter in _DELIMITERS}
    best = max(scores, key=lambda delimiter: scores[delimiter])
    if any(scores[best]):
        return best
    return ";" if reading.decimal == "," else ","


def _delimiter_score(data: bytes, delimiter: str) -> tuple[int, int]:
    """Count the first records that agree in width with the first: if all quotes are in place, and in any case."""
    lenient = [len(record) for record in islice(records(data, delimiter), _RECORDS_FOR_DELIMITER) if record]
    strict = well_quoted_widths(data, delimiter, _RECORDS_FOR_DELIMITER)
    return _agreeing(strict), _agreeing(lenient)


def _agreeing(widths: list[int]) -> int:
    return widths.count(widths[0]) if widths and widths[0] > 1 else 0


def _check_names(names: tuple[str, ...], file: str, header_given: bool) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ReadError(f"{file} has {times} columns named {name!r}: give each a name of its own")
    if not header_given and all(re.fullmatch(r" *[+-]?\d+(?:[.,]\d+)? *", name) for name in names):
        raise ReadError(
            f"the first line of {file} holds only numbers: say whether it is a record (header=False, --no-header) or "
            "names the columns (header=True, --header)"
        )
