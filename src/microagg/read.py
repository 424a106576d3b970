"""Read a file, a dataframe or an array as a table."""

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from microagg.errors import ReadError
from microagg.source import ArraySource, FrameSource, TextSource
from microagg.source.dialect import check_rectangular, sniff
from microagg.table import FileKind, Source, Table


def read(source: Any) -> Table:
    """Read a table.

    Parameters
    ----------
    source
        A path to a CSV file (delimiter, decimal sign and encoding are found out), a Parquet file or an
        Arrow (Feather) file; a dataframe of pandas, polars, pyarrow or another library that narwhals
        knows; an array or a list of rows. A `Table` is given back as it is.
    """
    if isinstance(source, Table):
        return source
    if isinstance(source, str | PathLike):
        return Table(_file(Path(source)))
    if isinstance(source, np.ndarray | list | tuple):
        return Table(_array(source))
    return Table(_frame(source))


def _file(path: Path) -> Source:
    import narwhals as nw
    import polars as pl

    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ReadError(f"cannot read {path}: {error.strerror or error}") from None
    kind: FileKind = "Parquet" if raw.startswith(b"PAR1") else "Arrow" if raw.startswith(b"ARROW1") else "CSV"
    if kind == "CSV":
        return _text(path, raw)
    try:
        frame = pl.read_parquet(raw) if kind == "Parquet" else pl.read_ipc(raw)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ReadError(f"{path} is a damaged {kind} file: {_first_line(error)}") from None
    return FrameSource(nw.from_native(frame, eager_only=True), path=path, file_kind=kind)


def _text(path: Path, raw: bytes) -> TextSource:
    import polars as pl

    text, names, dialect = sniff(raw, path)
    try:
        frame = pl.read_csv(f"{text}\n".encode(), separator=dialect.delimiter, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        check_rectangular(text, dialect.delimiter, names, path)
        raise ReadError(f"{path} cannot be read as CSV: {_first_line(error)}") from None
    frame.columns = list(names)
    if frame[names[-1]].null_count():  # a record that is too short was filled up without a word
        check_rectangular(text, dialect.delimiter, names, path)
    return TextSource(frame, dialect, path)


def _first_line(error: Exception) -> str:
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
        return FrameSource(frame)
    if len(set(names)) < len(names):
        raise ReadError("the dataframe has columns whose names read alike: give each a name of its own")
    renamed = source.copy(deep=False)  # pandas: no other library names columns by anything but strings
    renamed.columns = names
    return FrameSource(nw.from_native(renamed, eager_only=True), labels=source.columns)
