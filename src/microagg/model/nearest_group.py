"""Leftover records join the groups that are nearest."""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray


def join_nearest(X: FloatArray, labels: IntArray, rest: IntArray) -> None:
    """Label each record of `rest` (OUT in `labels`) with the group of the nearest centroid.

    The centroids stay what they were without `rest`. Ties go to the group made first.
    """
    if not len(rest):
        return
    grouped = np.flatnonzero(labels >= 0)
    sizes = np.bincount(labels[grouped])
    sums = [np.bincount(labels[grouped], weights=column) for column in X[grouped].T]
    centroids = np.column_stack(sums) / sizes[:, None]
    for record in rest:
        labels[record] = np.square(centroids - X[record]).sum(axis=1).argmin()
