"""Put records in an order along which neighbours are near."""

from collections.abc import Callable
from functools import partial

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.kernels._jit import WORK, kernel
from microagg.kernels.blocks import Blocks, farthest_from_centroid, nearest, pack, remove

_BIG = 1000  # records in a group: walking through it costs the square of that


def group_by_group(
    X: FloatArray, labels: IntArray, sizes: IntArray, tick: Callable[[float], None] = lambda done: None
) -> IntArray:
    """Walk through the groups: nearest record next within a group, then to the nearest record left.

    Starts at the record farthest from the centroid of all. Ties go to the lowest index. O(n²·d/k + n·k·d) for groups
    of about k.

    Parameters
    ----------
    X
        The records, of shape (n, d).
    labels, sizes
        The group of each record, of shape (n,), and how many each group has.
    tick
        Is told the share that is done, every now and then.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.
    """
    members, starts = np.argsort(labels, kind="stable"), np.concatenate([[0], np.cumsum(sizes)])
    blocks = pack(X)
    here = int(blocks.records[farthest_from_centroid(blocks, len(X))])
    return _walk(X, blocks, labels, members, starts, here, False, tick)


def nearest_next(X: FloatArray, tick: Callable[[float], None] = lambda done: None) -> IntArray:
    """Walk from the record farthest from the centroid of all always to the nearest record left.

    This is the walk through groups of one record each. Ties go to the lowest index. O(n²·d).
    """
    n = len(X)
    return group_by_group(X, np.arange(n), np.ones(n, dtype=np.int64), tick)


def last_joined_first(
    X: FloatArray, order: IntArray, starts: IntArray, tick: Callable[[float], None] = lambda done: None
) -> IntArray:
    """Walk through the groups, each from the record that joined it last, to the group with the nearest record left.

    Starts with the group of the record nearest to the centroid of all. The other records of a group follow by their
    distances from the first. Ties go to the lowest index, within a group to the one that joined last. O(n²·d/k).

    Parameters
    ----------
    X
        The records, of shape (n, d).
    order, starts
        The records group by group, in the order of joining, of shape (n,), and where each group starts.
    tick
        Is told the share that is done, every now and then.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.
    """
    n = len(X)
    labels = np.empty(n, dtype=np.int64)
    labels[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=n))
    here = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmin())
    return _walk(X, pack(X), labels, order, np.append(starts, n), here, True, tick)


def _walk(
    X: FloatArray,
    blocks: Blocks,
    labels: IntArray,
    members: IntArray,
    starts: IntArray,
    here: int,
    from_last: bool,
    tick: Callable[[float], None],
) -> IntArray:
    """Walk through all groups in slices, from that of the record `here`; see `_walk_on`."""
    n, d = X.shape
    order, done = np.empty(n, dtype=np.int64), 0
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        part = members[starts[labels[here]] : starts[labels[here] + 1]]
        size = len(part)
        if size > _BIG and not from_last:  # as a walk through groups of one record each, which can be left
            first, single = int(np.searchsorted(part, here)), np.arange(size + 1)
            before, after = ((1 - (1 - reached / n) ** 2) for reached in (done, done + size))
            within = partial(_tick_within, before, after, tick)
            order[done : done + size] = part[
                _walk(X[part], pack(X[part]), single[:-1], single[:-1], single, first, False, within)
            ]
            done, here = _leave(blocks, X, order, done, done + size)
        else:
            groups = max(1, int(WORK / ((n - done + size**2) * (d + 4))))
            done, here = _walk_on(blocks, X, labels, members, starts, order, done, here, from_last, groups)
    return order


def _tick_within(before: float, after: float, tick: Callable[[float], None], done: float) -> None:
    tick(before + (after - before) * done)


@kernel
def _walk_on(
    blocks: Blocks,
    X: FloatArray,
    labels: IntArray,
    members: IntArray,
    starts: IntArray,
    order: IntArray,
    done: int,
    here: int,
    from_last: bool,
    groups: int,
) -> tuple[int, int]:
    """Walk through some groups, from the record `here`; `blocks` and `order` are IN/OUT.

    Parameters
    ----------
    members, starts
        The records group by group, and where each group starts and the last one ends.
    from_last
        Whether a group is entered at its last member and the others follow by their distances from it, or it is
        entered at `here` and the nearest record is always next.

    Returns
    -------
    done, here : int
        How many records are in order, and the next one.
    """
    for _ in range(groups):
        group = members[starts[labels[here]] : starts[labels[here] + 1]]
        if len(group) > _BIG and not from_last:
            break
        first, done = done, done + len(group)
        if from_last:
            _spread(X, group[::-1], order[first:done])
        else:
            _chain(X, here, group.copy(), order[first:done])
        done, here = _leave(blocks, X, order, first, done)
        if done == len(order):
            break
    return done, here


@kernel
def _leave(blocks: Blocks, X: FloatArray, order: IntArray, first: int, done: int) -> tuple[int, int]:
    """Take the records first … done − 1 of the order out of the blocks (IN/OUT), and find the nearest to the last.

    Returns
    -------
    done, here : int
        How many records are in order, and the nearest one left; -1 if there is none.
    """
    n = len(order)
    places = blocks.places[order[first:done]]
    remove(blocks, n - first, places)
    if done == n:
        return done, -1
    place = np.empty(1, dtype=np.int64)
    nearest(blocks, n - done, X[order[done - 1]], place, np.empty(1, dtype=np.int64))
    return done, int(blocks.records[place[0]])


@kernel
def _spread(X: FloatArray, group: IntArray, order: IntArray) -> None:
    """Put the records of a group into `order` (OUT) by their distances from the first."""
    squares = np.empty(len(group))
    for i in range(len(group)):
        squares[i] = ((X[group[i]] - X[group[0]]) ** 2).sum()
    order[:] = group[np.argsort(squares, kind="mergesort")]


@kernel
def _chain(X: FloatArray, here: int, waiting: IntArray, order: IntArray) -> None:
    """Put `here` and then always the nearest record still waiting into `order` (OUT)."""
    count = len(waiting)
    for i in range(count):
        if waiting[i] == here:
            waiting[i] = waiting[count - 1]
            break
    order[0] = here
    for step in range(1, count):
        best, best_squares = -1, np.inf
        for i in range(count - step):
            squares = 0.0
            for j in range(X.shape[1]):
                difference = X[waiting[i], j] - X[order[step - 1], j]
                squares += difference * difference
            if squares < best_squares or (squares == best_squares and waiting[i] < waiting[best]):
                best, best_squares = i, squares
        order[step] = waiting[best]
        waiting[best] = waiting[count - step - 1]
