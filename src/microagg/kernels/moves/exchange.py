"""Find records that would rather be in other groups: one that migrates, or two that change places.

What a migration or an exchange gains, in closed form ([1] is the ICSM paper; m is a group's size, c its centroid):

- R2, a record x joins:                m/(m + 1)·‖x − c‖²
- R3, a record y leaves:              −m/(m − 1)·‖y − c‖²
- R1, x takes the place of y:          (x − y)·(2(y − c) + (x − y)(m − 1)/m), which is R3 and then a joining of the rest
- an exchange, R1 both ways:           2(x − y)·(c − c′) − ‖x − y‖²·(1/m + 1/m′)

An exchange gains only where the centroids are nearer to each other than the two records are to their own, together:
with D = ‖c − c′‖, t the sum of those two distances and s = 1/m + 1/m′ ≤ 1 it changes the sse by at least
(D − t)·((2 − s)D + s·t). So most pairs of groups need not be looked at.
"""

from typing import Any, NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray

ROUNDING = 1e-12  # of the terms of a change: a gain below that may be none, and be made for ever


class Shape(NamedTuple):
    """Describe groups: what a change costs depends on this alone."""

    labels: IntArray  # (n,)
    members: IntArray  # (n,) the records group by group
    starts: IntArray  # (n_groups + 1,) where each group starts among them
    sizes: IntArray  # (n_groups,)
    centroids: FloatArray  # (n_groups, d)
    columns: FloatArray  # (d, n_groups) the same, so that distances from many are computed at once
    radii: FloatArray  # (n,) how far each record is from its centroid
    reaches: FloatArray  # (n_groups,) the greatest of these


@kernel
def describe(X: FloatArray, labels: IntArray, n_groups: int) -> Shape:
    """Describe the groups 0 … n_groups − 1 of some labels."""
    n, d = X.shape
    sizes, starts = np.zeros(n_groups, dtype=np.int64), np.zeros(n_groups + 1, dtype=np.int64)
    for record in range(n):
        sizes[labels[record]] += 1
    starts[1:] = np.cumsum(sizes)
    members, place = np.empty(n, dtype=np.int64), starts[:-1].copy()
    centroids = np.zeros((n_groups, d))
    for record in range(n):
        group = labels[record]
        members[place[group]] = record
        place[group] += 1
        for j in range(d):
            centroids[group, j] += X[record, j]
    for group in range(n_groups):
        centroids[group] /= sizes[group]
    radii, reaches = np.empty(n), np.zeros(n_groups)
    for record in range(n):
        group = labels[record]
        radii[record] = np.sqrt(squared_distance(X[record], centroids[group]))
        reaches[group] = max(reaches[group], radii[record])
    return Shape(labels, members, starts, sizes, centroids, centroids.T.copy(), radii, reaches)


@kernel
def squares_from(shape: Shape, group: int, squares: FloatArray) -> None:
    """Compute the squared distances of all centroids from one (OUT)."""
    squares[:] = 0.0
    for j in range(len(shape.columns)):
        column, centre = shape.columns[j], shape.centroids[group, j]
        for other in range(len(squares)):
            difference = column[other] - centre
            squares[other] += difference * difference


@kernel
def squared_distance(one: FloatArray, other: FloatArray) -> float:
    """Give the squared distance of two points."""
    squares = 0.0
    for j in range(len(one)):
        difference = one[j] - other[j]
        squares += difference * difference
    return squares


@kernel
def join_change(X: FloatArray, shape: Shape, record: int, group: int) -> float:
    """Say how the sse changes when a record joins a group: R2 of [1], equation 5."""
    size = shape.sizes[group]
    return float(squared_distance(X[record], shape.centroids[group]) * size / (size + 1))


@kernel
def leave_change(shape: Shape, record: int) -> float:
    """Say how the sse changes when a record leaves its group: R3 of [1], equation 6."""
    size = shape.sizes[shape.labels[record]]
    return float(-(shape.radii[record] ** 2) * size / (size - 1))


@kernel
def replace_change(X: FloatArray, shape: Shape, record: int, other: int) -> float:
    """Say how the sse of another's group changes when a record takes its place: R1 of [1], equation 3."""
    group = shape.labels[other]
    share = (shape.sizes[group] - 1) / shape.sizes[group]
    change = 0.0
    for j in range(X.shape[1]):
        step = X[record, j] - X[other, j]
        change += step * (2 * (X[other, j] - shape.centroids[group, j]) + step * share)
    return change


class Pool(NamedTuple):
    """Hold changes that gain: the record that moves, and the record or n + the group that it changes with."""

    changes: FloatArray  # (size,) of the sse
    records: IntArray  # (size,)
    others: IntArray  # (size,)


def find_changes(X: FloatArray, shape: Shape, k: int, fresh: BoolArray, most: int, tick: Tick = no_tick) -> Pool:
    """Find the first `most` changes that gain, record by record ([1] algorithm 3, lines 5–14).

    Parameters
    ----------
    fresh
        Which groups have changed since all changes between the others were known: one of two groups must be.
    tick
        Is told the share that is done, every now and then.
    """
    n, found = len(X), 0
    pool = Pool(np.empty(most), np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64))
    step = steps_per_tick(n * X.shape[1])
    for first in range(0, n, step):
        tick(first / n)
        found = _fill(X, shape, k, fresh, first, min(first + step, n), pool, found)
        if found == most:
            break
    return Pool(pool.changes[:found], pool.records[:found], pool.others[:found])


@kernel
def _fill(X: FloatArray, shape: Shape, k: int, fresh: BoolArray, first: int, last: int, pool: Pool, found: int) -> int:
    """Add the changes of the records first … last − 1 to the `found` ones in the pool (IN/OUT), until it is full.

    Returns
    -------
    int
        How many changes are in the pool now.
    """
    n_groups, several = len(shape.sizes), np.flatnonzero(fresh)
    begin, end, used = np.full(n_groups, -1, dtype=np.int64), np.empty(n_groups, dtype=np.int64), 0
    near, far = np.empty(8 * n_groups, dtype=np.int64), np.empty(8 * n_groups)  # groups near each, and how far
    squares = np.empty(n_groups)
    changes, others = np.empty(len(X) + n_groups), np.empty(len(X) + n_groups, dtype=np.int64)
    for record in range(first, last):
        group = shape.labels[record]
        if begin[group] < 0:
            if used + n_groups > len(near):
                near, far = _twice(near), _twice(far)
            begin[group] = used
            used = end[group] = _near_groups(shape, k, group, fresh[group], several, squares, near, far, used)
        count = 0
        for place in range(begin[group], end[group]):
            count = _changes_with(X, shape, k, record, near[place], far[place], changes, others, count)
        for i in np.argsort(others[:count]):
            if found == len(pool.changes):
                return found
            pool.changes[found], pool.records[found], pool.others[found] = changes[i], record, others[i]
            found += 1
    return found


@kernel
def _twice(array: Any) -> Any:
    """Make room for twice as much."""
    longer = np.empty(2 * len(array), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


@kernel
def _near_groups(
    shape: Shape,
    k: int,
    group: int,
    fresh: bool,
    several: IntArray,
    squares: FloatArray,
    near: IntArray,
    far: FloatArray,
    used: int,
) -> int:
    """List the groups with which a record of a group might change (OUT in `near` and `far`, from `used` on)."""
    size, reach = shape.sizes[group], shape.reaches[group]
    migration = reach * (1 + np.sqrt(size * (k + 1) / ((size - 1) * k))) if size > k else 0.0
    if fresh:
        squares_from(shape, group, squares)
    for i in range(len(shape.sizes) if fresh else len(several)):
        other = i if fresh else several[i]
        if not fresh:
            squares[other] = squared_distance(shape.centroids[group], shape.centroids[other])
        bound = max(reach + shape.reaches[other], migration)
        if other != group and squares[other] < bound * bound:
            near[used], far[used] = other, np.sqrt(squares[other])
            used += 1
    return used


@kernel
def _migration_reach(shape: Shape, k: int, group: int, other: int) -> float:
    """Say how far the centroid of another group may be, in a record's distance from its own, if it is to migrate."""
    size, other_size = shape.sizes[group], shape.sizes[other]
    if size <= k or other_size >= 2 * k - 1:
        return 0.0
    return float(1 + np.sqrt(size * (other_size + 1) / ((size - 1) * other_size)))


@kernel
def _changes_with(
    X: FloatArray,
    shape: Shape,
    k: int,
    record: int,
    other: int,
    away: float,
    changes: FloatArray,
    others: IntArray,
    count: int,
) -> int:
    """Add what a record can gain with another group (OUT): by migrating, or with a record of a higher number."""
    group, radius = shape.labels[record], shape.radii[record]
    if away < radius * _migration_reach(shape, k, group, other):
        leaving = leave_change(shape, record)
        change = join_change(X, shape, record, other) + leaving
        if change < ROUNDING * leaving:
            changes[count], others[count] = change, len(X) + other
            count += 1
    if away < radius + shape.reaches[other]:
        share = 1 / shape.sizes[group] + 1 / shape.sizes[other]
        for place in range(shape.starts[other], shape.starts[other + 1]):
            partner = shape.members[place]
            if partner > record and away < radius + shape.radii[partner]:
                towards, squares = 0.0, 0.0
                for j in range(X.shape[1]):
                    step = X[record, j] - X[partner, j]
                    towards += step * (shape.centroids[group, j] - shape.centroids[other, j])
                    squares += step * step
                change = 2 * towards - share * squares
                if change < -ROUNDING * (2 * away * np.sqrt(squares) + share * squares):
                    changes[count], others[count] = change, partner
                    count += 1
    return count


@kernel
def make_best(labels: IntArray, n_groups: int, pool: Pool) -> BoolArray:
    """Make the changes in the pool that gain most, no two of them in one group ([1] algorithm 3, lines 17–25).

    Parameters
    ----------
    labels
        IN/OUT: the group of each record.

    Returns
    -------
    ndarray of shape (n_groups,)
        Which groups have changed.
    """
    n, changed = len(labels), np.zeros(n_groups, dtype=np.bool_)
    for i in np.argsort(pool.changes, kind="mergesort"):
        record, other = pool.records[i], pool.others[i]
        here = labels[record]
        there = other - n if other >= n else labels[other]
        if not changed[here] and not changed[there]:
            changed[here], changed[there] = True, True
            labels[record] = there
            if other < n:
                labels[other] = here
    return changed


@kernel
def carry_over(old: IntArray, old_sizes: IntArray, fresh: BoolArray, new: IntArray, sizes: IntArray) -> BoolArray:
    """Say which groups of new labels are not groups of the old ones, or fresh there already."""
    same, first = np.ones(len(sizes), dtype=np.bool_), np.full(len(sizes), -1, dtype=np.int64)
    for record in range(len(new)):
        group = new[record]
        if first[group] < 0:
            first[group] = record
            same[group] = sizes[group] == old_sizes[old[record]] and not fresh[old[record]]
        elif old[record] != old[first[group]]:
            same[group] = False
    return ~same
