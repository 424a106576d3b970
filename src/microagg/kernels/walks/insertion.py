"""Ordering of the records group by group, each group from end to end by cheapest or nearest insertion.

In complexities s is the number of records of a group.

References
----------
[1] Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of
    Engineering 33(7), algorithm 1 (RepOrdMic).
"""

from math import isqrt
from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.kernels.walks.walk_context import GroupedRecords, WalkContext, group_of, leave_group
from microagg.model.arrays import BoolArray, FloatArray, IntArray


class InsertionSequence(NamedTuple):
    """Sequence of the records of one group, a linked list that grows by insertion, and the records that wait.

    A gap between two records of the sequence is identified by the first of them. What is known of the waiting records
    stands in the first places of `waiting`, `gap` and `cost`.
    """

    successor: IntArray  # (n,) by record: the next one in the sequence, -1 after the last
    edge: FloatArray  # (n,) by record: the distance to the next one
    waiting: IntArray  # (n,) by place: a waiting record
    gap: IntArray  # (n,) its cheapest gap; -1 − gap once that is filled and the cheapest is unknown
    cost: FloatArray  # (n,) how much longer the sequence gets there; a lower bound where the cheapest gap is unknown
    nearest: bool  # whether the nearest record is inserted next; `cost` is then its distance from the sequence


def order_by_insertion(
    context: WalkContext,
    groups: GroupedRecords,
    ordered: BoolArray,
    tick: Tick = no_tick,
    nearest: bool = False,
) -> IntArray:
    """Walk through the groups, each by insertion, then to the nearest unvisited record ([1] steps 1 to 12).

    Starts at the record farthest from the centroid of all. A group is entered at the nearest record and left at the
    one farthest from it; between them, always the record that lengthens the sequence least goes where it does.
    Ties go to the lowest index, between gaps to the one found first. O(n·s·d) for groups of s records, besides the
    steps between groups; costs are reused as [1] section 4.1 suggests.

    Parameters
    ----------
    context
        IN/OUT: the records; all are unvisited, before and after.
    groups
        The groups to walk through.
    ordered
        Whether the members of each group stand as insertion from the first of them orders them, of shape (n_groups,).
    tick
        Called now and then with the share that is done.
    nearest
        Whether the record nearest to the sequence goes next, as the text of [1] section 4 says, and not the one that
        lengthens it least.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.
    """
    n, d = context.X.shape
    sequence = empty_sequence(n, nearest)
    order = np.empty(n, dtype=np.int64)
    done = 0
    here = context.outermost
    max_size = isqrt(steps_per_tick(d))  # records of a group that are inserted without a tick between them
    max_groups = steps_per_tick(d * (n + min(int(np.diff(groups.starts).max()), max_size) ** 2))
    while done < n:
        tick(done / n)
        group = group_of(groups, here)
        size = len(group)
        if size > max_size:
            n_waiting = start_sequence(context, here, group, sequence)
            while n_waiting:
                tick((done + size - n_waiting) / n)
                n_waiting = insert_waiting(context, here, n_waiting, steps_per_tick(size * d), sequence)
            _write_sequence(sequence, here, order[done : done + size])
            here = leave_group(context, order, done, done + size)
            done += size
        else:
            done, here = insert_groups(context, groups, ordered, order, done, here, sequence, max_groups, max_size)
    return order


@kernel
def empty_sequence(n: int, nearest: bool) -> InsertionSequence:
    """Return an empty sequence with space for n records, by nearest or cheapest insertion: O(n)."""
    return InsertionSequence(
        np.empty(n, dtype=np.int64),
        np.empty(n),
        np.empty(n, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.empty(n),
        nearest,
    )


@kernel
def insert_groups(
    context: WalkContext,
    groups: GroupedRecords,
    ordered: BoolArray,
    order: IntArray,
    done: int,
    here: int,
    sequence: InsertionSequence,
    max_groups: int,
    max_size: int,
) -> tuple[int, int]:
    """Walk through up to `max_groups` groups, first that of the record `here`; stop before one above `max_size`.

    O(s²·d) for a group of s records, besides `leave_group`.

    Parameters
    ----------
    context
        IN/OUT: the unvisited records.
    groups, ordered
        IN: see `order_by_insertion`.
    order
        IN/OUT: the walk, filled up to `done`.
    sequence
        Scratch.

    Returns
    -------
    done, here : int
        The number of records in the walk, and the next one.
    """
    for _ in range(max_groups):
        group = group_of(groups, here)
        size = len(group)
        if size > max_size:
            break
        if ordered[groups.labels[here]] and here == group[0]:
            order[done : done + size] = group
        else:
            n_waiting = start_sequence(context, here, group, sequence)
            insert_waiting(context, here, n_waiting, n_waiting, sequence)
            _write_sequence(sequence, here, order[done : done + size])
        here = leave_group(context, order, done, done + size)
        done += size
        if done == len(order):
            break
    return done, here


@kernel
def start_sequence(context: WalkContext, here: int, group: IntArray, sequence: InsertionSequence) -> int:
    """Start a sequence (OUT) from `here` to the farthest record of the group ([1] steps 5 and 6-2): O(s·d).

    Returns
    -------
    int
        The number of records that wait.
    """
    successor, edge, waiting, gap, cost, nearest = sequence
    n_waiting = 0
    farthest = -1
    for record in group:
        if record != here:
            waiting[n_waiting] = record
            cost[n_waiting] = _distance(context, here, record)
            if (
                farthest < 0
                or cost[n_waiting] > cost[farthest]
                or (cost[n_waiting] == cost[farthest] and record < waiting[farthest])
            ):
                farthest = n_waiting
            n_waiting += 1
    successor[here] = -1
    if farthest < 0:
        return 0
    last = waiting[farthest]
    successor[here] = last
    successor[last] = -1
    edge[here] = cost[farthest]
    n_waiting -= 1
    waiting[farthest] = waiting[n_waiting]
    cost[farthest] = cost[n_waiting]
    for i in range(n_waiting):
        gap[i] = here
        from_last = _distance(context, last, waiting[i])
        if nearest:
            cost[i] = min(cost[i], from_last)
        else:
            cost[i] += from_last - edge[here]
    return n_waiting


@kernel
def insert_waiting(
    context: WalkContext, here: int, n_waiting: int, max_insertions: int, sequence: InsertionSequence
) -> int:
    """Insert up to `max_insertions` records between the ends of the sequence (IN/OUT): O(s·d) each, mostly.

    Parameters
    ----------
    here
        IN: the first record of the sequence.

    Returns
    -------
    int
        The number of records that still wait.
    """
    if sequence.nearest:
        return _insert_nearest(context, here, n_waiting, max_insertions, sequence)
    return _insert_cheapest(context, here, n_waiting, max_insertions, sequence)


@inlined_kernel
def _insert_nearest(
    context: WalkContext, here: int, n_waiting: int, max_insertions: int, sequence: InsertionSequence
) -> int:
    """Insert the record nearest to the sequence where it costs least, again and again ([1] section 4, the text)."""
    successor, edge, waiting, _gap, distance_from, _nearest = sequence
    best = _cheapest(waiting, distance_from, n_waiting)
    for _ in range(min(max_insertions, n_waiting)):
        new = waiting[best]
        before, _cost = _cheapest_gap(context, here, new, here, successor, edge)
        n_waiting -= 1
        waiting[best] = waiting[n_waiting]
        distance_from[best] = distance_from[n_waiting]
        _link(context, before, new, successor, edge)
        for i in range(n_waiting):
            distance = _distance_within(context, new, waiting[i], distance_from[i])
            distance_from[i] = min(distance_from[i], distance)
        best = _cheapest(waiting, distance_from, n_waiting)
    return n_waiting


@inlined_kernel
def _insert_cheapest(
    context: WalkContext, here: int, n_waiting: int, max_insertions: int, sequence: InsertionSequence
) -> int:
    """Insert the record that lengthens the sequence least, where it does, again and again ([1] steps 7 to 11).

    The cheapest gap of a record stays so until it is filled, unless one of the two new gaps is cheaper. By the triangle
    inequality it costs at least 2(distance from the new record − e) to go into a new gap of length e: most of these
    costs need not be computed. A record whose cheapest gap was filled searches for another only when it could be the
    next one inserted: O(s·d) more for each such search.
    """
    successor, edge, waiting, gap, cost, _nearest = sequence
    best = _cheapest(waiting, cost, n_waiting)
    for _ in range(min(max_insertions, n_waiting)):
        while gap[best] < 0:
            gap[best], cost[best] = _cheapest_gap(context, here, waiting[best], -1 - gap[best], successor, edge)
            best = _cheapest(waiting, cost, n_waiting)
        new = waiting[best]
        before = gap[best]
        n_waiting -= 1
        waiting[best] = waiting[n_waiting]
        gap[best] = gap[n_waiting]
        cost[best] = cost[n_waiting]
        _link(context, before, new, successor, edge)
        after = successor[new]
        longest = max(edge[before], edge[new])
        best = 0
        for i in range(n_waiting):
            if gap[i] == before:
                gap[i] = -1 - before
            reach = 0.5 * cost[i] + longest
            distance = _distance_within(context, new, waiting[i], reach)
            if distance <= reach:
                cost_before = _distance(context, before, waiting[i]) + distance - edge[before]
                cost_after = distance + _distance(context, after, waiting[i]) - edge[new]
                least = min(cost_before, cost_after)
                if least < cost[i] or (gap[i] < 0 and least == cost[i]):
                    gap[i] = before if cost_before <= cost_after else new
                    cost[i] = least
            if cost[i] <= cost[best] and (cost[i] < cost[best] or waiting[i] < waiting[best]):
                best = i
    return n_waiting


@inlined_kernel
def _link(context: WalkContext, before: int, new: int, successor: IntArray, edge: FloatArray) -> None:
    """Put a record into the gap after `before`; `successor` and `edge` are IN/OUT: O(d)."""
    successor[new] = successor[before]
    successor[before] = new
    edge[before] = _distance(context, before, new)
    edge[new] = _distance(context, new, successor[new])


@inner_kernel
def _cheapest(waiting: IntArray, cost: FloatArray, n_waiting: int) -> int:
    """Find the place of the waiting record with the least cost, or bound on it; of equals, the lowest: O(s)."""
    best = 0
    for i in range(1, n_waiting):
        if cost[i] <= cost[best] and (cost[i] < cost[best] or waiting[i] < waiting[best]):
            best = i
    return best


@inner_kernel
def _cheapest_gap(
    context: WalkContext, here: int, record: int, filled: int, successor: IntArray, edge: FloatArray
) -> tuple[int, float]:
    """Find the cheapest gap of the sequence from `here` for a record, and its cost: O(s·d).

    What is left of the record's former gap, after `filled`, is tried first, so that others can be ruled out early.
    """
    gap = filled
    cost = _distance(context, record, filled) + _distance(context, record, successor[filled]) - edge[filled]
    before = here
    while successor[before] >= 0:
        reach = 0.5 * cost + edge[before]
        distance = _distance_within(context, record, before, reach)
        if distance <= reach:
            total = distance + _distance(context, record, successor[before]) - edge[before]
            if total < cost:
                gap = before
                cost = total
        before = successor[before]
    return gap, cost


@kernel
def _write_sequence(sequence: InsertionSequence, here: int, order: IntArray) -> None:
    """Write the records of the sequence, from `here` on, into `order` (OUT): O(s)."""
    for i in range(len(order)):
        order[i] = here
        here = sequence.successor[here]


@inner_kernel
def _distance(context: WalkContext, one: int, other: int) -> float:
    """Return the distance between two records: O(d), or O(1) with distances in the context."""
    if len(context.distances):
        return float(context.distances[one, other])
    return _distance_within(context, one, other, np.inf)


@inner_kernel
def _distance_within(context: WalkContext, one: int, other: int, reach: float) -> float:
    """Return the distance between two records, or infinity as soon as it is known to exceed `reach`: O(d)."""
    if len(context.distances):
        return float(context.distances[one, other])
    limit = reach * reach * (1 + 1e-9)  # a little more, for rounding
    squares = 0.0
    for j in range(context.X.shape[1]):
        difference = context.X[one, j] - context.X[other, j]
        squares += difference * difference
        if squares > limit:
            return np.inf
    return float(np.sqrt(squares))
