"""Grow a group of k around its first record, and take it out of the records left.

Both ways end with the group's records in the order in which they joined, and say which record was the
farthest from the first one: finding the nearest has met it anyway.
"""

import numpy as np

from microagg.kernels.geometry.record_blocks import BLOCK, Blocks, measure_block, nearest, point_at, remove
from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray


@kernel
def waiting_for(k: int) -> int:
    """Say how many of the nearest to wait in a list where k are wanted, so that one pass over all is mostly enough."""
    return k + min(3 * k, 96)


@kernel
def take_nearest(blocks: Blocks, left: int, record: int, group: IntArray) -> int:
    """Take the len(group) records nearest to `record`, as a rule itself among them. O(left·d).

    (Of more equal records than that, those with the lowest indices are taken.)

    Parameters
    ----------
    blocks
        IN/OUT: the records, those left at the `left` first places.
    group
        OUT: the records taken, by distance, then index.

    Returns
    -------
    int
        The record farthest from `record`, or -1 where it was taken too.
    """
    point = np.empty(len(blocks.sums))
    places = np.empty(len(group), dtype=np.int64)
    distances = np.empty(len(group), dtype=np.int64)
    point_at(blocks, blocks.places[record], point)
    far = nearest(blocks, left, point, places, distances)
    return _take(blocks, left, places, far, group)


@kernel
def take_nearest_to_centroid(blocks: Blocks, left: int, record: int, group: IntArray) -> int:
    """Take `record`, and then always the record nearest to the centroid of those taken. O(left·d) mostly.

    The arguments and what is returned are those of `take_nearest`.

    The nearest to the first record wait in a list. Nothing outside it is nearer to the centroid than the list's
    radius, less the way that the centroid has moved: one pass over all records is enough, and another one
    only where the list ends too early.
    """
    k = len(group)
    point = np.empty(len(blocks.sums))
    waiting = np.empty(min(left, waiting_for(k)), dtype=np.int64)
    distances = np.empty(len(waiting), dtype=np.int64)
    places = np.empty(k, dtype=np.int64)
    places[0] = blocks.places[record]
    point_at(blocks, places[0], point)
    far = nearest(blocks, left, point, waiting, distances)
    radius = np.inf if len(waiting) == left else np.sqrt(distances.view(np.float64)[-1])
    centroid, sums = point.copy(), point.copy()
    equal = True  # all that are taken are equal: the list, in its order, is what is nearest
    for size in range(1, k):
        moved = np.sqrt(((centroid - point) ** 2).sum())
        sure = np.inf if equal else radius - moved
        chosen, _ = _nearest_left(blocks, left, waiting, sure, centroid, places[:size], -1)
        places[size] = chosen
        for j in range(len(sums)):
            value = blocks.values[chosen // BLOCK, j, chosen % BLOCK]
            equal &= value == point[j]
            sums[j] += value
        if not equal:
            centroid[:] = sums / (size + 1)
    return _take(blocks, left, places, far, group)


@kernel
def take_and_extend(blocks: Blocks, left: int, record: int, k: int, gamma: float, group: IntArray) -> int:
    """Take the k records nearest to `record`, and up to k − 1 more that are nearer to them than to the others left.

    While there is room: e is the record nearest to any that is taken, and joins them if it is less than gamma
    times as far from that one as from the nearest other record left. O(left·d) mostly, for the same reason as
    in `take_nearest_to_centroid`.

    Parameters
    ----------
    group
        OUT: the records taken, of shape (2k − 1,).

    Returns
    -------
    int
        How many were taken.
    """
    d = len(blocks.sums)
    point, near = np.empty(d), np.empty(d)
    waiting = np.empty(min(left, waiting_for(k)), dtype=np.int64)
    distances = np.empty(len(waiting), dtype=np.int64)
    places = np.empty(2 * k - 1, dtype=np.int64)
    point_at(blocks, blocks.places[record], point)
    nearest(blocks, left, point, waiting, distances)
    squares = distances.view(np.float64)
    radius = np.inf if len(waiting) == left else np.sqrt(squares[-1])
    places[:k] = waiting[:k]
    reach = np.sqrt(squares[k - 1])  # how far the taken ones are from the first
    inner = np.full(len(waiting), np.inf)  # how far each waiting record is from the nearest that is taken
    everywhere = np.empty(0)  # the same of all records, once the waiting ones are not enough
    listed = counted = 0  # how many of those taken have been looked at for either
    size = k
    while size < min(2 * k - 1, left):
        for place in places[listed:size]:
            point_at(blocks, place, near)
            _approach(blocks, waiting, near, inner)
        listed = size
        chosen, closest = _closest(blocks, waiting, inner, places[:size], -1)
        if not np.sqrt(closest) < (radius - reach) * (1 - 1e-9):
            if not counted:
                everywhere = np.full(left, np.inf)
            for place in places[counted:size]:
                point_at(blocks, place, near)
                _approach_all(blocks, left, near, everywhere)
            counted = size
            everywhere[places[:size]] = np.inf
            chosen, closest = _closest(blocks, np.arange(left), everywhere, places[:0], -1)
        point_at(blocks, chosen, near)
        away = np.sqrt(((near - point) ** 2).sum())
        _, outer = _nearest_left(blocks, left, waiting, radius - away, near, places[:size], chosen)
        if not closest < gamma**2 * outer:
            break
        places[size] = chosen
        size += 1
        reach = max(reach, away)
    for i in range(size):
        group[i] = blocks.records[places[i]]
    remove(blocks, left, places[:size])
    return size


@kernel
def _approach(blocks: Blocks, waiting: IntArray, point: FloatArray, squares: FloatArray) -> None:
    """Lower the squared distances of the waiting records (IN/OUT) to those from `point`, where these are less."""
    for i in range(len(waiting)):
        place, total = waiting[i], 0.0
        for j in range(len(point)):
            difference = blocks.values[place // BLOCK, j, place % BLOCK] - point[j]
            total += difference * difference
        squares[i] = min(squares[i], total)


@kernel
def _approach_all(blocks: Blocks, left: int, point: FloatArray, squares: FloatArray) -> None:
    """Do the same for all places."""
    for block in range((left + BLOCK - 1) // BLOCK):
        start, filled = block * BLOCK, min(BLOCK, left - block * BLOCK)
        measure_block(blocks, block, filled, point)
        for i in range(filled):
            squares[start + i] = min(squares[start + i], blocks.squares[i])


@kernel
def _closest(blocks: Blocks, waiting: IntArray, squares: FloatArray, taken: IntArray, but: int) -> tuple[int, float]:
    """Find the waiting place with the least of `squares`, neither taken nor `but`; -1 and infinity if there is none."""
    best, best_squares = -1, np.inf
    for i in range(len(waiting)):
        place = waiting[i]
        if squares[i] < best_squares or (squares[i] == best_squares and blocks.records[place] < blocks.records[best]):
            free = place != but
            for other in taken:
                free &= other != place
            if free:
                best, best_squares = place, squares[i]
    return best, best_squares


@kernel
def _nearest_left(
    blocks: Blocks, left: int, waiting: IntArray, sure: float, point: FloatArray, taken: IntArray, but: int
) -> tuple[int, float]:
    """Find the place nearest to `point` that is neither taken nor `but`, and its squared distance.

    Nothing outside the waiting list is nearer to `point` than `sure`: only where the list has nothing nearer
    either, all are looked at. Where nothing is left, the place is -1 and the distance infinite.
    """
    place, squares = _nearest_waiting(blocks, waiting, point, taken, but)
    if np.sqrt(squares) < sure * (1 - 1e-9):
        return place, squares
    several = np.empty(min(left, len(taken) + 2), dtype=np.int64)
    nearest(blocks, left, point, several, np.empty(len(several), dtype=np.int64))
    return _nearest_waiting(blocks, several, point, taken, but)


@kernel
def _nearest_waiting(
    blocks: Blocks, waiting: IntArray, point: FloatArray, taken: IntArray, but: int
) -> tuple[int, float]:
    """Find the place nearest to `point` among those waiting that are neither taken nor `but`, -1 if there is none."""
    squares = np.full(len(waiting), np.inf)
    _approach(blocks, waiting, point, squares)
    return _closest(blocks, waiting, squares, taken, but)


@kernel
def _take(blocks: Blocks, left: int, places: IntArray, far: int, group: IntArray) -> int:
    """Write the records at `places` into `group` (OUT) and take them out; give the far one's record if it stays."""
    far_record = blocks.records[far]
    for i in range(len(places)):
        group[i] = blocks.records[places[i]]
    remove(blocks, left, places)
    return far_record if blocks.places[far_record] >= 0 else -1
