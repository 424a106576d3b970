"""Optimal repartition of a few neighbouring groups: what a solution could still gain by it."""

from itertools import combinations
from typing import NamedTuple

import numba
import numpy as np

from microagg.model.arrays import FloatArray, IntArray

_N_NEIGHBOURS = 8  # groups around each group
_MAX_RECORDS = 14  # of a set of groups: dynamic programming goes through 2^14 sets of records


class RemainingGain(NamedTuple):
    """Gain that optimal repartition of sets of neighbouring groups would still bring.

    Parameters
    ----------
    tried
        The number of sets.
    improved
        The number of sets that have a better partition.
    largest
        The largest gain of one set, in percent of the total squares.
    """

    tried: int
    improved: int
    largest: float


def remaining_gain(X: FloatArray, labels: IntArray, k: int, n_together: int) -> RemainingGain:
    """Repartition every set of `n_together` neighbouring groups optimally, each set on its own."""
    groups = [np.flatnonzero(labels == group) for group in range(labels.max() + 1)]
    centroids = np.array([X[group].mean(axis=0) for group in groups])
    sses = np.array([np.square(X[group] - X[group].mean(axis=0)).sum() for group in groups])
    squares = np.square(centroids[:, None] - centroids).sum(axis=2)
    neighbours = np.argsort(squares, axis=1)[:, 1 : 1 + _N_NEIGHBOURS]
    sets = {
        tuple(sorted((g, *map(int, others))))
        for g in range(len(groups))
        for others in combinations(neighbours[g], n_together - 1)
    }
    unions = [(np.concatenate([groups[g] for g in several]), sses[list(several)].sum()) for several in sorted(sets)]
    unions = [(records, sse) for records, sse in unions if len(records) <= _MAX_RECORDS]
    gains = np.array([sse - least_sse(X[records], k) for records, sse in unions])
    total = np.square(X - X.mean(axis=0)).sum()
    improved = int(np.count_nonzero(gains > 1e-9 * total))
    return RemainingGain(len(unions), improved, 100 * max(0.0, float(gains.max())) / total)


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def least_sse(X: FloatArray, k: int) -> float:
    """Return the sse of the best partition, by dynamic programming over all sets of records: O(3^n)."""
    n = len(X)
    n_subsets = 2**n  # a set of records is a number, whose bits are its members
    sizes = np.zeros(n_subsets, dtype=np.int64)
    sses = np.full(n_subsets, np.inf)
    least = np.full(n_subsets, np.inf)
    least[0] = 0.0
    for subset in range(1, n_subsets):
        sizes[subset] = sizes[subset & (subset - 1)] + 1
        if k <= sizes[subset] < 2 * k:
            members = X[np.array([subset >> i & 1 == 1 for i in range(n)])]
            sses[subset] = np.square(members - members.sum(axis=0) / sizes[subset]).sum()
    for subset in range(1, n_subsets):
        first = subset & -subset  # its group holds some of the others
        rest = others = subset ^ first
        while sizes[subset] >= k:
            group = others | first
            least[subset] = min(least[subset], sses[group] + least[subset ^ group])
            if others == 0:
                break
            others = (others - 1) & rest
    return float(least[-1])
