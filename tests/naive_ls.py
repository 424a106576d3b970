"""The oracle of iterated local search: a slow and obvious version of dissolving and distilling."""

import numpy as np
from numpy.random import Generator

import naive
from microagg.model.arrays import FloatArray, IntArray


def change_number(X: FloatArray, k: int, labels: IntArray, rng: Generator, n_groups: int) -> IntArray:
    """Dissolve or distil groups of random records until there are `n_groups`."""
    labels = labels.copy()
    while len(np.unique(labels)) > n_groups:
        dissolve(X, k, labels, labels[int(rng.random() * len(X))])
    while len(np.unique(labels)) < n_groups:
        record = int(rng.random() * len(X))
        while (labels == labels[record]).sum() <= k:
            record = int(rng.random() * len(X))
        distil(X, k, labels, record)
    return labels


def dissolve(X: FloatArray, k: int, labels: IntArray, group: int) -> None:
    """Let each record of a group join the nearest group that has room (OUT in `labels`), the lowest record first."""
    for record in np.flatnonzero(labels == group):
        others = [other for other in np.unique(labels) if other != group and (labels == other).sum() < 2 * k - 1]
        centroids = np.array([X[labels == other].mean(axis=0) for other in others])
        labels[record] = others[int(naive.squares(centroids, X[record]).argmin())]


def distil(X: FloatArray, k: int, labels: IntArray, first: int) -> None:
    """Form a group of a record and the nearest ones of groups above k (OUT in `labels`)."""
    new = labels.max() + 1
    for record in np.argsort(naive.squares(X, X[first]), kind="stable"):
        if (labels == new).sum() < k < (labels == labels[record]).sum():
            labels[record] = new
