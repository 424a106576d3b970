"""Write a polars dataframe as a file of any kind."""

from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

from microagg.model.errors import WriteError
from microagg.model.source_protocol import FileKind

if TYPE_CHECKING:
    import polars as pl

_TABS = (".tsv", ".tab")
_ARTICLES: dict[FileKind, str] = {"CSV": "a", "Parquet": "a", "Arrow": "an"}
_PLAIN = (str, int, float, bool)


def save_frame(frame: "pl.DataFrame", path: Path, kind: FileKind) -> None:
    """Write a dataframe; refuse a column that this kind of file cannot hold."""
    import polars as pl

    if kind == "CSV":
        frame = frame.with_columns([_texts(series) for series in frame.iter_columns() if series.dtype == pl.Object])
    delimiter = "\t" if path.suffix.lower() in _TABS else ","
    with path.open("wb") as file:
        try:
            _write(frame, file, kind, delimiter)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise WriteError(_complaint(frame, kind, delimiter, error)) from None


def _write(frame: "pl.DataFrame", file: IO[bytes], kind: FileKind, delimiter: str) -> None:
    import polars as pl

    if kind == "Parquet":
        frame.write_parquet(file)
    elif kind == "Arrow":
        frame.write_ipc(file, compat_level=pl.CompatLevel.oldest())
    else:
        frame.write_csv(file, separator=delimiter)


def _texts(series: "pl.Series") -> "pl.Series":
    """Give plain objects of several types as texts; leave others, which the file cannot hold."""
    import polars as pl

    values = series.to_list()
    if not all(value is None or isinstance(value, _PLAIN) for value in values):
        return series
    return pl.Series(series.name, [None if value is None else str(value) for value in values], dtype=pl.String)


def _complaint(frame: "pl.DataFrame", kind: FileKind, delimiter: str, error: BaseException) -> str:
    """Say which column is in the way."""
    import polars as pl

    for series in frame.iter_columns():
        try:
            _write(series.head(1).to_frame(), BytesIO(), kind, delimiter)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            held = "Python objects" if series.dtype == pl.Object else f"values of type {series.dtype}"
            return (
                f"column {series.name!r} has {held}, which {_ARTICLES[kind]} {kind} file cannot hold: convert it, "
                "drop it, or write another kind of file"
            )
    return f"{_ARTICLES[kind]} {kind} file cannot hold the table: {str(error).strip().partition(chr(10))[0]}"
