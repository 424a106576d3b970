"""Put records in an order along which neighbours are near."""

from collections.abc import Callable

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
    blocks = pack(X)
    return _walk_from(X, blocks, labels, sizes, int(blocks.records[farthest_from_centroid(blocks, len(X))]), tick)


def _walk_from(
    X: FloatArray, blocks: Blocks, labels: IntArray, sizes: IntArray, here: int, tick: Callable[[float], None]
) -> IntArray:
    n, d = X.shape
    members = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    order, done = np.empty(n, dtype=np.int64), 0
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        size = int(sizes[labels[here]])
        if size > _BIG:  # as a walk of its own, which can be left
            part = members[starts[labels[here]] : starts[labels[here] + 1]]
            single = np.ones(size, dtype=np.int64)
            first = int(np.searchsorted(part, here))
            order[done : done + size] = part[_walk_from(X[part], pack(X[part]), np.arange(size), single, first, tick)]
            done, here = _leave(blocks, X, order, done, done + size)
        else:
            groups = max(1, int(WORK / ((n - done + size**2) * (d + 4))))
            done, here = _walk_on(blocks, X, labels, members, starts, order, done, here, groups)
    return order


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
    n, d = X.shape
    bounds = np.append(starts, n)
    labels = np.empty(n, dtype=np.int64)
    labels[order] = np.repeat(np.arange(len(starts)), np.diff(bounds))
    blocks, walk, done = pack(X), np.empty(n, dtype=np.int64), 0
    here = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmin())
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        groups = max(1, int(WORK / ((n - done) * (d + 4))))
        done, here = _walk_back(blocks, X, labels, order, bounds, walk, done, here, groups)
    return walk


@kernel
def _walk_back(
    blocks: Blocks,
    X: FloatArray,
    labels: IntArray,
    order: IntArray,
    bounds: IntArray,
    walk: IntArray,
    done: int,
    here: int,
    groups: int,
) -> tuple[int, int]:
    """Walk through some groups, the first one that of the record `here`; `blocks` and `walk` are IN/OUT.

    Returns
    -------
    done, here : int
        How many records are in order, and a record of the next group.
    """
    for _ in range(groups):
        members = order[bounds[labels[here]] : bounds[labels[here] + 1]][::-1]
        squares = np.empty(len(members))
        for i in range(len(members)):
            squares[i] = ((X[members[i]] - X[members[0]]) ** 2).sum()
        first = done
        for i in np.argsort(squares, kind="mergesort"):
            walk[done] = members[i]
            done += 1
        done, here = _leave(blocks, X, walk, first, done)
        if done == len(walk):
            break
    return done, here


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
    groups: int,
) -> tuple[int, int]:
    """Walk through some groups, from the record `here`; `blocks` and `order` are IN/OUT.

    Returns
    -------
    done, here : int
        How many records are in order, and the next one.
    """
    for _ in range(groups):
        group = labels[here]
        if starts[group + 1] - starts[group] > _BIG:
            break
        first = done
        done = _walk(X, here, members[starts[group] : starts[group + 1]].copy(), order, done)
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
def _walk(X: FloatArray, here: int, waiting: IntArray, order: IntArray, done: int) -> int:
    """Append `here` and then always the nearest record still waiting to `order` (OUT)."""
    count = len(waiting)
    for i in range(count):
        if waiting[i] == here:
            waiting[i] = waiting[count - 1]
            break
    order[done] = here
    for rest in range(count - 1, 0, -1):
        best, best_squares = -1, np.inf
        for i in range(rest):
            squares = 0.0
            for j in range(X.shape[1]):
                difference = X[waiting[i], j] - X[order[done], j]
                squares += difference * difference
            if squares < best_squares or (squares == best_squares and waiting[i] < waiting[best]):
                best, best_squares = i, squares
        done += 1
        order[done] = waiting[best]
        waiting[best] = waiting[rest - 1]
    return done + 1
