"""SQLite holds any mix of values: they are typed where all agree, and written back as they were."""

import datetime as dt
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from microagg import WriteError, read, write
from microagg.source.database.sqlite_columns import series_of_stored, stored_values, type_of_series


@pytest.mark.parametrize(
    ("values", "declared", "dtype"),
    [
        ([1, None, 3], "INTEGER", pl.Int64),
        ([1, None, 0], "BOOLEAN", pl.Boolean),
        ([1, None, 2], "BOOLEAN", pl.Int64),
        ([1, 2.5, None], "NUMERIC", pl.Float64),
        ([2**60, 2.5], "NUMERIC", pl.Object),
        (["a", None], "TEXT", pl.String),
        ([b"a", None], "BLOB", pl.Binary),
        (["a", 1], "INTEGER", pl.Object),
        (["2020-01-31", None], "DATE", pl.Date),
        (["2020-01-31", None], "TEXT", pl.String),
        (["2020-1-31", None], "DATE", pl.String),
        (["2020-01-31 10:00:05"], "TIMESTAMP", pl.Datetime("us")),
        (["2020-01-31T10:00:05.250"], "datetime", pl.Datetime("us")),
        (["2020-01-31 10:00:05", "2020-01-31T10:00:05"], "DATETIME", pl.String),
        (["2020-01-31 10:00:05", "2020-01-31"], "DATETIME", pl.String),
        ([None], "INTEGER", pl.Int64),
        ([None], "DOUBLE", pl.Float64),
        ([None], "BOOL", pl.Boolean),
        ([None], "", pl.String),
    ],
)
def test_values_have_the_type_that_all_of_them_have(values: list[Any], declared: str, dtype: Any) -> None:
    series, time_format = series_of_stored(values, declared)
    assert series.dtype == dtype
    stored = stored_values(series, time_format)
    assert stored == [float(one) if dtype == pl.Float64 and one is not None else one for one in values]


@pytest.mark.parametrize(
    ("values", "declared", "stored"),
    [
        ([1, None], "INTEGER", [1, None]),
        ([0.5, None], "REAL", [0.5, None]),
        ([True, None], "BOOLEAN", [True, None]),
        ([dt.date(2020, 1, 31)], "DATE", ["2020-01-31"]),
        ([dt.datetime(2020, 1, 31, 10)], "TIMESTAMP", ["2020-01-31 10:00:00"]),
        ([dt.datetime(2020, 1, 31, 10, 0, 0, 5)], "TIMESTAMP", ["2020-01-31 10:00:00.000005"]),
        ([dt.datetime(2020, 1, 31, 10, tzinfo=dt.UTC)], "TIMESTAMP", ["2020-01-31 10:00:00+00:00"]),
        ([Decimal("1.25")], "REAL", [1.25]),
        ([Decimal("1.2345678901234567890")], "TEXT", ["1.2345678901234567890"]),
        ([dt.time(10, 30)], "TEXT", ["10:30:00"]),
        ([b"x"], "BLOB", [b"x"]),
    ],
)
def test_any_series_is_stored(values: list[Any], declared: str, stored: list[Any]) -> None:
    series = pl.Series("x", values)
    kind = type_of_series(series)
    assert kind.name == declared
    assert stored_values(series, kind.time_format) == stored


def test_times_with_more_digits_than_before_lose_none() -> None:
    series, time_format = series_of_stored(["2020-01-31 10:00:05"], "TIMESTAMP")
    finer = series + dt.timedelta(milliseconds=500)
    assert stored_values(finer, time_format) == ["2020-01-31 10:00:05.500000"]
    nanoseconds = pl.Series([1_580_464_805_000_000_007]).cast(pl.Datetime("ns"))
    assert stored_values(nanoseconds, type_of_series(nanoseconds).time_format) == ["2020-01-31 10:00:05.000000007"]


@pytest.mark.parametrize(
    ("series", "content"),
    [
        (pl.Series("x", [[1]]), "values of type List"),
        (pl.Series("x", [dt.timedelta(1)]), "values of type Duration"),
        (pl.Series("x", [2**63], dtype=pl.UInt64), "integers of more than 64 bits"),
        (pl.Series("x", [object()], dtype=pl.Object), "Python objects"),
    ],
)
def test_what_sqlite_lacks_is_refused(series: pl.Series, content: str) -> None:
    with pytest.raises(WriteError, match=f"column 'x' has {content}, which a SQLite table cannot hold"):
        stored_values(series, None)


def test_every_cell_keeps_its_storage_class(tmp_path: Path) -> None:
    """A column may hold anything, whatever it is declared as."""
    rows = [(1, "1", 1.5, "2020-01-01"), (2.5, None, 2, "soon"), ("x", 3, None, None), (b"b", 4.0, 7, "2020-01-02")]
    with closing(sqlite3.connect(tmp_path / "in.db")) as connection:
        connection.execute("CREATE TABLE t (a, b VARCHAR(5), c NUMERIC, d DATE)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
        connection.commit()
    write(read(tmp_path / "in.db"), f"sqlite:///{tmp_path}/out.db?table=t")
    query = "SELECT *, typeof(a), typeof(b), typeof(c), typeof(d) FROM t"
    found = []
    for name in ("in.db", "out.db"):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            types = connection.execute("SELECT name, type FROM pragma_table_info('t')").fetchall()
            found.append((types, connection.execute(query).fetchall()))
    assert found[0] == found[1]


def test_text_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    from microagg import ReadError

    with closing(sqlite3.connect(tmp_path / "in.db")) as connection:
        connection.execute("CREATE TABLE t (a TEXT)")
        connection.execute("INSERT INTO t VALUES (CAST(x'ff' AS TEXT))")
        connection.commit()
    with pytest.raises(ReadError, match="column 'a' of table 't' holds a text that is not in UTF-8: convert it"):
        read(tmp_path / "in.db")
