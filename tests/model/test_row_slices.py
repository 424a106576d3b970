"""Slices of rows: the same numbers as from whole arrays, whatever the size of a slice."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import Partition, Problem
from microagg.model import row_slices
from microagg.model.row_slices import column_blocks, sum_of


def test_slices_hold_all_rows_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 4)
    assert list(row_slices.row_slices(10)) == [slice(0, 4), slice(4, 8), slice(8, 10)]
    assert list(row_slices.row_slices(0)) == []
    assert list(column_blocks(4, 20)) == [slice(0, 20)]
    assert list(column_blocks(5, 20)) == [slice(0, 8), slice(8, 16), slice(16, 20)]


def test_sum_of_arrays() -> None:
    assert sum_of(np.full(2, float(i)) for i in range(4)).tolist() == [6.0, 6.0]


@given(st.integers(0, 2**32), st.integers(1, 7), st.booleans(), st.booleans())
def test_squares_in_slices_equal_those_at_once(seed: int, rows: int, weighted: bool, lacking: bool) -> None:
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(6, 30)), int(rng.integers(1, 20)), 2
    X = rng.normal(size=(n, d)) + rng.integers(0, 2, d)
    weights = rng.uniform(0.5, 2.0, n) if weighted else None
    missing = rng.random((n, d)) < 0.3 if lacking else None
    labels = rng.permutation(np.arange(n) // k % (n // k)) * int(rng.integers(1, 5))
    whole = Partition(Problem(X, k, weights, missing), labels)
    expected: tuple[Any, ...] = (whole.centroids, whole.losses, whole.sse, whole.problem.sst, whole.problem.varying)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_slices, "ROWS_PER_SLICE", rows)
        sliced = Partition(Problem(X, k, weights, missing), labels)
        found: tuple[Any, ...] = (
            sliced.centroids,
            sliced.losses,
            sliced.sse,
            sliced.problem.sst,
            sliced.problem.varying,
        )
    for one, other in zip(expected, found, strict=True):
        assert np.allclose(one, other, rtol=1e-12, atol=1e-12)
    assert np.array_equal(whole.labels, sliced.labels)


def test_numbers_that_are_not_finite_are_found_in_any_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 2)
    for row in range(6):
        for wrong, words in ((np.nan, "NaN or infinity"), (-np.inf, "NaN or infinity"), (1e200, "can be summed")):
            X = np.ones((6, 2))
            X[row, 1] = wrong
            with pytest.raises(ValueError, match=words):
                Problem(X, 2)


def test_a_part_of_all_records_is_the_problem_itself() -> None:
    problem = Problem(np.arange(8.0).reshape(4, 2), 2)
    assert problem.part(np.arange(4)) is problem
    assert problem.part(np.array([1, 0, 2, 3])) is not problem
    lacking = Problem(problem.X, 2, None, np.array([[True, False]] * 4))
    assert lacking.part(np.arange(4)).missing is None
    some = Problem(problem.X, 2, None, np.array([[True, False], [False, False]] * 2))
    assert some.part(np.arange(4)) is some


def test_large_labels_are_numbered_like_small_ones() -> None:
    problem = Problem(np.arange(8.0).reshape(4, 2), 2)
    assert Partition(problem, np.array([10**12, 5, 5, 10**12])).labels.tolist() == [0, 1, 1, 0]
    assert Partition(problem, np.array([7, 5, 5, 7])).labels.tolist() == [0, 1, 1, 0]
    assert Partition(problem, np.array([8, 5, 5, 8])).labels.tolist() == [0, 1, 1, 0]
