"""Part a few neighbouring groups anew in the best way of all, to see what a solution leaves to be gained by that."""

from itertools import combinations
from typing import NamedTuple

import numba
import numpy as np

from microagg.model.arrays import FloatArray, IntArray

_NEAR = 8  # groups around each
_MOST = 14  # records: 2^14 sets of them


class Left(NamedTuple):
    """Say what a solution leaves to be gained."""

    tried: int  # sets of groups
    improved: int  # of these, parted better
    most: float  # that one of them gains, in percent of the total


def left(X: FloatArray, labels: IntArray, k: int, together: int) -> Left:
    """Part every few neighbouring groups anew, each set of them for itself."""
    groups = [np.flatnonzero(labels == group) for group in range(labels.max() + 1)]
    centroids = np.array([X[group].mean(axis=0) for group in groups])
    sses = np.array([np.square(X[group] - X[group].mean(axis=0)).sum() for group in groups])
    squares = np.square(centroids[:, None] - centroids).sum(axis=2)
    near = np.argsort(squares, axis=1)[:, 1 : 1 + _NEAR]
    sets = {
        tuple(sorted((g, *map(int, others))))
        for g in range(len(groups))
        for others in combinations(near[g], together - 1)
    }
    unions = [(np.concatenate([groups[g] for g in several]), sses[list(several)].sum()) for several in sorted(sets)]
    unions = [(records, sse) for records, sse in unions if len(records) <= _MOST]
    gains = np.array([sse - least_sse(X[records], k) for records, sse in unions])
    total = np.square(X - X.mean(axis=0)).sum()
    return Left(len(unions), int(np.count_nonzero(gains > 1e-9 * total)), 100 * max(0.0, float(gains.max())) / total)


@numba.njit(cache=True)
def least_sse(X: FloatArray, k: int) -> float:
    """Give the sse of the best partition, by dynamic programming over all sets of records: O(3^n)."""
    n, every = len(X), 2 ** len(X)
    sizes, sses, least = np.zeros(every, dtype=np.int64), np.full(every, np.inf), np.full(every, np.inf)
    least[0] = 0.0
    for one in range(1, every):
        sizes[one] = sizes[one & (one - 1)] + 1
        if k <= sizes[one] < 2 * k:
            members = X[np.array([one >> i & 1 == 1 for i in range(n)])]
            sses[one] = np.square(members - members.sum(axis=0) / sizes[one]).sum()
    for one in range(1, every):
        first = one & -one
        rest = others = one ^ first
        while sizes[one] >= k:
            group = others | first
            least[one] = min(least[one], sses[group] + least[one ^ group])
            if others == 0:
                break
            others = (others - 1) & rest
    return float(least[-1])
