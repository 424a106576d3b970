"""Dataframes keep their index, labels, time zones and categories, of whatever library they are."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from microagg import Column, WriteError, inspect, protect, read, verify, write
from microagg.doubt import doubts
from microagg.model.source_protocol import Changes
from microagg.source import FrameSource
from microagg.write import to_native
from source_tables import NOONS


def test_edition_is_all_that_a_source_needs() -> None:
    source = FrameSource(pl.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}))
    changes = Changes(("b",), (Column.of_numbers("b", np.array([5.0, 6.0])),), np.array([1, 0]))
    assert source.native(changes).to_dict(as_series=False) == {"b": [6.0, 5.0]}


_RARE = ["RARE", *["a", "b"] * 9, "?"]
_PLACES = [float(place) for place in range(len(_RARE))]


@pytest.mark.parametrize("ending", ["parquet", "arrow", "duckdb"])
@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"x": _PLACES, "c": pl.Series(_RARE, dtype=pl.Enum(["a", "b", "RARE", "?"]))}),
        pl.DataFrame({"x": _PLACES, "c": pl.Series(_RARE, dtype=pl.Categorical)}),
        pd.DataFrame({"x": _PLACES, "c": pd.Categorical(_RARE)}),
        pa.table({"x": _PLACES, "c": pa.array(_RARE).dictionary_encode()}),
    ],
    ids=["enum", "categorical", "pandas", "arrow"],
)
def test_categories_that_no_longer_occur_are_not_released(frame: Any, ending: str, tmp_path: Path) -> None:
    marks = {"c": ["?"]}
    release = protect(frame, k=3, columns=["x", "c"], nominal=["c"], missing="available", missing_values=marks)
    path = tmp_path / f"out.{ending}"
    write(release, f"duckdb:///{path}?table=t" if ending == "duckdb" else path)
    again = read(path)
    assert set(again.values("c")) == {"a", "b", "?"}, "a mark of a missing value is released as it was"
    assert set(again.column("c").categories or ()) == {"a", "b", "?"}
    assert b"RARE" not in path.read_bytes()


def test_pandas_keeps_index_labels_and_attributes() -> None:
    labels = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "z")], names=["one", "two"])
    frame = pd.DataFrame([[1.0, 2.0, 3.0], [3.0, 5.0, 6.0]], columns=labels, index=[7, 9])
    frame.attrs["source"] = {"year": 2020}
    table = read(frame)
    name = table.names[2]
    out = to_native(table.with_columns([Column.of_numbers(name, np.array([0.5, 1.5]))]).without(table.names[1:2]))
    assert out.columns.equals(labels[[0, 2]])
    assert out.index.tolist() == [7, 9]
    assert out.attrs == {"source": {"year": 2020}}
    assert out["b"]["z"].tolist() == [0.5, 1.5]
    shuffled = to_native(table.in_order(np.array([1, 0])))
    assert shuffled.index.tolist() == [0, 1], "the old index would reveal the old order"
    assert shuffled.attrs == {"source": {"year": 2020}}
    assert frame.columns.equals(labels), "the frame was touched"
    assert to_native(table) is not frame


@pytest.mark.parametrize(("index", "expected"), [([0, 1], False), ([1, 0], True), (["x", "y"], True)])
def test_index_that_identifies_records_is_noticed(index: list[Any], expected: bool) -> None:
    assert FrameSource(pd.DataFrame({"a": [1.0, 2.0]}, index=index)).has_index == expected
    assert not FrameSource(pl.DataFrame({"a": [1.0, 2.0]})).has_index


def test_time_zones_are_kept(tmp_path: Path) -> None:
    zoned = pd.Series(NOONS).dt.tz_localize("Europe/Berlin")
    tokyo = pl.Series(NOONS).dt.replace_time_zone("Asia/Tokyo")
    frames: dict[str, Any] = {"pandas": pd.DataFrame({"a": zoned}), "polars": pl.DataFrame({"a": tokyo})}
    for library, frame in frames.items():
        table = read(frame)
        column = table.column("a")
        assert column.values[0] < np.datetime64(NOONS[0]), "UTC is earlier"
        again = to_native(table.with_columns([column]))
        assert nw.from_native(again)["a"].dtype == nw.from_native(frame)["a"].dtype
        assert again["a"].to_list() == frame["a"].to_list()
        write(table, tmp_path / f"{library}.csv")
        back = read(tmp_path / f"{library}.csv")
        assert back.kind("a") == "datetime"
        assert (back.column("a").values == column.values).all()


def test_nanoseconds_are_kept(tmp_path: Path) -> None:
    array = np.array(["2020-01-01T00:00:00.123456789", "NaT"], dtype="datetime64[ns]")
    sources: list[Any] = [array, pd.DataFrame({"0": array})]
    for number, source in enumerate(sources):
        table = read(source)
        column = table.column("0")
        assert column.objects() == [array[0], None]
        file = tmp_path / f"{number}.csv"
        write(table, file)
        assert file.read_text().splitlines()[1].endswith(".123456789")
        assert read(file, header=True).column("0").values[0] == array[0]
    assert to_native(read(array).with_columns([column])).tolist() == array.tolist()


@pytest.mark.parametrize("values", [[1, 2, 3, 1], [1.0, 2.0, 3.0, 1.0], ["1", "2", "3", "1"]])
def test_categories_that_are_numbers_are_categories(values: list[Any]) -> None:
    frames: list[Any] = [
        pd.DataFrame({"a": pd.Categorical(values, ordered=is_ordered)}) for is_ordered in (False, True)
    ]
    frames.append(pa.table({"a": pa.array(values).dictionary_encode()}))
    if isinstance(values[0], str):
        frames.append(pl.DataFrame({"a": pl.Series(values, dtype=pl.Categorical)}))
        frames.append(pl.DataFrame({"a": pl.Series(values, dtype=pl.Enum(["3", "2", "1"]))}))
    for frame in frames:
        table = read(frame)
        assert table.kind("a") == "category"
        assert doubts(table, ["a"])  # asked about where no columns are named
        release = protect(frame, 2, columns=["a"], method="mdav")
        assert set(read(release.data).values("a")) <= set(values)
        assert release.solution.encoding is not None
        assert release.solution.encoding.treatment.level("a", "category") == "nominal"
        assert verify(frame, release.data, plan=release.plan).passed
        ordinal = protect(frame, 2, columns=["a"], ordinal={"a": [1, 2, 3]}, method="mdav")
        assert verify(frame, ordinal.data, plan=ordinal.plan).passed
        assert inspect(frame).columns[0].values.kind == "category"
        marked = protect(frame, 2, columns=["a"], missing="drop", missing_values={"a": values[1]}, method="mdav")
        assert marked.n_suppressed == 1
        assert table.column("a").objects() == values
        again = to_native(table.with_columns([table.column("a")]))
        assert read(again).values("a") == values
        assert nw.from_native(again)["a"].dtype == nw.from_native(frame)["a"].dtype


def test_decimals_that_floats_cannot_distinguish_are_two_values() -> None:
    tenth = [Decimal("0.1"), Decimal("0.10000000000000000001")]
    frames: list[Any] = [pl.DataFrame({"a": tenth}), pd.DataFrame({"a": pd.Series(tenth, dtype=object)})]
    for frame in frames:
        assert len(set(read(frame).codes("a").tolist())) == 2


def test_missing_pyarrow_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object) -> None:
        raise ModuleNotFoundError("pyarrow")

    monkeypatch.setattr(nw.Series, "to_polars", fail)
    with pytest.raises(WriteError, match="without the package pyarrow: install it"):
        write(read(pd.DataFrame({"a": [1.0]})), tmp_path / "out.csv")
    write(read(pl.DataFrame({"a": [1.0]})), tmp_path / "out.csv")
