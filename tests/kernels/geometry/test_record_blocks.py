"""Passes over the distances of the records left, against sorting."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg.kernels.geometry.record_blocks import (
    BLOCK,
    copy_point,
    farthest,
    farthest_from_centroid,
    is_outer,
    nearest,
    pack,
    recompute_sums,
    remove,
    squared_distance_at,
    swap_to_end,
)
from microagg.model.arrays import FloatArray
from strategies import points


@given(points(min_n=2), st.data())
def test_passes_over_blocks_find_what_sorting_finds(X: FloatArray, data: st.DataObject) -> None:
    point = X[data.draw(st.integers(0, len(X) - 1))]
    k = data.draw(st.integers(1, len(X)))
    gone = data.draw(st.sets(st.integers(0, len(X) - 1), max_size=len(X) - k))
    blocks = pack(X)
    n_left = remove(blocks, len(X), np.array(sorted(gone), dtype=np.int64))
    left = np.array([record for record in range(len(X)) if record not in gone])
    squares = naive.squares(X[left], point)

    places = np.empty(k, dtype=np.int64)
    square_bits = np.empty(k, dtype=np.int64)
    far = nearest(blocks, n_left, point, places, square_bits)

    assert n_left == len(left)
    np.testing.assert_array_equal(blocks.records[places], left[np.argsort(squares, kind="stable")[:k]])
    np.testing.assert_array_equal(square_bits.view(np.float64), np.sort(squares)[:k])
    assert blocks.records[far] == left[squares.argmax()]
    assert farthest(blocks, n_left, point) == far
    np.testing.assert_allclose(blocks.sums + blocks.compensation, X[left].sum(axis=0), atol=1e-8)
    assert all(blocks.places[blocks.records[place]] == place for place in range(n_left))
    assert (blocks.places[sorted(gone)] == -1).all()


@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_passes_cross_the_edges_of_blocks(n: int) -> None:
    X = np.random.default_rng(n).normal(size=(n, 3))
    places = np.empty(7, dtype=np.int64)
    square_bits = np.empty(7, dtype=np.int64)
    blocks = pack(X)
    far = nearest(blocks, n, X[0], places, square_bits)
    squares = naive.squares(X, X[0])
    np.testing.assert_array_equal(places, np.argsort(squares, kind="stable")[:7])
    assert far == farthest(blocks, n, X[0]) == squares.argmax()


@pytest.mark.parametrize("shape", [(2000, 3), (3000, 1), (700, 7)])
@pytest.mark.parametrize("ties", [False, True])
def test_farthest_from_a_wandering_centroid(shape: tuple[int, int], ties: bool) -> None:
    rng = np.random.default_rng(shape[0])
    X = rng.integers(0, 3, size=shape).astype(float) if ties else rng.standard_t(3, size=shape)
    blocks = pack(X)
    n_left = len(X)
    left = np.ones(len(X), dtype=bool)
    while n_left > 5:
        squares = naive.squares(X, X[left].mean(axis=0))
        squares[~left] = -1.0
        place = farthest_from_centroid(blocks, n_left)
        assert squares[blocks.records[place]] == pytest.approx(squares.max(), rel=1e-12)
        if ties:  # sums of integers are exact: the very lowest index
            assert blocks.records[place] == squares.argmax()
        gone = np.unique(np.append(rng.integers(0, n_left, size=4), place))
        left[blocks.records[gone]] = False
        n_left = remove(blocks, n_left, gone)


def test_sums_stay_exact_beside_outliers() -> None:
    X = np.random.default_rng(0).normal(size=(700, 2))
    X[:3] = [[1e17, -1e12], [-1e17, 1e15], [3e16, 1e9]]
    blocks = pack(X)
    n_left = remove(blocks, len(X), np.arange(600))
    assert n_left == 100
    np.testing.assert_allclose(blocks.sums + blocks.compensation, X[600:].sum(axis=0), rtol=1e-12)
    recompute_sums(blocks, n_left)
    np.testing.assert_allclose(blocks.sums + blocks.compensation, X[600:].sum(axis=0), rtol=1e-15)


def test_the_outer_of_two_records_is_no_nearer_to_the_centroid() -> None:
    X = np.array([[-2.0], [2.0], [-1.0], [1.0], [9.0]])
    blocks = pack(X)
    n_left = remove(blocks, 5, np.array([4]))  # the centroid of the others is 0
    assert is_outer(blocks, n_left, 0, 2)
    assert not is_outer(blocks, n_left, 2, 0)
    assert is_outer(blocks, n_left, 0, 1), "a tie"
    assert is_outer(blocks, n_left, 1, 0), "a tie"


@given(points(min_n=2), st.randoms(use_true_random=False))
def test_records_swapped_to_the_end_are_all_kept(X: FloatArray, random: Random) -> None:
    n = len(X)
    order = random.sample(range(n), n)
    blocks = pack(X)
    point = np.empty(X.shape[1])
    for i, record in enumerate(order):
        swap_to_end(blocks, n - i, blocks.places[record])
        assert blocks.places[record] == n - i - 1
    assert blocks.records.tolist() == order[::-1]
    for record in range(n):
        copy_point(blocks.values, blocks.places[record], point)
        np.testing.assert_array_equal(point, X[record])
        assert squared_distance_at(blocks.values, blocks.places[record], X[record]) == 0.0
