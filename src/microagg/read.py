"""Read a file, a dataframe or an array as a table."""

import hashlib
import sys
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from microagg.model.errors import InputError, ReadError
from microagg.model.names import listing
from microagg.model.reading import Reading
from microagg.model.source_protocol import FileKind, Source
from microagg.model.table import Table
from microagg.source import ArraySource, DelimitedSource, FrameSource
from microagg.source.csv_grammar import count_unquoted
from microagg.source.dialect import check_rectangular, sniff

STANDARD_INPUT = "-"
"""Stands for standard input in place of a path."""


def read(
    source: Any,
    reading: Reading | None = None,
    *,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
) -> Table:
    """Read a table.

    Parameters
    ----------
    source
        A path to a text file such as CSV (its format is detected where it is not given), a Parquet file or an Arrow
        (Feather) file, or "-" for standard input; a dataframe of pandas, polars, pyarrow or another library that
        narwhals knows; an array or a list of rows. A `Table` is returned as it is, if it was read in the same way.
    reading
        Format of a text file, in one value; or in several:
    delimiter, decimal, encoding, header
        The fields of `Reading`: the character between two fields, the decimal sign, the name of the encoding, and
        whether the first line names the columns.

    Returns
    -------
    Table
        The columns, which are converted only when they are used.

    Raises
    ------
    ReadError
        If it cannot be read as a table, or if the format of a text file is given for anything else.
    InputError
        If a format is impossible, or given twice.

    Examples
    --------
    >>> import microagg
    >>> microagg.read([[1.0, 2.0], [3.0, 4.0]])
    Table(2 records, 2 columns)
    """
    reading = _one_reading(reading, Reading(delimiter, decimal, encoding, header))
    if isinstance(source, str | PathLike):
        return Table(_read_file(fspath(source), reading))
    if isinstance(source, Table) and reading in (Reading(), getattr(source.source, "reading", None)):
        return source
    _refuse_reading(reading, f"a {type(source).__name__}")
    if isinstance(source, np.ndarray | list | tuple):
        return Table(_read_array(source))
    return Table(_read_frame(source))


def read_back(data: Any, names: tuple[str, ...]) -> Table:
    """Read released data again; an array does not hold the names of its columns, so they are passed in."""
    return Table(ArraySource(data, names)) if isinstance(data, np.ndarray) else read(data)


def _one_reading(reading: Reading | None, keywords: Reading) -> Reading:
    """Return the format that is given in one value or by keywords; refuse both."""
    if reading is None:
        return keywords
    if not isinstance(reading, Reading):
        raise InputError(f"reading must be a Reading, found {type(reading).__name__}: give its fields by name")
    if keywords.given:
        raise InputError(f"{listing(keywords.given)} is given besides reading: set it there, or leave reading out")
    return reading


def _refuse_reading(reading: Reading, found: str) -> None:
    """Refuse the format of a text file where there is none."""
    if reading.given:
        raise ReadError(f"{listing(reading.given)} tells how a text file is read, found {found}: leave it out")


def _read_file(name: str | bytes, reading: Reading) -> Source:
    import polars as pl

    path = None if name == STANDARD_INPUT else Path(name.decode() if isinstance(name, bytes) else name)
    file = "standard input" if path is None else str(path)
    try:
        raw = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null byte in a name
        raise ReadError(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from None
    checksum = hashlib.sha256(raw).hexdigest()
    kind = _file_kind(raw)
    if kind == "CSV":
        return _read_text(raw, file, path, checksum, reading)
    _refuse_reading(reading, f"the {kind} file {file}")
    try:
        frame = pl.read_parquet(raw) if kind == "Parquet" else pl.read_ipc(raw)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise ReadError(f"{file} is a damaged {kind} file: {_first_line(error)}") from None
    return FrameSource(frame, path=path, file_kind=kind, sha256=checksum)


def _file_kind(raw: bytes) -> FileKind:
    if raw.startswith(b"PAR1"):
        return "Parquet"
    return "Arrow" if raw.startswith(b"ARROW1") else "CSV"


def _read_text(raw: bytes, file: str, path: Path | None, checksum: str, reading: Reading) -> DelimitedSource:
    import polars as pl

    data, names, dialect = sniff(raw, file, reading)
    try:
        frame = pl.read_csv(
            data,
            has_header=dialect.header,
            separator=dialect.delimiter,
            quote_char='"' if b'"' in data else None,
            infer_schema=False,
        )
    except pl.exceptions.PolarsError as error:
        check_rectangular(data, dialect, len(names), file)
        raise ReadError(f"{file} cannot be read as CSV: {_first_line(error)}") from None
    records = frame.height + dialect.header
    if frame.width == len(names) and count_unquoted(data, "\n") == records:
        frame.columns = list(names)
        filled = frame[names[-1]].null_count()  # polars fills up records that are too short
        if not filled or count_unquoted(data, dialect.delimiter) == records * (len(names) - 1):
            return DelimitedSource(frame, dialect, path, checksum, reading)
    check_rectangular(data, dialect, len(names), file)
    raise ReadError(f"{file} cannot be read as CSV: found {records} records of {frame.width} fields in it")


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def _read_array(source: Any) -> ArraySource:
    if isinstance(source, np.ma.MaskedArray):
        raise ReadError("expected an array without a mask: fill in or remove the masked records first")
    try:
        array = np.asarray(source)
    except ValueError as error:
        raise ReadError(f"expected rows of equal length: {error}") from None
    if array.ndim not in (1, 2) or array.dtype.names is not None:
        raise ReadError(f"expected records by columns, found an array of shape {array.shape}, type {array.dtype}")
    return ArraySource(array)


def _read_frame(source: Any) -> FrameSource:
    import narwhals as nw

    try:
        frame = nw.from_native(source, eager_only=True)
        labels = list(frame.columns)
    except TypeError:
        raise ReadError(
            f"expected a path, a dataframe in memory or an array, found {type(source).__name__}: "
            "collect a lazy frame, turn a series into a dataframe"
        ) from None
    except nw.exceptions.DuplicateError:
        raise ReadError("the dataframe has columns of the same name: give each a name of its own") from None
    names = [str(label) for label in labels]
    if labels == names:
        return FrameSource(frame.to_native())
    if len(set(names)) < len(names):
        raise ReadError("the dataframe has columns whose names read alike: give each a name of its own")
    renamed = source.copy(deep=False)  # pandas: no other library names columns by anything but strings
    renamed.columns = names
    return FrameSource(renamed, labels=source.columns)
