"""Orderings of the records by a walk that goes on to the nearest unvisited record, group by group."""

from functools import partial

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.kernels.walks.walk_context import (
    GroupedRecords,
    WalkContext,
    group_of,
    group_records,
    leave_group,
    make_walk_context,
)
from microagg.model.arrays import FloatArray, IntArray

_MAX_UNSLICED = 1000  # records of a group: a walk through more of them, which takes the square of that, goes in slices


def group_by_group(context: WalkContext, labels: IntArray, sizes: IntArray, tick: Tick = no_tick) -> IntArray:
    """Walk through the groups: within a group always to the nearest record, then to the nearest unvisited record.

    Starts at the record farthest from the centroid of all. Ties go to the lowest index. O(n²·d/k + n·k·d) for groups
    of about k; the first term is for the steps between groups, and much less where the context has neighbour lists.

    Parameters
    ----------
    context
        IN/OUT: the records; all are unvisited, before and after.
    labels, sizes
        The group of each record, of shape (n,), and the size of each group, of shape (n_groups,).
    tick
        Called now and then with the share that is done.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.

    References
    ----------
    Mortazavi & Jalili (2015), ICSM, section 4.2: the path of algorithm 2, line 5.
    """
    return _walk_nearest(context, group_records(labels, sizes), context.outermost, tick)


def nearest_next(X: FloatArray, tick: Tick = no_tick, start: int | None = None) -> IntArray:
    """Walk from a record always to the nearest unvisited one (NPN); without `start`, from the outermost record.

    This is the walk through groups of one record each. Ties go to the lowest index. O(n²·d).
    """
    n = len(X)
    context = make_walk_context(X)
    single = group_records(np.arange(n), np.ones(n, dtype=np.int64))
    return _walk_nearest(context, single, context.outermost if start is None else start, tick)


def last_joined_first(X: FloatArray, order: IntArray, starts: IntArray, tick: Tick = no_tick) -> IntArray:
    """Walk through the groups, each from the record that joined it last, to the group of the nearest unvisited record.

    Starts with the group of the record nearest to the centroid of all. The other records of a group follow by their
    distances from the first. Ties go to the lowest index, within a group to the one that joined last. O(n²·d/k).

    Parameters
    ----------
    X
        The records, of shape (n, d).
    order, starts
        The records group by group, in the order of joining, of shape (n,), and where each group starts.
    tick
        Called now and then with the share that is done.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.
    """
    n, d = X.shape
    labels = np.empty(n, dtype=np.int64)
    labels[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=n))
    groups = GroupedRecords(labels, order, np.append(starts, n))
    context = make_walk_context(X)
    walk = np.empty(n, dtype=np.int64)
    done = 0
    here = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmin())
    while done < n:
        tick(_share_done(done, n))
        done, here = _enter_at_last(context, groups, walk, done, here, steps_per_tick((n - done) * (d + 4)))
    return walk


def tick_within(low: float, high: float, tick: Tick, done: float | None = None) -> None:
    """Report the share of a part of the work that takes the whole from `low` to `high`."""
    tick(None if done is None else low + (high - low) * done)


def _walk_nearest(context: WalkContext, groups: GroupedRecords, here: int, tick: Tick) -> IntArray:
    """Walk through all groups from the record `here` as `group_by_group` does, in slices."""
    n, d = context.X.shape
    order = np.empty(n, dtype=np.int64)
    done = 0
    while done < n:
        share = _share_done(done, n)
        tick(share)
        group = group_of(groups, here)
        size = len(group)
        if size > _MAX_UNSLICED:
            within = partial(tick_within, share, _share_done(done + size, n), tick)
            order[done : done + size] = _walk_within(context.X, group, here, within)
            here = leave_group(context, order, done, done + size)
            done += size
        else:
            max_groups = steps_per_tick((n - done + size**2) * (d + 4))
            done, here = _enter_at_nearest(context, groups, order, done, here, max_groups)
    return order


def _walk_within(X: FloatArray, group: IntArray, here: int, tick: Tick) -> IntArray:
    """Return the records of one group from `here`, nearest next: a walk in slices, through groups of one record each.

    The members of the group ascend.
    """
    size = len(group)
    single = GroupedRecords(np.arange(size), np.arange(size), np.arange(size + 1))
    return group[_walk_nearest(make_walk_context(X[group]), single, int(np.searchsorted(group, here)), tick)]


def _share_done(done: int, n: int) -> float:
    """Return the share of the work after `done` records: each search is over those that are left."""
    return 1 - (1 - done / n) ** 2


@kernel
def _enter_at_nearest(
    context: WalkContext, groups: GroupedRecords, order: IntArray, done: int, here: int, max_groups: int
) -> tuple[int, int]:
    """Walk through up to `max_groups` groups, nearest record next from `here`; stop before a group to be sliced.

    O(s²·d) for a group of s records, besides `leave_group`.

    Parameters
    ----------
    context
        IN/OUT: the unvisited records.
    order
        IN/OUT: the walk, filled up to `done`.

    Returns
    -------
    done, here : int
        The number of records in the walk, and the next one.
    """
    for _ in range(max_groups):
        group = group_of(groups, here)
        if len(group) > _MAX_UNSLICED:
            break
        first = done
        done += len(group)
        _order_nearest_next(context.X, here, group.copy(), order[first:done])
        here = leave_group(context, order, first, done)
        if done == len(order):
            break
    return done, here


@kernel
def _enter_at_last(
    context: WalkContext, groups: GroupedRecords, order: IntArray, done: int, here: int, max_groups: int
) -> tuple[int, int]:
    """Walk through up to `max_groups` groups, first that of the record `here`, each from its last member.

    The others follow by their distances from it. O(s·(d + log s)) for a group of s records, besides `leave_group`.

    Parameters
    ----------
    context
        IN/OUT: the unvisited records.
    order
        IN/OUT: the walk, filled up to `done`.

    Returns
    -------
    done, here : int
        The number of records in the walk, and the next one.
    """
    for _ in range(max_groups):
        group = group_of(groups, here)
        first = done
        done += len(group)
        _order_by_distance(context.X, group[::-1], order[first:done])
        here = leave_group(context, order, first, done)
        if done == len(order):
            break
    return done, here


@inner_kernel
def _order_by_distance(X: FloatArray, group: IntArray, order: IntArray) -> None:
    """Put the records of a group into `order` (OUT) by their distances from the first: O(s·(d + log s))."""
    squares = np.empty(len(group))
    for i in range(len(group)):
        squares[i] = squared_distance(X, group[i], X, group[0])
    order[:] = group[np.argsort(squares, kind="mergesort")]


@inner_kernel
def _order_nearest_next(X: FloatArray, here: int, waiting: IntArray, order: IntArray) -> None:
    """Put `here` and then always the nearest record still waiting into `order` (OUT): O(s²·d).

    `waiting` (IN/OUT) holds the records of the group, `here` among them; its contents are used up.
    """
    size = len(waiting)
    for i in range(size):
        if waiting[i] == here:
            waiting[i] = waiting[size - 1]
            break
    order[0] = here
    for step in range(1, size):
        best = -1
        least = np.inf
        for i in range(size - step):
            squares = squared_distance(X, waiting[i], X, order[step - 1])
            if squares < least or (squares == least and waiting[i] < waiting[best]):
                best = i
                least = squares
        order[step] = waiting[best]
        waiting[best] = waiting[size - step - 1]
