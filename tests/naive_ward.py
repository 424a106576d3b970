"""The oracle of k-Ward: every pair of groups is looked at before each join."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from microagg.model.arrays import FloatArray, IntArray

Cost = Callable[[FloatArray, list[int], list[int]], float]


def join_small_groups(X: FloatArray, groups: list[list[int]], k: int) -> list[list[int]]:
    """Join the cheapest pair of groups, one of them below k, until none is."""
    groups = sorted(sorted(group) for group in groups)
    while any(len(group) < k for group in groups):
        pairs = [(a, b) for a, b in combinations(groups, 2) if min(len(a), len(b)) < k]
        first, second = min(pairs, key=lambda pair: (ward_cost(X, *pair), pair))
        groups = sorted([group for group in groups if group not in (first, second)] + [sorted(first + second)])
    return groups


def k_ward(X: FloatArray, records: list[int], k: int) -> list[list[int]]:
    """Return the groups of some records; the first two are the ends of the order by the sum of z-scores."""
    if len(records) < 2 * k:
        return [records]
    order = [records[i] for i in np.argsort(_z_scores(X[records]), kind="stable")]
    joined = join_small_groups(X, [order[:k], order[-k:], *([record] for record in order[k:-k])], k)
    return [made for group in joined for made in k_ward(X, group, k)]


def _z_scores(X: FloatArray) -> FloatArray:
    """Compute the sum of the z-scores of each record."""
    sums: FloatArray = ((X - X.mean(axis=0)) / X.std(axis=0)).sum(axis=1)
    return sums


def merged_clusters(X: FloatArray, n_clusters: int, cost: Cost) -> IntArray:
    """Join the two clusters that cost least until some number of them is left; return the cluster of each record."""
    clusters = [[record] for record in range(len(X))]
    while len(clusters) > n_clusters:
        one, other = min(combinations(clusters, 2), key=lambda pair: cost(X, *pair))
        clusters = [cluster for cluster in clusters if cluster not in (one, other)] + [one + other]
    return np.array([next(i for i, cluster in enumerate(clusters) if record in cluster) for record in range(len(X))])


def shortest_edge(X: FloatArray, first: list[int], second: list[int]) -> float:
    """Compute the least squared distance between records of two clusters."""
    return float(min(((X[first] - X[record]) ** 2).sum(axis=1).min() for record in second))


def ward_cost(X: FloatArray, first: list[int], second: list[int]) -> float:
    """Compute what joining two groups adds to the sse."""
    difference = X[first].mean(axis=0) - X[second].mean(axis=0)
    return float((difference**2).sum() * len(first) * len(second) / (len(first) + len(second)))
