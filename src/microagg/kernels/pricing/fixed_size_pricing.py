"""Price groups of one size as the column generation paper [1], section 5.1, does: grow them, or try them all."""

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import BoolArray, FloatArray, IntArray


@kernel
def grow_groups(squares: FloatArray, duals: FloatArray, size: int, ceiling: float) -> IntArray:
    """Grow groups of low reduced cost, no two of which share a record: SolveHeuristicPricing, O(n²·size).

    From the record of the highest dual that is left, add the one with the least Σ d²/η − λ/(η − 1) again and again.
    Where the group's reduced cost is below the ceiling, its records are taken; else its first one is passed over.

    Returns
    -------
    ndarray of shape (any number, size)
    """
    n = len(duals)
    distances, groups, found = np.empty(n), np.empty((n // size, size), dtype=np.int64), 0
    taken, left = np.zeros(n, dtype=np.bool_), n
    for first in np.argsort(-duals, kind="mergesort"):
        if taken[first]:
            continue
        if left < size:
            break
        group, inside = groups[found], taken.copy()
        taken[first] = inside[first] = True  # [1] 3 (a)
        left -= 1
        group[0], cost = first, -duals[first]
        distances[:] = squares[first]
        for place in range(1, size):  # [1] 3 (c)
            best, least = -1, np.inf
            for record in range(n):
                score = distances[record] / size - duals[record] / (size - 1)
                if not inside[record] and score < least:
                    best, least = record, score
            group[place], inside[best] = best, True
            cost += distances[best] / size - duals[best]
            distances += squares[best]
        if cost < ceiling:  # [1] 3 (d)
            taken[group] = True
            left, found = left - size + 1, found + 1
            if found == len(groups):
                break
    return groups[:found]


@kernel
def try_all(
    squares: FloatArray, duals: FloatArray, root: int, told: BoolArray, members: IntArray, costs: FloatArray
) -> None:
    """Try every group of one size whose lowest record is the root: SolveCompleteEnumeration, O(n^(size − 1)/size!).

    Parameters
    ----------
    told
        Of shape (1,): set it to end the trying, from another thread.
    members, costs
        OUT, at the root: the cheapest group, of shape (n, size), and its reduced cost, of shape (n,); inf where there
        is none.
    """
    n, size = members.shape
    distances, bases = np.empty((size, n)), np.empty(size)
    path = np.full(size, -1, dtype=np.int64)
    path[0], bases[0], costs[root] = root, -duals[root], np.inf
    distances[0] = squares[root]
    level, nexts = 0, np.zeros(size, dtype=np.int64)
    nexts[0] = root + 1
    while level >= 0:
        if level == size - 2:
            for record in range(nexts[level], n):
                cost = bases[level] + distances[level, record] / size - duals[record]
                if cost < costs[root]:
                    path[size - 1], costs[root] = record, cost
                    members[root] = path
            level -= 1
            continue
        record = nexts[level]
        if record > n - size + level + 1 or told[0]:
            level -= 1
            continue
        nexts[level] += 1
        bases[level + 1] = bases[level] + distances[level, record] / size - duals[record]
        level += 1
        path[level], nexts[level] = record, record + 1
        for other in range(record + 1, n):
            distances[level, other] = distances[level - 1, other] + squares[record, other]
