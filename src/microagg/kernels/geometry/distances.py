"""Euclidean distances between records: the one definition that all kernels share."""

import numpy as np

from microagg.kernels.jit import inlined_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray


@inlined_kernel
def squared_distance(X: FloatArray, i: int, Y: FloatArray, j: int) -> float:
    """Return the squared distance of row i of X from row j of Y, summed column by column: O(d)."""
    squares = 0.0
    for column in range(X.shape[1]):
        difference = X[i, column] - Y[j, column]
        squares += difference * difference
    return squares


def distance_matrix(X: FloatArray, tick: Tick = no_tick) -> FloatArray:
    """Return the distances of all pairs of records, of shape (n, n): O(n²·d) time, O(n²) memory."""
    n, d = X.shape
    distances = np.zeros((n, n))
    step = steps_per_tick(n * (d + 4))
    for first in range(0, n, step):
        tick(first / n)
        _fill_rows(X, distances, first, min(first + step, n))
    return distances


@kernel
def _fill_rows(X: FloatArray, distances: FloatArray, first: int, last: int) -> None:
    """Compute the rows first … last − 1 of `distances` (OUT): O(n·d) each."""
    for record in range(first, last):
        for other in range(len(X)):
            distances[record, other] = np.sqrt(squared_distance(X, record, X, other))
