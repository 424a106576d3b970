"""Cuts of paths, tours and sorted columns, against slow versions."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem
from microagg.kernels.walks.optimal_cut import (
    _BATCH,
    cut_path,
    cut_path_at_once,
    cut_path_with_sse,
    cut_sorted,
    cut_tour,
)
from strategies import problems
from ticks import RecordedTicks


@given(problems(max_n=30), st.randoms(use_true_random=False))
def test_path_is_cut_optimally(problem: Problem, random: Random) -> None:
    order = np.array(random.sample(range(problem.n), problem.n))
    starts, sse = cut_path_with_sse(problem.X, order, problem.k)
    cut = Partition.along(problem, order, starts)
    expected = naive.cut_path(problem.X, order, problem.k)
    assert sse == pytest.approx(expected, rel=1e-9, abs=1e-9 * problem.sst)
    assert cut.sse == pytest.approx(expected, rel=1e-9, abs=1e-9 * problem.sst)
    assert cut.sizes.max() <= max(2 * problem.k - 1, 1)
    at_once, same_sse = cut_path_at_once(problem.X, order, problem.k)
    np.testing.assert_array_equal(at_once, starts)
    assert same_sse == sse


@given(problems(max_n=25), st.randoms(use_true_random=False))
def test_tour_is_opened_where_it_is_cut_best(problem: Problem, random: Random) -> None:
    order = np.array(random.sample(range(problem.n), problem.n))
    cut = Partition.along(problem, *cut_tour(problem.X, order, problem.k))
    expected = naive.cut_tour(problem.X, order, problem.k)
    assert cut.sse == pytest.approx(expected, rel=1e-9, abs=1e-9 * problem.sst)


@pytest.mark.parametrize("n", [_BATCH - 1, _BATCH, _BATCH + 1, 2 * _BATCH + 3])
def test_cuts_cross_the_edges_of_batches(n: int) -> None:
    X = np.random.default_rng(n).normal(size=(n, 2))
    order = np.arange(n)
    assert cut_path_with_sse(X, order, 3)[1] == pytest.approx(naive.cut_path(X, order, 3), rel=1e-9)


@pytest.mark.parametrize("work", [1.0, 1000.0])
def test_slices_are_seamless(work: float, monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(300, 2))
    order = np.arange(300)
    path = cut_path(X, order, 4)
    tour = cut_tour(X, order, 4)
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", work)
    ticks = RecordedTicks()
    np.testing.assert_array_equal(cut_path(X, order, 4, ticks), path)
    assert ticks.shares == sorted(ticks.shares)
    np.testing.assert_array_equal(np.concatenate(cut_tour(X, order, 4)), np.concatenate(tour))


def test_ties_between_cuts_go_to_the_smaller_last_group() -> None:
    X = np.zeros((7, 1))
    assert cut_path(X, np.arange(7), 2).tolist() == [5, 3, 0]


@pytest.mark.parametrize(("n", "expected"), [(3, [0]), (5, [0]), (6, [3, 0])])
def test_fewer_than_2k_records_are_one_group(n: int, expected: list[int]) -> None:
    """Two far pairs of records would be cut apart at k = 2, and may not be at k = 3."""
    X = np.where(np.arange(n) < n // 2, 0.0, 100.0)[:, None]
    assert cut_path(X, np.arange(n), 3).tolist() == expected
    assert cut_tour(X, np.arange(n), 3)[1].tolist() == expected


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=20), st.integers(1, 5))
def test_sorted_column_is_cut_optimally(values: list[int], k: int) -> None:
    column = np.array(values, dtype=np.float64)
    k = min(k, len(column))
    order, starts = cut_sorted(column, k)
    np.testing.assert_array_equal(order, np.argsort(column, kind="stable"))
    groups = np.split(column[order], starts[::-1][1:])
    assert min(len(group) for group in groups) >= k
    found = sum(((group - group.mean()) ** 2).sum() for group in groups)
    assert found == pytest.approx(float(naive.exact_cut(np.sort(column), k)), rel=1e-9, abs=1e-9)
