"""A file that is read column by column gives the same columns, and the same files, as one that is read into memory."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files import write_bytes
from large_sources import assert_same_file, assert_same_source, large_table, small_batches
from microagg import Column, InputError, WriteError, read
from microagg.model.column import Kind
from source_tables import FILES, ORDER, SOURCES, VALUES, every_kind, make_column

every_file = pytest.mark.parametrize("source", ["csv", "parquet", "arrow"])


@every_file
@every_kind
def test_every_kind_of_column_in_every_kind_of_file(source: str, kind: Kind, tmp_path: Path) -> None:
    path = SOURCES[source](kind, tmp_path)
    table = read(path)
    _, new, drop = table.names
    column = make_column(new, kind, VALUES[kind][1])
    with small_batches():
        large = large_table(path, tmp_path)
        assert_same_source(table, large)
        one, other = (each.with_columns([column]).without([drop]).in_order(ORDER) for each in (table, large))
        for file_kind in FILES.values():
            assert_same_file(table, large, tmp_path, file_kind)
            assert_same_file(one, other, tmp_path, file_kind)
    assert [file.name for file in tmp_path.glob("output-*")] == [], "the spool is removed"


@pytest.mark.parametrize("suffix", [".tsv", ".csv"])
def test_tabs_separate_the_fields_of_some_files(suffix: str, tmp_path: Path) -> None:
    for source in ("csv", "parquet"):
        path = SOURCES[source]("number", tmp_path)
        target = tmp_path / f"out{suffix}"
        contents = []
        for table in (read(path), large_table(path, tmp_path)):
            with small_batches():
                table.source.save(table.changes, target, "CSV")
            contents.append(target.read_bytes())
        assert contents[0] == contents[1]
        assert (b"\t" in contents[0]) == (suffix == ".tsv")


TYPES = [
    pl.Float32(),
    pl.Float64(),
    pl.Int8(),
    pl.UInt64(),
    pl.Boolean(),
    pl.String(),
    pl.Date(),
    pl.Datetime("ms"),
    pl.Datetime("ns", "Europe/Berlin"),
    pl.Categorical(),
    pl.Enum(["b", "a", "7"]),
    pl.Decimal(20, 2),
    pl.List(pl.Int64()),
    pl.Null(),
]


def _values_of(dtype: pl.DataType) -> st.SearchStrategy[Any]:
    if isinstance(dtype, pl.Categorical | pl.Enum):
        return st.sampled_from(["a", "b", "7"])
    if dtype == pl.Null:
        return st.none()
    if dtype.is_nested():
        return st.lists(st.integers(0, 3), max_size=2)
    if dtype.is_temporal():
        return st.integers(0, 20_000)
    if dtype.is_decimal():
        return st.decimals(-100, 100, places=2)
    if dtype.is_float():
        return st.floats(width=32)
    if dtype == pl.String:
        return st.sampled_from(["", "x", "12%", "long text " * 3])
    return st.booleans() if dtype == pl.Boolean else st.integers(0, 100)


@st.composite
def _frames(draw: st.DrawFn) -> pl.DataFrame:
    n = draw(st.integers(0, 5))
    dtypes = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
    columns = {}
    for number, dtype in enumerate(dtypes):
        values = draw(st.lists(st.none() | _values_of(dtype), min_size=n, max_size=n))
        plain = pl.Int64() if dtype.is_temporal() else dtype
        columns[f"c{number}"] = pl.Series(values, dtype=plain).cast(dtype)
    return pl.DataFrame(columns)


@given(frame=_frames(), suffix=st.sampled_from([".parquet", ".arrow"]), data=st.data())
@settings(max_examples=40)
def test_every_type_of_a_typed_file(
    frame: pl.DataFrame, suffix: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("typed")
    path = folder / f"in{suffix}"
    frame.write_parquet(path) if suffix == ".parquet" else frame.write_ipc(path)
    table = read(path)
    order = np.array(data.draw(st.permutations(range(frame.height))), dtype=np.int64)
    with small_batches():
        large = large_table(path, folder)
        assert_same_source(table, large)
        for kind in FILES.values():
            assert_same_file(table.in_order(order), large.in_order(order), folder, kind)


def test_missing_values_stay_as_they_were_read(tmp_path: Path) -> None:
    path = write_bytes(tmp_path / "in.csv", "x,y\n1.5,a\nNA,b\n.,c\n,d\n2.5,e\n")
    column = Column.of_numbers("x", np.array([2.0, np.nan, np.nan, np.nan, 2.0]))
    with small_batches():
        one, other = (table.with_columns([column]) for table in (read(path), large_table(path, tmp_path)))
        for kind in FILES.values():
            assert_same_file(one, other, tmp_path, kind)
    other.source.save(other.changes, tmp_path / "out.csv", "CSV")
    assert (tmp_path / "out.csv").read_text() == "x,y\n2.0,a\nNA,b\n.,c\n,d\n2.0,e\n"


def test_names_that_look_like_patterns(tmp_path: Path) -> None:
    path = tmp_path / "in [1]*.parquet"
    pl.DataFrame({"^a.*$": [1, 2], "ab": [3, 4], "*": [5, 6]}).write_parquet(path)
    table = large_table(path, tmp_path)
    assert [table.values(name) for name in table.names] == [[1, 2], [3, 4], [5, 6]]


def test_column_that_the_file_cannot_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pl.DataFrame({"a": [[1], [2]], "b": [1, 2]}).write_parquet(path)
    large = large_table(path, tmp_path)
    with pytest.raises(WriteError, match=r"'a' has values of type List.*a CSV file cannot hold"):
        large.source.save(large.changes, tmp_path / "out.csv", "CSV")
    assert [file.name for file in tmp_path.iterdir()] == ["in.parquet"]


@every_file
def test_table_survives_pickling(source: str, tmp_path: Path) -> None:
    table = large_table(SOURCES[source]("number", tmp_path), tmp_path)
    table.kind(table.names[1])
    assert_same_source(table, pickle.loads(pickle.dumps(table)))


@every_file
def test_no_repr_shows_a_value(source: str, tmp_path: Path) -> None:
    table = large_table(SOURCES[source]("text", tmp_path), tmp_path)
    columns = table.source.columns  # type: ignore[attr-defined]
    shown = f"{table.source!r} {columns!r}".replace(str(tmp_path), "")
    assert "4 records, 3 columns" in shown
    assert not any(repr(value) in shown for value in VALUES["text"][0])


def test_native_dataframe_is_refused(tmp_path: Path) -> None:
    table = large_table(write_bytes(tmp_path / "in.csv", "a,b\n1,2\n"), tmp_path)
    with pytest.raises(InputError, match="larger than memory: expected an output file"):
        table.source.native(table.changes)
