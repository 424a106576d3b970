"""Find the most distant records among those left."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.equal_records import points_of
from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


class Points(NamedTuple):
    """The records by the point at which they stand."""

    of: IntArray  # (n,) the point of each record
    members: IntArray  # (n,) the records, point by point, by index
    lowest: IntArray  # (n_points,) where among them each point's first record stands that may be left
    ends: IntArray  # (n_points,) where its records end


class Pairs(NamedTuple):
    """Pairs of points, the most distant first."""

    squares: FloatArray  # (m,) their squared distances
    first: IntArray  # (m,) the one point
    second: IntArray  # (m,) the other


def all_points(X: FloatArray) -> Points:
    """Find the points of all records, all of them left."""
    of, _ = points_of(X)
    ends = np.cumsum(np.bincount(of))
    return Points(of, np.argsort(of, kind="stable"), np.append(0, ends[:-1]), ends)


def longest_pairs(X: FloatArray, points: IntArray, tick: Tick = no_tick) -> Pairs:
    """List the most distant pairs of points, about a fifth as many as there are points, and all that are as long.

    Parameters
    ----------
    X, points
        The points, of shape (m, d), and how each is called, of shape (m,).
    tick
        Is told the share that is done, every now and then.
    """
    norms = np.sqrt(np.square(X - X.mean(axis=0)).sum(axis=1))
    falling = np.argsort(-norms, kind="stable")
    Y, norms, points = X[falling], norms[falling], points[falling]
    every = len(X) * (len(X) - 1) // 2
    wanted = max(16, len(X) // 5)
    while True:
        wanted = min(wanted, every)
        pairs = Pairs(np.empty(wanted), np.empty(wanted, np.int64), np.empty(wanted, np.int64))
        count = row = 0
        while row < len(X):
            tick(row / len(X))
            last = min(len(X), row + steps_per_tick(4 * (row + 1000) * X.shape[1]))
            count, row = _list_longest(Y, norms, points, pairs, count, row, last)
        _sort(pairs)
        if wanted == every:
            return pairs
        complete = int(np.searchsorted(-pairs.squares, -pairs.squares[-1]))  # of the shortest, some may be missing
        if complete:
            return Pairs(pairs.squares[:complete], pairs.first[:complete], pairs.second[:complete])
        wanted *= 4


@kernel
def longest_left(places: IntArray, points: Points, pairs: Pairs, start: int) -> tuple[int, int, int]:
    """Find the most distant records left, ties by the lower, then the higher record.

    Parameters
    ----------
    places
        Where each record stands, -1 for those that have left.
    points
        IN/OUT: where the first record of a point may be left is moved on.
    start
        The pair to start from: of those before, none is left.

    Returns
    -------
    pair, low, high : int
        The first pair of which both points are left, and the records; len(pairs.squares) and -1 if there is none.
    """
    members, lowest, ends, squares = points.members, points.lowest, points.ends, pairs.squares
    found, low, high = len(squares), -1, -1
    for pair in range(start, len(squares)):
        if low >= 0 and squares[pair] < squares[found]:
            break
        one = _first_left(places, members, lowest, ends, pairs.first[pair])
        other = _first_left(places, members, lowest, ends, pairs.second[pair]) if one >= 0 else -1
        if other < 0:
            continue
        if low < 0:
            found = pair
        if low < 0 or min(one, other) < low or (min(one, other) == low and max(one, other) < high):
            low, high = min(one, other), max(one, other)
    return found, low, high


@kernel
def _first_left(places: IntArray, members: IntArray, lowest: IntArray, ends: IntArray, point: int) -> int:
    """Find the lowest record left at a point, -1 if there is none."""
    while lowest[point] < ends[point]:
        record = members[lowest[point]]
        if places[record] >= 0:
            return int(record)
        lowest[point] += 1
    return -1


@kernel
def _list_longest(
    Y: FloatArray, norms: FloatArray, points: IntArray, pairs: Pairs, count: int, start: int, last: int
) -> tuple[int, int]:
    """List the most distant pairs of the points start … last − 1 and those before them.

    Two points are at most as far apart as their distances from one centre add up to: with the points in
    falling order of these, whole rows of pairs are shorter than all that are listed already. O(m²·d) at
    worst, mostly a few hundredths of it in few columns.

    Parameters
    ----------
    Y, norms, points
        The points, of shape (m, d), how far each is from some centre, falling, and how it is called.
    pairs
        IN/OUT: a heap of `count` pairs, the shortest first; ties by the lower, then the higher point.

    Returns
    -------
    count, next : int
        How many pairs there are, and the point to go on with: m when no others can be longer.
    """
    squares, first, second = pairs.squares, pairs.first, pairs.second
    wanted = len(squares)
    shortest = np.sqrt(squares[0]) if 0 < wanted == count else -1.0
    for a in range(start, last):
        if (norms[a] + norms[0]) * (1 + 1e-9) < shortest:
            return count, len(Y)
        for b in range(a):
            if (norms[a] + norms[b]) * (1 + 1e-9) < shortest:
                break
            pair = 0.0
            for j in range(Y.shape[1]):
                difference = Y[a, j] - Y[b, j]
                pair += difference * difference
            low, high = min(points[a], points[b]), max(points[a], points[b])
            if count < wanted:
                _sift_up(squares, first, second, count, pair, low, high)
                count += 1
            elif _after(squares[0], first[0], second[0], pair, low, high):
                _sift_down(squares, first, second, wanted, pair, low, high)
            if count == wanted:
                shortest = np.sqrt(squares[0])
    return count, last


@kernel
def _sort(pairs: Pairs) -> None:
    """Turn the heap (IN/OUT) into a list: take the shortest out again and again, until the longest stands first."""
    squares, first, second = pairs.squares, pairs.first, pairs.second
    for last in range(len(squares) - 1, 0, -1):
        pair, low, high = squares[last], first[last], second[last]
        squares[last], first[last], second[last] = squares[0], first[0], second[0]
        _sift_down(squares, first, second, last, pair, low, high)


@kernel
def _after(squares: float, first: int, second: int, other: float, low: int, high: int) -> bool:
    """Say whether the first pair stands after the other one in the list."""
    if squares != other:
        return squares < other
    return first > low or (first == low and second > high)


@kernel
def _sift_up(
    squares: FloatArray, first: IntArray, second: IntArray, slot: int, pair: float, low: int, high: int
) -> None:
    """Put a pair into the heap (IN/OUT), which has `slot` of them."""
    while slot > 0:
        above = (slot - 1) // 2
        if not _after(pair, low, high, squares[above], first[above], second[above]):
            break
        squares[slot], first[slot], second[slot] = squares[above], first[above], second[above]
        slot = above
    squares[slot], first[slot], second[slot] = pair, low, high


@kernel
def _sift_down(
    squares: FloatArray, first: IntArray, second: IntArray, size: int, pair: float, low: int, high: int
) -> None:
    """Put a pair into the heap (IN/OUT) of `size` of them, in the place of the first one."""
    slot = 0
    while 2 * slot + 1 < size:
        below = 2 * slot + 1
        right = below + 1
        if right < size and _after(
            squares[right], first[right], second[right], squares[below], first[below], second[below]
        ):
            below = right
        if not _after(squares[below], first[below], second[below], pair, low, high):
            break
        squares[slot], first[slot], second[slot] = squares[below], first[below], second[below]
        slot = below
    squares[slot], first[slot], second[slot] = pair, low, high
