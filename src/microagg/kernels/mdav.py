"""Group around the farthest records, two groups at a time."""

import numpy as np

from microagg.arrays import IntArray
from microagg.kernels._jit import kernel
from microagg.kernels.blocks import Blocks, farthest_from_centroid, nearest, point_at, remove, sum_anew


@kernel
def mdav_pairs(blocks: Blocks, left: int, k: int, pairs: int, labels: IntArray, group: int) -> tuple[int, int]:
    """Make up to `pairs` pairs of groups, while at least 2k records are left. O(left·d) a pair.

    Parameters
    ----------
    blocks
        IN/OUT: the records, those left at the `left` first places.
    labels
        OUT: the group of each record that got one, numbered from `group`; -1 before.

    Returns
    -------
    left, group : int
        How many records are left, and the next group's number.
    """
    point = np.empty(len(blocks.sums))
    places = np.empty(k, dtype=np.int64)
    distances = np.empty(k, dtype=np.int64)
    stale = left
    for _ in range(pairs):
        if left < 2 * k:
            break
        if left <= stale:  # taking away rounds: sum anew each time that half are gone
            sum_anew(blocks, left)
            stale = left // 2
        point_at(blocks, farthest_from_centroid(blocks, left), point)
        far = blocks.records[nearest(blocks, left, point, places, distances)]
        left = _take(blocks, left, places, labels, group)
        # Where all are equally far, the farthest may have gone with the nearest: take the next like it.
        if labels[far] == group:
            far = blocks.records[nearest(blocks, left, point, places, distances)]
        for place in range(left):
            if blocks.records[place] == far:
                point_at(blocks, place, point)
        nearest(blocks, left, point, places, distances)
        left = _take(blocks, left, places, labels, group + 1)
        group += 2
    return left, group


@kernel
def _take(blocks: Blocks, left: int, places: IntArray, labels: IntArray, group: int) -> int:
    """Label the records at `places` (OUT in `labels`) and take them out."""
    for place in places:
        labels[blocks.records[place]] = group
    return remove(blocks, left, places)
