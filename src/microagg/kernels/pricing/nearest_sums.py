"""Sums of the smallest values of each row."""

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray


@kernel
def nearest_sums(halves: FloatArray, most: int) -> FloatArray:
    """Return the sums of the 0, 1, …, `most` smallest values of each row, its diagonal value left out: O(n²·most).

    Parameters
    ----------
    halves
        IN, of shape (n, n): what the first record of each pair bears of their squared distance.

    Returns
    -------
    ndarray of shape (n, most + 1)
        inf where a row has fewer values.
    """
    n = len(halves)
    sums = np.empty((n, most + 1))
    smallest = np.empty(most)
    for record in range(n):
        smallest[:] = np.inf
        for other in range(n):
            if other != record:
                insert_smallest(smallest, most, halves[record, other])
        prefix_sums(smallest, most, sums[record])
    return sums


@inner_kernel
def prefix_sums(values: FloatArray, count: int, sums: FloatArray) -> None:
    """Write the sums of the first 0, 1, …, `count` values to `sums` (OUT): O(count)."""
    sums[0] = 0.0
    for i in range(count):
        sums[i + 1] = sums[i] + values[i]


@inner_kernel
def insert_smallest(smallest: FloatArray, count: int, value: float) -> None:
    """Insert a value into the `count` smallest so far (IN/OUT, ascending) if it is one of them: O(count)."""
    if count == 0 or value >= smallest[count - 1]:
        return
    i = count - 1
    while i > 0 and smallest[i - 1] > value:
        smallest[i] = smallest[i - 1]
        i -= 1
    smallest[i] = value
