"""Walks to the nearest record or group next, against their slow versions."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Problem
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.geometry.record_blocks import BLOCK
from microagg.kernels.walks.orderings import group_by_group, last_joined_first, nearest_next
from microagg.kernels.walks.walk_context import make_walk_context
from samples import grid, normal
from strategies import problems


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [5, 40, BLOCK + 9])
def test_nearest_next_is_the_naive_walk(n: int, ties: bool) -> None:
    X = grid(n, n) if ties else normal(n, n)
    np.testing.assert_array_equal(nearest_next(X), naive.nearest_next(X))


@given(problems(max_n=30), st.randoms(use_true_random=False))
def test_walk_from_the_last_joined_is_the_naive_walk(problem: Problem, random: Random) -> None:
    X, k = problem.X, problem.k
    order = np.array(random.sample(range(len(X)), len(X)))
    starts = np.arange(0, max(1, len(X) - k + 1), k)
    walk = last_joined_first(X, order, starts)
    np.testing.assert_array_equal(walk, naive.last_joined_first(X, np.split(order, starts[1:])))


@pytest.mark.parametrize("ties", [False, True])
def test_walks_with_neighbours_go_the_same_way(ties: bool) -> None:
    X = grid(1, 300, 3) if ties else normal(1, 300, 3)
    labels = np.random.default_rng(2).permutation(np.arange(300) // 4)
    expected = naive.group_by_group(X, labels)
    for count in (1, 5, 299):
        ground = make_walk_context(X, neighbours(X, count))
        for _ in range(2):
            np.testing.assert_array_equal(group_by_group(ground, labels, np.bincount(labels)), expected)
