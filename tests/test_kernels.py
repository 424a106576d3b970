"""Every kernel against its slow version."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem
from microagg.construct import CONSTRUCTORS
from microagg.kernels.blocks import BLOCK, farthest_from_centroid, nearest, pack, remove
from microagg.kernels.cut import best_rotation, cut_path, cut_sorted
from microagg.kernels.order import group_by_group
from microagg.progress import silent
from strategies import labelled, points, problems


def _squares(X, point):
    squares = np.zeros(len(X))
    for j in range(X.shape[1]):
        squares += (X[:, j] - point[j]) ** 2
    return squares


@given(points(min_n=2), st.data())
def test_passes_over_blocks_find_what_sorting_finds(X, data):
    point = X[data.draw(st.integers(0, len(X) - 1))]
    k = data.draw(st.integers(1, len(X)))
    gone = data.draw(st.sets(st.integers(0, len(X) - 1), max_size=len(X) - k))
    blocks = pack(X)
    left = remove(blocks, len(X), np.array(sorted(gone), dtype=np.int64))
    stay = np.array([record for record in range(len(X)) if record not in gone])
    squares = _squares(X[stay], point)

    places, distances = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
    far = nearest(blocks, left, point, places, distances)

    assert left == len(stay)
    np.testing.assert_array_equal(blocks.records[places], stay[np.argsort(squares, kind="stable")[:k]])
    np.testing.assert_array_equal(distances.view(np.float64), np.sort(squares)[:k])
    assert blocks.records[far] == stay[squares.argmax()]
    np.testing.assert_allclose(blocks.sums, X[stay].sum(axis=0), atol=1e-8)


@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_passes_cross_the_edges_of_blocks(n):
    X = np.random.default_rng(n).normal(size=(n, 3))
    places, distances = np.empty(7, dtype=np.int64), np.empty(7, dtype=np.int64)
    far = nearest(pack(X), n, X[0], places, distances)
    squares = _squares(X, X[0])
    np.testing.assert_array_equal(places, np.argsort(squares, kind="stable")[:7])
    assert far == squares.argmax()


@pytest.mark.parametrize("shape", [(2000, 3), (3000, 1), (700, 8)])
def test_farthest_from_a_wandering_centroid(shape):
    rng = np.random.default_rng(shape[0])
    X = rng.standard_t(3, size=shape)
    blocks, left = pack(X), len(X)
    stay = np.ones(len(X), dtype=bool)
    while left > 5:
        squares = _squares(X, X[stay].mean(axis=0))
        squares[~stay] = -1.0
        place = farthest_from_centroid(blocks, left)
        assert squares[blocks.records[place]] == pytest.approx(squares.max(), rel=1e-12)
        gone = np.unique(np.append(rng.integers(0, left, size=4), place))
        stay[blocks.records[gone]] = False
        left = remove(blocks, left, gone)


@pytest.mark.parametrize(
    ("n", "d", "k"), [(50, 2, 3), (1000, 3, 4), (1301, 7, 5), (600, 1, 2), (40, 4, 1), (2000, 2, 10)]
)
def test_mdav_is_the_naive_mdav(n, d, k):
    problem = Problem(np.random.default_rng(n).normal(size=(n, d)), k)
    made = CONSTRUCTORS["mdav"](problem, np.random.default_rng(0), silent)
    np.testing.assert_array_equal(made.labels, Partition(problem, naive.mdav(problem.X, k)).labels)


@given(st.integers(1, 5), st.integers(1, 3), st.integers(2, 5), st.data())
def test_mdav_breaks_ties_by_index(size, d, k, data):
    """Mirrored integer points have their centroid at 0 and many ties, and all sums are exact."""
    half = data.draw(st.lists(st.lists(st.integers(-size, size), min_size=d, max_size=d), min_size=k, max_size=20))
    X = np.array(half + [[-x for x in row] for row in half], dtype=np.float64)
    problem = Problem(X, k)
    made = CONSTRUCTORS["mdav"](problem, np.random.default_rng(0), silent)
    assert made.problem is problem
    _replay_mdav(X, k, made.labels)


def _replay_mdav(X, k, labels):
    """Check each step of an MDAV run, the rounding of centroids aside."""
    left = np.arange(len(X))

    def take(seed):
        nonlocal left
        squares = _squares(X[left], X[seed])
        group = left[np.argsort(squares, kind="stable")[:k]]
        assert set(group) <= set(np.flatnonzero(labels == labels[seed]))
        left = np.setdiff1d(left, group)

    while len(left) >= 2 * k:
        from_centroid = _squares(X[left], X[left].mean(axis=0))
        ends = left[from_centroid >= from_centroid.max() * (1 - 1e-9) - 1e-12]
        seed = next(end for end in ends if _is_group(X, left, end, k, labels))
        take(seed)
        take(left[_squares(X[left], X[seed]).argmax()])
    if len(left) >= k:
        assert len(set(labels[left])) == 1


def _is_group(X, left, seed, k, labels):
    group = left[np.argsort(_squares(X[left], X[seed]), kind="stable")[:k]]
    return len(set(labels[group])) == 1


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
    path = np.roll(order, -best_rotation(problem.X, order, problem.k))
    cut = Partition.along(problem, path, cut_path(problem.X, path, problem.k))
    expected = naive.cut_tour(problem.X, order, problem.k)
    assert cut.sse == pytest.approx(expected, rel=1e-9, abs=1e-9 * problem.sst)


@given(labelled())
def test_walk_goes_group_by_group_to_the_nearest(case):
    problem, labels = case
    partition = Partition(problem, labels)
    members = np.argsort(partition.labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(partition.sizes)])
    walk = group_by_group(pack(problem.X), problem.X, partition.labels, members, starts)
    assert sorted(walk) == list(range(problem.n))
    visited = partition.labels[walk]
    assert np.count_nonzero(np.diff(visited)) == partition.n_groups - 1, "a group was entered twice"


@pytest.mark.parametrize("n", [7, 60, 700])
def test_walk_is_the_naive_walk(n):
    rng = np.random.default_rng(n)
    problem = Problem(rng.normal(size=(n, 3)), 3)
    partition = Partition(problem, rng.permutation(np.minimum(np.arange(n) // 3, n // 3 - 1)))
    members = np.argsort(partition.labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(partition.sizes)])
    walk = group_by_group(pack(problem.X), problem.X, partition.labels, members, starts)
    np.testing.assert_array_equal(walk, naive.group_by_group(problem.X, partition.labels))


@given(
    st.lists(st.floats(-10, 10, allow_subnormal=False), min_size=1, max_size=24),
    st.sampled_from([0.0, 1.0, 1e9, -1e9]),
    st.integers(1, 5),
)
def test_sorted_cut_is_exact_however_far_from_zero(values, offset, k):
    column = np.array(values) + offset
    k = min(k, len(column))
    centred = column - column.mean()
    order, starts = cut_sorted(centred, k)
    bounds = [*sorted(starts), len(column)]
    groups = [column[order][start:end] for start, end in pairwise(bounds)]
    found = sum(naive.exact_cut(group, len(group)) for group in groups)
    optimum = naive.exact_cut(np.sort(column), k)
    total = naive.exact_cut(column, len(column))
    assert float(found - optimum) <= 1e-14 * float(total)
