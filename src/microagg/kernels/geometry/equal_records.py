"""Distinct points of a data set: in data with many ties, such as codes, equal records are treated as one point."""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray


def distinct_points(X: FloatArray) -> tuple[IntArray, IntArray]:
    """Find the distinct rows of X, numbered in the order of their first records: O(n·d + n·log n).

    Returns
    -------
    point_of : ndarray of shape (n,)
        The number of each record's point.
    firsts : ndarray of shape (n_points,)
        The lowest record at each point.
    """
    keys = (X * np.sqrt(np.arange(2, X.shape[1] + 2))).sum(axis=1)  # equal for equal records, rarely for others
    order = np.argsort(keys, kind="stable")
    differ = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    if (differ & (keys[order[1:]] == keys[order[:-1]])).any():  # a collision of keys: sort by every column
        order = np.lexsort(X.T)
        differ = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    starts = np.append(True, differ)
    firsts = order[starts]
    rank = np.empty(len(firsts), dtype=np.int64)
    rank[np.argsort(firsts)] = np.arange(len(firsts))
    point_of = np.empty(len(X), dtype=np.int64)
    point_of[order] = rank[np.cumsum(starts) - 1]
    return point_of, np.sort(firsts)
