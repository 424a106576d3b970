"""Points that are nearer than a record's own: counted as by brute force, whatever the data look like."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.control.workers import Workers
from microagg.kernels.geometry.nearer_points import NearerPoints, count_nearer
from microagg.kernels.geometry.record_boxes import BOX
from microagg.model.arrays import FloatArray, IntArray
from samples import grid, heavy_tailed, normal
from strategies import points
from ticks import RecordedTicks

_SHAPES: dict[str, Callable[[int, int], FloatArray]] = {
    "one column": lambda seed, n: normal(seed, n, 1),
    "normal": lambda seed, n: normal(seed, n, 5),
    "heavy tails": lambda seed, n: heavy_tailed(seed, n) ** 5,
    "ties": lambda seed, n: grid(seed, n, 4, 3),
    "zeros and ones": lambda seed, n: grid(seed, n, 11, 2),
    "one constant column": lambda seed, n: np.c_[normal(seed, n, 2), np.ones(n)],
    "outlier": lambda seed, n: np.r_[normal(seed, n - 1, 2), [[1e9, 0.0]]],
    "far from zero": lambda seed, n: normal(seed, n, 2) + 1e6,
}


def _squares(X: FloatArray, released: FloatArray) -> FloatArray:
    """Return all squared distances, summed column by column."""
    squares = np.zeros((len(X), len(released)))
    for old, new in zip(X.T, released.T, strict=True):
        squares += (old[:, None] - new) ** 2
    return squares


def _naive(X: FloatArray, released: FloatArray, weights: IntArray, own: IntArray) -> NearerPoints:
    squares = _squares(X, released)
    at_own = squares[np.arange(len(X)), own][:, None]
    n_nearer = np.minimum((squares < at_own * (1 - 2.0**-40)).sum(axis=1), 2)
    is_tied = np.abs(squares - at_own) <= at_own * 2.0**-40
    return NearerPoints(n_nearer, np.where(is_tied, weights, 0).sum(axis=1))


def _check(X: FloatArray, released: FloatArray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    released = np.unique(released, axis=0)
    weights = rng.integers(1, 5, size=len(released))
    near = _squares(X, released).argmin(axis=1)
    own = np.where(rng.random(len(X)) < 0.7, near, rng.integers(0, len(released), size=len(X)))
    found = count_nearer(X, released, weights, own)
    expected = _naive(X, released, weights, own)
    assert found.n_nearer.tolist() == expected.n_nearer.tolist()
    is_nearest = found.n_nearer == 0
    assert found.n_tied[is_nearest].tolist() == expected.n_tied[is_nearest].tolist()


@given(points(max_n=30), st.integers(0, 99))
def test_few_records(X: FloatArray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    _check(X, X[rng.integers(0, len(X), size=1 + len(X) // 2)], seed)


@pytest.mark.parametrize("n_points", [1, BOX, BOX + 1, 5 * BOX + 7])
@pytest.mark.parametrize("shape", _SHAPES)
def test_points_in_several_boxes(shape: str, n_points: int) -> None:
    make = _SHAPES[shape]
    _check(make(1, 700), make(2, max(2, n_points))[:n_points], n_points)


def test_two_that_are_nearer_are_enough() -> None:
    released = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    weights = np.ones(5, dtype=np.int64)
    X = np.zeros((4, 1))
    found = count_nearer(X, released, weights, np.array([0, 1, 2, 4]))
    assert found.n_nearer.tolist() == [0, 1, 2, 2]


def test_rounding_does_not_tell_equal_distances_apart() -> None:
    """0.3 is as far from 0.1 as from 0.5, but not in floats."""
    released = np.array([[0.1], [0.5]])
    assert abs(0.3 - 0.1) != abs(0.5 - 0.3)
    found = count_nearer(np.array([[0.3], [0.3]]), released, np.array([2, 3]), np.array([0, 1]))
    assert (found.n_nearer.tolist(), found.n_tied.tolist()) == ([0, 0], [5, 5])


def test_threads_change_nothing() -> None:
    X = normal(0, 5000, 6)
    released = normal(1, 1500, 6)
    own = np.arange(5000) % 1500
    weights = np.ones(1500, dtype=np.int64)
    workers = Workers(3)
    one = count_nearer(X, released, weights, own, in_parallel=_backwards)
    three = count_nearer(X, released, weights, own, in_parallel=workers.map)
    workers.close()
    assert one.n_nearer.tolist() == three.n_nearer.tolist()
    assert one.n_tied.tolist() == three.n_tied.tolist()


def _backwards(function: Callable[[range], None], items: Sequence[range], /) -> None:
    for item in reversed(items):
        function(item)


def test_progress_is_reported_and_can_end_the_search() -> None:
    X = normal(0, 20_000, 8)
    own = np.arange(20_000) % 9000
    weights = np.ones(9000, dtype=np.int64)
    ticks = RecordedTicks()
    count_nearer(X, X[:9000], weights, own, ticks)
    assert ticks.shares[0] == 0.0
    assert ticks.shares == sorted(set(ticks.shares))
    assert len(ticks.shares) >= 2

    def stop(done: float | None = None) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        count_nearer(X, X[:9000], weights, own, stop)
