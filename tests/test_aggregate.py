"""Group means: kept, exact where values are equal, blind to other groups."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from microagg import Column, InputError, Partition, Problem, read
from microagg.aggregate import GroupMeans, aggregate
from microagg.encode import encode
from microagg.measure import measure_tables
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.treatment import Treatment
from strategies import labelled, points


@given(labelled())
def test_means_are_kept_and_groups_are_equal(case: tuple[Problem, IntArray]) -> None:
    problem, labels = case
    partition = Partition(problem, labels)
    table = read(np.array(problem.X))
    released = aggregate(table, partition, table.names)
    measures = measure_tables(table, released, encode(table, table.names, problem.k)[0])
    assert measures.k_reached >= problem.k
    for column in measures.numbers:
        scale = 1e-9 * (1 + np.abs(problem.X).max())
        assert column.mean_after == pytest.approx(column.mean_before, abs=scale)
        assert column.variance_after <= column.variance_before * (1 + 1e-9) + scale**2
    for group in range(partition.n_groups):
        for name in table.names:
            assert len(set(released.numbers(name)[partition.labels == group])) == 1


@given(points())
def test_group_of_equal_values_keeps_them_exactly(X: FloatArray) -> None:
    values = X[:, 0]
    _, labels = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(GroupMeans(labels)(values)[labels], values)


@pytest.mark.parametrize(("outlier", "offset"), [(1e16, 0.0), (5.0, 1e9), (-1e16, 1e3), (1e100, -1.0)])
def test_group_means_do_not_feel_what_lies_elsewhere(outlier: float, offset: float) -> None:
    values = np.array([0.125, 0.25, 0.75, outlier, outlier, outlier]) + offset
    assert GroupMeans(np.array([0, 0, 0, 1, 1, 1]))(values).tolist() == [0.375 + offset, outlier + offset]


def test_group_means_never_leave_the_range_of_their_group() -> None:
    values = np.array([0.1, 0.1, 0.1, 0.3, 0.7, 0.2])
    means = GroupMeans(np.array([0, 0, 0, 1, 1, 1]))(values)
    assert means[0] == 0.1
    assert means[1] == pytest.approx(0.4)
    huge = np.array([1.7e308, 1.7e308, -1.0])
    assert GroupMeans(np.array([0, 0, 1]))(huge).tolist() == [1.7e308, -1.0]


def test_groups_may_be_interleaved() -> None:
    means = GroupMeans(np.array([1, 0, 1, 0, 2]))
    assert means.sizes.tolist() == [2, 2, 1]
    assert means(np.array([1.0, 10.0, 3.0, 30.0, 7.0])).tolist() == [20.0, 2.0, 7.0]


def _aggregated(columns: dict[str, Any], *, keep_integers: bool = False) -> dict[str, Column]:
    table = read(pl.DataFrame(columns))
    partition = Partition(Problem(np.zeros((4, 1)), 2), np.array([0, 0, 1, 1]))
    released = aggregate(table, partition, list(columns), Treatment(keep_integers=keep_integers))
    return {name: released.column(name) for name in columns}


def test_integers_are_kept_only_where_asked() -> None:
    columns = {"n": [1, 2, 4, 5], "x": [0.5, 1.0, 3.0, 4.0]}
    plain = _aggregated(columns)
    assert [(column.kind, column.objects()) for column in plain.values()] == [
        ("number", [1.5, 1.5, 4.5, 4.5]),
        ("number", [0.75, 0.75, 3.5, 3.5]),
    ]
    kept = _aggregated(columns, keep_integers=True)
    assert (kept["n"].kind, kept["n"].objects()) == ("integer", [2, 2, 4, 4])  # half to even
    assert (kept["x"].kind, kept["x"].objects()) == ("number", [0.75, 0.75, 3.5, 3.5])


@pytest.mark.parametrize(("largest", "kind"), [(2.0**62, "integer"), (-(2.0**62), "integer"), (2.0**63, "number")])
def test_whole_numbers_that_64_bits_cannot_hold_stay_floats(largest: float, kind: str) -> None:
    columns = {"n": [1, 2, 4, 5], "x": [largest, largest, largest, largest]}
    kept = _aggregated(columns, keep_integers=True)
    assert kept["x"].kind == kind
    assert kept["x"].numbers().tolist() == [largest] * 4


def test_keeping_integers_needs_integers() -> None:
    with pytest.raises(InputError) as caught:
        _aggregated({"x": [0.5, 1.0, 2.0, 3.0], "y": [1.0, 2.0, 3.0, 4.25]}, keep_integers=True)
    assert str(caught.value) == "none of 'x', 'y' holds whole numbers only: there are no integers to keep"
