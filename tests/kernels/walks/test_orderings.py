"""Walks through groups and records, against slow versions."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.geometry.record_blocks import BLOCK
from microagg.kernels.walks.orderings import group_by_group, last_joined_first, nearest_next, tick_within
from microagg.kernels.walks.walk_context import make_walk_context
from microagg.model.arrays import FloatArray, IntArray
from strategies import labelled, problems
from ticks import RecordedTicks


def _records(seed: int, n: int, ties: bool, d: int = 3) -> FloatArray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, size=(n, d)).astype(float) if ties else rng.normal(size=(n, d))


@given(labelled())
def test_walk_goes_group_by_group(case: tuple[Problem, IntArray]) -> None:
    partition = Partition(*case)
    walk = group_by_group(make_walk_context(partition.problem.X), partition.labels, partition.sizes)
    assert sorted(walk) == list(range(partition.problem.n))
    visited = partition.labels[walk]
    assert np.count_nonzero(np.diff(visited)) == partition.n_groups - 1, "a group was entered twice"


@pytest.mark.parametrize("n", [1, 7, 60, 400])
@pytest.mark.parametrize("ties", [False, True])
def test_walk_is_the_naive_walk(n: int, ties: bool) -> None:
    X = _records(n, n, ties)
    labels = np.random.default_rng(n).permutation(np.minimum(np.arange(n) // 3, max(0, n // 3 - 1)))
    walk = group_by_group(make_walk_context(X), labels, np.bincount(labels))
    np.testing.assert_array_equal(walk, naive.group_by_group(X, labels))


@pytest.mark.parametrize("ties", [False, True])
def test_walks_with_neighbours_go_the_same_way(ties: bool) -> None:
    X = _records(1, 200, ties)
    labels = np.random.default_rng(1).permutation(np.arange(200) // 4)
    expected = naive.group_by_group(X, labels)
    for count in (1, 5, 199):
        context = make_walk_context(X, neighbours(X, count))
        for _ in range(2):  # a context serves several walks
            np.testing.assert_array_equal(group_by_group(context, labels, np.bincount(labels)), expected)


@pytest.mark.parametrize("limit", [5, 12, 13, 14])
def test_large_groups_are_walked_like_small_ones(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X = _records(0, 40, ties=True, d=2)
    labels = np.arange(40) % 3  # groups of 14, 13 and 13
    expected = naive.group_by_group(X, labels)
    monkeypatch.setattr("microagg.kernels.walks.orderings._MAX_UNSLICED", limit)
    ticks = RecordedTicks()
    walk = group_by_group(make_walk_context(X), labels, np.bincount(labels), ticks)
    np.testing.assert_array_equal(walk, expected)
    assert ticks.shares == sorted(ticks.shares)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [1, 5, 40, BLOCK + 9])
def test_nearest_next_is_the_naive_walk(n: int, ties: bool) -> None:
    X = _records(n, n, ties, d=2)
    np.testing.assert_array_equal(nearest_next(X), naive.nearest_next(X))
    np.testing.assert_array_equal(nearest_next(X, start=n // 2), naive.nearest_next(X, n // 2))


@given(problems(max_n=30), st.randoms(use_true_random=False))
def test_walk_from_the_last_joined_is_the_naive_walk(problem: Problem, random: Random) -> None:
    X, k = problem.X, problem.k
    order = np.array(random.sample(range(len(X)), len(X)))
    starts = np.arange(0, max(1, len(X) - k + 1), k)
    walk = last_joined_first(X, order, starts)
    np.testing.assert_array_equal(walk, naive.last_joined_first(X, np.split(order, starts[1:])))


def test_ticks_of_a_part_lie_within_its_share() -> None:
    ticks = RecordedTicks()
    for done in (0.0, 0.5, 1.0, None):
        tick_within(0.25, 0.75, ticks, done)
    assert ticks.reported == [0.25, 0.5, 0.75, None]
