"""Find out how a text file is written, so that it can be written the same way again."""

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from microagg.errors import ReadError

_DELIMITERS = ",;\t|"
_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_SAMPLE = 200  # records looked at to find the delimiter
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"


@dataclass(frozen=True)
class Dialect:
    """Hold how a text file is written.

    Parameters
    ----------
    encoding
        As Python names it; "utf-8-sig" has a byte order mark.
    line_end
        What ends a record.
    delimiter
        What stands between two fields.
    decimal
        The decimal sign; a comma only where it is not the delimiter.
    """

    encoding: str
    line_end: str
    delimiter: str
    decimal: Literal[".", ","]


def decode(raw: bytes, path: Path) -> tuple[str, str, str]:
    r"""Decode a text file; what cannot be UTF-8 is taken for Windows-1252, or for Latin-1.

    Both of the latter turn every byte into one character and back, so a wrong guess damages nothing.

    Returns
    -------
    text, encoding, line_end : str
        The text with its records ended by "\n" or "\r\n", and without empty lines at its end.
    """
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS.items() if raw.startswith(mark)), None)
    if encoding is None and b"\0" in raw[:4096]:
        raise ReadError(f"{path} is no text file, nor Parquet, nor Arrow: expected one of these")
    for name in [encoding] if encoding else ["utf-8", "cp1252", "latin-1"]:
        try:
            text, encoding = raw.decode(name), name
            break
        except UnicodeDecodeError:
            continue
    else:
        raise ReadError(f"{path} is not valid {encoding}, though it starts as such: save it again as UTF-8")
    line_end = "\r\n" if "\r\n" in text else "\n" if "\n" in text else "\r" if "\r" in text else "\n"
    if line_end == "\r":
        text = text.replace("\r", "\n")
    return text.rstrip("\r\n"), encoding, line_end


def sniff(raw: bytes, path: Path) -> tuple[str, tuple[str, ...], Dialect]:
    """Find out a text file's dialect.

    Returns
    -------
    text : str
        The decoded file.
    names : tuple of str
        Its first record: the names of the columns.
    dialect : Dialect
        How it is written.
    """
    text, encoding, line_end = decode(raw, path)
    if not text.strip():
        raise ReadError(f"{path} is empty: expected a line of column names and a line for each record")
    delimiter = _delimiter(text)
    names = tuple(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))
    _check_names(names, path)
    return text, names, Dialect(encoding, line_end, delimiter, _decimal(text, delimiter))


def _delimiter(text: str) -> str:
    """Choose the sign that splits most of the first records into the same number of fields, above one."""

    def agreement(delimiter: str) -> tuple[int, int]:
        records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        fields, count = Counter(len(record) for record in islice(records, _SAMPLE) if record).most_common(1)[0]
        return (count, fields) if fields > 1 else (0, 0)

    return max(_DELIMITERS, key=agreement)  # the first of equals


def _decimal(text: str, delimiter: str) -> Literal[".", ","]:
    """Choose the sign that more fields have inside a number."""
    if delimiter == ",":
        return "."

    def count(sign: str) -> int:
        edge = f'[{re.escape(delimiter)}"\r\n]'
        field = rf"(?:(?<={edge})|^) *[+-]?\d*{re.escape(sign)}\d+(?:[eE][+-]?\d+)? *(?={edge}|$)"
        return sum(1 for _ in re.finditer(field, text))

    return "," if count(",") > count(".") else "."


def _check_names(names: tuple[str, ...], path: Path) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise ReadError(f"{path} has {times} columns named {name!r}: give each a name of its own")
    if all(re.fullmatch(_NUMBER, name.strip().replace(",", ".")) for name in names):
        raise ReadError(
            f"the first line of {path} holds only numbers: expected the names of the columns, put them there"
        )


def check_rectangular(text: str, delimiter: str, names: tuple[str, ...], path: Path) -> None:
    """Refuse a record that has more or fewer fields than there are names."""
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    for row, record in enumerate(records):
        if len(record) != len(names) and not (len(names) == 1 and not record):
            raise ReadError(
                f"row {row} of {path} (line {records.line_num}) has {len(record)} "
                f"field{'' if len(record) == 1 else 's'} where the first line names {len(names)} columns: mend it"
            )
