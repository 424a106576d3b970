"""Groups as linked lists of records, with their centroids and a cache of each record's nearest other group.

When a record's nearest other group is asked for again, only the groups that have changed since are compared: all are
searched only if the nearest one has moved away, or if too many have changed.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray

_LOG_CAPACITY = 4  # changes remembered, relative to the room for groups
_SEARCH_SPEED = 8  # how many times faster one group is compared in a vectorised search of all than on its own


class LinkedGroups(NamedTuple):
    """Groups 0 … n_groups − 1 whose records may change; empty ones have their centroids at infinity."""

    labels: IntArray  # (n,) the group of each record, -1 for none
    sizes: IntArray  # (capacity,)
    centroids: FloatArray  # (d, capacity) transposed, so that distances from all are vectorised
    first: IntArray  # (capacity,) the first record of each group's list, in the order of joining; -1 if empty
    last: IntArray  # (capacity,) the last one
    following: IntArray  # (n,) the next record of the same group, -1 at the end
    preceding: IntArray  # (n,) the record before, -1 at the beginning
    nearest: IntArray  # (n,) cache: the nearest other group of each record
    nearest_squares: FloatArray  # (n,) cache: its squared distance
    cached_at: IntArray  # (n,) the number of changes when these were found, -1 if they never were
    changes: IntArray  # (log capacity,) log: the groups whose centroids have changed, the oldest first
    n_changes: IntArray  # (1,) the length of the log
    n_groups: IntArray  # (1,)
    squares: FloatArray  # (capacity,) scratch


def link_groups(X: FloatArray, labels: IntArray, n_groups: int, capacity: int) -> LinkedGroups:
    """Link the groups 0 … n_groups − 1 of some labels, with room for `capacity` groups: O(n·d)."""
    n, d = X.shape
    groups = LinkedGroups(
        labels=labels.copy(),
        sizes=np.zeros(capacity, dtype=np.int64),
        centroids=np.full((d, capacity), np.inf),
        first=np.full(capacity, -1, dtype=np.int64),
        last=np.full(capacity, -1, dtype=np.int64),
        following=np.empty(n, dtype=np.int64),
        preceding=np.empty(n, dtype=np.int64),
        nearest=np.empty(n, dtype=np.int64),
        nearest_squares=np.empty(n),
        cached_at=np.full(n, -1, dtype=np.int64),
        changes=np.empty(_LOG_CAPACITY * capacity, dtype=np.int64),
        n_changes=np.array([0]),
        n_groups=np.array([n_groups]),
        squares=np.empty(capacity),
    )
    _link_all(X, groups)
    return groups


@kernel
def _link_all(X: FloatArray, groups: LinkedGroups) -> None:
    """Link all records to the groups of their labels (IN/OUT): O(n·d)."""
    for record in range(len(X)):
        link(groups, record, groups.labels[record])
    for group in range(groups.n_groups[0]):
        update_centroid(X, groups, group)


@inner_kernel
def link(groups: LinkedGroups, record: int, group: int) -> None:
    """Append a record without a group to a group (IN/OUT), the centroid as it is: O(1)."""
    last = groups.last[group]
    groups.preceding[record] = last
    groups.following[record] = -1
    if last < 0:
        groups.first[group] = record
    else:
        groups.following[last] = record
    groups.last[group] = record
    groups.labels[record] = group
    groups.sizes[group] += 1
    groups.cached_at[record] = -1


@inner_kernel
def unlink(groups: LinkedGroups, record: int) -> None:
    """Remove a record from its group (IN/OUT), the centroid as it is: O(1)."""
    group = groups.labels[record]
    preceding = groups.preceding[record]
    following = groups.following[record]
    if preceding < 0:
        groups.first[group] = following
    else:
        groups.following[preceding] = following
    if following < 0:
        groups.last[group] = preceding
    else:
        groups.preceding[following] = preceding
    groups.labels[record] = -1
    groups.sizes[group] -= 1


@inner_kernel
def update_centroid(X: FloatArray, groups: LinkedGroups, group: int) -> None:
    """Recompute the centroid of a changed group from its records, so that no error adds up, and log it: O(size·d).

    IN/OUT: `groups`. A full log is emptied together with the cache.
    """
    for j in range(X.shape[1]):
        total = 0.0
        record = groups.first[group]
        while record >= 0:
            total += X[record, j]
            record = groups.following[record]
        groups.centroids[j, group] = total / groups.sizes[group] if groups.sizes[group] else np.inf
    if groups.n_changes[0] == len(groups.changes):
        groups.cached_at[:] = -1
        groups.n_changes[0] = 0
    groups.changes[groups.n_changes[0]] = group
    groups.n_changes[0] += 1


@inner_kernel
def nearest_other_group(X: FloatArray, groups: LinkedGroups, record: int) -> int:
    """Find the group other than a record's own whose centroid is the nearest; -1 if there is none.

    Its squared distance is in `groups.nearest_squares`. The cache is IN/OUT. Ties go to the lowest group.
    O(d) for each change since the last call for this record, O(n_groups·d) at worst.
    """
    cached_at = groups.cached_at[record]
    n_new = groups.n_changes[0] - cached_at
    if cached_at < 0 or n_new * _SEARCH_SPEED >= groups.n_groups[0] or not _follow_changes(X, groups, record):
        best, best_squares = search_nearest_group(X, groups, record)
        groups.nearest[record] = best
        groups.nearest_squares[record] = best_squares
    groups.cached_at[record] = groups.n_changes[0]
    return int(groups.nearest[record])


@inner_kernel
def _follow_changes(X: FloatArray, groups: LinkedGroups, record: int) -> bool:
    """Bring a record's cached nearest group (IN/OUT) up to date by the groups that have changed since: O(d) each.

    False if the cached group has moved away, so that any other may be the nearest now.
    """
    centroids = groups.centroids.T
    own = groups.labels[record]
    best = groups.nearest[record]
    best_squares = groups.nearest_squares[record]
    for i in range(groups.cached_at[record], groups.n_changes[0]):
        group = groups.changes[i]
        if group == own:
            continue
        squares = squared_distance(X, record, centroids, group)
        if group == best:
            if squares > best_squares:
                return False
            best_squares = squares
        elif squares < best_squares or (squares == best_squares and group < best):
            best = group
            best_squares = squares
    groups.nearest[record] = best
    groups.nearest_squares[record] = best_squares
    return True


@inner_kernel
def search_nearest_group(X: FloatArray, groups: LinkedGroups, record: int) -> tuple[int, float]:
    """Search all groups but a record's own, if it has one, for the nearest centroid: O(n_groups·d).

    Returns the group, -1 if there is none, and its squared distance; `groups.squares` is OUT. The inner loop runs over
    groups, which LLVM vectorises; the columns are still summed in the order of `distances.squared_distance`.
    """
    n_groups = groups.n_groups[0]
    own = groups.labels[record]
    squares = groups.squares[:n_groups]
    squares[:] = 0.0
    for j in range(X.shape[1]):
        value = X[record, j]
        coordinates = groups.centroids[j]
        for group in range(n_groups):
            difference = coordinates[group] - value
            squares[group] += difference * difference
    best = -1
    best_squares = np.inf
    for group in range(n_groups):
        if squares[group] < best_squares and group != own:
            best = group
            best_squares = squares[group]
    return best, best_squares
