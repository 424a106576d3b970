"""Medoids: the record of each group that is nearest to its mean."""

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray


def group_medoids(labels: IntArray, losses: FloatArray, missing: BoolArray | None = None) -> IntArray:
    """Return the medoid of each group.

    Parameters
    ----------
    labels
        Group of each record, of shape (n,).
    losses
        Squared distance of each record from the mean of its group, of shape (n,).
    missing
        Which values of each record are missing, of shape (n, columns): records that lack fewer go first.

    Returns
    -------
    ndarray of shape (n_groups,)
        Index of the record; ties go to the lowest.
    """
    lacking = np.zeros(len(labels), dtype=np.int64) if missing is None else missing.sum(axis=1)
    order = np.lexsort((losses, lacking, labels))
    return np.asarray(order[np.flatnonzero(np.diff(labels[order], prepend=-1))])
