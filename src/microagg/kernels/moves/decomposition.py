"""Dissolve, shrink and split groups: the operations of IGD ([1] is its paper)."""

from collections.abc import Callable

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.moves.linked_groups import (
    Groups,
    link,
    nearest_of_all,
    nearest_other,
    settle,
    squared_distance,
    unlink,
)
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


def decompose(X: FloatArray, groups: Groups, moved: bool, tick: Tick = no_tick) -> None:
    """Dissolve the groups whose records lose less in others ([1] figure 2, lines 1–8); `groups` is IN/OUT.

    Each record of a group would join the group with the nearest centroid. The squares within the group are compared
    with the squared distances from those centroids; with `moved`, from where these would move, which is exact.
    """
    _go_through(groups, X.shape[1], lambda *slice: _decompose_some(X, groups, moved, *slice), tick)


def shrink(X: FloatArray, groups: Groups, k: int, tick: Tick = no_tick) -> None:
    """Move records out of groups of more than k while this loses less ([1] figure 4, lines 1–16); `groups` is IN/OUT.

    Each time the one record whose move to its nearest other group gains most.
    """
    _go_through(groups, X.shape[1], lambda *slice: _shrink_some(X, groups, k, *slice), tick)


def split(X: FloatArray, groups: Groups, k: int, tick: Tick = no_tick) -> None:
    """Split the groups of 2k or more as CBFS does ([1] figure 3); `groups` is IN/OUT.

    Around the record farthest from the centroid, k records always nearest to the centroid of the new group; while k or
    more are left. The others join their nearest groups. New groups come last, and are not split themselves.
    """
    _go_through(groups, X.shape[1], lambda *slice: _split_some(X, groups, k, *slice), tick)


def _go_through(groups: Groups, d: int, operation: Callable[[int, int, int], int], tick: Tick) -> None:
    """Apply an operation to the groups that there are now: from a group on, up to a group, for so many records."""
    group, end = 0, int(groups.counts[1])
    at_once = steps_per_tick(d * end)
    while group < end:
        tick(group / end)
        group = operation(group, end, at_once)


@kernel
def _decompose_some(X: FloatArray, groups: Groups, moved: bool, group: int, end: int, records: int) -> int:
    """Go on from `group` until the nearest groups of `records` records have been looked up, and say where that is."""
    done = 0
    while group < end and done < records:
        size = groups.sizes[group]
        if size:
            done += size
            joined, sse = 0.0, 0.0
            record = groups.first[group]
            while record >= 0:
                sse += squared_distance(X, groups, record, group)
                if nearest_other(X, groups, record) < 0:
                    return end  # the only group
                joined += groups.away[record]
                record = groups.after[record]
            if moved:
                joined -= _saved_by_moving(X, groups, group)
            if joined < sse:
                _dissolve(X, groups, group)
        group += 1
    return group


@kernel
def _saved_by_moving(X: FloatArray, groups: Groups, group: int) -> float:
    """Say how much less is lost when the centroids follow the records that join them.

    q records that join m others at the centroid c lose Σ‖x − c‖² − ‖Σ(x − c)‖²/(m + q).
    """
    saved = 0.0
    record = groups.first[group]
    while record >= 0:
        target = groups.nearest[record]
        other = groups.first[group]
        while other != record and groups.nearest[other] != target:
            other = groups.after[other]
        if other == record:  # the first that joins this target
            squares, joining = 0.0, 0
            for j in range(X.shape[1]):
                total, joining = 0.0, 0
                while other >= 0:
                    if groups.nearest[other] == target:
                        total += X[other, j] - groups.centroids[j, target]
                        joining += 1
                    other = groups.after[other]
                squares += total * total
                other = record
            saved += squares / (groups.sizes[target] + joining)
        record = groups.after[record]
    return saved


@kernel
def _dissolve(X: FloatArray, groups: Groups, group: int) -> None:
    """Let each record of a group join the nearest other, known from just before."""
    targets = np.empty(groups.sizes[group], dtype=np.int64)
    for i in range(len(targets)):
        record = groups.first[group]
        targets[i] = groups.nearest[record]
        unlink(groups, record)
        link(groups, record, targets[i])
    settle(X, groups, group)
    for i in range(len(targets)):
        first = 0
        while targets[first] != targets[i]:
            first += 1
        if first == i:
            settle(X, groups, targets[i])


@kernel
def _shrink_some(X: FloatArray, groups: Groups, k: int, group: int, end: int, records: int) -> int:
    """Go on from `group` until the nearest groups of `records` records have been looked up, and say where that is."""
    done = 0
    while group < end and done < records:
        size = groups.sizes[group]
        best, best_change = -1, 0.0
        if size > k:
            record = groups.first[group]
            while record >= 0:
                target = nearest_other(X, groups, record)
                if target >= 0:
                    leaving = squared_distance(X, groups, record, group) * size / (size - 1)
                    change = groups.away[record] * groups.sizes[target] / (groups.sizes[target] + 1) - leaving
                    if change < best_change and change < -1e-12 * leaving:  # not a move to and fro by rounding
                        best, best_change = record, change
                record = groups.after[record]
            done += size
        if best < 0:
            group += 1
            continue
        target = groups.nearest[best]
        unlink(groups, best)
        link(groups, best, target)
        settle(X, groups, group)
        settle(X, groups, target)
    return group


@kernel
def _split_some(X: FloatArray, groups: Groups, k: int, group: int, end: int, records: int) -> int:
    """Go on from `group` until about `records` records have been gone through, and say where that is."""
    done = 0
    while group < end and done < records:
        if groups.sizes[group] >= 2 * k:
            done += groups.sizes[group] ** 2
            _split_one(X, groups, k, group)
        group += 1
    return group


@kernel
def _split_one(X: FloatArray, groups: Groups, k: int, group: int) -> None:
    d = X.shape[1]
    rest, point = np.empty(groups.sizes[group], dtype=np.int64), np.empty(d)
    for i in range(len(rest)):
        rest[i] = groups.first[group]
        unlink(groups, rest[i])
    settle(X, groups, group)
    left = len(rest)
    while left >= k:
        new = groups.counts[1]
        groups.counts[1] += 1
        point[:] = 0.0
        for i in range(left):
            for j in range(d):
                point[j] += X[rest[i], j] / left
        taken = _take(groups, rest, left, new, _extreme(X, rest, left, point, True))
        left -= 1
        point[:] = X[taken]
        for size in range(1, k):
            taken = _take(groups, rest, left, new, _extreme(X, rest, left, point, False))
            left -= 1
            for j in range(d):
                point[j] += (X[taken, j] - point[j]) / (size + 1)
        settle(X, groups, new)
    for i in range(left):
        link(groups, rest[i], nearest_of_all(X, groups, rest[i])[0])
        settle(X, groups, groups.labels[rest[i]])


@kernel
def _take(groups: Groups, rest: IntArray, left: int, group: int, place: int) -> int:
    """Put the record at a place of the rest (IN/OUT) into a group, and close the gap."""
    record = rest[place]
    for i in range(place + 1, left):
        rest[i - 1] = rest[i]
    link(groups, record, group)
    return int(record)


@kernel
def _extreme(X: FloatArray, rest: IntArray, left: int, point: FloatArray, farthest: bool) -> int:
    """Find the place of the record that is farthest from a point, or nearest to it."""
    best, best_squares = 0, -1.0
    for i in range(left):
        squares = 0.0
        for j in range(len(point)):
            squares += (X[rest[i], j] - point[j]) ** 2
        if best_squares < 0.0 or (squares > best_squares if farthest else squares < best_squares):
            best, best_squares = i, squares
    return best
