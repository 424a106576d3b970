"""Polars series keep their types where these can hold the values."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import Column, read, write
from microagg.write import to_native


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt16, pl.Int64, pl.UInt64, pl.Float32, pl.Float64])
def test_width_is_kept_where_it_can_be(dtype: Any) -> None:
    table = read(pl.DataFrame({"a": pl.Series([1, 2], dtype=dtype)}))
    missing = np.array([False, True])
    kept = Column("a", "integer", np.array([100, 10**15]), missing=missing)  # what is missing need not fit
    assert to_native(table.with_columns([kept])).schema["a"] == dtype
    wide = to_native(table.with_columns([Column("a", "integer", np.array([2**62 + 1, 3]))]))
    assert wide.schema["a"] == (dtype if dtype in (pl.Int64, pl.UInt64) else pl.Int64)
    assert wide["a"].to_list() == [2**62 + 1, 3]
    halves = to_native(table.with_columns([Column.of_numbers("a", np.array([0.5, np.nan]))]))
    assert halves.schema["a"] == (dtype if dtype in (pl.Float32, pl.Float64) else pl.Float64)
    assert halves["a"].to_list() == [0.5, None]


def test_columns_that_cannot_be_averaged_survive(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "list": [[1, 2], None, [3]],
            "struct": [{"x": 1}, None, {"x": 2}],
            "binary": [b"a", None, b"b"],
            "time": [dt.time(1), None, dt.time(2)],
            "duration": [dt.timedelta(1), None, dt.timedelta(2)],
            "nothing": [None, None, None],
            "enum": pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b"])),
        }
    )
    table = read(frame)
    assert [table.kind(name) for name in table.names] == ["text"] * 6 + ["category"]
    again = table.with_columns([table.column(name) for name in table.names])
    assert to_native(again).equals(frame)
    assert to_native(again).schema == frame.schema
    write(again, tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet").equals(frame)


def test_new_categories_join_the_old_ones_that_occur() -> None:
    table = read(pl.DataFrame({"a": pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))}))
    new = Column.of_objects("a", ["z", "b"], "category")
    assert to_native(table.with_columns([new])).schema["a"] == pl.Enum(["b", "z"])


def test_integers_beyond_64_bits_keep_their_type() -> None:
    frame = pl.DataFrame({"a": pl.Series([2**100, None], dtype=pl.Int128)})
    table = read(frame)
    assert table.column("a").objects() == [2**100, None]
    assert to_native(table.with_columns([table.column("a")])).equals(frame)
