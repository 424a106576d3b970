"""Records of a text file parsed to a dataframe of texts, each with as many fields as the first."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from microagg.model.errors import ReadError
from microagg.source.csv_grammar import count_unquoted, end_of_first_record, records
from microagg.source.dialect import Dialect

if TYPE_CHECKING:
    import polars as pl


class _Place(NamedTuple):
    """Where a part of a text file starts: how many records, the header aside, and how many lines are before it."""

    n_records: int = 0
    n_lines: int = 0


def parse_records(
    data: bytes, names: tuple[str, ...], dialect: Dialect, file: str, start: _Place | None = None
) -> "pl.DataFrame":
    """Parse the records of a text file, or of a part of it.

    Parameters
    ----------
    data
        The records in UTF-8, each ended by a line feed, with their quotes in place; the first is the header if
        `dialect` has one.
    names
        The names of the columns.
    dialect
        The layout of the data.
    file
        What messages call the file.
    start
        Where the first record of `data` is in the file; None: at its start.

    Returns
    -------
    polars.DataFrame
        The fields, all text; null where there is nothing between two delimiters.

    Raises
    ------
    ReadError
        If a record has more or fewer fields than there are names.
    """
    import polars as pl

    start = start or _Place()
    try:
        frame = pl.read_csv(
            data,
            has_header=dialect.header,
            separator=dialect.delimiter,
            quote_char='"' if b'"' in data else None,
            infer_schema=False,
        )
    except pl.exceptions.PolarsError as error:
        _check_rectangular(data, dialect, len(names), file, start)
        reason = str(error).strip().partition("\n")[0]
        raise ReadError(f"{file} cannot be read as CSV: {reason}") from None
    n_records = frame.height + dialect.header
    if frame.width == len(names) and count_unquoted(data, "\n") == n_records:
        frame.columns = list(names)
        filled = frame[names[-1]].null_count()  # polars fills up records that are too short
        if not filled or count_unquoted(data, dialect.delimiter) == n_records * (len(names) - 1):
            return frame
    _check_rectangular(data, dialect, len(names), file, start)
    raise ReadError(f"{file} cannot be read as CSV: found {n_records} records of {frame.width} fields in it")


def parse_chunks(
    chunks: Iterable[bytes], names: tuple[str, ...], dialect: Dialect, file: str
) -> "Iterator[pl.DataFrame]":
    """Parse a text file in chunks of records, as `parse_records` would parse the whole.

    Each chunk is parsed with the first record before it, for a record that starts the data may be read differently.
    """
    first = b""
    n_records = 0
    n_lines = 0
    for chunk in chunks:
        if first:
            start = _Place(n_records - (not dialect.header), n_lines - first.count(b"\n"))
            frame = parse_records(first + chunk, names, dialect, file, start)
            frame = frame if dialect.header else frame[1:]
        else:
            first = chunk[: end_of_first_record(chunk)]
            frame = parse_records(chunk, names, dialect, file)
        n_records += frame.height
        n_lines += chunk.count(b"\n")
        yield frame


def _check_rectangular(data: bytes, dialect: Dialect, width: int, file: str, start: _Place) -> None:
    """Raise `ReadError` for a record that has more or fewer fields than the first."""
    line = start.n_lines + 1
    first_row = start.n_records + (0 if dialect.header else 1)
    for row, record in enumerate(records(data, dialect.delimiter), start=first_row):
        if len(record) != width and not (width == 1 and not record):
            first = f"line names {width} column{'s' * (width != 1)}" if dialect.header else f"has {width}"
            raise ReadError(
                f"row {row} of {file} (line {line}) has {len(record)} field{'s' * (len(record) != 1)} where the first "
                f"{first}: correct the line"
            )
        line += 1 + sum(field.count("\n") for field in record)
