"""Put records in an order along which neighbours are near."""

from collections.abc import Callable

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.kernels._jit import WORK, kernel
from microagg.kernels.blocks import Blocks, farthest_from_centroid, nearest, pack, remove


def group_by_group(
    X: FloatArray, labels: IntArray, sizes: IntArray, tick: Callable[[float], None] = lambda done: None
) -> IntArray:
    """Walk through the groups: nearest record next within a group, then to the nearest record left.

    Starts at the record farthest from the centroid of all. Ties go to the lowest index. O(n²·d/k + n·k·d).

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
    n, d = X.shape
    members = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    blocks, order = pack(X), np.empty(n, dtype=np.int64)
    done, here = 0, int(blocks.records[farthest_from_centroid(blocks, n)])
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        groups = max(1, int(WORK / ((n - done) * d)))
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
        groups = max(1, int(WORK / ((n - done) * d)))
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
    n = len(order)
    place = np.empty(1, dtype=np.int64)
    distance = np.empty(1, dtype=np.int64)
    for _ in range(groups):
        members = order[bounds[labels[here]] : bounds[labels[here] + 1]][::-1]
        squares = np.empty(len(members))
        places = np.empty(len(members), dtype=np.int64)
        for i in range(len(members)):
            squares[i] = ((X[members[i]] - X[members[0]]) ** 2).sum()
            places[i] = blocks.places[members[i]]
        remove(blocks, n - done, places)
        for i in np.argsort(squares, kind="mergesort"):
            walk[done] = members[i]
            done += 1
        if done == n:
            break
        nearest(blocks, n - done, X[walk[done - 1]], place, distance)
        here = blocks.records[place[0]]
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
    n = len(order)
    places = np.empty(1, dtype=np.int64)
    distances = np.empty(1, dtype=np.int64)
    for _ in range(groups):
        group = labels[here]
        first = done
        done = _walk(X, here, members[starts[group] : starts[group + 1]].copy(), order, done)
        for step in range(first, done):
            places[0] = blocks.places[order[step]]
            remove(blocks, n - step, places)
        if done == n:
            break
        nearest(blocks, n - done, X[order[done - 1]], places, distances)
        here = blocks.records[places[0]]
    return done, here


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
