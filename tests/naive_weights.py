"""The oracle of weights: slow and obvious versions of what kernels do with weighted records."""

from collections.abc import Iterator

import numpy as np

import naive
from microagg.model.arrays import FloatArray, IntArray


def centroid(X: FloatArray, weights: FloatArray) -> FloatArray:
    """Compute the weighted mean of records."""
    mean: FloatArray = np.average(X, axis=0, weights=weights)
    return mean


def group_sse(X: FloatArray, weights: FloatArray) -> float:
    """Compute the weighted squares of one group."""
    return float((weights * ((X - centroid(X, weights)) ** 2).sum(axis=1)).sum())


def sse(X: FloatArray, labels: naive.Labels, weights: FloatArray) -> float:
    """Compute the weighted squares within the groups."""
    return sum(group_sse(X[labels == group], weights[labels == group]) for group in np.unique(labels))


def best_sse(X: FloatArray, k: int, weights: FloatArray) -> float:
    """Compute the optimum by brute force over all partitions."""
    return min(
        sum(group_sse(X[group], weights[group]) for group in groups)
        for groups in naive.partitions(list(range(len(X))), k)
    )


def best_change(X: FloatArray, labels: IntArray, k: int, weights: FloatArray) -> float:
    """Compute the sse after the best move or swap of records by trying all; groups keep k to 2k − 1 records."""
    return min((sse(X, changed, weights) for changed in _changes(labels, k)), default=np.inf)


def _changes(labels: IntArray, k: int) -> Iterator[IntArray]:
    sizes = np.bincount(labels)
    for i in range(len(labels)):
        for group in np.flatnonzero(sizes):
            if group != labels[i] and sizes[labels[i]] > k and sizes[group] < 2 * k - 1:
                changed = labels.copy()
                changed[i] = group
                yield changed
        for j in range(i):
            if labels[i] != labels[j]:
                changed = labels.copy()
                changed[i], changed[j] = labels[j], labels[i]
                yield changed


def cut_path(X: FloatArray, order: IntArray, k: int, weights: FloatArray) -> float:
    """Compute the least weighted sse of cutting an order into runs of k to 2k − 1."""
    n = len(X)
    best = [0.0] + [np.inf] * n
    for end in range(k, n + 1):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            group = order[start:end]
            best[end] = min(best[end], best[start] + group_sse(X[group], weights[group]))
    return best[n]


def mdav(X: FloatArray, k: int, weights: FloatArray) -> IntArray:
    """Group by the maximum distance to the weighted average vector."""
    labels = np.full(len(X), -1)
    group = 0
    for record in _first_mdav(X, k, weights, labels):
        labels[naive.nn(X, k, np.flatnonzero(labels < 0), record)] = group
        group += 1
    left = np.flatnonzero(labels < 0)
    if len(left) >= k:
        labels[left] = group
        return labels
    centroids = [centroid(X[labels == one], weights[labels == one]) for one in range(group)]
    for one in left:
        labels[one] = np.argmin([((X[one] - centre) ** 2).sum() for centre in centroids])
    return labels


def _first_mdav(X: FloatArray, k: int, weights: FloatArray, labels: IntArray) -> Iterator[int]:
    while (labels < 0).sum() >= 2 * k:
        left = np.flatnonzero(labels < 0)
        r = left[naive.squares(X[left], centroid(X[left], weights[left])).argmax()]
        yield r
        left = np.flatnonzero(labels < 0)
        yield left[naive.squares(X[left], X[r]).argmax()]
