"""The most distant pair of records among those left, found again and again while records leave.

A point is a set of equal records: pairs of points are listed once, the most distant first, and serve until
none of them has records left at both ends.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.geometry.equal_records import distinct_points
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_MIN_PAIRS = 16
_POINTS_PER_PAIR = 5
_ROUNDING_FACTOR = 1 + 1e-9  # makes up for rounding where distances are bounded by the triangle inequality


class PointRecords(NamedTuple):
    """The records of each distinct point."""

    point_of: IntArray  # (n,) the point of each record
    records: IntArray  # (n,) the records point by point, by index
    cursors: IntArray  # (n_points,) where each point's records start in `records`, less those known to have left
    ends: IntArray  # (n_points,) where they end


class Pairs(NamedTuple):
    """Pairs of points, the most distant first; a heap with the least distant at its root while they are collected."""

    squares: FloatArray  # (n_pairs,) squared distances
    first: IntArray  # (n_pairs,) the lower point
    second: IntArray  # (n_pairs,) the higher point


def records_by_point(X: FloatArray) -> PointRecords:
    """Sort all records by their distinct points: O(n·d + n·log n)."""
    point_of, _ = distinct_points(X)
    ends = np.cumsum(np.bincount(point_of))
    return PointRecords(
        point_of=point_of,
        records=np.argsort(point_of, kind="stable"),
        cursors=np.append(0, ends[:-1]),
        ends=ends,
    )


def most_distant_records(X: FloatArray, tick: Tick = no_tick) -> tuple[int, int]:
    """Find the two most distant records, ties by the lower, then the higher; one record twice, where all are equal.

    O(n²·d) at worst, mostly a few hundredths of it in few columns.
    """
    _, firsts = distinct_points(X)
    pairs = farthest_pairs(X[firsts], np.arange(len(firsts)), tick)
    if not len(pairs.squares):
        return 0, 0
    return int(firsts[pairs.first[0]]), int(firsts[pairs.second[0]])


def farthest_pairs(X: FloatArray, points: IntArray, tick: Tick = no_tick) -> Pairs:
    """List the most distant pairs of points: about one for five points, with all pairs that tie.

    O(n_points²·d) at worst, mostly a few hundredths of it in few columns.

    Parameters
    ----------
    X, points
        The distinct points, of shape (n_points, d), and their numbers, of shape (n_points,).
    """
    n_pairs = len(X) * (len(X) - 1) // 2
    capacity = max(_MIN_PAIRS, len(X) // _POINTS_PER_PAIR)
    while True:
        capacity = min(capacity, n_pairs)
        pairs = _collect_pairs(X, points, capacity, tick)
        if capacity == n_pairs:
            return pairs
        complete = int(np.searchsorted(-pairs.squares, -pairs.squares[-1]))  # ties of the last pair may be missing
        if complete:
            return Pairs(pairs.squares[:complete], pairs.first[:complete], pairs.second[:complete])
        capacity *= 4


def _collect_pairs(X: FloatArray, points: IntArray, capacity: int, tick: Tick) -> Pairs:
    """List the `capacity` most distant pairs."""
    n, d = X.shape
    norms = np.sqrt(np.square(X - X.mean(axis=0)).sum(axis=1))
    order = np.argsort(-norms, kind="stable")
    X = X[order]
    norms = norms[order]
    points = points[order]
    pairs = Pairs(np.empty(capacity), np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.int64))
    count = 0
    row = 0
    while row < n:
        tick(row / n)
        last = min(n, row + steps_per_tick(4 * (row + 1000) * d))
        count, row = _add_rows(X, norms, points, pairs, count, row, last)
    _sort(pairs)
    return pairs


@kernel
def farthest_records_left(places: IntArray, points: PointRecords, pairs: Pairs, start: int) -> tuple[int, int, int]:
    """Find the most distant pair of records left, ties by the lower, then the higher record.

    O(1) for each pair passed over and each record that has left, over all calls.

    Parameters
    ----------
    places
        The place of each record, -1 for those that have left: `Blocks.places`.
    points
        IN/OUT: the cursors advance past records that have left.
    start
        The pair to start from: those before it have lost a point.

    Returns
    -------
    pair, low, high : int
        The first pair that has both its points left, and the records; len(pairs.squares), -1 and -1 if there is none.
    """
    n_pairs = len(pairs.squares)
    found = n_pairs
    low = -1
    high = -1
    for pair in range(start, n_pairs):
        if low >= 0 and pairs.squares[pair] < pairs.squares[found]:
            break
        record = _first_left(places, points, pairs.first[pair])
        other = _first_left(places, points, pairs.second[pair]) if record >= 0 else -1
        if other < 0:
            continue
        if low < 0:
            found = pair
        if low < 0 or min(record, other) < low or (min(record, other) == low and max(record, other) < high):
            low = min(record, other)
            high = max(record, other)
    return found, low, high


@inner_kernel
def _first_left(places: IntArray, points: PointRecords, point: int) -> int:
    """Find the lowest record left at a point, -1 if there is none; `points.cursors` is IN/OUT: O(1) amortised."""
    while points.cursors[point] < points.ends[point]:
        record = points.records[points.cursors[point]]
        if places[record] >= 0:
            return int(record)
        points.cursors[point] += 1
    return -1


@kernel
def _add_rows(
    X: FloatArray, norms: FloatArray, points: IntArray, pairs: Pairs, count: int, start: int, last: int
) -> tuple[int, int]:
    """Add the pairs of the points start … last − 1 with those before them to the heap, if they are long enough.

    Two points are at most as far apart as the sum of their distances from a common centre: with the points in falling
    order of these, most pairs, and the end of most rows, are shorter than the shortest pair of a full heap.
    O(last·d + log n_pairs) a point at worst.

    Parameters
    ----------
    X, norms, points
        The points, of shape (n_points, d), their distances from a centre, falling, and their numbers.
    pairs
        IN/OUT: a heap of `count` pairs, the shortest at the root; ties by the lower, then the higher point.

    Returns
    -------
    count, next : int
        The number of pairs, and the point to continue with: n_points when no others can be longer.
    """
    capacity = len(pairs.squares)
    shortest = np.sqrt(pairs.squares[0]) if 0 < capacity == count else -1.0
    for a in range(start, last):
        if (norms[a] + norms[0]) * _ROUNDING_FACTOR < shortest:
            return count, len(X)
        for b in range(a):
            if (norms[a] + norms[b]) * _ROUNDING_FACTOR < shortest:
                break
            squares = squared_distance(X, a, X, b)
            low = min(points[a], points[b])
            high = max(points[a], points[b])
            if count < capacity:
                _push(pairs, count, squares, low, high)
                count += 1
            elif _comes_after(pairs.squares[0], pairs.first[0], pairs.second[0], squares, low, high):
                _replace_root(pairs, capacity, squares, low, high)
            if count == capacity:
                shortest = np.sqrt(pairs.squares[0])
    return count, last


@kernel
def _sort(pairs: Pairs) -> None:
    """Turn the heap (IN/OUT) into a list, the longest pair first: O(n_pairs·log n_pairs)."""
    for last in range(len(pairs.squares) - 1, 0, -1):
        squares = pairs.squares[last]
        low = pairs.first[last]
        high = pairs.second[last]
        _copy_pair(pairs, 0, last)
        _replace_root(pairs, last, squares, low, high)


@inner_kernel
def _comes_after(squares: float, first: int, second: int, other: float, low: int, high: int) -> bool:
    """Check whether the first of two pairs comes after the other in the list: O(1)."""
    if squares != other:
        return squares < other
    return first > low or (first == low and second > high)


@inner_kernel
def _push(pairs: Pairs, size: int, squares: float, low: int, high: int) -> None:
    """Add a pair to the heap (IN/OUT) of `size` pairs: O(log size)."""
    slot = size
    while slot > 0:
        parent = (slot - 1) // 2
        if not _comes_after(squares, low, high, pairs.squares[parent], pairs.first[parent], pairs.second[parent]):
            break
        _copy_pair(pairs, parent, slot)
        slot = parent
    _set_pair(pairs, slot, squares, low, high)


@inner_kernel
def _replace_root(pairs: Pairs, size: int, squares: float, low: int, high: int) -> None:
    """Replace the root of the heap (IN/OUT) of `size` pairs by another pair: O(log size)."""
    slot = 0
    while 2 * slot + 1 < size:
        child = 2 * slot + 1
        right = child + 1
        if right < size and _comes_after(
            pairs.squares[right],
            pairs.first[right],
            pairs.second[right],
            pairs.squares[child],
            pairs.first[child],
            pairs.second[child],
        ):
            child = right
        if not _comes_after(pairs.squares[child], pairs.first[child], pairs.second[child], squares, low, high):
            break
        _copy_pair(pairs, child, slot)
        slot = child
    _set_pair(pairs, slot, squares, low, high)


@inner_kernel
def _set_pair(pairs: Pairs, slot: int, squares: float, low: int, high: int) -> None:
    """Write a pair into a slot (OUT): O(1)."""
    pairs.squares[slot] = squares
    pairs.first[slot] = low
    pairs.second[slot] = high


@inner_kernel
def _copy_pair(pairs: Pairs, source: int, target: int) -> None:
    """Copy a pair from one slot to another (IN/OUT): O(1)."""
    _set_pair(pairs, target, pairs.squares[source], pairs.first[source], pairs.second[source])
