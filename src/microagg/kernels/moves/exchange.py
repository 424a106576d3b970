"""Moves of single records that lower the sse: a migration to another group, or an exchange of two records.

Their changes of the sse, in closed form ([1] is the ICSM paper; m is a group's size, c its centroid):

- R2, a record x joins:                m/(m + 1)·‖x − c‖²
- R3, a record y leaves:              −m/(m − 1)·‖y − c‖²
- R1, x replaces y:                    (x − y)·(2(y − c) + (x − y)(m − 1)/m), which is R3 and then R2 for the rest
- an exchange, R1 both ways:           2(x − y)·(c − c′) − ‖x − y‖²·(1/m + 1/m′)

An exchange gains only where the centroids are nearer to each other than the sum of the two records' distances from
their own: with D = ‖c − c′‖, t that sum and s = 1/m + 1/m′ ≤ 1 it changes the sse by at least (D − t)·((2 − s)D + s·t).
So most pairs of groups can be skipped.
"""

from typing import Any, NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray

ROUNDING = 1e-12  # relative to the terms of a change: a smaller gain may be rounding error, and recur for ever


class GroupGeometry(NamedTuple):
    """Sizes, centroids and radii of groups: all that the change of the sse by a move depends on."""

    labels: IntArray  # (n,) the group of each record
    members: IntArray  # (n,) the records group by group, by index
    starts: IntArray  # (n_groups + 1,) where each group starts in `members`
    sizes: IntArray  # (n_groups,)
    centroids: FloatArray  # (n_groups, d)
    centroid_columns: FloatArray  # (d, n_groups) the same, transposed so that distances from all are vectorised
    radii: FloatArray  # (n,) the distance of each record from its centroid
    group_radii: FloatArray  # (n_groups,) the greatest radius in each group


@kernel
def measure_groups(X: FloatArray, labels: IntArray, n_groups: int) -> GroupGeometry:
    """Measure the groups 0 … n_groups − 1 of some labels: O(n·d)."""
    n, d = X.shape
    sizes = np.zeros(n_groups, dtype=np.int64)
    for record in range(n):
        sizes[labels[record]] += 1
    starts = np.zeros(n_groups + 1, dtype=np.int64)
    for group in range(n_groups):
        starts[group + 1] = starts[group] + sizes[group]
    members = np.empty(n, dtype=np.int64)
    place = starts[:-1].copy()
    centroids = np.zeros((n_groups, d))
    for record in range(n):
        group = labels[record]
        members[place[group]] = record
        place[group] += 1
        for j in range(d):
            centroids[group, j] += X[record, j]
    for group in range(n_groups):
        for j in range(d):
            centroids[group, j] /= sizes[group]
    radii = np.empty(n)
    group_radii = np.zeros(n_groups)
    for record in range(n):
        group = labels[record]
        radii[record] = np.sqrt(squared_distance(X, record, centroids, group))
        group_radii[group] = max(group_radii[group], radii[record])
    return GroupGeometry(labels, members, starts, sizes, centroids, centroids.T.copy(), radii, group_radii)


@inner_kernel
def measure_centroids(groups: GroupGeometry, group: int, squares: FloatArray) -> None:
    """Compute the squared distances (OUT) of all centroids from that of one group: O(n_groups·d).

    The inner loop runs over groups, which LLVM vectorises; each one's columns are still summed in the order of
    `distances.squared_distance`.
    """
    squares[:] = 0.0
    for j in range(len(groups.centroid_columns)):
        column = groups.centroid_columns[j]
        coordinate = groups.centroids[group, j]
        for other in range(len(squares)):
            difference = column[other] - coordinate
            squares[other] += difference * difference


@inner_kernel
def join_change(X: FloatArray, groups: GroupGeometry, record: int, group: int) -> float:
    """Return the change of the sse when a record joins a group, R2 of [1], equation 5: O(d)."""
    size = groups.sizes[group]
    return float(squared_distance(X, record, groups.centroids, group) * size / (size + 1))


@inner_kernel
def leave_change(groups: GroupGeometry, record: int) -> float:
    """Return the change of the sse when a record leaves its group, R3 of [1], equation 6: O(1)."""
    size = groups.sizes[groups.labels[record]]
    return float(-(groups.radii[record] ** 2) * size / (size - 1))


@inner_kernel
def replace_change(X: FloatArray, groups: GroupGeometry, record: int, other: int) -> float:
    """Return the change of the sse of another record's group when `record` replaces it, R1 of [1], equation 3: O(d)."""
    group = groups.labels[other]
    share = (groups.sizes[group] - 1) / groups.sizes[group]
    change = 0.0
    for j in range(X.shape[1]):
        step = X[record, j] - X[other, j]
        change += step * (2 * (X[other, j] - groups.centroids[group, j]) + step * share)
    return change


class Moves(NamedTuple):
    """Migrations and exchanges."""

    sse_changes: FloatArray  # (n_moves,) negative
    records: IntArray  # (n_moves,) the record that moves
    partners: IntArray  # (n_moves,) the record that it exchanges groups with, or n + the group that it migrates to


def find_moves(
    X: FloatArray,
    groups: GroupGeometry,
    k: int,
    fresh: BoolArray,
    max_moves: int,
    tick: Tick = no_tick,
    both_orders: bool = False,
) -> Moves:
    """Find the first `max_moves` moves that gain, record by record ([1] algorithm 3, lines 5–14).

    O(n_groups²·d) to compare the centroids; then only groups near each other, one of them fresh, are searched.

    Parameters
    ----------
    fresh
        Which groups have changed since all moves between the others were found; of shape (n_groups,).
    both_orders
        Whether an exchange is found twice, once with each of its records: [1] line 6. The migrations that line
        finds from their groups would come after all others, and add nothing.
    """
    n, d = X.shape
    moves = _empty_moves(max_moves)
    count = 0
    step = steps_per_tick(n * d)
    for first in range(0, n, step):
        tick(first / n)
        count = _search_records(X, groups, k, fresh, first, min(first + step, n), both_orders, moves, count)
        if count == max_moves:
            break
    return Moves(moves.sse_changes[:count], moves.records[:count], moves.partners[:count])


@kernel
def _empty_moves(capacity: int) -> Moves:
    """Allocate moves: O(capacity) memory."""
    return Moves(np.empty(capacity), np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.int64))


class _NearGroups(NamedTuple):
    """Lists of the groups near each group, one after the other."""

    begins: IntArray  # (n_groups,) where each list begins, -1 if it is not known yet
    ends: IntArray  # (n_groups,) where it ends
    groups: IntArray  # (capacity,)
    distances: FloatArray  # (capacity,) of their centroids from that of the list's group
    length: IntArray  # (1,) of all lists together


@kernel
def _search_records(
    X: FloatArray,
    groups: GroupGeometry,
    k: int,
    fresh: BoolArray,
    first: int,
    last: int,
    both_orders: bool,
    moves: Moves,
    count: int,
) -> int:
    """Add the moves of the records first … last − 1 to the first `count` in `moves` (IN/OUT), until it is full.

    O(n_groups·d) for each group that occurs, O(d) for each record of a near group.

    Returns
    -------
    int
        The number of moves found so far.
    """
    n_groups = len(groups.sizes)
    capacity = 8 * n_groups
    near = _NearGroups(
        np.full(n_groups, -1, dtype=np.int64),
        np.empty(n_groups, dtype=np.int64),
        np.empty(capacity, dtype=np.int64),
        np.empty(capacity),
        np.zeros(1, dtype=np.int64),
    )
    fresh_groups = np.flatnonzero(fresh)
    squares = np.empty(n_groups)
    found = _empty_moves(len(X) + n_groups)
    for record in range(first, last):
        group = groups.labels[record]
        if near.begins[group] < 0:
            if near.length[0] + n_groups > len(near.groups):
                near = _NearGroups(near.begins, near.ends, _doubled(near.groups), _doubled(near.distances), near.length)
            _list_near_groups(groups, k, group, fresh[group], fresh_groups, squares, near)
        n_found = _search_near_groups(X, groups, k, record, both_orders, near, found)
        for i in np.argsort(found.partners[:n_found]):
            if count == len(moves.records):
                return count
            moves.sse_changes[count] = found.sse_changes[i]
            moves.records[count] = record
            moves.partners[count] = found.partners[i]
            count += 1
    return count


@inner_kernel
def _doubled(array: Any) -> Any:
    """Return a copy of twice the length, its second half not set: O(len(array))."""
    longer = np.empty(2 * len(array), dtype=array.dtype)
    for i in range(len(array)):
        longer[i] = array[i]
    return longer


@inner_kernel
def _list_near_groups(
    groups: GroupGeometry,
    k: int,
    group: int,
    is_fresh: bool,
    fresh_groups: IntArray,
    squares: FloatArray,
    near: _NearGroups,
) -> None:
    """Append the list of the groups with which a record of a group might gain to `near` (IN/OUT): O(n_groups·d).

    Of a group that is not fresh, only the fresh ones; `squares`, of shape (n_groups,), is scratch.
    """
    end = near.length[0]
    near.begins[group] = end
    size = groups.sizes[group]
    radius = groups.group_radii[group]
    migration = radius * (1 + np.sqrt(size * (k + 1) / ((size - 1) * k))) if size > k else 0.0
    if is_fresh:
        measure_centroids(groups, group, squares)
    for i in range(len(groups.sizes) if is_fresh else len(fresh_groups)):
        other = i if is_fresh else fresh_groups[i]
        if not is_fresh:
            squares[other] = squared_distance(groups.centroids, group, groups.centroids, other)
        bound = max(radius + groups.group_radii[other], migration)
        if other != group and squares[other] < bound * bound:
            near.groups[end] = other
            near.distances[end] = np.sqrt(squares[other])
            end += 1
    near.ends[group] = end
    near.length[0] = end


@inner_kernel
def _migration_range(size: int, other_size: int, k: int) -> float:
    """Return how many radii apart the centroids may be if a migration from one group to another is to gain: O(1)."""
    if size <= k or other_size >= 2 * k - 1:
        return 0.0
    return float(1 + np.sqrt(size * (other_size + 1) / ((size - 1) * other_size)))


@inner_kernel
def _search_near_groups(
    X: FloatArray,
    groups: GroupGeometry,
    k: int,
    record: int,
    both_orders: bool,
    near: _NearGroups,
    found: Moves,
) -> int:
    """Find the moves of a record that gain, with the groups near its own: O(d) for each of their records.

    Migrations, and exchanges with records of higher numbers, or with all (OUT in `found`).

    Returns
    -------
    int
        How many moves were found.
    """
    group = groups.labels[record]
    radius = groups.radii[record]
    count = 0
    for i in range(near.begins[group], near.ends[group]):
        other = near.groups[i]
        distance = near.distances[i]
        if distance < radius * _migration_range(groups.sizes[group], groups.sizes[other], k):
            leaving = leave_change(groups, record)
            change = join_change(X, groups, record, other) + leaving
            if change < ROUNDING * leaving:
                found.sse_changes[count] = change
                found.partners[count] = len(X) + other
                count += 1
        if not distance < radius + groups.group_radii[other]:
            continue
        share = 1 / groups.sizes[group] + 1 / groups.sizes[other]
        for place in range(groups.starts[other], groups.starts[other + 1]):
            partner = groups.members[place]
            is_first = both_orders or record < partner
            if not (is_first and distance < radius + groups.radii[partner]):
                continue
            product = 0.0
            squares = 0.0
            for j in range(X.shape[1]):
                step = X[record, j] - X[partner, j]
                product += step * (groups.centroids[group, j] - groups.centroids[other, j])
                squares += step * step
            change = 2 * product - share * squares
            if change < -ROUNDING * (2 * distance * np.sqrt(squares) + share * squares):
                found.sse_changes[count] = change
                found.partners[count] = partner
                count += 1
    return count


@kernel
def make_best_moves(labels: IntArray, n_groups: int, moves: Moves) -> BoolArray:
    """Make the moves that gain most, no two of them in one group ([1] algorithm 3, lines 17–25).

    O(n_moves·log n_moves).

    Parameters
    ----------
    labels
        IN/OUT: the group of each record.

    Returns
    -------
    ndarray of shape (n_groups,)
        Which groups have changed.
    """
    n = len(labels)
    changed = np.zeros(n_groups, dtype=np.bool_)
    for i in np.argsort(moves.sse_changes, kind="mergesort"):
        record = moves.records[i]
        partner = moves.partners[i]
        source = labels[record]
        target = partner - n if partner >= n else labels[partner]
        if not changed[source] and not changed[target]:
            changed[source] = True
            changed[target] = True
            labels[record] = target
            if partner < n:
                labels[partner] = source
    return changed


@kernel
def fresh_groups_after(
    old_labels: IntArray, old_sizes: IntArray, old_fresh: BoolArray, labels: IntArray, sizes: IntArray
) -> BoolArray:
    """Return which groups of new labels were no group of the old ones, or a fresh one: O(n)."""
    same = np.ones(len(sizes), dtype=np.bool_)
    first = np.full(len(sizes), -1, dtype=np.int64)
    for record in range(len(labels)):
        group = labels[record]
        old_group = old_labels[record]
        if first[group] < 0:
            first[group] = record
            same[group] = sizes[group] == old_sizes[old_group] and not old_fresh[old_group]
        elif old_group != old_labels[first[group]]:
            same[group] = False
    return ~same
