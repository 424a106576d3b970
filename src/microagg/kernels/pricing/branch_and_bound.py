"""Price groups: find those of a given size that lose less than the duals of their records add up to.

The reduced cost of a group C of size η is its sse less the duals of its records,
Σ_{i<j ∈ C} d²(i, j)/η − Σ_{v ∈ C} λ_v, and what cuts add. The records stand in an order; a group's root is the first of
it there.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.pricing.cut_penalties import Burden, Cuts, no_burden, spread
from microagg.kernels.pricing.nearest_sums import add_up, keep_least
from microagg.model.arrays import BoolArray, FloatArray, IntArray

FEW = 1500  # more of them would take longer than it saves
EXACT = 1_000_000  # depth of a search that leaves nothing open
NO_END = 2**62  # of sets looked at


class Prices(NamedTuple):
    """Hold the cheapest groups of each root, or all of them, of one size."""

    first: int  # place of the first of some roots that follow each other in the order
    members: IntArray  # (roots, kept, size)
    costs: FloatArray  # (roots, kept) reduced costs, below the ceiling; inf where there is none
    counts: IntArray  # (roots,) how many there are
    every: BoolArray  # (1,) whether all are wanted, as they come: those beyond `kept` are counted; else the cheapest
    told: BoolArray  # (1,) set it to end the pricing, from any thread: then the prices are not complete


class Room(NamedTuple):
    """Hold what a root needs while groups are built on it: records that may be added, at each level."""

    records: IntArray  # (size, n)
    distances: FloatArray  # (size, n) squares of these from the records chosen so far, added up
    scores: FloatArray  # (n,) of those looked at last
    least: FloatArray  # (size,) the smallest of some numbers
    sums: FloatArray  # (n, size) of the smallest halves of each from others that may be added to the root
    path: IntArray  # (size,) the records chosen so far
    burden: Burden  # what cuts add
    looks: IntArray  # (2,) sets of records that were looked at: of all roots, and of this one


def no_prices(roots: int, kept: int, size: int, every: bool = False, first: int = 0) -> Prices:
    """Make room for the prices of some roots."""
    return Prices(
        first,
        np.zeros((roots, kept, size), dtype=np.int64),
        np.full((roots, kept), np.inf),
        np.zeros(roots, dtype=np.int64),
        np.array([every]),
        np.zeros(1, dtype=np.bool_),
    )


@kernel
def price_roots(
    squares: FloatArray,
    halves: FloatArray,
    sums: FloatArray,
    duals: FloatArray,
    mates: IntArray,
    cuts: Cuts,
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
    either side, or one part from the one and the rest from the other. To both, cuts add what `spread` says.

    Parameters
    ----------
    squares
        Squared distances, of shape (n, n); inf for records that must not be in one group.
    halves
        Parts of them, of shape (n, n): that of (a, b) and that of (b, a) add up to the square.
    sums
        From `nearest_sums` of the halves, for at least η − 2.
    mates
        Of each record: others that a group holds with it, or not at all, of shape (n, any number); −1: no more. Only an
        exact search heeds them.
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
        IN/OUT: the cheapest so far, or all.

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
        no_burden(n, len(cuts.prices)),
        np.zeros(2, dtype=np.int64),
    )
    for place in range(first, last):
        root, count, row = order[place], 0, place - prices.first
        room.looks[0] += 1
        room.looks[1] = 0
        room.path[0] = root
        for other in range(place + 1, n):
            _offer(room, 0, count, order[other], squares[root, order[other]])
            count += 1
        base = spread(cuts, room.burden, room.path, 1, size - 1, room.looks[0]) - duals[root]
        limit = min(ceiling, prices.costs[row, -1])
        count, _ = _filtered(room, 0, count, size - 1, base, limit, sums, duals)
        if count == 0:
            continue
        if count <= few:
            for i in range(count):
                _add_nearest(halves, room, count, i)
            count, _ = _filtered(room, 0, count, size - 1, base, limit, room.sums, duals)
            _branch(squares, room.sums, duals, mates, cuts, row, count, base, limit, depth, most, prices, room)
        else:
            _branch(squares, sums, duals, mates, cuts, row, count, base, limit, depth, most, prices, room)
    return int(room.looks[0]) - (last - first)


@kernel
def _offer(room: Room, level: int, place: int, record: int, distance: float) -> None:
    """Let a record be one of those that may be added."""
    room.records[level, place] = record
    room.distances[level, place] = distance
    room.burden.mark[record] = room.looks[0]
    room.burden.extra[record] = 0.0


@kernel
def _add_nearest(halves: FloatArray, room: Room, count: int, i: int) -> None:
    """Add up the smallest halves of the i-th record that may be added from the others that may."""
    record, least = room.records[0, i], room.least
    most = len(least) - 2
    least[:] = np.inf
    for j in range(count):
        if j != i:
            keep_least(least, most, halves[record, room.records[0, j]])
    add_up(least, most, room.sums[record])


@kernel
def _branch(
    squares: FloatArray,
    sums: FloatArray,
    duals: FloatArray,
    mates: IntArray,
    cuts: Cuts,
    row: int,
    count: int,
    base: float,
    limit: float,
    depth: int,
    most: int,
    prices: Prices,
    room: Room,
) -> None:
    """Add records to a root, one by one, wherever that can stay below the limit."""
    size = prices.members.shape[2]
    counts, nexts, bases = np.zeros(size, np.int64), np.zeros(size, np.int64), np.empty(size)
    missing = np.zeros(size, np.int64)  # mates of the record added last, which must be added next
    level = 0
    _sort(room, count)
    counts[0], missing[0] = _call_mates(room, mates, 0, count)
    bases[0] = -duals[room.path[0]]
    if size == 2:
        _finish(prices, mates, row, 0, counts[0], missing[0], base, limit, room)
        return
    while level >= 0:
        left, i = size - 1 - level, nexts[level]
        if i > counts[level] - left or (i > 0 and missing[level] > 0) or prices.told[0]:
            level -= 1
            continue
        nexts[level] += 1
        record = room.records[level, i]
        plain = bases[level] + room.distances[level, i] / size - duals[record]
        room.path[level + 1] = record
        room.looks[0] += 1
        room.looks[1] += 1
        if room.looks[1] > most:
            prices.told[0] = True
        found = 0
        for j in range(i + 1, counts[level]):
            other = room.records[level, j]
            _offer(room, level + 1, found, other, room.distances[level, j] + squares[record, other])
            found += 1
        base = plain + spread(cuts, room.burden, room.path, level + 2, left - 1, room.looks[0])
        found, least = _filtered(room, level + 1, found, left - 1, base, limit, sums, duals)
        found, missing[level + 1] = _call_mates(room, mates, level + 1, found)
        if found and left == 2:
            limit = _finish(prices, mates, row, level + 1, found, missing[level + 1], base, limit, room)
        elif found and level + 1 == depth:
            _take_least(room, level + 1, found, left - 1)
            _keep(prices, row, least, room.path)
            limit = min(limit, prices.costs[row, -1])
        elif found:
            level += 1
            counts[level], nexts[level], bases[level] = found, 0, plain


@kernel
def _call_mates(room: Room, mates: IntArray, level: int, count: int) -> tuple[int, int]:
    """Put the mates of the record added last first among those that may be added; say how many there are of both.

    None may be added where a mate is not among them.
    """
    records, missing = room.records[level], 0
    for mate in mates[room.path[level]]:
        if mate < 0 or count == 0:
            break
        place = missing
        while place < count and records[place] != mate:
            place += 1
        if place < count:
            for row in (room.distances[level], room.scores):
                row[missing], row[place] = row[place], row[missing]
            records[missing], records[place] = records[place], records[missing]
            missing += 1
        elif not (room.path[:level] == mate).any():
            return 0, 0
    return count, missing


@kernel
def _finish(
    prices: Prices,
    mates: IntArray,
    row: int,
    level: int,
    count: int,
    missing: int,
    base: float,
    limit: float,
    room: Room,
) -> float:
    """Add a last record, whose score is what it costs; give the limit, which may have fallen."""
    for i in range(count if missing == 0 else int(missing == 1)):
        if base + room.scores[i] < limit and (missing == 1 or mates[room.records[level, i], 0] < 0):
            room.path[level + 1] = room.records[level, i]
            _keep(prices, row, base + room.scores[i], room.path)
            if not prices.every[0]:
                limit = min(limit, prices.costs[row, -1])
    return limit


@kernel
def _sort(room: Room, count: int) -> None:
    """Put the records that may be added to the root in the order of their scores, so that good groups come early."""
    order = np.argsort(room.scores[:count], kind="mergesort")
    room.records[0, :count] = room.records[0, :count][order]
    room.distances[0, :count] = room.distances[0, :count][order]
    room.scores[:count] = room.scores[:count][order]


@kernel
def _take_least(room: Room, level: int, count: int, wanted: int) -> None:
    """Add those of the smallest scores to the path."""
    for place in range(level + 1, level + 1 + wanted):
        best = np.argmin(room.scores[:count])
        room.path[place] = room.records[level, best]
        room.scores[best] = np.inf


@kernel
def _keep(prices: Prices, row: int, cost: float, path: IntArray) -> None:
    """Put a group among those of its root."""
    costs, members = prices.costs[row], prices.members[row]
    i = prices.counts[row] if prices.every[0] else len(costs) - 1
    prices.counts[row] += 1
    if i >= len(costs):
        return
    while not prices.every[0] and i > 0 and costs[i - 1] > cost:
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
    extra = room.burden.extra
    size = len(least)
    for i in range(wanted):
        least[i] = np.inf
    for i in range(count):
        scores[i] = (distances[i] + sums[records[i], wanted - 1]) / size - duals[records[i]] + extra[records[i]]
        keep_least(least, wanted, scores[i])
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
