"""Walk through groups, each from one of its ends to the other, the records between them by cheapest insertion."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.tick import WORK_PER_TICK, Tick, no_tick, steps_per_tick
from microagg.kernels.walks.orderings import Ground, leave
from microagg.model.arrays import BoolArray, FloatArray, IntArray


class Sequence(NamedTuple):
    """A sequence of records that grows by insertion; a gap is known by the record before it."""

    after: IntArray  # (n,) which record follows each in the sequence, -1 after the last
    span: FloatArray  # (n,) how far that one is
    waiting: IntArray  # (n,) the records that wait come first
    gap: IntArray  # (n,) where each of those would lengthen the sequence least; -1 − where it would have, once filled
    cost: FloatArray  # (n,) by how much; where that gap is filled, at least so much


def by_insertion(
    ground: Ground,
    labels: IntArray,
    members: IntArray,
    starts: IntArray,
    settled: BoolArray,
    tick: Tick = no_tick,
) -> IntArray:
    """Walk through the groups by cheapest insertion, then to the nearest record left.

    Starts at the record farthest from the centroid of all. A group is entered at the nearest record and left at the
    one farthest from it; between them, always the record that lengthens the sequence least goes where it does.
    Ties go to the lowest index, between gaps to the one known first. O(n·s·d) for groups of s, besides the way between
    groups.

    Parameters
    ----------
    ground
        The records, from `survey`.
    labels, members, starts
        The group of each record and the records group by group, both of shape (n,), and where each group starts and the
        last one ends, of shape (n_groups + 1,).
    settled
        Whether each group's members stand as a walk that enters at the first of them would put them.
    tick
        Is told the share that is done, every now and then.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.

    References
    ----------
    [1] Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of
        Engineering 33(7), algorithm 1, steps 1 to 12; the costs are kept as section 4.1 suggests.
    """
    n, d = ground.X.shape
    sizes = np.diff(starts)
    sequence = make_room(n)
    order, done, here = np.empty(n, dtype=np.int64), 0, ground.outermost
    most = int((WORK_PER_TICK / d) ** 0.5)  # records of a group that are inserted in one go
    groups = steps_per_tick(d * (n + min(int(sizes.max()), most) ** 2))
    while done < n:
        tick(done / n)
        group = members[starts[labels[here]] : starts[labels[here] + 1]]
        if len(group) > most:
            left = open_sequence(ground, here, group, sequence)
            while left:
                tick((done + len(group) - left) / n)
                left = insert_some(ground, here, left, steps_per_tick(len(group) * d), sequence)
            _write(sequence, here, order[done : done + len(group)])
            done, here = leave(ground, order, done, done + len(group))
        else:
            done, here = walk_on(ground, labels, members, starts, settled, order, done, here, sequence, groups, most)
    return order


@kernel
def make_room(n: int) -> Sequence:
    """Make room for sequences of up to n records."""
    after, waiting, gap = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    return Sequence(after, np.empty(n), waiting, gap, np.empty(n))


@kernel
def walk_on(
    ground: Ground,
    labels: IntArray,
    members: IntArray,
    starts: IntArray,
    settled: BoolArray,
    order: IntArray,
    done: int,
    here: int,
    sequence: Sequence,
    groups: int,
    most: int,
) -> tuple[int, int]:
    """Walk through some groups of at most `most`, from `here`; the blocks, `order` and `sequence` are IN/OUT.

    Returns
    -------
    done, here : int
        How many records are in order, and the next one.
    """
    for _ in range(groups):
        group = members[starts[labels[here]] : starts[labels[here] + 1]]
        size = len(group)
        if size > most:
            break
        if settled[labels[here]] and here == group[0]:
            order[done : done + size] = group
        else:
            left = open_sequence(ground, here, group, sequence)
            insert_some(ground, here, left, left, sequence)
            _write(sequence, here, order[done : done + size])
        done, here = leave(ground, order, done, done + size)
        if done == len(order):
            break
    return done, here


@kernel
def open_sequence(ground: Ground, here: int, group: IntArray, sequence: Sequence) -> int:
    """Open the sequence (IN/OUT) from `here` to the farthest record of the group ([1] steps 5 and 6-2).

    Returns
    -------
    int
        How many records wait.
    """
    after, span, waiting, gap, cost = sequence
    left, end = 0, -1
    for i in range(len(group)):
        if group[i] != here:
            waiting[left], cost[left] = group[i], _distance(ground, here, group[i])
            if end < 0 or cost[left] > cost[end] or (cost[left] == cost[end] and group[i] < waiting[end]):
                end = left
            left += 1
    after[here] = -1
    if end < 0:
        return 0
    last = waiting[end]
    after[here], after[last], span[here] = last, -1, cost[end]
    left -= 1
    waiting[end], cost[end] = waiting[left], cost[left]
    for i in range(left):
        gap[i] = here
        cost[i] += _distance(ground, last, waiting[i]) - span[here]
    return left


@kernel
def insert_some(ground: Ground, here: int, left: int, steps: int, sequence: Sequence) -> int:
    """Insert up to `steps` records, always the cheapest ([1] steps 7 to 11); `sequence` is IN/OUT.

    A record's cheapest gap stays so until it is filled, but that the two new gaps may be cheaper. By the triangle
    inequality one of these, of span s, costs at least 2(distance from the new record − s): most need not be computed. A
    record whose cheapest gap was filled looks for another only when its turn could come.

    Returns
    -------
    int
        How many records still wait.
    """
    after, span, waiting, gap, cost = sequence
    best = _cheapest(waiting, cost, left)
    for _ in range(min(steps, left)):
        while gap[best] < 0:
            gap[best], cost[best] = _find_gap(ground, here, waiting[best], -1 - gap[best], after, span)
            best = _cheapest(waiting, cost, left)
        new, before = waiting[best], gap[best]
        left -= 1
        waiting[best], gap[best], cost[best] = waiting[left], gap[left], cost[left]
        follower = after[before]
        after[before], after[new] = new, follower
        span[before], span[new] = _distance(ground, before, new), _distance(ground, new, follower)
        widest, best = max(span[before], span[new]), 0
        for i in range(left):
            if gap[i] == before:
                gap[i] = -1 - before
            reach = 0.5 * cost[i] + widest
            away = _distance_within(ground, new, waiting[i], reach)
            if away <= reach:
                one = _distance(ground, before, waiting[i]) + away - span[before]
                other = away + _distance(ground, follower, waiting[i]) - span[new]
                if min(one, other) < cost[i] or (gap[i] < 0 and min(one, other) == cost[i]):
                    gap[i], cost[i] = (before, one) if one <= other else (new, other)
            if cost[i] <= cost[best] and (cost[i] < cost[best] or waiting[i] < waiting[best]):
                best = i
    return left


@kernel
def _cheapest(waiting: IntArray, cost: FloatArray, left: int) -> int:
    """Find the place of the record that waits and costs least, or could; of equals, the lowest."""
    best = 0
    for i in range(1, left):
        if cost[i] <= cost[best] and (cost[i] < cost[best] or waiting[i] < waiting[best]):
            best = i
    return best


@kernel
def _find_gap(
    ground: Ground, here: int, record: int, near: int, after: IntArray, span: FloatArray
) -> tuple[int, float]:
    """Find the cheapest of all gaps for a record, and its cost; that after `near` is a good guess."""
    gap, cost = near, _distance(ground, record, near) + _distance(ground, record, after[near]) - span[near]
    before = here
    while after[before] >= 0:
        reach = 0.5 * cost + span[before]
        distance = _distance_within(ground, record, before, reach)
        if distance <= reach:
            total = distance + _distance(ground, record, after[before]) - span[before]
            if total < cost:
                gap, cost = before, total
        before = after[before]
    return gap, cost


@kernel
def _write(sequence: Sequence, here: int, order: IntArray) -> None:
    """Write the sequence from `here` into `order` (OUT)."""
    for i in range(len(order)):
        order[i] = here
        here = sequence.after[here]


@kernel
def _distance(ground: Ground, one: int, other: int) -> float:
    if len(ground.distances):
        return float(ground.distances[one, other])
    return _distance_within(ground, one, other, np.inf)


@kernel
def _distance_within(ground: Ground, one: int, other: int, reach: float) -> float:
    """Give the distance, or infinity once it is known to be beyond `reach`."""
    if len(ground.distances):
        return float(ground.distances[one, other])
    squares, limit = 0.0, reach * reach * (1 + 1e-9)
    for j in range(ground.X.shape[1]):
        difference = ground.X[one, j] - ground.X[other, j]
        squares += difference * difference
        if squares > limit:
            return np.inf
    return float(np.sqrt(squares))
