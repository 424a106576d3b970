"""Lists of near records: the nearest ones below the border, most of them above it."""

from collections.abc import Callable

import numpy as np
import pytest

import naive_neighbours
from microagg.control.workers import Workers
from microagg.kernels.geometry import approximate_neighbours
from microagg.kernels.geometry.approximate_neighbours import effort_for, neighbours_near
from microagg.kernels.geometry.leaf_search import EXACT
from microagg.kernels.geometry.record_leaves import LEAF
from microagg.model.arrays import FloatArray
from samples import grid, heavy_tailed, normal

_N = 2500
_SHAPES: dict[str, Callable[[], FloatArray]] = {
    "normal": lambda: normal(0, _N, 8),
    "heavy tails": lambda: heavy_tailed(0, _N, 8),
    "ties": lambda: grid(0, _N, 6, 3),
    "copies": lambda: normal(0, 30, 5)[np.arange(_N) % 30],
    "all equal": lambda: np.ones((_N, 5)),
}


@pytest.fixture
def always_approximate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the border at no record, and search few leaves."""
    monkeypatch.setattr(approximate_neighbours, "_MAX_EXACT_WORK", 0)
    monkeypatch.setattr(approximate_neighbours, "_MAX_LEAVES", 6)


def test_exact_where_records_or_columns_are_few() -> None:
    assert effort_for(50_000, 100, 17) == EXACT
    assert effort_for(200_000, 10, 17) == EXACT
    assert effort_for(10_000_000, 3, 17) == EXACT
    assert effort_for(1_000_000, 10, 17).max_leaves < 1_000_000 // LEAF
    X = normal(0, 500, 6)
    assert (neighbours_near(X, 9) == naive_neighbours.neighbours(X, 9)).all()


@pytest.mark.parametrize("n_neighbours", [17, 50_000])
def test_enough_leaves_are_searched_to_fill_the_lists(n_neighbours: int) -> None:
    assert effort_for(1_000_000, 10, n_neighbours).max_leaves * LEAF > 2 * n_neighbours


@pytest.mark.usefixtures("always_approximate")
@pytest.mark.parametrize("shape", _SHAPES)
def test_lists_are_complete_sorted_and_mostly_right(shape: str) -> None:
    X = _SHAPES[shape]()
    lists = neighbours_near(X, 17)
    assert (lists != np.arange(_N)[:, None]).all(), "no record is its own neighbour"
    assert (np.diff(np.sort(lists, axis=1), axis=1) > 0).all(), "no neighbour is listed twice"
    squares = np.square(X[lists] - X[:, None]).sum(axis=2)
    steps = np.diff(squares, axis=1)
    assert (steps > -1e-12).all()
    assert (np.diff(lists, axis=1)[steps == 0.0] > 0).all(), "ties go to the lowest index"
    assert naive_neighbours.recall(lists, naive_neighbours.neighbours(X, 17)) > 0.6


def test_a_rough_search_is_shorter_even_where_records_are_few() -> None:
    assert effort_for(200_000, 10, 17, rough=True).max_leaves < effort_for(10**6, 10, 17).max_leaves
    assert effort_for(10_000_000, 3, 17, rough=True) == EXACT
    X = normal(0, 20_000, 8)
    exact = neighbours_near(X, 8)
    rough = neighbours_near(X, 8, rough=True)
    assert 0.8 < naive_neighbours.recall(rough, exact) < 1.0


@pytest.mark.usefixtures("always_approximate")
def test_threads_change_nothing() -> None:
    X = normal(1, _N, 8)
    workers = Workers(3)
    assert (neighbours_near(X, 9, in_parallel=workers.map) == neighbours_near(X, 9)).all()
    workers.close()
