"""The oracle of ONA: a slow and obvious version of one round."""

import numpy as np

import naive
from microagg.model.arrays import FloatArray, IntArray


def ona_round(X: FloatArray, k: int, labels: IntArray) -> IntArray:
    """Move records out of groups above k, dissolve groups, and split large ones."""
    labels = labels.copy()
    for group in range(labels.max() + 1):
        while (labels == group).sum() > k and _move_out(X, labels, group):
            pass
    return naive.igd_round(X, k, labels, moved=True, shrinks=False)


def _move_out(X: FloatArray, labels: IntArray, group: int) -> bool:
    """Move the record of a group that gains most to its nearest other group (OUT in `labels`), if any gains."""
    others = [other for other in np.unique(labels) if other != group]
    if not others:
        return False
    centroids = np.array([X[labels == other].mean(axis=0) for other in others])
    best = labels
    for record in np.flatnonzero(labels == group):
        moved = labels.copy()
        moved[record] = others[int(naive.squares(centroids, X[record]).argmin())]
        if naive.sse(X, moved) < naive.sse(X, best):
            best = moved
    gains = best is not labels
    labels[:] = best
    return gains
