"""The oracle of neighbour lists: all distances, sorted."""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray


def neighbours(X: FloatArray, n_neighbours: int) -> IntArray:
    """List the nearest others of each record, by distance, then index; the distances are summed column by column."""
    squares = np.zeros((len(X), len(X)))
    for column in X.T:
        squares += (column[:, None] - column) ** 2
    order = np.argsort(squares, axis=1, kind="stable")
    others = order[order != np.arange(len(X))[:, None]]
    lists: IntArray = others.reshape(len(X), -1)[:, :n_neighbours]
    return lists


def recall(lists: IntArray, exact: IntArray) -> float:
    """Return the share of the exact neighbours that are in the lists."""
    found = [len(np.intersect1d(row, true)) for row, true in zip(lists, exact, strict=True)]
    return sum(found) / exact.size
