"""Nearest neighbours of every record: exact to the bit, whatever the data look like."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_neighbours
from microagg.control.workers import Workers
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.geometry.record_leaves import LEAF
from microagg.model.arrays import FloatArray
from samples import grid, heavy_tailed, normal
from strategies import points
from ticks import RecordedTicks


def _copies(seed: int, n: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    return normal(seed, 9, 3)[rng.integers(0, 9, size=n)]


def _tight_clusters(seed: int, n: int, width: float) -> FloatArray:
    """Return two clusters far from each other: single precision cannot tell the distances inside apart."""
    return normal(seed, n, 3) * width + np.where(np.arange(n) % 2, 1e3, -1e3)[:, None]


_SHAPES: dict[str, Callable[[int, int], FloatArray]] = {
    "one column": lambda seed, n: normal(seed, n, 1),
    "normal": lambda seed, n: normal(seed, n, 5),
    "more columns than are turned": lambda seed, n: normal(seed, n, 101),
    "heavy tails": lambda seed, n: heavy_tailed(seed, n) ** 5,
    "ties": lambda seed, n: grid(seed, n, 4, 3),
    "zeros and ones": lambda seed, n: grid(seed, n, 11, 2),
    "copies": _copies,
    "one constant column": lambda seed, n: np.c_[normal(seed, n, 2), np.ones(n)],
    "mostly zeros": lambda seed, n: normal(seed, n, 3) * (grid(seed, n, 3, 20) == 0),
    "tight clusters": lambda seed, n: _tight_clusters(seed, n, 1e-4),
    "tighter clusters": lambda seed, n: _tight_clusters(seed, n, 1e-12),
    "outlier": lambda seed, n: np.r_[normal(seed, n - 1, 2), [[1e9, 0.0]]],
    "small numbers": lambda seed, n: normal(seed, n, 2) * 1e-140,
    "squares that vanish": lambda seed, n: normal(seed, n, 2) * 1e-170,
    "large numbers": lambda seed, n: normal(seed, n, 2) * 1e140,
}


@given(points(min_n=2, max_n=30), st.integers(1, 29))
def test_neighbours_are_the_nearest_others(X: FloatArray, n_neighbours: int) -> None:
    n_neighbours = min(n_neighbours, len(X) - 1)
    assert (neighbours(X, n_neighbours) == naive_neighbours.neighbours(X, n_neighbours)).all()


@pytest.mark.parametrize("n_neighbours", [1, 17, LEAF + 5])
@pytest.mark.parametrize("n", [LEAF, LEAF + 6, 5 * LEAF + 1])
@pytest.mark.parametrize("shape", _SHAPES)
def test_records_in_several_leaves(shape: str, n: int, n_neighbours: int) -> None:
    X = _SHAPES[shape](n, n)
    n_neighbours = min(n_neighbours, n - 1)
    assert (neighbours(X, n_neighbours) == naive_neighbours.neighbours(X, n_neighbours)).all()


@pytest.mark.parametrize("n", [4, LEAF + 3])
def test_ties_go_to_the_lowest_record(n: int) -> None:
    """All records are equal: the record itself may not be among the first, and is never its own neighbour."""
    lists = neighbours(np.ones((n, 2)), 3)
    assert lists.tolist() == [[other for other in range(4) if other != record][:3] for record in range(n)]


def test_threads_change_nothing() -> None:
    X = normal(0, 3000, 8)
    workers = Workers(3)
    assert (neighbours(X, 9, in_parallel=workers.map) == neighbours(X, 9)).all()
    workers.close()


def test_progress_is_reported_and_can_end_the_search() -> None:
    X = normal(0, 20_000, 8)
    ticks = RecordedTicks()
    neighbours(X, 5, ticks)
    assert ticks.shares[0] == 0.0
    assert ticks.shares == sorted(set(ticks.shares))
    assert len(ticks.shares) >= 2

    def stop(done: float | None = None) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        neighbours(X, 5, stop)
