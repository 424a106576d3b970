"""Enumeration of cheap groups for the checker; `test_enumeration.py` compares it with trying every group."""

import numpy as np
import pytest

from microagg.kernels.checking.cheap_groups import CostData, CutTable, list_groups, sum_nearest_halves
from microagg.model.arrays import FloatArray


def _no_cuts(n: int) -> CutTable:
    nothing = np.full((0, 1), -1, dtype=np.int64)
    of_records = np.full((n, 1), -1, dtype=np.int64)
    return CutTable(nothing, nothing, np.empty(0, dtype=np.int64), np.empty(0), of_records, of_records)


def _data(X: FloatArray, duals: FloatArray, size: int) -> CostData:
    n = len(X)
    squares = np.square(X[:, None] - X).sum(axis=2)
    nearest_sums = np.zeros((n, size))
    sum_nearest_halves(squares, np.arange(n), nearest_sums)
    return CostData(squares, duals, np.full((n, 1), -1, dtype=np.int64), _no_cuts(n), nearest_sums)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_nearest_halves_are_added_up(size: int) -> None:
    squares = np.square(np.subtract.outer(np.arange(5.0) ** 2, np.arange(5.0) ** 2))
    sums = np.full((5, size), -1.0)
    sum_nearest_halves(squares, np.array([4, 0, 2]), sums)
    assert (sums[[1, 3]] == -1.0).all()
    for record in (4, 0, 2):
        halves = sorted(squares[record, other] / 2 for other in (4, 0, 2) if other != record)
        expected = [0.0, *np.cumsum(halves), np.inf][:size]
        assert sums[record] == pytest.approx(expected)


def test_listing_ends_at_the_largest_number_of_groups() -> None:
    X = np.random.default_rng(0).normal(size=(12, 2))
    data, order = _data(X, np.zeros(12), 3), np.arange(12)
    every = list_groups(data, order, 0, 12, np.inf, 10**6, True)
    assert len(every) == 220  # more than the list has room for at first
    for most in (219, 220):
        np.testing.assert_array_equal(list_groups(data, order, 0, 12, np.inf, most, True), every[:most])
    parts = [list_groups(data, order, first, first + 4, np.inf, 10**6, True) for first in (0, 4, 8)]
    np.testing.assert_array_equal(np.concatenate(parts), every)


def test_the_first_of_equally_cheap_groups_is_taken() -> None:
    X = np.array([[0.0], [1.0], [-1.0], [9.0]])
    found = list_groups(_data(X, np.ones(4), 2), np.arange(4), 0, 4, 0.0, 10, False)
    assert found.tolist() == [[0, 1]]
