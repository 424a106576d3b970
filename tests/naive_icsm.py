"""Slow and obvious versions of the switches of ICSM."""

import itertools

import numpy as np

import naive
from microagg.model.arrays import FloatArray, IntArray


def changes_in_both_orders(X: FloatArray, labels: IntArray, k: int) -> list[tuple[float, int, int]]:
    """List (change, record, other) of what gains, an exchange once for each of its records: algorithm 3, line 6."""
    once = naive.changes_that_gain(X, labels, k)
    again = [(change, other, record) for change, record, other in once if other < len(X)]
    return sorted([*once, *again], key=lambda found: found[1:])


def first_cycle(X: FloatArray, labels: IntArray, k: int, source: int) -> float:
    """Compute the change of the first cycle through a group that gains, over all cycles: algorithm 4, lines 8 to 16."""
    n = len(X)
    n_groups = labels.max() + 1
    centroids = np.array([X[labels == group].mean(axis=0) for group in range(n_groups)])
    away = naive.squares(centroids, centroids[source])
    away[source] = -1.0
    order = np.argsort(away, kind="stable").tolist()
    nodes = [[*np.flatnonzero(labels == group).tolist(), n + group] for group in order]
    for start in nodes[0]:
        for rank in range(1, n_groups):
            for end in nodes[rank]:
                least = min(_change(X, labels, k, [start, *path, end]) for path in _paths(nodes[1:rank]))
                if least < -1e-9:
                    return least
    return 0.0


def _paths(nodes: list[list[int]]) -> list[list[int]]:
    """List every choice of at most one node of each group, in their order."""
    choices = itertools.product(*([None, *group] for group in nodes))
    return [[node for node in choice if node is not None] for choice in choices]


def _change(X: FloatArray, labels: IntArray, k: int, cycle: list[int]) -> float:
    """Compute the change of the sse by a cycle, from the sse itself; inf if it is not allowed."""
    n = len(X)
    following = [*cycle[1:], cycle[0]]
    if any(node >= n and after >= n for node, after in zip(cycle, following, strict=True)):
        return np.inf
    new = labels.copy()
    for node, after in zip(cycle, following, strict=True):
        if node < n:
            new[node] = labels[after] if after < n else after - n
    sizes = np.bincount(new, minlength=labels.max() + 1)
    if sizes.min() < k or sizes.max() > 2 * k - 1:
        return np.inf
    return naive.sse(X, new) - naive.sse(X, labels)
