"""Put records in an order along which neighbours are near."""

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.kernels._jit import kernel
from microagg.kernels.blocks import Blocks, farthest_from_centroid, nearest, remove


@kernel
def group_by_group(blocks: Blocks, X: FloatArray, labels: IntArray, members: IntArray, starts: IntArray) -> IntArray:
    """Walk through the groups: nearest record next within a group, then to the nearest record left.

    Starts at the record farthest from the centroid of all. O(n²·d/k + n·k·d).

    Parameters
    ----------
    blocks
        IN/OUT: all records; none are left at the end.
    labels
        The group of each record, of shape (n,).
    members, starts
        The records sorted by group, and where each group starts among them; starts has one entry more.
    """
    n = len(X)
    order = np.empty(n, dtype=np.int64)
    place_of = np.arange(n)
    places = np.empty(1, dtype=np.int64)
    distances = np.empty(1, dtype=np.int64)
    left, done = n, 0
    here = blocks.records[farthest_from_centroid(blocks, left)]
    while True:
        group = labels[here]
        waiting = members[starts[group] : starts[group + 1]].copy()
        first = done
        done = _walk(X, here, waiting, order, done)
        for step in range(first, done):
            place = place_of[order[step]]
            places[0] = place
            left = remove(blocks, left, places)
            if left > place:
                place_of[blocks.records[place]] = place
        if left == 0:
            return order
        nearest(blocks, left, X[order[done - 1]], places, distances)
        here = blocks.records[places[0]]


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
