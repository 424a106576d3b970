"""Price groups: find those of a given size that lose less than the duals of their records add up to.

The reduced cost of a group C of size η is its sse less the duals of its records,
Σ_{i<j ∈ C} d²(i, j)/η − Σ_{v ∈ C} λ_v. The records stand in an order; a group's root is the first of it there.
"""

from typing import NamedTuple

import numpy as np

from microagg.arrays import BoolArray, FloatArray, IntArray
from microagg.kernels._jit import kernel

FEW = 1500  # more of them would take longer than it saves
EXACT = 1_000_000  # depth of a search that leaves nothing open
NO_END = 2**62  # of sets looked at


class Prices(NamedTuple):
    """Hold the cheapest groups of each root, of one size."""

    members: IntArray  # (n, kept, size) of the root at each place of the order
    costs: FloatArray  # (n, kept) reduced costs, ascending, below the ceiling; inf where there is none
    told: BoolArray  # (1,) set it to end the pricing, from any thread: then the prices are not complete


class Room(NamedTuple):
    """Hold what a root needs while groups are built on it: records that may be added, at each level."""

    records: IntArray  # (size, n)
    distances: FloatArray  # (size, n) squares of these from the records chosen so far, added up
    scores: FloatArray  # (n,) of those looked at last
    least: FloatArray  # (size,) the smallest of some numbers
    sums: FloatArray  # (n, size) of the smallest halves of each from others that may be added to the root
    path: IntArray  # (size,) the records chosen so far


def no_prices(n: int, kept: int, size: int) -> Prices:
    """Make room for the prices of all roots."""
    return Prices(
        np.zeros((n, kept, size), dtype=np.int64),
        np.full((n, kept), np.inf),
        np.zeros(1, dtype=np.bool_),
    )


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
                _keep_least(least, most, halves[record, other])
        _add_up(least, most, sums[record])
    return sums


@kernel
def _add_up(least: FloatArray, count: int, sums: FloatArray) -> None:
    """Add up the first of some numbers, the first two, and so on: `sums` is OUT."""
    sums[0] = 0.0
    for i in range(count):
        sums[i + 1] = sums[i] + least[i]


@kernel
def _keep_least(least: FloatArray, count: int, value: float) -> None:
    """Put a value among the `count` least, which stand in ascending order."""
    if count == 0 or value >= least[count - 1]:
        return
    i = count - 1
    while i > 0 and least[i - 1] > value:
        least[i] = least[i - 1]
        i -= 1
    least[i] = value


@kernel
def price_roots(
    squares: FloatArray,
    halves: FloatArray,
    sums: FloatArray,
    duals: FloatArray,
    order: IntArray,
    first: int,
    last: int,
    ceiling: float,
    few: int,
    depth: int,
    most: int,
    prices: Prices,
) -> int:
    """Find the cheapest groups whose roots stand at the places first … last − 1, by branch and bound.

    A group that holds S and r more records x costs at least what S costs and the r smallest scores
    (D_S(x) + nn_{r−1}(x))/η − λ_x, where D_S(x) adds up the squares of x from S, and nn_{r−1}(x) the r − 1 smallest
    halves from x to others, all that may be added among them: a square between two added records counts half from
    either side, or one part from the one and the rest from the other.

    Parameters
    ----------
    squares
        Squared distances, of shape (n, n).
    halves
        Parts of them, of shape (n, n): that of (a, b) and that of (b, a) add up to the square.
    sums
        From `nearest_sums` of the halves, for at least η − 2.
    order
        The records, by falling dual as a rule: then the first roots have all the work, and the last none.
    ceiling
        Only groups below it are wanted.
    few
        Records that may be added to a root, among which the nearest of each are looked for anew: `FEW`.
    depth
        How many records are added to a root one by one, at least one; those that are added last, all at once, are
        those of the smallest scores, and cost no more than any others. `EXACT`: all but the last one by one.
    most
        Sets of records that may be looked at for each root: more of them tell the pricing to end, `NO_END` never.
    prices
        IN/OUT: the cheapest so far.

    Returns
    -------
    int
        How many sets of records were looked at.
    """
    n, size = len(order), prices.members.shape[2]
    room = Room(
        np.empty((size, n), dtype=np.int64),
        np.empty((size, n)),
        np.empty(n),
        np.empty(size),
        np.empty((n, size)),
        np.empty(size, dtype=np.int64),
    )
    looks = 0
    for place in range(first, last):
        root, count = order[place], 0
        for other in range(place + 1, n):
            room.records[0, count] = order[other]
            room.distances[0, count] = squares[root, order[other]]
            count += 1
        limit = min(ceiling, prices.costs[place, -1])
        count, _ = _filtered(room, 0, count, size - 1, -duals[root], limit, sums, duals)
        if count == 0:
            continue
        if count <= few:
            for i in range(count):
                _add_nearest(halves, room, count, i)
            count, _ = _filtered(room, 0, count, size - 1, -duals[root], limit, room.sums, duals)
            looks += _branch(squares, room.sums, duals, root, place, count, limit, depth, most, prices, room)
        else:
            looks += _branch(squares, sums, duals, root, place, count, limit, depth, most, prices, room)
    return looks


@kernel
def _add_nearest(halves: FloatArray, room: Room, count: int, i: int) -> None:
    """Add up the smallest halves of the i-th record that may be added from the others that may."""
    record, least = room.records[0, i], room.least
    most = len(least) - 2
    least[:] = np.inf
    for j in range(count):
        if j != i:
            _keep_least(least, most, halves[record, room.records[0, j]])
    _add_up(least, most, room.sums[record])


@kernel
def _branch(
    squares: FloatArray,
    sums: FloatArray,
    duals: FloatArray,
    root: int,
    place: int,
    count: int,
    limit: float,
    depth: int,
    most: int,
    prices: Prices,
    room: Room,
) -> int:
    """Add records to a root, one by one, wherever that can stay below the limit; give the nodes looked at."""
    size = prices.members.shape[2]
    counts, nexts, bases = np.zeros(size, np.int64), np.zeros(size, np.int64), np.empty(size)
    level, looks = 0, 0
    counts[0], bases[0], room.path[0] = count, -duals[root], root
    _sort(room, count)
    while level >= 0:
        left, i = size - 1 - level, nexts[level]
        if left == 1:
            for i in range(counts[level]):
                record = room.records[level, i]
                cost = bases[level] + room.distances[level, i] / size - duals[record]
                if cost < limit:
                    room.path[size - 1] = record
                    _keep(prices, place, cost, room.path)
                    limit = min(limit, prices.costs[place, -1])
            level -= 1
            continue
        if i > counts[level] - left or prices.told[0]:
            level -= 1
            continue
        nexts[level] += 1
        record = room.records[level, i]
        base = bases[level] + room.distances[level, i] / size - duals[record]
        found = 0
        for j in range(i + 1, counts[level]):
            other = room.records[level, j]
            room.records[level + 1, found] = other
            room.distances[level + 1, found] = room.distances[level, j] + squares[record, other]
            found += 1
        looks += 1
        if looks > most:
            prices.told[0] = True
        found, least = _filtered(room, level + 1, found, left - 1, base, limit, sums, duals)
        if found and level + 1 == depth and left > 2:
            room.path[level + 1] = record
            _take_least(room, level + 1, found, left - 1)
            _keep(prices, place, least, room.path)
            limit = min(limit, prices.costs[place, -1])
        elif found:
            level += 1
            room.path[level] = record
            counts[level], nexts[level], bases[level] = found, 0, base
    return looks


@kernel
def _sort(room: Room, count: int) -> None:
    """Put the records that may be added to the root in the order of their scores, so that good groups come early."""
    order = np.argsort(room.scores[:count], kind="mergesort")
    room.records[0, :count] = room.records[0, :count][order]
    room.distances[0, :count] = room.distances[0, :count][order]


@kernel
def _take_least(room: Room, level: int, count: int, wanted: int) -> None:
    """Add those of the smallest scores to the path."""
    for place in range(level + 1, level + 1 + wanted):
        best = np.argmin(room.scores[:count])
        room.path[place] = room.records[level, best]
        room.scores[best] = np.inf


@kernel
def _keep(prices: Prices, place: int, cost: float, path: IntArray) -> None:
    """Put a group among the cheapest of its root."""
    costs, members = prices.costs[place], prices.members[place]
    i = len(costs) - 1
    while i > 0 and costs[i - 1] > cost:
        costs[i] = costs[i - 1]
        members[i] = members[i - 1]
        i -= 1
    costs[i] = cost
    members[i] = path


@kernel
def _filtered(
    room: Room, level: int, count: int, wanted: int, base: float, limit: float, sums: FloatArray, duals: FloatArray
) -> tuple[int, float]:
    """Keep those that can be among `wanted` records which, added, stay below the limit; say how many, and the least."""
    if count < wanted:
        return 0, np.inf
    records, distances, scores, least = room.records[level], room.distances[level], room.scores, room.least
    size = len(least)
    for i in range(wanted):
        least[i] = np.inf
    for i in range(count):
        scores[i] = (distances[i] + sums[records[i], wanted - 1]) / size - duals[records[i]]
        _keep_least(least, wanted, scores[i])
    for i in range(wanted - 1):
        base += least[i]
    cost = base + least[wanted - 1]
    if cost >= limit:
        return 0, cost
    left = 0
    for i in range(count):
        if base + scores[i] < limit:
            records[left], distances[left], scores[left] = records[i], distances[i], scores[i]
            left += 1
    return left, cost
