"""Nearest neighbours of every record."""

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.geometry.record_blocks import BLOCK
from microagg.model.arrays import FloatArray
from strategies import points


@given(points(min_n=2, max_n=30))
def test_neighbours_are_the_nearest_others(X: FloatArray) -> None:
    n_neighbours = min(5, len(X) - 1)
    lists = neighbours(X, n_neighbours)
    for record in range(len(X)):
        others = np.delete(np.arange(len(X)), record)
        squares = naive.squares(X[others], X[record])
        np.testing.assert_allclose(naive.squares(X[lists[record]], X[record]), np.sort(squares)[:n_neighbours])
        assert record not in lists[record]


@pytest.mark.parametrize("n", [4, BLOCK + 3])
def test_ties_go_to_the_lowest_record(n: int) -> None:
    """All records are equal: the record itself may not be among the first, and is never its own neighbour."""
    lists = neighbours(np.ones((n, 2)), 3)
    assert lists.tolist() == [[other for other in range(4) if other != record][:3] for record in range(n)]
