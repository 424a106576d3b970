"""Grammar of delimited text: fields, quotes and records."""

import csv
import re
from collections.abc import Iterator

import numpy as np

from microagg.model.errors import ReadError

_QUOTED = b'"[^"]*+"(?:"[^"]*+")*+'  # a doubled quote ends one quoted part and starts the next
_MAX_FIELD_LENGTH = 2**31 - 1
_QUOTE, _LINE_FEED, _CARRIAGE_RETURN = b'"\n\r'


def records(data: bytes, delimiter: str) -> Iterator[list[str]]:
    """Split data into records, up to the first that cannot be split: `check_quotes` describes the reason."""
    limit = csv.field_size_limit(_MAX_FIELD_LENGTH)
    try:
        yield from csv.reader(_lines(data), delimiter=delimiter)
    except csv.Error:
        return
    finally:
        csv.field_size_limit(limit)


def _lines(data: bytes) -> Iterator[str]:
    """Split data into lines lazily: it may be large, and only its beginning needed."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end].decode()
        start = end


def starts_with_windows_line(data: bytes) -> bool:
    """Check whether the first line, quoted line ends aside, ends in a carriage return and a line feed."""
    return re.match(rb'(?:%b|[^"\r\n]++)*+\r\n' % _QUOTED, data) is not None


def count_unquoted(data: bytes, character: str) -> int:
    """Count how often a character stands outside quotes."""
    if b'"' not in data:
        return data.count(character.encode())
    characters = np.frombuffer(data, dtype=np.uint8)
    positions = np.flatnonzero(characters == ord(character))
    quotes = np.flatnonzero(characters == _QUOTE)
    return int(np.count_nonzero(np.searchsorted(quotes, positions) % 2 == 0))


def end_of_records(data: bytes) -> int:
    """Return where the last line that ends outside quotes ends; 0 if none does."""
    if b'"' not in data:
        return data.rfind(b"\n") + 1
    characters = np.frombuffer(data, dtype=np.uint8)
    line_feeds = np.flatnonzero(characters == _LINE_FEED)
    quotes = np.flatnonzero(characters == _QUOTE)
    ends = line_feeds[np.searchsorted(quotes, line_feeds) % 2 == 0]
    return int(ends[-1]) + 1 if len(ends) else 0


def end_of_first_record(data: bytes) -> int:
    """Return where the first line that ends outside quotes ends; 0 if none does."""
    end = 0
    while end := data.find(b"\n", end) + 1:
        if data.count(b'"', 0, end) % 2 == 0:
            break
    return end


def well_quoted_widths(data: bytes, delimiter: str, max_records: int) -> list[int]:
    """Count the fields of each of the first records; return none if a quote stands in the wrong place."""
    field = re.compile(field_pattern(delimiter))
    widths: list[int] = []
    n_fields = 0
    position = 0
    while len(widths) < max_records:
        found = field.match(data, position)
        if found is None:
            return []
        n_fields += 1
        position = found.end()
        if found[1] != delimiter.encode():
            widths.append(n_fields)
            n_fields = 0
        if not found[1]:
            break
    return widths


def field_pattern(delimiter: str) -> bytes:
    """Return the regular expression of one field and what ends it."""
    escaped = re.escape(delimiter.encode())
    return rb'(?:%b|[^"%b\r\n]*+)(%b|\r?\n|\Z)' % (_QUOTED, escaped, escaped)


def check_quotes(data: bytes, delimiter: str, file: str, n_lines_before: int = 0) -> None:
    """Raise `ReadError` for quotes on which CSV readers disagree: they would split records, or join them."""
    if is_well_quoted(data, delimiter):
        return
    valid = re.compile(rb"(?:%b)*+" % field_pattern(delimiter)).match(data)
    assert valid is not None, "the pattern matches the empty text"
    line = n_lines_before + data.count(b"\n", 0, valid.end()) + 1
    raise ReadError(
        f"line {line} of {file} has a quote or a carriage return inside a field, or a quote that is never closed "
        f"(fields are taken to be separated by {delimiter!r}): put the field into quotes and double those in it"
    )


def is_well_quoted(data: bytes, delimiter: str) -> bool:
    """Check that quotes only open and close fields, and that unquoted carriage returns precede line feeds."""
    lone_returns = b"\r" in data and data.count(b"\r") > data.count(b"\r\n")
    if b'"' not in data:
        return not lone_returns
    characters = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(characters == _QUOTE)
    if len(quotes) % 2:
        return False
    ends = np.array([ord(delimiter), _LINE_FEED, _QUOTE], dtype=np.uint8)
    opening, closing = quotes[::2], quotes[1::2]
    before = characters[opening - 1]  # before the first character of all: the last one, as data ends in a line feed
    after = characters[closing + 1]
    line_ends = (after == _CARRIAGE_RETURN) & (characters[np.minimum(closing + 2, len(characters) - 1)] == _LINE_FEED)
    if not (np.isin(before, ends).all() and (np.isin(after, ends) | line_ends).all()):
        return False
    if not lone_returns:
        return True
    returns = np.flatnonzero((characters[:-1] == _CARRIAGE_RETURN) & (characters[1:] != _LINE_FEED))
    return bool((np.searchsorted(quotes, returns) % 2).all())
