"""Squared Euclidean distances: the one definition that all kernels share."""

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray


@inner_kernel
def squared_distance(X: FloatArray, i: int, Y: FloatArray, j: int) -> float:
    """Return the squared distance of row i of X from row j of Y: O(d)."""
    squares = 0.0
    for column in range(X.shape[1]):
        difference = X[i, column] - Y[j, column]
        squares += difference * difference
    return squares


def distance_matrix(X: FloatArray, tick: Tick = no_tick) -> FloatArray:
    """Give all distances: O(n²·d), O(n²) memory."""
    n, d = X.shape
    distances = np.zeros((n, n))
    step = steps_per_tick(n * (d + 4))
    for first in range(0, n, step):
        tick(first / n)
        _measure_rows(X, distances, first, min(first + step, n))
    return distances


@kernel
def _measure_rows(X: FloatArray, distances: FloatArray, first: int, last: int) -> None:
    for one in range(first, last):
        for other in range(len(X)):
            squares = 0.0
            for j in range(X.shape[1]):
                difference = X[one, j] - X[other, j]
                squares += difference * difference
            distances[one, other] = np.sqrt(squares)
