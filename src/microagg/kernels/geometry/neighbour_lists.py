"""Lists of the nearest neighbours of each record, computed once for many uses."""

import numpy as np

from microagg.kernels.geometry.record_blocks import Blocks, copy_point, nearest, pack
from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


def neighbours(X: FloatArray, n_neighbours: int, tick: Tick = no_tick) -> IntArray:
    """Find the nearest other records of each record, by distance, then index: O(n²·d).

    Returns
    -------
    ndarray of shape (n, n_neighbours)
    """
    n, d = X.shape
    blocks = pack(X)
    lists = np.empty((n, n_neighbours), dtype=np.int64)
    step = steps_per_tick(n * (d + 4))
    for first in range(0, n, step):
        tick(first / n)
        _fill_lists(blocks, lists, first, min(first + step, n))
    return lists


@kernel
def _fill_lists(blocks: Blocks, lists: IntArray, first: int, last: int) -> None:
    """Find the neighbours of the records first … last − 1 (OUT in `lists`): O(n·d) each.

    No record has left the blocks, so that places are records.
    """
    n, n_neighbours = lists.shape
    point = np.empty(len(blocks.sums))
    places = np.empty(n_neighbours + 1, dtype=np.int64)
    square_bits = np.empty(n_neighbours + 1, dtype=np.int64)
    for record in range(first, last):
        copy_point(blocks.values, record, point)
        nearest(blocks, n, point, places, square_bits)
        found = 0
        for place in places:  # where more records are equal than fit in, the record itself may be missing
            if place != record and found < n_neighbours:
                lists[record, found] = place
                found += 1
