"""Boxes around runs of records that are near each other, by which a search can skip most of them."""

from typing import NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray

BOX = 64  # records in a box; the last one may have fewer


class RecordBoxes(NamedTuple):
    """Records in an order in which those near each other follow each other, and the boxes of runs of them."""

    order: IntArray  # (n,)
    low: FloatArray  # (n_boxes, d) least coordinates of the records BOX·i … BOX·(i + 1) − 1 of the order
    high: FloatArray  # (n_boxes, d) greatest ones


def make_boxes(X: FloatArray) -> RecordBoxes:
    """Order the records, and compute the box of each run: O(n·log n·d)."""
    order = split_order(X, BOX)
    starts = np.arange(0, len(X), BOX)
    points = X[order]
    return RecordBoxes(order, np.minimum.reduceat(points, starts, axis=0), np.maximum.reduceat(points, starts, axis=0))


def split_order(X: FloatArray, run: int) -> IntArray:
    """Order the records by halves along the column of the largest variance, down to runs: O(n·log n·d).

    All runs but the last have `run` records, and so has each half a multiple of that. Inside a run, records stand by
    index. Ties go to the lowest index.
    """
    order = np.arange(len(X))
    parts = [(0, len(X))]
    while parts:
        first, last = parts.pop()
        inside = order[first:last]
        if last - first <= run:
            inside.sort()
            continue
        points = X[inside]
        half = -(-len(inside) // run) // 2 * run
        along = points[:, points.var(axis=0).argmax()]
        order[first:last] = inside[np.lexsort((inside, along))]
        parts += [(first, first + half), (first + half, last)]
    return order
