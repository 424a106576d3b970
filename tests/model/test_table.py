"""Tables: columns replaced, dropped and reordered, and combinations of values."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import Column, InputError, Table, read


@pytest.fixture(name="table")
def _table() -> Table:
    return read(pl.DataFrame({"x": [0.5, 1.5, 2.5], "n": [3, 1, 3], "who": ["a", None, "c"]}))


def test_columns_as_they_came(table: Table) -> None:
    assert (table.names, table.n_records, table.path) == (("x", "n", "who"), 3, None)
    assert [table.kind(name) for name in table.names] == ["number", "integer", "text"]
    assert table.numbers("n").tolist() == [3.0, 1.0, 3.0]
    assert table.codes("n").tolist()[0] == table.codes("n").tolist()[2] != table.codes("n").tolist()[1]
    assert table.values("who") == ["a", None, "c"]
    assert table.column("n").kind == "integer"
    assert (table.changes.names, table.changes.replaced, table.changes.order) == (table.names, (), None)


def test_columns_that_are_replaced(table: Table) -> None:
    new = table.with_columns([Column.of_numbers("n", np.array([0.5, 0.5, np.nan]))])
    assert new.kind("n") == "number"
    np.testing.assert_array_equal(new.numbers("n"), [0.5, 0.5, np.nan])
    assert new.values("n") == [0.5, 0.5, None]
    assert new.codes("n").tolist() == [0, 0, 2]
    assert new.column("n").objects() == [0.5, 0.5, None]
    assert new.values("x") == table.values("x")
    assert table.kind("n") == "integer"
    newer = new.with_columns([Column.of_numbers("n", np.array([1, 2, 3])), Column.of_numbers("x", np.array([4, 5, 6]))])
    assert (newer.values("n"), newer.values("x")) == ([1, 2, 3], [4, 5, 6])
    assert [column.name for column in newer.changes.replaced] == ["n", "x"]


@pytest.mark.parametrize("column", [Column.of_numbers("z", np.ones(3)), Column.of_numbers("x", np.ones(2))])
def test_a_column_that_does_not_fit_is_refused(table: Table, column: Column) -> None:
    with pytest.raises(ValueError, match=f"expected 3 values for a column of the table, found {column.name!r}"):
        table.with_columns([column])


def test_columns_that_are_dropped(table: Table) -> None:
    new = table.with_columns([Column.of_numbers("n", np.ones(3)), Column.of_numbers("x", np.ones(3))])
    left = new.without(["n"])
    assert (left.names, left.dropped) == (("x", "who"), ("n",))
    assert [column.name for column in left.changes.replaced] == ["x"]
    assert left.without(["x"]).dropped == ("n", "x")
    assert left.without([]).names == ("x", "who")
    with pytest.raises(InputError, match="there is no column 'n'"):
        left.without(["n"])


def test_records_in_another_order(table: Table) -> None:
    moved = table.in_order(np.array([2, 0, 1]))
    assert moved.numbers("x").tolist() == [2.5, 0.5, 1.5]
    assert moved.values("who") == ["c", "a", None]
    assert moved.column("n").objects() == [3, 3, 1]
    codes = moved.codes("n").tolist()
    assert codes[0] == codes[1] != codes[2]
    again = moved.in_order(np.array([1, 2, 0]))
    assert again.values("x") == table.values("x")
    replaced = moved.with_columns([Column.of_numbers("x", np.array([10.0, 20.0, 30.0]))])
    assert replaced.values("x") == [10.0, 20.0, 30.0]
    assert replaced.changes.replaced[0].objects() == [20.0, 30.0, 10.0]  # in the order of the source
    for same in (moved, pickle.loads(pickle.dumps(moved))):
        assert same.order is not None
        assert same.order.tolist() == [2, 0, 1]
        with pytest.raises(ValueError, match="read-only"):
            same.order[0] = 1


def test_the_order_that_was_given_may_be_written(table: Table) -> None:
    order = np.array([2, 0, 1])
    moved = table.in_order(order)
    order[0] = 0
    assert moved.values("x") == [2.5, 0.5, 1.5]


def test_names_are_checked(table: Table) -> None:
    table.check_name("x")
    with pytest.raises(InputError) as caught:
        table.check_name("WHO")
    assert str(caught.value) == "there is no column 'WHO': did you mean 'who'?"
    with pytest.raises(InputError) as caught:
        table.check_name("zzzz")
    assert str(caught.value) == "there is no column 'zzzz': the table has 'x', 'n', 'who'"


def test_representation_names_the_file(table: Table, companies: Path) -> None:
    assert repr(table) == "Table(3 records, 3 columns)"
    assert repr(read([[1.0]])) == "Table(1 record, 1 column)"
    assert repr(read(companies).without(["company"])) == "Table(11 records, 2 columns, from 'companies.csv')"
    assert read(companies).path == companies


@given(st.lists(st.tuples(*[st.sampled_from([None, 0, 1, 2])] * 3), min_size=1, max_size=12))
def test_patterns_are_equal_where_records_agree(rows: list[tuple[Any, ...]]) -> None:
    table = read(pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Int64, "c": pl.Int64}, orient="row"))
    for names in (["a"], ["a", "b"], ["a", "b", "c"], ["c", "a"]):
        patterns = table.patterns(names).tolist()
        picked = [tuple(row["abc".index(name)] for name in names) for row in rows]
        for i in range(len(rows)):
            for j in range(len(rows)):
                assert (patterns[i] == patterns[j]) == (picked[i] == picked[j])


def test_patterns_of_nothing() -> None:
    assert read(pl.DataFrame({"a": [1, 2]})).patterns([]).tolist() == [0, 0]
    assert read(pl.DataFrame({"a": []})).patterns(["a"]).tolist() == []
