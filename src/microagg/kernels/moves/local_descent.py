"""Local descent: move and swap records between neighbouring groups, dissolve and extract groups, while that gains.

The gain of a change, in closed form, is derived in `exchange`; here with squared distances from the two centroids, p
and q of a record of the first group, s and r of one of the second (own centroid first), and D between the two records:

- a record moves from a group of a to one of b:  q·b/(b + 1) − p·a/(a − 1)
- two records swap their groups:                 (q − p) + (r − s) − D·(1/a + 1/b)

As D ≤ 2·min(p + r, q + s), most D need not be computed.

With weights, a and b are the weights of the groups, v and w those of the first and the second record, and the groups
weigh a′ = a − v + w and b′ = b − w + v after a swap:

- a record moves:          v·q·b/(b + v) − v·p·a/(a − v)
- two records swap:        (v·q − w·s)·b/b′ + (w·r − v·p)·a/a′ − D·v·w·(1/a′ + 1/b′)

In a group that consists almost of one record alone, both are differences of numbers a/(a − v) or a/a′ times as large:
so much larger is what may be a rounding error.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inlined_kernel, inner_kernel
from microagg.kernels.moves.working_partition import (
    LAST_STAMP,
    N_QUEUED,
    WorkingPartition,
    dequeue,
    enqueue,
    new_group,
    put_in,
    save,
    set_free,
    take_out,
    update,
)
from microagg.kernels.record_weights import amplification, mass_of, swap_factors, swap_may_gain, weight_of
from microagg.model.arrays import FloatArray, IntArray

NO_LIMIT = 2**62  # visits
_RELATIVE_ROUNDING = 1e-11  # of the terms of a change: a smaller gain may be a rounding error, and be made for ever
_NOBODY = -1


class Move(NamedTuple):
    """Change of two groups: a record leaves the first one, another one arrives from the partner, or both."""

    change: float  # of the sse
    terms: float  # sum of the squares that the change is computed from
    leaving: int  # record, or -1
    arriving: int  # record, or -1
    partner: int  # group


@inner_kernel
def descend(work: WorkingPartition, k: int, regroup: bool, max_visits: int) -> bool:
    """Visit the queued groups, and those that change with them, until no change of them gains.

    Each visit makes the change that gains most: O(neighbours·k·(d + k)).

    Parameters
    ----------
    work
        IN/OUT: the partition.
    regroup
        Whether a group whose records stay is dissolved, or a new one extracted around it, if that gains.
    max_visits
        Largest number of visits.

    Returns
    -------
    bool
        Whether the queue is empty.
    """
    for _ in range(max_visits):
        if work.counts[N_QUEUED] == 0:
            return True
        group = dequeue(work)
        if work.sizes[group] == 0:
            continue
        move = _best_move(work, k, group)
        if move.change < -_RELATIVE_ROUNDING * move.terms - work.noise:
            _make_move(work, group, move)
        elif regroup and not _dissolve(work, group):
            _extract(work, k, group)
    return bool(work.counts[N_QUEUED] == 0)


@inlined_kernel
def _best_move(work: WorkingPartition, k: int, group: int) -> Move:
    """Return the move or swap between a group and its neighbouring groups that gains most.

    In one piece: a call with the whole partition for each pair of groups would cost a quarter of the speed.
    """
    X = work.X
    weights = work.weights
    members = work.members
    sizes = work.sizes
    masses = work.masses
    centroids = work.centroids
    squares = work.squares
    to_other = work.to_other
    from_other = work.from_other
    nearby = work.nearby
    max_size = members.shape[1]
    n_nearby = _find_nearby_groups(work, group)
    size = sizes[group]
    a = mass_of(masses, sizes, group)
    radius = _radius(members, squares, group, size)
    best = 0.0
    terms = 0.0
    leaving = _NOBODY
    arriving = _NOBODY
    partner = _NOBODY
    for number in range(n_nearby):
        other = nearby[number]
        other_size = sizes[other]
        b = mass_of(masses, sizes, other)
        away = np.sqrt(squared_distance(centroids, group, centroids, other))
        other_radius = _radius(members, squares, other, other_size)
        may_leave = size > k and other_size < max_size
        may_arrive = other_size > k and size < max_size
        may_swap = swap_may_gain(weights, away, radius, other_radius)
        if not may_swap:  # without weights, the other centroid may be too far even for a record that moves
            may_leave = may_leave and away < radius * (1 + np.sqrt(a / (a - 1) * (b + 1) / b))
            may_arrive = may_arrive and away < other_radius * (1 + np.sqrt(b / (b - 1) * (a + 1) / a))
            if not may_leave and not may_arrive:
                continue
        for i in range(size):
            record = members[group, i]
            to_other[i] = squared_distance(X, record, centroids, other)
            if may_leave:
                v = weight_of(weights, record)
                change = v * to_other[i] * b / (b + v) - v * squares[record] * a / (a - v)
                if change < best:
                    best = change
                    terms = v * to_other[i] + v * squares[record] * amplification(weights, a, v) ** 2
                    leaving = record
                    arriving = _NOBODY
                    partner = other
        for i in range(other_size):
            record = members[other, i]
            from_other[i] = squared_distance(X, record, centroids, group)
            if may_arrive:
                w = weight_of(weights, record)
                change = w * from_other[i] * a / (a + w) - w * squares[record] * b / (b - w)
                if change < best:
                    best = change
                    terms = w * from_other[i] + w * squares[record] * amplification(weights, b, w) ** 2
                    leaving = _NOBODY
                    arriving = record
                    partner = other
        if not may_swap:
            continue
        for i in range(size):
            record = members[group, i]
            p = squares[record]
            q = to_other[i]
            for j in range(other_size):
                s = squares[members[other, j]]
                r = from_other[j]
                factors = swap_factors(weights, record, members[other, j], a, b)
                out_of_group = factors.own_there * q - factors.own_here * p
                change = out_of_group + factors.other_here * r - factors.other_there * s
                if change - best < 2 * factors.between * min(p + r, q + s):
                    change -= factors.between * squared_distance(X, record, X, members[other, j])
                    if change < best:
                        best = change
                        terms = factors.own_here * p + factors.own_there * q
                        terms += factors.other_here * r
                        terms += factors.other_there * s
                        terms *= factors.amplification
                        leaving = record
                        arriving = members[other, j]
                        partner = other
    return Move(best, terms, leaving, arriving, partner)


@inlined_kernel
def _find_nearby_groups(work: WorkingPartition, group: int) -> int:
    """List the groups of the neighbours of a group's records in `work.nearby` (OUT); return how many there are."""
    labels = work.labels
    neighbours = work.neighbours
    stamps = work.stamps
    members = work.members
    nearby = work.nearby
    stamp = work.counts[LAST_STAMP] + 1
    work.counts[LAST_STAMP] = stamp
    stamps[group] = stamp
    n_nearby = 0
    for slot in range(work.sizes[group]):
        record = members[group, slot]
        for i in range(neighbours.shape[1]):
            other = labels[neighbours[record, i]]
            if stamps[other] != stamp:
                stamps[other] = stamp
                nearby[n_nearby] = other
                n_nearby += 1
    return n_nearby


@inlined_kernel
def _radius(members: IntArray, squares: FloatArray, group: int, size: int) -> float:
    """Return the distance of a group's outermost record from its centroid."""
    largest = 0.0
    for slot in range(size):
        largest = max(largest, squares[members[group, slot]])
    return float(np.sqrt(largest))


@inlined_kernel
def _make_move(work: WorkingPartition, group: int, move: Move) -> None:
    """Make a move of a group and its partner, and queue both."""
    save(work, group)
    save(work, move.partner)
    if move.leaving >= 0:
        take_out(work, move.leaving)
    if move.arriving >= 0:
        take_out(work, move.arriving)
        put_in(work, move.arriving, group)
    if move.leaving >= 0:
        put_in(work, move.leaving, move.partner)
    update(work, group)
    update(work, move.partner)
    enqueue(work, move.partner)
    enqueue(work, group)


@inner_kernel
def _dissolve(work: WorkingPartition, group: int) -> bool:
    """Put each record of a group into the best group of its neighbours, if that gains; return whether it did."""
    labels = work.labels
    members = work.members
    neighbours = work.neighbours
    targets = work.chosen
    size = work.sizes[group]
    change = -work.sses[group]
    for slot in range(size):
        record = members[group, slot]
        least = np.inf
        target = _NOBODY
        for i in range(neighbours.shape[1]):
            other = labels[neighbours[record, i]]
            if other != group:
                cost = _joining_cost(work, group, slot, other)
                if cost < least:
                    least = cost
                    target = other
        targets[slot] = target
        change += least
        if change >= 0:
            return False
    if change > -_RELATIVE_ROUNDING * work.sses[group] - work.noise:
        return False
    save(work, group)
    set_free(work, group)
    for slot in range(size):
        save(work, targets[slot])
        put_in(work, members[group, slot], targets[slot])
    for slot in range(size):
        update(work, targets[slot])
        enqueue(work, targets[slot])
    return True


@inner_kernel
def _joining_cost(work: WorkingPartition, group: int, slot: int, other: int) -> float:
    """Return the increase of the sse as a group's record joins another group, after those of lower slots."""
    X = work.X
    members = work.members
    targets = work.chosen
    record = members[group, slot]
    weights = work.weights
    old_mass = mass_of(work.masses, work.sizes, other)
    mass = old_mass
    n_joined = 0
    for i in range(slot):
        if targets[i] == other:
            n_joined += 1
            mass += weight_of(weights, members[group, i])
    if work.sizes[other] + n_joined >= members.shape[1]:
        return np.inf
    squares = 0.0
    for j in range(X.shape[1]):
        centre = work.centroids[other, j]
        if n_joined:
            centre *= old_mass
            for i in range(slot):
                if targets[i] == other:
                    centre += weight_of(weights, members[group, i]) * X[members[group, i], j]
            centre /= mass
        squares += (X[record, j] - centre) ** 2
    weight = weight_of(weights, record)
    return float(weight * squares * mass / (mass + weight))


@inner_kernel
def _extract(work: WorkingPartition, k: int, group: int) -> None:
    """Extract a new group, if that gains: the outermost record of a group larger than k, and its spare neighbours."""
    if work.sizes[group] == k or not _choose_spare_records(work, k, group):
        return
    labels = work.labels
    chosen = work.chosen
    change = _sse_of_records(work.X, work.weights, chosen, k)
    old = change
    for i in range(k):
        giver = labels[chosen[i]]
        is_counted = False
        for j in range(i):
            is_counted |= labels[chosen[j]] == giver
        if not is_counted:
            change += _sse_without(work, giver, k) - work.sses[giver]
            old += work.sses[giver]
    if change > -_RELATIVE_ROUNDING * old - work.noise:
        return
    new = new_group(work)
    for i in range(k):
        giver = labels[chosen[i]]
        save(work, giver)
        take_out(work, chosen[i])
        update(work, giver)
        enqueue(work, giver)
        put_in(work, chosen[i], new)
    update(work, new)
    enqueue(work, new)


@inner_kernel
def _choose_spare_records(work: WorkingPartition, k: int, group: int) -> bool:
    """Choose a group's outermost record and k − 1 neighbours whose groups stay legal (OUT in `work.chosen`).

    Return whether there are as many.
    """
    labels = work.labels
    members = work.members
    sizes = work.sizes
    squares = work.squares
    neighbours = work.neighbours
    chosen = work.chosen
    outermost = members[group, 0]
    for slot in range(sizes[group]):
        if squares[members[group, slot]] > squares[outermost]:
            outermost = members[group, slot]
    chosen[0] = outermost
    n_chosen = 1
    i = 0
    while n_chosen < k and i < neighbours.shape[1]:
        record = neighbours[outermost, i]
        i += 1
        n_spare = sizes[labels[record]] - k
        for j in range(n_chosen):
            if labels[chosen[j]] == labels[record]:
                n_spare -= 1
        if n_spare > 0:
            chosen[n_chosen] = record
            n_chosen += 1
    return n_chosen == k


@inner_kernel
def _sse_without(work: WorkingPartition, group: int, k: int) -> float:
    """Return the sse of a group without the k records of `work.chosen`."""
    chosen = work.chosen
    rest = work.rest
    n_rest = 0
    for slot in range(work.sizes[group]):
        record = work.members[group, slot]
        stays = True
        for j in range(k):
            stays &= chosen[j] != record
        if stays:
            rest[n_rest] = record
            n_rest += 1
    return _sse_of_records(work.X, work.weights, rest, n_rest)


@inner_kernel
def _sse_of_records(X: FloatArray, weights: FloatArray | None, records: IntArray, count: int) -> float:
    """Return the sse of a group of the first `count` of some records."""
    sse = 0.0
    for j in range(X.shape[1]):
        mass = 0.0
        mean = 0.0
        for i in range(count):
            weight = weight_of(weights, records[i])
            mass += weight
            mean += weight * X[records[i], j]
        mean /= mass
        for i in range(count):
            sse += weight_of(weights, records[i]) * (X[records[i], j] - mean) ** 2
    return sse
