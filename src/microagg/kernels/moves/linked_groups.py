"""Keep groups whose records move: members, centroids, and the nearest other group of each record.

A record's nearest other group is remembered. When it is asked for again, only the groups that have changed since are
looked at: all of them are gone through only where the nearest one has moved away, or where most have changed.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray

_LOG = 4  # changes remembered, in groups: beyond, looking at all groups is as quick
_ONE_BY_ONE = 8  # how much longer it takes to look at one group than at one of all, which are side by side


class Groups(NamedTuple):
    """Hold groups: the first `counts[1]` of the room; the empty ones among these have centroids at infinity.

    Parameters
    ----------
    labels
        The group of each record, of shape (n,).
    sizes, centroids
        How many records each group has, of shape (room,), and their mean, of shape (d, room).
    first, last, after, before
        Each group's records as a list, in the order in which they joined: of shapes (room,) and (n,), -1 at the ends.
    nearest, away
        The nearest other group of each record when it was last asked for, and its squared distance, of shape (n,).
    seen
        How many changes there had been by then, of shape (n,); -1 where it was never asked for.
    changes, counts
        The groups that changed, the oldest first, and how many changes and groups there are, of shape (2,).
    squares
        Scratch, of shape (room,).
    """

    labels: IntArray
    sizes: IntArray
    centroids: FloatArray
    first: IntArray
    last: IntArray
    after: IntArray
    before: IntArray
    nearest: IntArray
    away: FloatArray
    seen: IntArray
    changes: IntArray
    counts: IntArray
    squares: FloatArray


def gather(X: FloatArray, labels: IntArray, n_groups: int, room: int) -> Groups:
    """Make the groups of some labels 0 … n_groups − 1, with room for more."""
    n, d = X.shape
    groups = Groups(
        labels=labels.copy(),
        sizes=np.zeros(room, dtype=np.int64),
        centroids=np.full((d, room), np.inf),
        first=np.full(room, -1, dtype=np.int64),
        last=np.full(room, -1, dtype=np.int64),
        after=np.empty(n, dtype=np.int64),
        before=np.empty(n, dtype=np.int64),
        nearest=np.empty(n, dtype=np.int64),
        away=np.empty(n),
        seen=np.full(n, -1, dtype=np.int64),
        changes=np.empty(_LOG * room, dtype=np.int64),
        counts=np.array([0, n_groups]),
        squares=np.empty(room),
    )
    _link_all(X, groups)
    return groups


@kernel
def _link_all(X: FloatArray, groups: Groups) -> None:
    for record in range(len(X)):
        link(groups, record, groups.labels[record])
    for group in range(groups.counts[1]):
        settle(X, groups, group)


@kernel
def link(groups: Groups, record: int, group: int) -> None:
    """Put a record that has no group at the end of one (IN/OUT)."""
    last = groups.last[group]
    groups.before[record], groups.after[record] = last, -1
    if last < 0:
        groups.first[group] = record
    else:
        groups.after[last] = record
    groups.last[group] = record
    groups.labels[record] = group
    groups.sizes[group] += 1
    groups.seen[record] = -1


@kernel
def unlink(groups: Groups, record: int) -> None:
    """Take a record out of its group (IN/OUT)."""
    group, before, after = groups.labels[record], groups.before[record], groups.after[record]
    if before < 0:
        groups.first[group] = after
    else:
        groups.after[before] = after
    if after < 0:
        groups.last[group] = before
    else:
        groups.before[after] = before
    groups.labels[record] = -1
    groups.sizes[group] -= 1


@kernel
def settle(X: FloatArray, groups: Groups, group: int) -> None:
    """Compute the centroid of a group whose records have changed, from all of them: no error adds up."""
    for j in range(X.shape[1]):
        total = 0.0
        record = groups.first[group]
        while record >= 0:
            total += X[record, j]
            record = groups.after[record]
        groups.centroids[j, group] = total / groups.sizes[group] if groups.sizes[group] else np.inf
    if groups.counts[0] == len(groups.changes):
        groups.seen[:] = -1
        groups.counts[0] = 0
    groups.changes[groups.counts[0]] = group
    groups.counts[0] += 1


@kernel
def squared_distance(X: FloatArray, groups: Groups, record: int, group: int) -> float:
    """Give the squared distance of a record from a centroid."""
    squares = 0.0
    for j in range(X.shape[1]):
        difference = X[record, j] - groups.centroids[j, group]
        squares += difference * difference
    return squares


@kernel
def nearest_other(X: FloatArray, groups: Groups, record: int) -> int:
    """Find the group other than a record's own whose centroid is the nearest; -1 if there is none.

    Its squared distance is then in `groups.away`. Ties go to the group of the lowest number.
    """
    changed, own = groups.counts[0], groups.labels[record]
    seen = groups.seen[record]
    known = seen >= 0 and (changed - seen) * _ONE_BY_ONE < groups.counts[1]
    best, away = groups.nearest[record], groups.away[record]
    if known:
        for i in range(seen, changed):
            group = groups.changes[i]
            if group == own:
                continue
            squares = squared_distance(X, groups, record, group)
            if group == best:
                if squares > away:
                    known = False
                    break
                away = squares
            elif squares < away or (squares == away and group < best):
                best, away = group, squares
    if not known:
        best, away = nearest_of_all(X, groups, record)
    groups.nearest[record], groups.away[record], groups.seen[record] = best, away, changed
    return int(best)


@kernel
def nearest_of_all(X: FloatArray, groups: Groups, record: int) -> tuple[int, float]:
    """Find the nearest group other than a record's own, if it has one, and its squared distance, among all."""
    count, own = groups.counts[1], groups.labels[record]
    squares = groups.squares[:count]
    squares[:] = 0.0
    for j in range(X.shape[1]):
        value, row = X[record, j], groups.centroids[j]
        for group in range(count):
            difference = row[group] - value
            squares[group] += difference * difference
    best, away = -1, np.inf
    for group in range(count):
        if squares[group] < away and group != own:
            best, away = group, squares[group]
    return best, away
