"""Slow and obvious versions of what pricing by lists of neighbours computes."""

from itertools import combinations

import numpy as np

from microagg.model.arrays import FloatArray, IntArray


def reduced_cost(X: FloatArray, duals: FloatArray, group: list[int]) -> float:
    """Return the sse of a group less the duals of its records."""
    members = X[group]
    return float(np.square(members - members.mean(axis=0)).sum() - duals[group].sum())


def lagrangian_bound(X: FloatArray, k: int, duals: FloatArray, ranks: IntArray) -> float:
    """Add to the duals the least reduced cost of each root, of as many roots as there may be groups."""
    n = len(X)
    least = np.zeros(n)
    for size in range(k, min(2 * k - 1, n) + 1):
        for group in combinations(range(n), size):
            members = list(group)
            root = members[int(np.argmin(ranks[members]))]
            least[root] = min(least[root], reduced_cost(X, duals, members))
    return float(duals.sum() + np.sort(least)[: n // k].sum())


def shares(X: FloatArray, pairs: list[tuple[int, int]], excess: FloatArray) -> FloatArray:
    """Return what each record bears of its squared distance to each other: half, and the excess of its pairs."""
    borne: FloatArray = np.square(X[:, None] - X).sum(axis=2) / 2
    for (one, other), more in zip(pairs, excess, strict=True):
        borne[one, other] += more
        borne[other, one] -= more
    return borne
