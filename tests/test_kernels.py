"""Every kernel against its slow version."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem
from microagg.kernels.geometry.record_blocks import BLOCK, farthest_from_centroid, nearest, pack, remove
from microagg.kernels.walks.optimal_cut import cut_path, cut_tour
from microagg.kernels.walks.orderings import group_by_group
from microagg.kernels.walks.walk_context import make_walk_context
from strategies import labelled, points, problems


@given(points(min_n=2), st.data())
def test_passes_over_blocks_find_what_sorting_finds(X, data):
    point = X[data.draw(st.integers(0, len(X) - 1))]
    k = data.draw(st.integers(1, len(X)))
    gone = data.draw(st.sets(st.integers(0, len(X) - 1), max_size=len(X) - k))
    blocks = pack(X)
    left = remove(blocks, len(X), np.array(sorted(gone), dtype=np.int64))
    stay = np.array([record for record in range(len(X)) if record not in gone])
    squares = naive.squares(X[stay], point)

    places, distances = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    far = nearest(blocks, left, point, places, distances)

    assert left == len(stay)
    np.testing.assert_array_equal(blocks.records[places], stay[np.argsort(squares, kind="stable")[:k]])
    np.testing.assert_array_equal(distances.view(np.float64), np.sort(squares)[:k])
    assert blocks.records[far] == stay[squares.argmax()]
    np.testing.assert_allclose(blocks.sums + blocks.lost, X[stay].sum(axis=0), atol=1e-8)


@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_passes_cross_the_edges_of_blocks(n):
    X = np.random.default_rng(n).normal(size=(n, 3))
    places, distances = np.empty(7, dtype=np.int64), np.empty(7, dtype=np.int64)
    far = nearest(pack(X), n, X[0], places, distances)
    squares = naive.squares(X, X[0])
    np.testing.assert_array_equal(places, np.argsort(squares, kind="stable")[:7])
    assert far == squares.argmax()


@pytest.mark.parametrize("shape", [(2000, 3), (3000, 1), (700, 7)])
@pytest.mark.parametrize("ties", [False, True])
def test_farthest_from_a_wandering_centroid(shape, ties):
    rng = np.random.default_rng(shape[0])
    X = rng.integers(0, 3, size=shape).astype(float) if ties else rng.standard_t(3, size=shape)
    blocks, left = pack(X), len(X)
    stay = np.ones(len(X), dtype=bool)
    while left > 5:
        squares = naive.squares(X, X[stay].mean(axis=0))
        squares[~stay] = -1.0
        place = farthest_from_centroid(blocks, left)
        assert squares[blocks.records[place]] == pytest.approx(squares.max(), rel=1e-12)
        if ties:  # whole numbers have exact sums: the very lowest index
            assert blocks.records[place] == squares.argmax()
        gone = np.unique(np.append(rng.integers(0, left, size=4), place))
        stay[blocks.records[gone]] = False
        left = remove(blocks, left, gone)


def test_sums_stay_exact_beside_outliers():
    X = np.random.default_rng(0).normal(size=(700, 2))
    X[:3] = [[1e17, -1e12], [-1e17, 1e15], [3e16, 1e9]]
    blocks = pack(X)
    left = remove(blocks, len(X), np.arange(600))
    assert left == 100
    np.testing.assert_allclose(blocks.sums + blocks.lost, X[600:].sum(axis=0), rtol=1e-12)


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
