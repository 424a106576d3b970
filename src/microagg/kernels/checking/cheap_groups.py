"""List every group whose reduced cost is below a ceiling: what certificates are checked by.

The reduced cost of a group C of m records is Σ_{a<b ∈ C} d²(a, b)/m − Σ_{v ∈ C} λ_v + Σ_cuts μ·⌊w(C)/q⌋ with μ ≥ 0.
The records stand in an order; a group's root is the first of it there. Nothing here is shared with the kernels that
make certificates.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray


class Cuts(NamedTuple):
    """Hold the cuts; −1 stands where a row has no more entries."""

    records: IntArray  # (n_cuts, longest) of each cut
    weights: IntArray  # (n_cuts, longest) of these in it
    denominators: IntArray  # (n_cuts,) q
    duals: FloatArray  # (n_cuts,) μ
    of: IntArray  # (n, most) the cuts of each record
    shares: IntArray  # (n, most) the weights of the record in these


class Room(NamedTuple):
    """Hold a group S while it grows, at each depth: its records, and the candidates, records that may still join it."""

    group: IntArray  # (size,) the records of S
    held: IntArray  # (size + 1,) how many there are
    inner: FloatArray  # (size + 1,) their squares among each other, added up
    prize: FloatArray  # (size + 1,) their duals, added up
    records: IntArray  # (size + 1, n) the candidates
    sums: FloatArray  # (size + 1, n) D_S of each: its squares from the records of S, added up
    left: IntArray  # (size + 1,) how many there are
    following: IntArray  # (size + 1,) which of them joins next
    near: FloatArray  # (n, size) of each record: the 0, 1, 2, … smallest of its half squares to others, added up
    weight: IntArray  # (n_cuts,) w(S) of each cut
    touched: IntArray  # (n_cuts,) the cuts that hold a record of S
    n_touched: IntArray  # (size + 1,) how many there are
    added: FloatArray  # (n,) what a candidate adds by cuts
    marked: IntArray  # (n,) the number of the last S whose candidate the record was
    turn: IntArray  # (1,) the number of this S
    bearers: IntArray  # (longest,) the candidates that bear a cut
    scores: FloatArray  # (n,) of the candidates
    least: FloatArray  # (size,) the smallest of some numbers, ascending


@kernel
def list_groups(
    squares: FloatArray,
    duals: FloatArray,
    mates: IntArray,
    cuts: Cuts,
    near: FloatArray,
    order: IntArray,
    first: int,
    last: int,
    size: int,
    ceiling: float,
    most: int,
    every: bool,
) -> IntArray:
    """List the groups of one size below the ceiling whose roots stand at the places first … last − 1, depth first.

    Each is a row of the array that is returned; the root comes first.

    Parameters
    ----------
    squares
        d², of shape (n, n); inf between records that no group may hold both.
    duals
        λ, of shape (n,).
    mates
        Of each record: others that every group holds with it or not at all, of shape (n, most), −1 where they end.
    near
        From `near_sums` of all records.
    order
        The records, of shape (n,).
    most
        So many groups end the listing.
    every
        Whether all are wanted; else the first of the least reduced cost of each root.
    """
    n = len(order)
    room = _make_room(n, size, len(cuts.duals), cuts.records.shape[1])
    room.records[0], room.left[0] = order, n
    found, count = np.empty((64, size), dtype=np.int64), 0
    for place in range(first, last):
        depth, limit, before = 0, ceiling, count
        if _join(room, squares, duals, mates, cuts, depth, place):
            depth = 1
            room.near[:] = near
            _thin(room, duals, cuts, size, limit, depth)
            near_sums(squares, room.records[1, : room.left[1]], room.near)
            _thin(room, duals, cuts, size, limit, depth)
        while depth > 0:
            cost = _cost(room, cuts, size, depth) if room.held[depth] == size else np.inf
            if cost < limit:
                if not every:
                    limit, count = cost, before
                if count == len(found):
                    found = np.concatenate((found, np.empty_like(found)))
                found[count] = room.group
                count += 1
                if count >= most:
                    return found[:count]
            if room.following[depth] == room.left[depth]:
                _leave(room, cuts, depth)
                depth -= 1
                continue
            room.following[depth] += 1
            if _join(room, squares, duals, mates, cuts, depth, room.following[depth] - 1):
                depth += 1
                _thin(room, duals, cuts, size, limit, depth)
    return found[:count]


@kernel
def near_sums(squares: FloatArray, records: IntArray, near: FloatArray) -> None:
    """Add up, for each of some records, the 0, 1, 2, … smallest of its half squares to others of them.

    `near` is OUT for these records, of shape (n, size): inf where there are not so many others.
    """
    most = near.shape[1] - 1
    least = np.empty(most)
    for record in records:
        least[:] = np.inf
        for other in records:
            if other != record:
                _keep_least(least, most, squares[record, other] / 2)
        near[record, 0] = 0.0
        for i in range(most):
            near[record, i + 1] = near[record, i] + least[i]


@kernel
def _join(
    room: Room, squares: FloatArray, duals: FloatArray, mates: IntArray, cuts: Cuts, depth: int, which: int
) -> bool:
    """Let a candidate and its mates join S, one depth further; those before it are candidates no more.

    Say whether they can: not if a mate is no candidate, or there are too many. Then S is as before.
    """
    deeper, size = depth + 1, len(room.group)
    room.held[deeper], room.n_touched[deeper] = room.held[depth], room.n_touched[depth]
    room.inner[deeper], room.prize[deeper] = room.inner[depth], room.prize[depth]
    room.following[deeper], room.left[deeper] = 0, room.left[depth] - which
    for i in range(room.left[deeper]):
        room.records[deeper, i] = room.records[depth, which + i]
        room.sums[deeper, i] = room.sums[depth, which + i]
    _take(room, squares, duals, cuts, deeper, 0)
    for mate in mates[room.records[depth, which]]:
        if mate < 0:
            break
        place = 0
        while place < room.left[deeper] and room.records[deeper, place] != mate:
            place += 1
        if place == room.left[deeper] or room.held[deeper] == size:
            _leave(room, cuts, deeper)
            return False
        _take(room, squares, duals, cuts, deeper, place)
    return True


@kernel
def _take(room: Room, squares: FloatArray, duals: FloatArray, cuts: Cuts, depth: int, which: int) -> None:
    """Move one candidate into S."""
    record = room.records[depth, which]
    room.group[room.held[depth]] = record
    room.held[depth] += 1
    room.inner[depth] += room.sums[depth, which]
    room.prize[depth] += duals[record]
    room.left[depth] -= 1
    for i in range(which, room.left[depth]):
        room.records[depth, i] = room.records[depth, i + 1]
        room.sums[depth, i] = room.sums[depth, i + 1]
    for i in range(room.left[depth]):
        room.sums[depth, i] += squares[record, room.records[depth, i]]
    for i in range(cuts.of.shape[1]):
        cut = cuts.of[record, i]
        if cut < 0:
            break
        if room.weight[cut] == 0:
            room.touched[room.n_touched[depth]] = cut
            room.n_touched[depth] += 1
        room.weight[cut] += cuts.shares[record, i]


@kernel
def _leave(room: Room, cuts: Cuts, depth: int) -> None:
    """Take out of S what was added at this depth."""
    for place in range(room.held[depth - 1], room.held[depth]):
        record = room.group[place]
        for i in range(cuts.of.shape[1]):
            if cuts.of[record, i] < 0:
                break
            room.weight[cuts.of[record, i]] -= cuts.shares[record, i]


@kernel
def _cost(room: Room, cuts: Cuts, size: int, depth: int) -> float:
    """Give what S alone adds to the reduced cost of a group: all of it, if S is the group."""
    cost: float = room.inner[depth] / size - room.prize[depth]
    for i in range(room.n_touched[depth]):
        cut = room.touched[i]
        cost += cuts.duals[cut] * (room.weight[cut] // cuts.denominators[cut])
    return cost


@kernel
def _thin(room: Room, duals: FloatArray, cuts: Cuts, size: int, ceiling: float, depth: int) -> None:
    """Drop the candidates that no group holds with S whose reduced cost is below the ceiling; all, if S is a group.

    A group of S and r candidates T costs what S alone does, Σ_{x ∈ T} (D_S(x)/m − λ_x), Σ_{x<y ∈ T} d²(x, y)/m, and
    what T adds by cuts. Let each d²(x, y) count half at x and half at y: x has r − 1 such halves, no less than its
    r − 1 smallest. So the group costs no less than S alone and the scores (D_S(x) + near_{r−1}(x))/m − λ_x + added(x)
    of all x ∈ T; hence no less than S and the r smallest scores; nor, if it holds x, than S, the r − 1 smallest, and
    that of x.
    """
    count, more = room.left[depth], size - room.held[depth]
    if more == 0:
        room.left[depth] = 0
        return
    _add_cuts(room, cuts, more, depth)
    room.least[:] = np.inf
    for i in range(count):
        record = room.records[depth, i]
        room.scores[i] = (room.sums[depth, i] + room.near[record, more - 1]) / size - duals[record] + room.added[record]
        _keep_least(room.least, more, room.scores[i])
    others = _cost(room, cuts, size, depth)
    for i in range(more - 1):
        others += room.least[i]
    kept = 0
    if others + room.least[more - 1] < ceiling:
        for i in range(count):
            if others + room.scores[i] < ceiling:
                room.records[depth, kept] = room.records[depth, i]
                room.sums[depth, kept] = room.sums[depth, i]
                kept += 1
    room.left[depth] = kept


@kernel
def _add_cuts(room: Room, cuts: Cuts, more: int, depth: int) -> None:
    """Share out among the candidates what they add by cuts: `room.added` is OUT.

    A candidate bears a cut if it alone brings w(S) to the next multiple of q. A group that holds such candidates pays μ
    at least once more than S alone; it holds no more of them than there are, nor than may join. So each adds at least μ
    over the smaller of these two numbers.
    """
    room.turn[0] += 1
    for i in range(room.left[depth]):
        room.marked[room.records[depth, i]] = room.turn[0]
        room.added[room.records[depth, i]] = 0.0
    for i in range(room.n_touched[depth]):
        cut = room.touched[i]
        missing = cuts.denominators[cut] - room.weight[cut] % cuts.denominators[cut]
        bearers = 0
        for j in range(len(room.bearers)):
            record = cuts.records[cut, j]
            if record >= 0 and room.marked[record] == room.turn[0] and cuts.weights[cut, j] >= missing:
                room.bearers[bearers] = record
                bearers += 1
        for j in range(bearers):
            room.added[room.bearers[j]] += cuts.duals[cut] / min(more, bearers)


@kernel
def _keep_least(least: FloatArray, count: int, value: float) -> None:
    """Put a value among the `count` least, which stand in ascending order: `least` is IN/OUT."""
    if count == 0 or value >= least[count - 1]:
        return
    i = count - 1
    while i > 0 and least[i - 1] > value:
        least[i] = least[i - 1]
        i -= 1
    least[i] = value


@kernel
def _make_room(n: int, size: int, n_cuts: int, longest: int) -> Room:
    """Make room for groups of one size; S holds nothing."""
    counts, sums = np.zeros((4, size + 1), dtype=np.int64), np.zeros((2, size + 1))
    return Room(
        np.zeros(size, dtype=np.int64),
        counts[0],
        sums[0],
        sums[1],
        np.zeros((size + 1, n), dtype=np.int64),
        np.zeros((size + 1, n)),
        counts[1],
        counts[2],
        np.zeros((n, size)),
        np.zeros(n_cuts, dtype=np.int64),
        np.zeros(n_cuts, dtype=np.int64),
        counts[3],
        np.zeros(n),
        np.zeros(n, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(longest, dtype=np.int64),
        np.zeros(n),
        np.zeros(size),
    )
