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
from microagg.model.table import FileKind, Source, Table
from microagg.source import ArraySource, DelimitedSource, FrameSource
from microagg.source.csv_grammar import count_unquoted
from microagg.source.dialect import check_rectangular, sniff

STANDARD_INPUT = "-"
"""What stands for standard input in place of a path."""


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
        A path to a text file such as CSV (what is not said of it is found out), a Parquet file or an Arrow (Feather)
        file, or "-" for standard input; a dataframe of pandas, polars, pyarrow or another library that narwhals
        knows; an array or a list of rows. A `Table` is given back as it is, if it was read so.
    reading
        How a text file is to be read, in one value; or in several:
    delimiter, decimal, encoding, header
        The fields of `Reading`.

    Raises
    ------
    ReadError
        If it cannot be read as a table, or if something is said of a text file and it is none.

    Examples
    --------
    >>> import microagg
    >>> microagg.read([[1.0, 2.0], [3.0, 4.0]])
    Table(2 records, 2 columns)
    """
    said = Reading(delimiter, decimal, encoding, header)
    if reading is not None:
        if not isinstance(reading, Reading):
            raise InputError(f"reading must be a Reading, found {type(reading).__name__}: give its fields by name")
        if said.given:
            raise InputError(f"{listing(said.given)} is said beside reading: say it there, or leave reading out")
        said = reading
    if isinstance(source, str | PathLike):
        return Table(_file(fspath(source), said))
    if isinstance(source, Table) and said in (Reading(), getattr(source.source, "reading", None)):
        return source
    _refuse(said, f"a {type(source).__name__}")
    if isinstance(source, np.ndarray | list | tuple):
        return Table(_array(source))
    return Table(_frame(source))


def read_back(data: Any, names: tuple[str, ...]) -> Table:
    """Read what is handed out of a table of such columns: an array does not tell their names."""
    return Table(ArraySource(data, names)) if isinstance(data, np.ndarray) else read(data)


def _refuse(said: Reading, found: str) -> None:
    """Refuse what is said of a text file where there is none."""
    if said.given:
        raise ReadError(f"{listing(said.given)} tells how a text file is read, found {found}: leave it out")


def _file(name: str | bytes, reading: Reading) -> Source:
    import polars as pl

    path = None if name == STANDARD_INPUT else Path(name.decode() if isinstance(name, bytes) else name)
    file = "standard input" if path is None else str(path)
    try:
        raw = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except (OSError, ValueError) as error:  # a null byte in a name is no OSError
        raise ReadError(f"cannot read {file}: {getattr(error, 'strerror', None) or error}") from None
    checksum = hashlib.sha256(raw).hexdigest()
    kind: FileKind = "Parquet" if raw.startswith(b"PAR1") else "Arrow" if raw.startswith(b"ARROW1") else "CSV"
    if kind == "CSV":
        return _text(raw, file, path, checksum, reading)
    _refuse(reading, f"the {kind} file {file}")
    try:
        frame = pl.read_parquet(raw) if kind == "Parquet" else pl.read_ipc(raw)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise ReadError(f"{file} is a damaged {kind} file: {_first_line(error)}") from None
    return FrameSource(frame, path=path, file_kind=kind, sha256=checksum)


def _text(raw: bytes, file: str, path: Path | None, checksum: str, reading: Reading) -> DelimitedSource:
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
        filled = frame[names[-1]].null_count()  # perhaps of records that are too short, without a word
        if not filled or count_unquoted(data, dialect.delimiter) == records * (len(names) - 1):
            return DelimitedSource(frame, dialect, path, checksum, reading)
    check_rectangular(data, dialect, len(names), file)
    raise ReadError(f"{file} cannot be read as CSV: found {records} records of {frame.width} fields in it")


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def _array(source: Any) -> ArraySource:
    if isinstance(source, np.ma.MaskedArray):
        raise ReadError("expected an array without a mask: fill in or remove the masked records first")
    try:
        array = np.asarray(source)
    except ValueError as error:
        raise ReadError(f"expected rows of equal length: {error}") from None
    if array.ndim not in (1, 2) or array.dtype.names is not None:
        raise ReadError(f"expected records by columns, found an array of shape {array.shape}, type {array.dtype}")
    return ArraySource(array)


def _frame(source: Any) -> FrameSource:
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
