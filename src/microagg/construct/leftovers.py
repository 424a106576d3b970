"""Leftovers: the last records, which a constructor has not grouped."""

import numpy as np

from microagg.model.arrays import FloatArray, IntArray


def place_leftovers(X: FloatArray, labels: IntArray, leftovers: IntArray, k: int) -> None:
    """Label k or more leftovers as one more group, or fewer as members of the nearest groups (OUT in `labels`)."""
    if len(leftovers) >= k:
        labels[leftovers] = labels.max() + 1
    else:
        join_nearest(X, labels, leftovers)


def join_nearest(X: FloatArray, labels: IntArray, leftovers: IntArray) -> None:
    """Label each leftover (OUT in `labels`) with the group of the nearest centroid.

    The centroids are those without leftovers. Ties go to the group made first.
    """
    if not len(leftovers):
        return
    grouped = np.flatnonzero(labels >= 0)
    sizes = np.bincount(labels[grouped])
    sums = [np.bincount(labels[grouped], weights=column) for column in X[grouped].T]
    centroids = np.column_stack(sums) / sizes[:, None]
    for record in leftovers:
        labels[record] = np.square(centroids - X[record]).sum(axis=1).argmin()
