"""Find the nearest of each record, once for many walks."""

import numpy as np

from microagg.kernels.geometry.record_blocks import Blocks, nearest, pack
from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


def neighbours(X: FloatArray, count: int, tick: Tick = no_tick) -> IntArray:
    """Find the `count` nearest of each record, by distance, then index: O(n²·d).

    Returns
    -------
    ndarray of shape (n, count)
    """
    n, d = X.shape
    blocks, near = pack(X), np.empty((n, count), dtype=np.int64)
    step = steps_per_tick(n * (d + 4))
    for first in range(0, n, step):
        tick(first / n)
        _find_neighbours(blocks, X, near, first, min(first + step, n))
    return near


@kernel
def _find_neighbours(blocks: Blocks, X: FloatArray, near: IntArray, first: int, last: int) -> None:
    count = near.shape[1]
    places = np.empty(count + 1, dtype=np.int64)
    distances = np.empty(count + 1, dtype=np.int64)
    for record in range(first, last):
        nearest(blocks, len(X), X[record], places, distances)
        found = 0
        for place in places:  # in equal records the record itself may not be among the first
            if place != record and found < count:
                near[record, found] = place
                found += 1
