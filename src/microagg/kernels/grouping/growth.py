"""Growth of a group of at least k around its first record, and its removal from the records left.

A group's records are listed in the order in which they joined. Growing a group of exactly k also returns the record
farthest from the first one: the search for the nearest finds it at no extra cost.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.record_blocks import (
    BLOCK,
    Blocks,
    copy_point,
    measure_block,
    nearest,
    remove,
    squared_distance_at,
)
from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray

_ROUNDING_FACTOR = 1 - 1e-9  # makes up for rounding where distances are bounded by the triangle inequality


class Shortlist(NamedTuple):
    """Records nearest to the first record of a group, among which the others are looked for first."""

    point: FloatArray  # (d,) the first record
    places: IntArray  # (length,) by distance from it, then index
    radius: float  # no record outside the list is nearer to `point`; infinite if there is none


@inner_kernel
def shortlist_length(k: int) -> int:
    """Return the length of a shortlist that mostly includes all of a group of k, so that one pass is enough: O(1)."""
    return k + min(3 * k, 96)


@kernel
def take_nearest(blocks: Blocks, n_left: int, record: int, group: IntArray) -> int:
    """Take the len(group) records nearest to `record`, usually itself among them: O(n_left·d).

    (Of more equal records than that, those with the lowest indices are taken.)

    Parameters
    ----------
    blocks
        IN/OUT: the records left, without the group afterwards.
    group
        OUT: the records taken, by distance, then index.

    Returns
    -------
    int
        The record farthest from `record`, or -1 if it was taken too.
    """
    point = np.empty(len(blocks.sums))
    places = np.empty(len(group), dtype=np.int64)
    square_bits = np.empty(len(group), dtype=np.int64)
    copy_point(blocks.values, blocks.places[record], point)
    far = nearest(blocks, n_left, point, places, square_bits)
    return _take(blocks, n_left, places, far, group)


@kernel
def take_nearest_to_centroid(blocks: Blocks, n_left: int, record: int, group: IntArray) -> int:
    """Take `record`, then again and again the record nearest to the centroid of those taken: mostly O(n_left·d).

    Parameters and return value are those of `take_nearest`.

    No record outside the shortlist is nearer to the centroid than the list's radius, less the distance that the
    centroid has moved: another pass over all records is needed only where the list has nothing nearer.
    """
    k = len(group)
    shortlist, far = _make_shortlist(blocks, n_left, record, k)
    point = shortlist.point
    places = np.empty(k, dtype=np.int64)
    places[0] = blocks.places[record]
    centroid = point.copy()
    sums = point.copy()
    all_equal = True  # while all records taken are equal, the nearest are those of the list, in its order
    for size in range(1, k):
        moved = np.sqrt(squared_distance_at(blocks.values, places[0], centroid))
        safe_radius = np.inf if all_equal else shortlist.radius - moved
        chosen, _ = _nearest_left(blocks, n_left, shortlist.places, safe_radius, centroid, places[:size], -1)
        places[size] = chosen
        for j in range(len(sums)):
            value = blocks.values[chosen // BLOCK, j, chosen % BLOCK]
            all_equal &= value == point[j]
            sums[j] += value
        if not all_equal:
            for j in range(len(sums)):
                centroid[j] = sums[j] / (size + 1)
    return _take(blocks, n_left, places, far, group)


@kernel
def take_and_extend(blocks: Blocks, n_left: int, record: int, k: int, gamma: float, group: IntArray) -> int:
    """Take the k records nearest to `record`, and up to k − 1 more that are nearer to them than to the others left.

    Up to 2k − 1 records: e is the record nearest to any that is taken, and is taken if it is less than gamma
    times as far from that one as from the nearest other record left. Mostly O(n_left·d), for the same reason as
    `take_nearest_to_centroid`.

    Parameters
    ----------
    blocks
        IN/OUT: the records left, without the group afterwards.
    group
        OUT: the records taken, of shape (2k − 1,).

    Returns
    -------
    int
        How many were taken.
    """
    shortlist, _ = _make_shortlist(blocks, n_left, record, k)
    places = np.empty(2 * k - 1, dtype=np.int64)
    for i in range(k):
        places[i] = shortlist.places[i]
    size = k
    taken_radius = np.sqrt(squared_distance_at(blocks.values, places[k - 1], shortlist.point))  # around the first
    listed_squares = np.full(len(shortlist.places), np.inf)  # of listed records, from the nearest that is taken
    all_squares = np.empty(0)  # the same for all places, once the list is not enough
    n_listed = 0  # taken records that `listed_squares` accounts for
    n_all = 0  # and `all_squares`
    point = np.empty(len(shortlist.point))
    while size < min(2 * k - 1, n_left):
        _lower_listed(blocks, places[n_listed:size], shortlist.places, listed_squares)
        n_listed = size
        chosen, inner = _closest(blocks.records, shortlist.places, listed_squares, places[:size], -1)
        if not np.sqrt(inner) < (shortlist.radius - taken_radius) * _ROUNDING_FACTOR:
            if not n_all:
                all_squares = np.full(n_left, np.inf)
            _lower_all(blocks, n_left, places[n_all:size], all_squares)
            n_all = size
            all_squares[places[:size]] = np.inf
            chosen, inner = _closest(blocks.records, np.arange(n_left), all_squares, places[:0], -1)
        copy_point(blocks.values, chosen, point)
        distance = np.sqrt(squared_distance_at(blocks.values, chosen, shortlist.point))
        safe_radius = shortlist.radius - distance
        _, outer = _nearest_left(blocks, n_left, shortlist.places, safe_radius, point, places[:size], chosen)
        if not inner < gamma**2 * outer:
            break
        places[size] = chosen
        size += 1
        taken_radius = max(taken_radius, distance)
    for i in range(size):
        group[i] = blocks.records[places[i]]
    remove(blocks, n_left, places[:size])
    return size


@inner_kernel
def _make_shortlist(blocks: Blocks, n_left: int, record: int, k: int) -> tuple[Shortlist, int]:
    """List the records nearest to a record, for a group of k, and find the place of the farthest: O(n_left·d)."""
    point = np.empty(len(blocks.sums))
    copy_point(blocks.values, blocks.places[record], point)
    places = np.empty(min(n_left, shortlist_length(k)), dtype=np.int64)
    square_bits = np.empty(len(places), dtype=np.int64)
    far = nearest(blocks, n_left, point, places, square_bits)
    radius = np.inf
    if len(places) < n_left:
        radius = np.sqrt(squared_distance_at(blocks.values, places[-1], point))
    return Shortlist(point, places, radius), far


@inner_kernel
def _lower_listed(blocks: Blocks, taken: IntArray, listed: IntArray, squares: FloatArray) -> None:
    """Lower the listed places' squared distances (IN/OUT) to those from the places `taken`: O(len(listed)·d) each."""
    point = np.empty(len(blocks.sums))
    for place in taken:
        copy_point(blocks.values, place, point)
        for i in range(len(listed)):
            squares[i] = min(squares[i], squared_distance_at(blocks.values, listed[i], point))


@inner_kernel
def _lower_all(blocks: Blocks, n_left: int, taken: IntArray, squares: FloatArray) -> None:
    """Lower all squared distances (IN/OUT, by place) to those from the places `taken`, if less: O(n_left·d) each."""
    point = np.empty(len(blocks.sums))
    for place in taken:
        copy_point(blocks.values, place, point)
        for block in range((n_left + BLOCK - 1) // BLOCK):
            start = block * BLOCK
            filled = min(BLOCK, n_left - start)
            measure_block(blocks, block, filled, point)
            for i in range(filled):
                squares[start + i] = min(squares[start + i], blocks.squares[i])


@inner_kernel
def _closest(
    records: IntArray, listed: IntArray, squares: FloatArray, taken: IntArray, excluded: int
) -> tuple[int, float]:
    """Find the listed place with the least of `squares` that is neither in `taken` nor `excluded`.

    Ties go to the lowest record; -1 and infinity if there is none. O(len(listed)·len(taken)) at worst.
    """
    best = -1
    best_squares = np.inf
    for i in range(len(listed)):
        place = listed[i]
        if squares[i] < best_squares or (squares[i] == best_squares and records[place] < records[best]):
            free = place != excluded
            for other in taken:
                free &= other != place
            if free:
                best = place
                best_squares = squares[i]
    return best, best_squares


@inner_kernel
def _nearest_left(
    blocks: Blocks,
    n_left: int,
    listed: IntArray,
    safe_radius: float,
    point: FloatArray,
    taken: IntArray,
    excluded: int,
) -> tuple[int, float]:
    """Find the place nearest to a point that is neither in `taken` nor `excluded`, and its squared distance.

    No unlisted record is nearer to the point than `safe_radius`: all are searched only where no listed one is nearer
    either. -1 and infinity if there is none. Mostly O(len(listed)·d), O(n_left·d) at worst.
    """
    place, squares = _nearest_listed(blocks.values, blocks.records, listed, point, taken, excluded)
    if np.sqrt(squares) < safe_radius * _ROUNDING_FACTOR:
        return place, squares
    several = np.empty(min(n_left, len(taken) + 2), dtype=np.int64)
    nearest(blocks, n_left, point, several, np.empty(len(several), dtype=np.int64))
    return _nearest_listed(blocks.values, blocks.records, several, point, taken, excluded)


@inner_kernel
def _nearest_listed(
    values: FloatArray, records: IntArray, listed: IntArray, point: FloatArray, taken: IntArray, excluded: int
) -> tuple[int, float]:
    """Find the listed place nearest to a point that is neither in `taken` nor `excluded`: O(len(listed)·d)."""
    squares = np.empty(len(listed))
    for i in range(len(listed)):
        squares[i] = squared_distance_at(values, listed[i], point)
    return _closest(records, listed, squares, taken, excluded)


@inner_kernel
def _take(blocks: Blocks, n_left: int, places: IntArray, far: int, group: IntArray) -> int:
    """Remove the records at `places` (IN/OUT in `blocks`) and list them in `group` (OUT): O(d) each.

    Returns the record at the place `far`, or -1 if it is one of them.
    """
    far_record = blocks.records[far]
    for i in range(len(places)):
        group[i] = blocks.records[places[i]]
    remove(blocks, n_left, places)
    return far_record if blocks.places[far_record] >= 0 else -1
