"""Add up the smallest of some numbers."""

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray


@kernel
def nearest_sums(halves: FloatArray, most: int) -> FloatArray:
    """Add up the smallest numbers of each row, but for that on the diagonal: O(n²·most).

    Returns
    -------
    ndarray of shape (n, most + 1)
        Of none, of the smallest, of the two smallest, …; inf where there are not so many others.
    """
    n = len(halves)
    sums, least = np.empty((n, most + 1)), np.empty(most)
    for record in range(n):
        least[:] = np.inf
        for other in range(n):
            if other != record:
                keep_least(least, most, halves[record, other])
        add_up(least, most, sums[record])
    return sums


@kernel
def add_up(least: FloatArray, count: int, sums: FloatArray) -> None:
    """Add up the first of some numbers, the first two, and so on: `sums` is OUT."""
    sums[0] = 0.0
    for i in range(count):
        sums[i + 1] = sums[i] + least[i]


@kernel
def keep_least(least: FloatArray, count: int, value: float) -> None:
    """Put a value among the `count` least, which stand in ascending order."""
    if count == 0 or value >= least[count - 1]:
        return
    i = count - 1
    while i > 0 and least[i - 1] > value:
        least[i] = least[i - 1]
        i -= 1
    least[i] = value
