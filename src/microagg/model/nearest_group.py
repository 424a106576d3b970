"""Leftover records join the groups that are nearest."""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray


def join_nearest(X: FloatArray, labels: IntArray, rest: IntArray, weights: FloatArray | None = None) -> None:
    """Label each record of `rest` (OUT in `labels`) with the group of the nearest centroid, weighted or not.

    The centroids stay what they were without `rest`. Ties go to the group made first.
    """
    if not len(rest):
        return
    grouped = np.flatnonzero(labels >= 0)
    columns = X[grouped].T if weights is None else X[grouped].T * weights[grouped]
    totals = np.bincount(labels[grouped], weights=None if weights is None else weights[grouped])
    sums = [np.bincount(labels[grouped], weights=column) for column in columns]
    centroids = np.column_stack(sums) / totals[:, None]
    for record in rest:
        labels[record] = np.square(centroids - X[record]).sum(axis=1).argmin()
