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
    blocks, place_of, order = pack(X), np.arange(n), np.empty(n, dtype=np.int64)
    done, here = 0, int(blocks.records[farthest_from_centroid(blocks, n)])
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        groups = max(1, int(WORK / ((n - done) * d)))
        done, here = _walk_on(blocks, X, labels, members, starts, place_of, order, done, here, groups)
    return order


@kernel
def _walk_on(
    blocks: Blocks,
    X: FloatArray,
    labels: IntArray,
    members: IntArray,
    starts: IntArray,
    place_of: IntArray,
    order: IntArray,
    done: int,
    here: int,
    groups: int,
) -> tuple[int, int]:
    """Walk through some groups, from the record `here`; `blocks`, `place_of` and `order` are IN/OUT.

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
            places[0] = place_of[order[step]]
            left = remove(blocks, n - step, places)
            if left > places[0]:
                place_of[blocks.records[places[0]]] = places[0]
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
