"""Every kernel against its slow version."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem
from microagg.kernels.walks.optimal_cut import cut_path, cut_tour
from microagg.kernels.walks.orderings import group_by_group
from microagg.kernels.walks.walk_context import make_walk_context
from strategies import labelled, problems


@pytest.mark.parametrize("n", [40, 400])
def test_big_groups_are_walked_like_small_ones(n, monkeypatch):
    X = np.random.default_rng(n).integers(0, 9, size=(n, 2)).astype(float)
    labels = np.arange(n) % 3
    expected = naive.group_by_group(X, labels)
    monkeypatch.setattr("microagg.kernels.walks.orderings._BIG", 5)
    np.testing.assert_array_equal(group_by_group(make_walk_context(X), labels, np.bincount(labels)), expected)


def test_ties_between_cuts_go_to_the_smaller_last_group():
    X = np.zeros((7, 1))
    assert cut_path(X, np.arange(7), 2).tolist() == [5, 3, 0]


@given(problems(max_n=30), st.randoms(use_true_random=False))
def test_cut_path_is_optimal_along_its_order(problem, random):
    order = np.array(random.sample(range(problem.n), problem.n))
    cut = Partition.along(problem, order, cut_path(problem.X, order, problem.k))
    expected = naive.cut_path(problem.X, order, problem.k)
    assert cut.sse == pytest.approx(expected, rel=1e-9, abs=1e-9 * problem.sst)
    assert cut.sizes.max() <= max(2 * problem.k - 1, 1)


@given(problems(max_n=25), st.randoms(use_true_random=False))
def test_tour_is_opened_where_it_is_cut_best(problem, random):
    order = np.array(random.sample(range(problem.n), problem.n))
    cut = Partition.along(problem, *cut_tour(problem.X, order, problem.k))
    expected = naive.cut_tour(problem.X, order, problem.k)
    assert cut.sse == pytest.approx(expected, rel=1e-9, abs=1e-9 * problem.sst)


@given(labelled())
def test_walk_goes_group_by_group_to_the_nearest(case):
    problem, labels = case
    partition = Partition(problem, labels)
    walk = group_by_group(make_walk_context(problem.X), partition.labels, partition.sizes)
    assert sorted(walk) == list(range(problem.n))
    visited = partition.labels[walk]
    assert np.count_nonzero(np.diff(visited)) == partition.n_groups - 1, "a group was entered twice"


@pytest.mark.parametrize("n", [7, 60, 700])
@pytest.mark.parametrize("ties", [False, True])
def test_walk_is_the_naive_walk(n, ties):
    rng = np.random.default_rng(n)
    problem = Problem(rng.integers(0, 4, size=(n, 3)).astype(float) if ties else rng.normal(size=(n, 3)), 3)
    partition = Partition(problem, rng.permutation(np.minimum(np.arange(n) // 3, n // 3 - 1)))
    walk = group_by_group(make_walk_context(problem.X), partition.labels, partition.sizes)
    np.testing.assert_array_equal(walk, naive.group_by_group(problem.X, partition.labels))
