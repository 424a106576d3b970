"""Change neighbouring groups while that gains: records move, change places, groups dissolve and are distilled.

What a change gains, in closed form, is in `exchange`; here with squared distances from the two centroids, p and q of a
record of the first group, s and r of one of the second (own centroid first), and D between the two records:

- a record moves from a group of a to one of b:  q·b/(b + 1) − p·a/(a − 1)
- two records change places:                     (q − p) + (r − s) − D·(1/a + 1/b)

As D ≤ 2·min(p + r, q + s), most D need not be computed.
"""

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import kernel
from microagg.kernels.moves.working_partition import (
    QUEUED,
    STAMP,
    Draft,
    measure,
    new_group,
    put_in,
    queue,
    save,
    set_free,
    take_out,
)
from microagg.model.arrays import FloatArray, IntArray

NO_END = 2**62  # looks; to be handed in from Python, as a kernel would be compiled anew for a constant
_ROUNDING = 1e-11  # of the terms of a change: a gain below that may be none, and be made for ever


@kernel
def descend(draft: Draft, k: int, regroup: bool, most: int) -> bool:
    """Look at the queued groups, and at those that change with them, until no change of them gains.

    Each time the change of a group that gains most is made. O(neighbours·k·(d + k)) for each look at a group.

    Parameters
    ----------
    draft
        IN/OUT: the groups.
    regroup
        Whether groups where no record wants to move are dissolved, or new ones distilled around them, if that gains.
    most
        How many looks at a group at most.

    Returns
    -------
    bool
        Whether no group is left to be looked at.
    """
    X, near, members, sizes, centroids = draft.X, draft.near, draft.members, draft.sizes, draft.centroids
    own = draft.squares
    largest = members.shape[1]
    others = np.empty(len(sizes), dtype=np.int64)
    here, there = np.empty(largest), np.empty(largest)  # squares from the other centroid
    chosen = np.empty(largest, dtype=np.int64)
    for _ in range(most):
        if draft.counts[QUEUED] == 0:
            return True
        draft.counts[QUEUED] -= 1
        group = draft.queue[draft.counts[QUEUED]]
        draft.is_queued[group] = False
        if sizes[group] == 0:
            continue
        a = sizes[group]
        draft.counts[STAMP] += 1
        stamp, n_others, reach = draft.counts[STAMP], 0, 0.0
        draft.stamps[group] = stamp
        for i in range(a):
            record = members[group, i]
            reach = max(reach, own[record])
            for place in range(near.shape[1]):
                other = draft.labels[near[record, place]]
                if draft.stamps[other] != stamp:
                    draft.stamps[other] = stamp
                    others[n_others] = other
                    n_others += 1
        reach = np.sqrt(reach)
        best, terms, leaves, comes, partner = 0.0, 0.0, -1, -1, -1
        for place in range(n_others):
            other = others[place]
            b = sizes[other]
            away = np.sqrt(squared_distance(centroids, group, centroids, other))
            other_reach = 0.0
            for i in range(b):
                other_reach = max(other_reach, own[members[other, i]])
            other_reach = np.sqrt(other_reach)
            may_leave, may_come, may_swap = a > k and b < largest, b > k and a < largest, away < reach + other_reach
            if not may_swap:  # the centroid of the other group may be too far even for a record that moves
                may_leave = may_leave and away < reach * (1 + np.sqrt(a / (a - 1) * (b + 1) / b))
                may_come = may_come and away < other_reach * (1 + np.sqrt(b / (b - 1) * (a + 1) / a))
                if not may_leave and not may_come:
                    continue
            for i in range(a):
                record = members[group, i]
                here[i] = squared_distance(X, record, centroids, other)
                if may_leave:
                    change = here[i] * b / (b + 1) - own[record] * a / (a - 1)
                    if change < best:
                        best, terms, leaves, comes, partner = change, here[i] + own[record], record, -1, other
            for i in range(b):
                record = members[other, i]
                there[i] = squared_distance(X, record, centroids, group)
                if may_come:
                    change = there[i] * a / (a + 1) - own[record] * b / (b - 1)
                    if change < best:
                        best, terms, leaves, comes, partner = change, there[i] + own[record], -1, record, other
            if may_swap:
                share = 1 / a + 1 / b
                for i in range(a):
                    record = members[group, i]
                    p, q = own[record], here[i]
                    for j in range(b):
                        s, r = own[members[other, j]], there[j]
                        change = q - p + r - s
                        if change - best < 2 * share * min(p + r, q + s):
                            change -= share * squared_distance(X, record, X, members[other, j])
                            if change < best:
                                best, terms, leaves, comes, partner = (
                                    change,
                                    p + q + r + s,
                                    record,
                                    members[other, j],
                                    other,
                                )
        if best < -_ROUNDING * terms - draft.noise:
            save(draft, group)
            save(draft, partner)
            if leaves >= 0:
                take_out(draft, leaves)
            if comes >= 0:
                take_out(draft, comes)
                put_in(draft, comes, group)
            if leaves >= 0:
                put_in(draft, leaves, partner)
            measure(draft, group)
            measure(draft, partner)
            queue(draft, partner)
            queue(draft, group)
        elif regroup and not _dissolve(draft, group, chosen):
            _distil(draft, group, k, chosen)
    return bool(draft.counts[QUEUED] == 0)


@kernel
def _dissolve(draft: Draft, group: int, targets: IntArray) -> bool:
    """Put each record of a group into the best group of its neighbours, if that gains; say whether it did.

    Parameters
    ----------
    targets
        OUT: room for the group of each record.
    """
    largest, size = draft.members.shape[1], draft.sizes[group]
    change = -draft.sses[group]
    for i in range(size):
        record, least, target = draft.members[group, i], np.inf, -1
        for place in range(draft.near.shape[1]):
            other = draft.labels[draft.near[record, place]]
            if other != group:
                cost = _joining(draft, group, i, other, targets, largest)
                if cost < least:
                    least, target = cost, other
        targets[i] = target
        change += least
        if change >= 0:
            return False
    if change > -_ROUNDING * draft.sses[group] - draft.noise:
        return False
    save(draft, group)
    set_free(draft, group)
    for i in range(size):
        save(draft, targets[i])
        put_in(draft, draft.members[group, i], targets[i])
    for i in range(size):
        measure(draft, targets[i])
        queue(draft, targets[i])
    return True


@kernel
def _joining(draft: Draft, group: int, number: int, other: int, targets: IntArray, largest: int) -> float:
    """Say what it costs that a group's record of this number joins another group after those of lower numbers."""
    X, record, joined = draft.X, draft.members[group, number], 0
    for i in range(number):
        if targets[i] == other:
            joined += 1
    size, squares = draft.sizes[other] + joined, 0.0
    if size >= largest:
        return np.inf
    for j in range(X.shape[1]):
        centre = draft.centroids[other, j]
        if joined:
            centre *= draft.sizes[other]
            for i in range(number):
                if targets[i] == other:
                    centre += X[draft.members[group, i], j]
            centre /= size
        squares += (X[record, j] - centre) ** 2
    return float(squares * size / (size + 1))


@kernel
def _distil(draft: Draft, group: int, k: int, chosen: IntArray) -> None:
    """Make a new group of a crowded group's outermost record and its nearest that can be spared, if that gains.

    Parameters
    ----------
    chosen
        OUT: room for the records of the new group.
    """
    if draft.sizes[group] == k:
        return
    outermost = draft.members[group, 0]
    for i in range(draft.sizes[group]):
        if draft.squares[draft.members[group, i]] > draft.squares[outermost]:
            outermost = draft.members[group, i]
    chosen[0], found, place = outermost, 1, 0
    while found < k and place < draft.near.shape[1]:
        record = draft.near[outermost, place]
        place += 1
        spare = draft.sizes[draft.labels[record]] - k
        for i in range(found):
            if draft.labels[chosen[i]] == draft.labels[record]:
                spare -= 1
        if spare > 0:
            chosen[found] = record
            found += 1
    if found < k:
        return
    change = _sse(draft.X, chosen, k)
    old = change
    for i in range(k):
        giver, met = draft.labels[chosen[i]], False
        for j in range(i):
            met |= draft.labels[chosen[j]] == giver
        if not met:
            change += _sse_without(draft, giver, chosen, k) - draft.sses[giver]
            old += draft.sses[giver]
    if change > -_ROUNDING * old - draft.noise:
        return
    new = new_group(draft)
    for i in range(k):
        giver = draft.labels[chosen[i]]
        save(draft, giver)
        take_out(draft, chosen[i])
        measure(draft, giver)
        queue(draft, giver)
        put_in(draft, chosen[i], new)
    measure(draft, new)
    queue(draft, new)


@kernel
def _sse_without(draft: Draft, group: int, chosen: IntArray, k: int) -> float:
    """Say what a group would lose without the chosen records."""
    rest, count = np.empty(draft.sizes[group], dtype=np.int64), 0
    for i in range(draft.sizes[group]):
        record, stays = draft.members[group, i], True
        for j in range(k):
            stays &= chosen[j] != record
        if stays:
            rest[count] = record
            count += 1
    return _sse(draft.X, rest, count)


@kernel
def _sse(X: FloatArray, records: IntArray, count: int) -> float:
    """Sum the squares of the first `count` of some records."""
    sse = 0.0
    for j in range(X.shape[1]):
        mean = 0.0
        for i in range(count):
            mean += X[records[i], j]
        mean /= count
        for i in range(count):
            sse += (X[records[i], j] - mean) ** 2
    return sse
