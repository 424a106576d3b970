"""One small table of each kind of column, from each source."""

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from microagg import Column, Table, read, write
from microagg.model.column import CODED, Kind
from microagg.model.source_protocol import FileKind

DAYS = [dt.date(2020, 1, day) for day in (31, 1, 2, 3)]
NOONS = [dt.datetime(2021, 5, day, 12, 30, 15, 250_000) for day in (1, 2, 3, 4)]

VALUES: dict[Kind, tuple[list[Any], list[Any]]] = {
    "integer": ([1, 2, 30, 4], [5, None, -7, 8]),
    "number": ([1.5, 2.25, 3.5, 4.0], [0.5, None, -7.25, 8.0]),
    "boolean": ([True, False, True, False], [False, None, True, True]),
    "date": (DAYS, [DAYS[3], None, dt.date(1999, 12, 31), DAYS[0]]),
    "datetime": (NOONS, [NOONS[1], None, dt.datetime(1999, 12, 31, 23, 59, 59), NOONS[0]]),
    "category": (["a", "b", "a", "c"], ["c", None, "a", "a"]),
    "text": (["x", "y", "z", "x"], ["z", None, "quite, new", "y"]),
    "mixed": (["12%", "5%", "7%", "9%"], ["5%", None, "100%", "9%"]),
}
"""The values of a column, and those that replace them."""

ORDER = np.array([2, 0, 3, 1])

FILES: dict[str, FileKind] = {".csv": "CSV", ".parquet": "Parquet", ".feather": "Arrow"}
"""A file of each kind, by its ending."""

_POLARS: dict[Kind, Any] = {
    "boolean": pl.Boolean,
    "date": pl.Date,
    "datetime": pl.Datetime("us"),
    "category": pl.Categorical,
}
_ARROW: dict[Kind, Any] = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
    "category": pa.dictionary(pa.int32(), pa.string()),
    "text": pa.string(),
    "mixed": pa.string(),
}
_NULLABLE: dict[Kind, str] = {
    "integer": "Int64",
    "number": "Float64",
    "boolean": "boolean",
    "text": "string",
    "mixed": "string",
}
_KEPT = ["k1", "k2", "k3", "k4"]
_DROPPED = [9.5, 8.5, 7.5, 6.5]


def make_column(name: str, kind: Kind, values: Sequence[Any]) -> Column:
    """Return a column of Python objects, made by hand."""
    if kind in CODED:
        return Column.of_objects(name, values, kind)
    missing = np.array([value is None for value in values])
    present = next(value for value in values if value is not None)
    array = np.array([present if value is None else value for value in values])
    if array.dtype.kind in "OM":
        array = array.astype("datetime64[D]" if kind == "date" else "datetime64[us]")
    return Column(name, kind, array, missing=missing if missing.any() else None)


def assert_same(found: Sequence[Any], expected: Sequence[Any]) -> None:
    """Check that two lists have equal values, None only for None."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one == other, (found, expected)
        assert (one is None) == (other is None)


def text_table(folder: Path, text: str, **reading: Any) -> Table:
    """Return a text file of this content, read."""
    (folder / "in.csv").write_bytes(text.encode())
    return read(folder / "in.csv", **reading)


def _polars(kind: Kind, folder: Path) -> pl.DataFrame:
    new = pl.Series(VALUES[kind][0], dtype=_POLARS.get(kind))
    return pl.DataFrame({"keep": _KEPT, "new": new, "drop": _DROPPED})


def _array(kind: Kind, folder: Path) -> Any:
    values = VALUES[kind][0]
    array = np.array([values, values, values]).T
    return array.astype({"date": "datetime64[D]", "datetime": "datetime64[us]"}.get(kind, array.dtype))


def _array_of_objects(kind: Kind, folder: Path) -> Any:
    return np.array([VALUES["text"][0], VALUES[kind][0], VALUES["number"][0]], dtype=object).T


def _pandas(kind: Kind, folder: Path) -> Any:
    dtype = {"category": "category", "date": object}.get(kind)
    return pd.DataFrame({"keep": _KEPT, "new": pd.Series(VALUES[kind][0], dtype=dtype), "drop": _DROPPED})


def _pandas_nullable(kind: Kind, folder: Path) -> Any:
    frame = _pandas(kind, folder)
    return frame.astype({"new": _NULLABLE[kind]}) if kind in _NULLABLE else frame


def _pandas_arrow(kind: Kind, folder: Path) -> Any:
    return _pandas(kind, folder).assign(new=pd.Series(VALUES[kind][0], dtype=pd.ArrowDtype(_ARROW[kind])))


def _pyarrow(kind: Kind, folder: Path) -> Any:
    return pa.table({"keep": _KEPT, "new": pa.array(VALUES[kind][0], type=_ARROW[kind]), "drop": _DROPPED})


def _csv(kind: Kind, folder: Path) -> Path:
    _polars(kind, folder).write_csv(folder / "in.csv")
    return folder / "in.csv"


def _parquet(kind: Kind, folder: Path) -> Path:
    _polars(kind, folder).write_parquet(folder / "in.parquet")
    return folder / "in.parquet"


def _arrow(kind: Kind, folder: Path) -> Path:
    _polars(kind, folder).write_ipc(folder / "in.arrow")
    return folder / "in.arrow"


def _xlsx(kind: Kind, folder: Path) -> Path:
    write(read(_polars(kind, folder)), folder / "in.xlsx", force=True)
    return folder / "in.xlsx"


def _sqlite(kind: Kind, folder: Path) -> Path:
    write(read(_polars(kind, folder)), f"sqlite:///{folder}/in.sqlite?table=people", force=True)
    return folder / "in.sqlite"


def _dta(kind: Kind, folder: Path) -> Path:
    return _statistical(kind, folder / "in.dta")


def _sav(kind: Kind, folder: Path) -> Path:
    return _statistical(kind, folder / "in.sav")


def _statistical(kind: Kind, path: Path) -> Path:
    if kind == "boolean":
        pytest.skip("a statistical file has codes with labels in place of truth values")
    write(read(_polars(kind, path.parent)), path, force=True)
    return path


SOURCES: dict[str, Callable[[Kind, Path], Any]] = {
    "array": _array,
    "array of objects": _array_of_objects,
    "pandas": _pandas,
    "pandas with nullable types": _pandas_nullable,
    "pandas with types of Arrow": _pandas_arrow,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "csv": _csv,
    "parquet": _parquet,
    "arrow": _arrow,
    "xlsx": _xlsx,
    "sqlite": _sqlite,
    "dta": _dta,
    "sav": _sav,
}
"""Makes a table of three columns, the second of some kind; files are written to a folder."""

every_source = pytest.mark.parametrize("source", SOURCES)
every_kind = pytest.mark.parametrize("kind", VALUES)


def kind_in(source: str, kind: Kind) -> Kind:
    """Return the kind that a source takes a column for: few have categories of texts."""
    without = ("csv", "array", "array of objects", "xlsx", "duckdb", "sqlite", "dta", "sav")
    return "text" if kind == "category" and source in without else kind
