"""Polars dataframes written as CSV, Parquet or Arrow files."""

import re
from collections.abc import Collection
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from microagg.model.errors import VerificationError, WriteError
from microagg.model.source_protocol import FileKind
from microagg.source.file_handler import with_article

if TYPE_CHECKING:
    import polars as pl

TAB_SUFFIXES = (".tsv", ".tab")
"""Endings of text files whose fields are separated by tabs."""

_Compression = Literal["zstd", "uncompressed"]
_PLAIN_TYPES = (str, int, float, bool)


def save_frame(frame: "pl.DataFrame", path: Path, kind: FileKind) -> None:
    """Write a dataframe; raise `WriteError` if this kind of file cannot hold one of its columns."""
    import polars as pl

    frame = storable(frame, kind)
    delimiter = delimiter_of(path)
    with path.open("wb") as file:
        try:
            _write(frame, file, kind, delimiter)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise_disk_error(error)
            raise WriteError(_failure(frame, kind, delimiter, error)) from None


def storable(frame: "pl.DataFrame", kind: FileKind) -> "pl.DataFrame":
    """Return a dataframe as it is stored in a file of this kind: plain objects of several types as texts in CSV."""
    import polars as pl

    if kind != "CSV":
        return frame
    return frame.with_columns([_as_texts(series) for series in frame.iter_columns() if series.dtype == pl.Object])


def check_storable(frame: "pl.DataFrame", kind: FileKind) -> None:
    """Raise `WriteError` if this kind of file cannot hold one of the columns."""
    import polars as pl

    try:
        _write(frame.head(1), BytesIO(), kind, ",")
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise WriteError(_failure(frame, kind, ",", error)) from None


def check_categories(path: Path, kind: FileKind, edited: Collection[str]) -> None:
    """Refuse a file that stores a category that no record of it has.

    Parameters
    ----------
    path, kind
        The file, as it was written.
    edited
        Columns that must not declare other categories than those of their records.

    Raises
    ------
    VerificationError
        If it stores one: a defect of this package, or of this version of polars.
    """
    import polars as pl

    if kind == "CSV":
        return
    if _stores_other_categories(kind):
        raise VerificationError(
            f"polars {pl.__version__} stores categories of records that are left out in {with_article(kind)}: nothing "
            "is released; install another version of polars"
        )
    schema = pl.read_parquet_schema(path) if kind == "Parquet" else pl.read_ipc_schema(path)
    read = pl.read_parquet if kind == "Parquet" else pl.read_ipc
    for place, (name, dtype) in enumerate(schema.items()):
        if name not in edited or "Enum(" not in str(dtype):
            continue
        with path.open("rb") as file:
            column = read(file, columns=[place]).to_series()
        if not isinstance(dtype, pl.Enum) or column.drop_nulls().n_unique() < len(dtype.categories):
            raise VerificationError(
                f"column {name!r} of the file stores a category that no record of it has: nothing is released"
            )


@cache
def _stores_other_categories(kind: FileKind) -> bool:
    """Check whether polars stores categories that do not occur, as 1.30 to 1.34 do; once for each kind."""
    import polars as pl

    frame = pl.DataFrame({"": pl.Series(["here", "elsewhere"], dtype=pl.Categorical)})[:1]
    file = BytesIO()
    _write(frame, file, kind, ",", compression="uncompressed")
    return b"elsewhere" in file.getvalue()


def delimiter_of(path: Path) -> str:
    """Return what separates the fields of a text file that is written to a path."""
    return "\t" if path.suffix.lower() in TAB_SUFFIXES else ","


def raise_disk_error(error: BaseException) -> None:
    """Raise the `OSError` that polars has wrapped in an error of its own, if that is one: a full disk."""
    found = re.search(r"([^:]*) \(os error (\d+)\)", str(error))
    if found is not None:
        raise OSError(int(found[2]), found[1].strip()) from None


def _write(
    frame: "pl.DataFrame", file: IO[bytes], kind: FileKind, delimiter: str, compression: _Compression = "zstd"
) -> None:
    import polars as pl

    if kind == "Parquet":
        frame.write_parquet(file, compression=compression)
    elif kind == "Arrow":
        frame.write_ipc(file, compat_level=pl.CompatLevel.oldest())
    else:
        frame.write_csv(file, separator=delimiter)


def _as_texts(series: "pl.Series") -> "pl.Series":
    """Return plain objects of several types as texts; leave a series of others, which the file cannot hold."""
    import polars as pl

    values = series.to_list()
    if not all(value is None or isinstance(value, _PLAIN_TYPES) for value in values):
        return series
    return pl.Series(series.name, [None if value is None else str(value) for value in values], dtype=pl.String)


def _failure(frame: "pl.DataFrame", kind: FileKind, delimiter: str, error: BaseException) -> str:
    """Describe which column cannot be written."""
    import polars as pl

    for series in frame.iter_columns():
        try:
            _write(series.head(1).to_frame(), BytesIO(), kind, delimiter)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            content = "Python objects" if series.dtype == pl.Object else f"values of type {series.dtype}"
            return (
                f"column {series.name!r} has {content}, which {with_article(kind)} cannot hold: convert it, drop "
                "it, or write another kind of file"
            )
    return f"the {kind} file cannot be written: {str(error).strip().partition(chr(10))[0]}"
