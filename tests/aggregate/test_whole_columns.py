"""Groups that are aggregated by themselves get the same values as among all others."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from column_cases import TREATMENTS, columns, treatment_of
from microagg import Column, InputError, Partition, Problem, Table, read
from microagg.aggregate import WholeColumn, aggregate, whole_column
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.by_column import ByColumn
from microagg.model.column_summary import ColumnSummary
from microagg.model.treatment import Treatment
from strategies import weights_of

AGGREGATES: dict[str, list[dict[str, Any]]] = {
    "number": [{"aggregate": ByColumn(word)} for word in ("mean", "median", "trimmed", "mode", "medoid")],
    "integer": [{"aggregate": ByColumn(word), "keep_integers": True} for word in ("mean", "median", "trimmed")],
    "integer nominal": [{"nominal": ("x",), "aggregate": ByColumn(word)} for word in ("mode", "medoid", "set")],
    "integer ordinal": [{"ordinal": ("x",), "aggregate": ByColumn(word)} for word in ("median", "mode")],
    "date": [{"aggregate": ByColumn(word)} for word in ("mean", "median", "mode")],
    "datetime": [{"aggregate": ByColumn(word)} for word in ("mean", "median", "trimmed", "mode", "medoid")],
    "boolean": [{"aggregate": ByColumn(word)} for word in ("mode", "set")],
    "text": [{"aggregate": ByColumn(word)} for word in ("mode", "medoid", "set")],
    "text ordinal": [TREATMENTS["text ordinal"]],
    "category": [{"aggregate": ByColumn("mode")}],
    "category ordinal": [TREATMENTS["category ordinal"]],
}


def _table(column: Column) -> Table:
    """Return a table that has only this column."""
    return read(pl.DataFrame({column.name: np.zeros(len(column))})).with_columns([column])


def _same_bits(one: Column, other: Column) -> bool:
    """Check whether two columns hold the same values; of numbers, 0 and −0 differ."""
    texts = [[repr(value) for value in column.objects()] for column in (one, other)]
    return texts[0] == texts[1]


@st.composite
def grouped(draw: st.DrawFn, n: int) -> tuple[IntArray, IntArray, FloatArray, FloatArray | None]:
    """Draw groups of n records, the block of each group, points, and perhaps weights."""
    labels = np.unique(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), return_inverse=True)[1]
    blocks = np.array(draw(st.lists(st.integers(0, 2), min_size=6, max_size=6)))[labels]
    coordinates = st.lists(st.sampled_from([0.0, 0.1, 0.7, 1.0]), min_size=2 * n, max_size=2 * n)
    return labels, blocks, np.array(draw(coordinates)).reshape(n, 2), draw(st.none() | weights_of(n))


@pytest.mark.parametrize("case", AGGREGATES)
@given(data=st.data())
def test_blocks_are_aggregated_as_the_whole(case: str, data: st.DataObject) -> None:
    treatment = Treatment(**data.draw(st.sampled_from(AGGREGATES[case])))
    n = data.draw(st.integers(1, 24))
    column = data.draw(columns(case, n))
    labels, blocks, X, weights = data.draw(grouped(n))
    whole = {"x": whole_column(ColumnSummary.of(column, treatment, np.arange(n), weights))}
    keeps = treatment.keep_integers
    if keeps and not whole["x"].holds_integers:
        return
    problem = Problem(X, 1, weights)
    released = aggregate(_table(column), Partition(problem, labels), ["x"], treatment, weights=weights).column("x")
    for block in np.unique(blocks).tolist():
        records = np.flatnonzero(blocks == block)
        part = problem.part(records)
        own = None if weights is None else weights[records]
        table = _table(column.in_order(records))
        alone = aggregate(table, Partition(part, labels[records]), ["x"], treatment, weights=own, whole=whole)
        assert _same_bits(alone.column("x"), released.in_order(records))


def _parts(column: Column, labels: list[int], blocks: list[int], treatment: Treatment, X: Any = None) -> list[Any]:
    """Return what is released of each record where blocks are aggregated by themselves."""
    whole = {"x": whole_column(ColumnSummary.of(column, treatment, np.arange(len(column))))}
    problem = Problem(np.zeros((len(column), 1)) if X is None else np.array(X), 1)
    values: dict[int, Any] = {}
    for block in set(blocks):
        records = np.flatnonzero(np.array(blocks) == block)
        partition = Partition(problem.part(records), np.array(labels)[records])
        alone = aggregate(_table(column.in_order(records)), partition, ["x"], treatment, whole=whole).values("x")
        values |= dict(zip(records.tolist(), alone, strict=True))
    return [values[record] for record in range(len(column))]


def test_ties_go_to_the_category_that_is_frequent_elsewhere() -> None:
    column = Column.of_objects("x", ["a", "b", "b", "b"])
    assert _parts(column, [0, 0, 1, 1], [0, 0, 1, 1], Treatment()) == ["b", "b", "b", "b"]
    column = Column.of_objects("x", ["b", "a", "a", "b", "c"])
    assert _parts(column, [0, 1, 1, 1, 2], [0, 1, 1, 1, 2], Treatment()) == ["b", "a", "a", "a", "c"]


def test_integers_are_rounded_only_where_the_whole_column_has_no_others() -> None:
    treatment = Treatment(keep_integers=True)
    table = read(pl.DataFrame({"x": [1.0, 2.0, 2.5, 3.0], "n": [1, 2, 3, 4]}))
    whole = {name: whole_column(ColumnSummary.of(table.column(name), treatment, np.arange(4))) for name in table.names}
    first = table.in_order(np.array([0, 1]))
    partition = Partition(Problem(np.zeros((2, 1)), 2), np.array([0, 0]))
    released = aggregate(first, partition, ["x", "n"], treatment, whole=whole)
    assert released.values("x") == [1.5, 1.5]
    assert released.values("n") == [2, 2]


def test_times_are_rounded_to_the_unit_of_the_whole_column() -> None:
    times = np.array(["2020-01-01", "2020-01-02", "2020-01-03T01:00", "2020-01-03T03:00"], dtype="M8[us]")
    column = Column("x", "datetime", times)
    released = _parts(column, [0, 0, 1, 1], [0, 0, 1, 1], Treatment())
    assert [str(value) for value in released[1:3]] == ["2020-01-01 12:00:00", "2020-01-03 02:00:00"]


def test_both_zeros_are_one_category() -> None:
    column = Column.of_numbers("x", np.array([-0.0, 1.0, 0.0, 0.0]))
    treatment = Treatment(aggregate=ByColumn("mode"))
    assert [str(value) for value in _parts(column, [0, 0, 1, 1], [0, 0, 1, 1], treatment)] == ["0.0"] * 4


def test_the_medoid_of_a_group_does_not_depend_on_what_others_lack() -> None:
    table = read(
        pl.DataFrame(
            {"x": [1.0, 2.0, 3.0, None, 5.0, 6.0], "y": [None, 20.0, 30.0, 40.0, None, None], "z": [1, 1, 1, 1, 1, 1]}
        )
    )
    treatment = Treatment(aggregate=ByColumn("medoid"))
    X = np.array([[1.0], [0.0], [2.0], [1.0], [0.0], [3.0]])
    labels = np.array([0, 0, 0, 1, 1, 1])
    whole = {name: whole_column(ColumnSummary.of(table.column(name), treatment, np.arange(6))) for name in table.names}
    problem = Problem(X, 3)
    together = aggregate(table, Partition(problem, labels), table.names, treatment)
    assert together.values("x") == [2.0, 2.0, 2.0, None, 5.0, 5.0]  # of the first group, one that lacks nothing
    for records in (np.arange(3), np.arange(3, 6)):
        partition = Partition(problem.part(records), labels[records])
        alone = aggregate(table.in_order(records), partition, table.names, treatment, whole=whole)
        for name in table.names:
            assert alone.values(name) == [together.values(name)[record] for record in records]


def test_many_coordinates_are_added_in_the_same_order_in_blocks() -> None:
    rng = np.random.default_rng(7)
    n = 70_000
    X = np.round(rng.uniform(size=(n, 11)), 1)
    labels = np.arange(n) // 7
    column = Column.of_numbers("x", np.arange(float(n)))
    treatment = Treatment(aggregate=ByColumn("medoid"))
    problem = Problem(X, 7)
    whole = {"x": WholeColumn("number")}
    together = aggregate(_table(column), Partition(problem, labels), ["x"], treatment).numbers("x")
    records = np.arange(700)
    partition = Partition(problem.part(records), labels[records])
    alone = aggregate(_table(column.in_order(records)), partition, ["x"], treatment, whole=whole).numbers("x")
    np.testing.assert_array_equal(alone, together[records])


def test_medians_do_not_depend_on_the_weights_of_other_groups() -> None:
    weights = np.concatenate([[1e17, 1e17], [0.1, 0.1, 0.1, 0.3]])
    labels = np.array([0, 0, 1, 1, 1, 1])
    table = read(np.array([[0.0], [1.0], [1.0], [2.0], [3.0], [4.0]]))
    partition = Partition(Problem(np.zeros((6, 1)), 2), labels)
    released = aggregate(table, partition, ["0"], Treatment(aggregate=ByColumn("median")), weights=weights)
    assert released.values("0")[2:] == [3.5] * 4


def test_totals_cannot_be_kept_by_some_of_the_groups() -> None:
    treatment = Treatment(keep_integers=True, rounding="total")
    table = read(pl.DataFrame({"x": [1, 2]}))
    partition = Partition(Problem(np.zeros((2, 1)), 2), np.array([0, 0]))
    with pytest.raises(InputError, match="rounding='total' needs the means of all groups at once"):
        aggregate(table, partition, ["x"], treatment, whole={"x": WholeColumn("integer", True)})


def test_categories_that_the_whole_column_has_not_are_an_error() -> None:
    table = read(pl.DataFrame({"x": ["a", "b"]}))
    partition = Partition(Problem(np.zeros((2, 1)), 2), np.array([0, 0]))
    with pytest.raises(ValueError, match="has 1 categories that the whole column has not"):
        aggregate(table, partition, ["x"], whole={"x": WholeColumn("text", preferred=("a",))})


def test_modes_of_too_many_values_are_refused() -> None:
    treatment = Treatment(aggregate=ByColumn("mode"))
    column = Column.of_numbers("x", np.arange(4.0))
    summary = ColumnSummary.of(column, treatment, np.arange(4), max_categories=3)
    with pytest.raises(InputError, match="has more than 3 different values, too many for modes on a cluster"):
        whole_column(summary)
    assert whole_column(ColumnSummary.of(column, treatment, np.arange(4), max_categories=4)).preferred == (0, 1, 2, 3)


def test_categories_of_several_types_are_in_the_order_of_the_whole() -> None:
    column = Column.of_objects("x", [10, 9, "a"], kind="mixed")
    treatment = Treatment(nominal=("x",), aggregate=ByColumn("set"))
    assert _parts(column, [0, 0, 1], [0, 0, 1], treatment)[:2] == ["{10, 9}"] * 2


def test_whole_columns_show_no_value() -> None:
    column = Column.of_objects("x", ["Ulm", "Bonn"])
    assert "Ulm" not in repr(whole_column(ColumnSummary.of(column, treatment_of("text"), np.arange(2))))
