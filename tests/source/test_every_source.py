"""Every source returns its columns with their types, and writes any column back."""

import hashlib
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import ReadError, Table, protect, read, write
from microagg.model.column import Kind
from microagg.write import to_native
from source_tables import FILES, ORDER, SOURCES, VALUES, assert_same, every_kind, every_source, kind_in, make_column


@every_source
@every_kind
def test_column_has_its_kind_and_values(source: str, kind: Kind, tmp_path: Path) -> None:
    table = read(SOURCES[source](kind, tmp_path))
    name = table.names[1]
    expected = kind_in(source, kind)
    assert (table.kind(name), table.source.kind(name)) == (expected, expected)
    column = table.column(name)
    assert (column.name, column.kind, column.missing) == (name, expected, None)
    assert_same(column.objects(), VALUES[kind][0])
    assert not column.values.flags.writeable
    assert len(set(table.codes(name).tolist())) == len(set(VALUES[kind][0]))
    if kind in ("integer", "number"):
        assert table.numbers(name).tolist() == VALUES[kind][0]
    else:
        with pytest.raises(ReadError, match="row 1"):
            table.numbers(name)


@every_source
@every_kind
def test_missing_values_are_masked(source: str, kind: Kind, tmp_path: Path) -> None:
    made = read(SOURCES[source](kind, tmp_path))
    name = made.names[1]
    table = read(to_native(made.with_columns([make_column(name, kind, VALUES[kind][1])])))
    column = table.column(name)
    assert column.missing is not None
    assert column.missing.tolist() == [False, True, False, False]
    assert_same(column.objects(), VALUES[kind][1])
    assert_same(table.values(name), VALUES[kind][1])
    codes = table.codes(name).tolist()
    assert codes.count(codes[1]) == 1


def test_kinds_are_guessed_in_all_but_an_array(tmp_path: Path) -> None:
    for source, make in SOURCES.items():
        assert read(make("number", tmp_path)).source.may_hold_identifiers == (not source.startswith("array"))


@every_source
def test_files_have_a_checksum_and_nothing_else_has(source: str, tmp_path: Path) -> None:
    made = SOURCES[source]("number", tmp_path)
    expected = hashlib.sha256(made.read_bytes()).hexdigest() if isinstance(made, Path) else None
    assert read(made).source.sha256 == expected


@every_source
@every_kind
def test_replaced_column_comes_back_from_the_native_object(source: str, kind: Kind, tmp_path: Path) -> None:
    made = SOURCES[source](kind, tmp_path)
    table = read(made)
    keep, new, drop = table.names
    before = repr(table.values(new))
    edited = table.with_columns([make_column(new, kind, VALUES[kind][1])]).without([drop]).in_order(ORDER)
    native = to_native(edited)
    assert type(native) is (pl.DataFrame if isinstance(made, Path) else type(made))
    again = read(native)
    assert again.names == (keep, new)
    assert_same(again.column(new).objects(), [VALUES[kind][1][record] for record in ORDER])
    assert again.values(keep) == [table.values(keep)[record] for record in ORDER]
    assert repr(table.values(new)) == before, "the source was touched"
    assert again.kind(new) == ("number" if (source, kind) == ("array", "integer") else kind_in(source, kind))


def _through_file(table: Table, target: Path) -> Table:
    """Write a table and read it again; the names of an array's columns are numbers."""
    write(table, target, force=True)
    return read(target, header=True if FILES[target.suffix] == "CSV" else None)


@every_source
@every_kind
def test_replaced_column_comes_back_from_a_file(source: str, kind: Kind, tmp_path: Path) -> None:
    table = read(SOURCES[source](kind, tmp_path))
    keep, new, drop = table.names
    edited = table.with_columns([make_column(new, kind, VALUES[kind][1])]).without([drop]).in_order(ORDER)
    for suffix, file_kind in FILES.items():
        again = _through_file(edited, tmp_path / f"out{suffix}")
        assert again.source.file_kind == file_kind
        assert again.names == (keep, new)
        assert_same(again.column(new).objects(), [VALUES[kind][1][record] for record in ORDER])
        assert_same(again.column(keep).objects(), [table.column(keep).objects()[record] for record in ORDER])
        assert again.kind(new) in (kind, kind_in("csv", kind))


@every_source
@every_kind
def test_unedited_table_can_be_any_file(source: str, kind: Kind, tmp_path: Path) -> None:
    table = read(SOURCES[source](kind, tmp_path))
    for suffix in FILES:
        again = _through_file(table, tmp_path / f"out{suffix}")
        assert again.names == table.names
        for name in table.names:
            assert_same(again.column(name).objects(), table.column(name).objects())


@pytest.mark.parametrize("source", ["array", "array of objects", "pandas", "polars", "pyarrow", "csv"])
@every_kind
def test_column_may_be_replaced_by_one_of_another_kind(source: str, kind: Kind, tmp_path: Path) -> None:
    table = read(SOURCES[source](kind, tmp_path))
    keep, new, _ = table.names
    for other, (_, values) in VALUES.items():
        edited = table.with_columns([make_column(new, other, values)])
        again = read(to_native(edited))
        assert_same(again.column(new).objects(), values)
        assert again.column(keep).objects() == table.column(keep).objects()
        assert_same(_through_file(edited, tmp_path / "out.csv").column(new).objects(), values)


@every_source
@every_kind
def test_source_and_table_survive_pickling(source: str, kind: Kind, tmp_path: Path) -> None:
    table = read(SOURCES[source](kind, tmp_path))
    name = table.names[1]
    table.kind(name)
    table.codes(name)
    edited = table.with_columns([make_column(name, kind, VALUES[kind][1])]).in_order(ORDER)
    again = pickle.loads(pickle.dumps(edited))
    assert not again.order.flags.writeable
    assert not again.column(name).values.flags.writeable
    for one, other in ((edited, again), (table, pickle.loads(pickle.dumps(table)))):
        assert type(other.source) is type(one.source)
        assert (other.names, other.n_records, other.path) == (one.names, one.n_records, one.path)
        assert (other.source.sha256, other.source.file_kind) == (one.source.sha256, one.source.file_kind)
        for column in one.names:
            assert other.kind(column) == one.kind(column)
            assert other.values(column) == one.values(column)
            assert_same(other.column(column).objects(), one.column(column).objects())
        assert read(to_native(other)).values(name) == read(to_native(one)).values(name)


@every_source
@pytest.mark.parametrize("kind", [kind for kind in VALUES if kind != "integer"])  # small integers are counts, too
def test_no_repr_shows_a_value(source: str, kind: Kind, tmp_path: Path) -> None:
    table = read(SOURCES[source](kind, tmp_path))
    name = table.names[1]
    edited = table.with_columns([make_column(name, kind, VALUES[kind][1])]).in_order(ORDER)
    shown: list[Any] = [table, edited, edited.source, edited.changes, edited.column(name), table.column(name)]
    for one in shown:
        text = repr(one).replace(str(tmp_path), "")
        assert len(text) < 200
        for value in filter(None, (*VALUES[kind][0], *VALUES[kind][1])):
            assert not re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", text), text


def test_empty_column() -> None:
    for source in (np.empty((0, 1)), pl.DataFrame({"0": pl.Series([], dtype=pl.String)}), pd.DataFrame({"0": []})):
        table = read(source)
        assert table.column("0").objects() == []
        assert len(to_native(table.with_columns([table.column("0")]))) == 0


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_a_name_that_looks_like_a_pattern_is_a_name(ending: str, tmp_path: Path) -> None:
    names = ["^a.*$", "ab", "*", "^b$", "^t.*$"]
    frame = pl.DataFrame({name: [1.5, 2.5, 8.5, 9.5] for name in names[:-1]})
    frame = frame.with_columns(pl.Series("^t.*$", ["x", "x", "y", "y"]))
    path = tmp_path / f"in.{ending}"
    write(read(frame), path)
    for source in (path, frame):
        release = protect(source, k=2, columns=["^a.*$", "*", "^t.*$"], nominal=["^t.*$"])
        released = release.data
        assert list(released.columns) == names
        assert released["^a.*$"].to_list() == released["*"].to_list() == [2.0, 2.0, 9.0, 9.0]
        assert released["^t.*$"].to_list() == ["x", "x", "y", "y"]
        assert released["ab"].to_list() == released["^b$"].to_list() == [1.5, 2.5, 8.5, 9.5]
        write(release.table, tmp_path / f"out.{ending}", force=True)
