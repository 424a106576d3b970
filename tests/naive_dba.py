"""The oracle of DBA: slow and obvious versions of its two phases."""

import numpy as np

import naive
from microagg.model.arrays import FloatArray, IntArray


def first_phase(X: FloatArray, k: int, p: int = 0) -> IntArray:
    """Form groups around the records of lowest density p times, then around those of highest."""
    labels = np.full(len(X), -1)
    group = 0
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        neighbourhoods = [naive.nn(X, k, left, record) for record in left.tolist()]
        sses = [naive.sse(X[records], np.zeros(k)) for records in neighbourhoods]
        chosen = int(np.argmax(sses) if group < p else np.argmin(sses))
        labels[neighbourhoods[chosen]] = group
        group += 1
    naive.join_nearest(X, labels, np.flatnonzero(labels < 0))
    return labels


def second_phase(X: FloatArray, k: int, labels: IntArray) -> IntArray:
    """Decompose each group whose records lose less in their nearest groups, by falling sse; split large groups."""
    labels = labels.copy()
    sses = {group: naive.sse(X[labels == group], np.zeros((labels == group).sum())) for group in np.unique(labels)}
    for group in sorted(sses, key=lambda group: -sses[group]):
        others = [other for other in np.unique(labels) if other != group]
        if not others:
            continue
        centroids = np.array([X[labels == other].mean(axis=0) for other in others])
        decomposed = labels.copy()
        for record in np.flatnonzero(labels == group):
            decomposed[record] = others[int(naive.squares(centroids, X[record]).argmin())]
        if naive.sse(X, decomposed) < naive.sse(X, labels):
            labels = decomposed
    for group in np.unique(labels):
        records = np.flatnonzero(labels == group)
        if len(records) >= 2 * k:
            labels[records] = labels.max() + 1 + naive.mdav(X[records], k)
    return labels
