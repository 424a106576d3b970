"""Glue records to groups, pair by pair."""

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import IntArray


@kernel
def glue(one: IntArray, other: IntArray, n: int, most: int) -> IntArray:
    """Glue the groups of each two records in turn where they have at most so many records together.

    Returns
    -------
    ndarray of shape (n,)
        A record of its group, the same one for all: O(pairs·log n).
    """
    above, sizes = np.arange(n), np.ones(n, dtype=np.int64)
    for i in range(len(one)):
        a, b = _top(above, one[i]), _top(above, other[i])
        if a != b and sizes[a] + sizes[b] <= most:
            if sizes[a] < sizes[b]:
                a, b = b, a
            above[b] = a
            sizes[a] += sizes[b]
    for record in range(n):
        above[record] = _top(above, record)
    return above


@kernel
def _top(above: IntArray, record: int) -> int:
    """Find the record that stands for a group; those on the way come nearer to it."""
    while above[record] != record:
        above[record] = above[above[record]]
        record = above[record]
    return record
