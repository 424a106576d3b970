"""Find equal records: in data with many ties, such as codes, they are one point to be looked at once."""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray


def points_of(X: FloatArray) -> tuple[IntArray, IntArray]:
    """Find the points at which records stand, numbered in the order of their first records: O(n·d + n·log n).

    Returns
    -------
    point_of : ndarray of shape (n,)
        The point of each record.
    firsts : ndarray of shape (n_points,)
        The first record at each.
    """
    keys = (X * np.sqrt(np.arange(2, X.shape[1] + 2))).sum(axis=1)  # the same for equal records, hardly for others
    order = np.argsort(keys, kind="stable")
    differ = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    if (differ & (keys[order[1:]] == keys[order[:-1]])).any():  # for others too: sort by every column
        order = np.lexsort(X.T)
        differ = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    starts = np.append(True, differ)
    firsts = order[starts]
    rank = np.empty(len(firsts), dtype=np.int64)
    rank[np.argsort(firsts)] = np.arange(len(firsts))
    point_of = np.empty(len(X), dtype=np.int64)
    point_of[order] = rank[np.cumsum(starts) - 1]
    return point_of, np.sort(firsts)
