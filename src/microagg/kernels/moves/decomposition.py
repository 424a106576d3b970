"""Decompose, shrink and split: the operations of IGD on linked groups ([1] is its paper)."""

from collections.abc import Callable

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.moves.linked_groups import (
    LinkedGroups,
    link,
    nearest_other_group,
    search_nearest_group,
    unlink,
    update_centroid,
)
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_MIN_GAIN_SHARE = 1e-12  # of the larger term: records do not move to and fro by rounding


def decompose(X: FloatArray, groups: LinkedGroups, moved: bool, tick: Tick = no_tick) -> None:
    """Dissolve each group whose records lose less in other groups ([1] figure 2, lines 1–8); `groups` is IN/OUT.

    Each record would join the group with the nearest centroid. The group's sse is compared with the squared distances
    from these centroids; if `moved`, from where these would move, which is exact. O(n·n_groups·d) at worst.
    """
    _in_slices(groups, X.shape[1], lambda *limits: _decompose_slice(X, groups, moved, *limits), tick)


def shrink(X: FloatArray, groups: LinkedGroups, k: int, tick: Tick = no_tick) -> None:
    """Move records out of groups of more than k while this loses less ([1] figure 4, lines 1–16); `groups` is IN/OUT.

    Each time the record whose move to its nearest other group gains most. O(size·n_groups·d) a move at worst.
    """
    _in_slices(groups, X.shape[1], lambda *limits: _shrink_slice(X, groups, k, *limits), tick)


def split(X: FloatArray, groups: LinkedGroups, k: int, min_left: int, tick: Tick = no_tick) -> None:
    """Split the groups of 2k or more as CBFS does ([1] figure 3); `groups` is IN/OUT.

    Around the record farthest from the centroid, k records are taken, each nearest to the centroid of those taken;
    while `min_left` or more are left: k, or k + 1 as in [1] line 14. The others join their nearest groups. New groups
    come last, and are not split themselves. O(size²·d) a group.
    """
    _in_slices(groups, X.shape[1], lambda *limits: _split_slice(X, groups, k, min_left, *limits), tick)


def _in_slices(groups: LinkedGroups, d: int, operation: Callable[[int, int, int], int], tick: Tick) -> None:
    """Apply an operation to the groups that exist now, with a tick between slices.

    Parameters
    ----------
    operation
        A function of the first group, the end of the groups and the number of records of one slice, that
        returns the group to continue with.
    """
    group = 0
    end = int(groups.n_groups[0])
    n_records = steps_per_tick(d * end)
    while group < end:
        tick(group / end)
        group = operation(group, end, n_records)


@kernel
def _decompose_slice(X: FloatArray, groups: LinkedGroups, moved: bool, group: int, end: int, n_records: int) -> int:
    """Decompose (IN/OUT) from `group` on, until `n_records` records are done, and return the next group.

    O(n_groups·d) a record at worst.
    """
    done = 0
    while group < end and done < n_records:
        if groups.sizes[group]:
            done += groups.sizes[group]
            sse = 0.0
            sse_elsewhere = 0.0
            record = groups.first[group]
            while record >= 0:
                sse += squared_distance(X, record, groups.centroids.T, group)
                if nearest_other_group(X, groups, record) < 0:
                    return end  # the only group
                sse_elsewhere += groups.nearest_squares[record]
                record = groups.following[record]
            if moved:
                sse_elsewhere -= _saved_by_moved_centroids(X, groups, group)
            if sse_elsewhere < sse:
                _dissolve(X, groups, group)
        group += 1
    return group


@inner_kernel
def _saved_by_moved_centroids(X: FloatArray, groups: LinkedGroups, group: int) -> float:
    """Return how much less is lost when centroids move with the records that join: O(size·(size + n_targets·d)).

    q records that join m others at the centroid c lose Σ‖x − c‖² − ‖Σ(x − c)‖²/(m + q).
    """
    saved = 0.0
    record = groups.first[group]
    while record >= 0:
        target = groups.nearest[record]
        other = groups.first[group]
        while other != record and groups.nearest[other] != target:
            other = groups.following[other]
        if other == record:  # the first that joins this target
            saved += _saved_at_target(X, groups, record, target)
        record = groups.following[record]
    return saved


@inner_kernel
def _saved_at_target(X: FloatArray, groups: LinkedGroups, first: int, target: int) -> float:
    """Return ‖Σ(x − c)‖²/(m + q) for the records that join a target group, of which `first` is one: O(size·d)."""
    squares = 0.0
    n_joining = 0
    for j in range(X.shape[1]):
        total = 0.0
        n_joining = 0
        record = first
        while record >= 0:
            if groups.nearest[record] == target:
                total += X[record, j] - groups.centroids[j, target]
                n_joining += 1
            record = groups.following[record]
        squares += total * total
    return float(squares / (groups.sizes[target] + n_joining))


@inner_kernel
def _dissolve(X: FloatArray, groups: LinkedGroups, group: int) -> None:
    """Move each record of a group to its cached nearest other group (IN/OUT): O(size²), and O(m·d) a target of m."""
    targets = np.empty(groups.sizes[group], dtype=np.int64)
    for i in range(len(targets)):
        record = groups.first[group]
        targets[i] = groups.nearest[record]
        unlink(groups, record)
        link(groups, record, targets[i])
    update_centroid(X, groups, group)
    for i in range(len(targets)):
        first = 0
        while targets[first] != targets[i]:
            first += 1
        if first == i:
            update_centroid(X, groups, targets[i])


@kernel
def _shrink_slice(X: FloatArray, groups: LinkedGroups, k: int, group: int, end: int, n_records: int) -> int:
    """Shrink groups (IN/OUT) from `group` on, until `n_records` records are done, and return the next group.

    O(n_groups·d) a record at worst.
    """
    done = 0
    while group < end and done < n_records:
        record = -1
        if groups.sizes[group] > k:
            done += groups.sizes[group]
            record = _best_to_leave(X, groups, group)
        if record < 0:
            group += 1
            continue
        target = groups.nearest[record]
        unlink(groups, record)
        link(groups, record, target)
        update_centroid(X, groups, group)
        update_centroid(X, groups, target)
    return group


@inner_kernel
def _best_to_leave(X: FloatArray, groups: LinkedGroups, group: int) -> int:
    """Find the record of a group that gains most by moving to its nearest other group; -1 if none gains.

    IN/OUT: the cache of `groups`. O(size·n_groups·d) at worst.
    """
    size = groups.sizes[group]
    best = -1
    best_change = 0.0
    record = groups.first[group]
    while record >= 0:
        target = nearest_other_group(X, groups, record)
        if target >= 0:
            leaving = squared_distance(X, record, groups.centroids.T, group) * size / (size - 1)
            joining = groups.nearest_squares[record] * groups.sizes[target] / (groups.sizes[target] + 1)
            change = joining - leaving
            if change < best_change and change < -_MIN_GAIN_SHARE * leaving:
                best = record
                best_change = change
        record = groups.following[record]
    return int(best)


@kernel
def _split_slice(
    X: FloatArray, groups: LinkedGroups, k: int, min_left: int, group: int, end: int, n_records: int
) -> int:
    """Split large groups (IN/OUT) from `group` on, until about `n_records` steps are done; return the next group.

    O(size²·d) a group.
    """
    done = 0
    while group < end and done < n_records:
        if groups.sizes[group] >= 2 * k:
            done += groups.sizes[group] ** 2
            _split_group(X, groups, k, min_left, group)
        group += 1
    return group


@inner_kernel
def _split_group(X: FloatArray, groups: LinkedGroups, k: int, min_left: int, group: int) -> None:
    """Split one group into groups of k; the records left over join their nearest groups (IN/OUT): O(size²·d)."""
    rest = np.empty(groups.sizes[group], dtype=np.int64)
    for i in range(len(rest)):
        rest[i] = groups.first[group]
        unlink(groups, rest[i])
    update_centroid(X, groups, group)
    n_left = len(rest)
    while n_left >= min_left:
        _split_off(X, groups, k, rest, n_left)
        n_left -= k
    for i in range(n_left):
        target, _ = search_nearest_group(X, groups, rest[i])
        link(groups, rest[i], target)
        update_centroid(X, groups, target)


@inner_kernel
def _split_off(X: FloatArray, groups: LinkedGroups, k: int, rest: IntArray, n_left: int) -> None:
    """Form a new group of k around the outermost of the first `n_left` records of the rest (IN/OUT): O(n_left·k·d)."""
    d = X.shape[1]
    group = groups.n_groups[0]
    groups.n_groups[0] += 1
    centroid = np.zeros((1, d))
    for i in range(n_left):
        for j in range(d):
            centroid[0, j] += X[rest[i], j] / n_left
    record = _take(groups, rest, n_left, group, _extreme(X, rest, n_left, centroid, True))
    for j in range(d):
        centroid[0, j] = X[record, j]
    for size in range(1, k):
        record = _take(groups, rest, n_left - size, group, _extreme(X, rest, n_left - size, centroid, False))
        for j in range(d):
            centroid[0, j] += (X[record, j] - centroid[0, j]) / (size + 1)
    update_centroid(X, groups, group)


@inner_kernel
def _take(groups: LinkedGroups, rest: IntArray, n_left: int, group: int, place: int) -> int:
    """Move the record at a place of the rest to a group, and close the gap (IN/OUT): O(n_left)."""
    record = rest[place]
    for i in range(place + 1, n_left):
        rest[i - 1] = rest[i]
    link(groups, record, group)
    return int(record)


@inner_kernel
def _extreme(X: FloatArray, rest: IntArray, n_left: int, point: FloatArray, farthest: bool) -> int:
    """Find the place, among the first `n_left` of the rest, of the record farthest from or nearest to a point.

    The point is of shape (1, d); ties go to the first place. O(n_left·d).
    """
    best = 0
    best_squares = -1.0
    for i in range(n_left):
        squares = squared_distance(X, rest[i], point, 0)
        if best_squares < 0.0 or (squares > best_squares if farthest else squares < best_squares):
            best = i
            best_squares = squares
    return best
