"""Pricing of groups of one size as in the column generation paper [1], section 5.1: greedy growth and enumeration."""

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import BoolArray, FloatArray, IntArray


@kernel
def grow_groups(squares: FloatArray, duals: FloatArray, size: int, cutoff: float) -> IntArray:
    """Grow disjoint groups of low reduced cost greedily: SolveHeuristicPricing, O(n²·size).

    From the record of the highest dual that is left, the record of the least Σ d²/m − λ/(m − 1) is added again and
    again. If the reduced cost of the group is below the cutoff, its records are taken; else only its first record is.

    Parameters
    ----------
    squares
        IN: squared distances, of shape (n, n).
    duals
        IN: λ, of shape (n,).

    Returns
    -------
    ndarray of shape (any number, size)
    """
    n = len(duals)
    groups = np.empty((n // size, size), dtype=np.int64)
    found = 0
    taken = np.zeros(n, dtype=np.bool_)
    left = n
    for first in np.argsort(-duals, kind="mergesort"):
        if taken[first]:
            continue
        if left < size:
            break
        taken[first] = True  # [1] 3 (a)
        left -= 1
        cost = _grow_group(squares, duals, first, taken, groups[found])
        if cost < cutoff:  # [1] 3 (d)
            taken[groups[found]] = True
            left -= size - 1
            found += 1
            if found == len(groups):
                break
    return groups[:found]


@inner_kernel
def _grow_group(squares: FloatArray, duals: FloatArray, first: int, taken: BoolArray, group: IntArray) -> float:
    """Grow one group (OUT) from its first record among those that are not taken; return its reduced cost."""
    size = len(group)
    excluded = taken.copy()
    distances = squares[first].copy()
    group[0] = first
    cost: float = -duals[first]
    for place in range(1, size):  # [1] 3 (c)
        best = -1
        least = np.inf
        for record in range(len(duals)):
            score = distances[record] / size - duals[record] / (size - 1)
            if not excluded[record] and score < least:
                best = record
                least = score
        group[place] = best
        excluded[best] = True
        cost += distances[best] / size - duals[best]
        distances += squares[best]
    return cost


@kernel
def enumerate_groups(
    squares: FloatArray, duals: FloatArray, root: int, cancelled: BoolArray, members: IntArray, costs: FloatArray
) -> None:
    """Enumerate the groups of one size whose lowest record is the root: SolveCompleteEnumeration, O(n^(m − 1)/m!).

    Parameters
    ----------
    squares
        IN: squared distances, of shape (n, n).
    duals
        IN: λ, of shape (n,).
    cancelled
        IN, of shape (1,): set by another thread to end the enumeration.
    members, costs
        OUT, at the root: the cheapest group, of shape (n, size), and its reduced cost, of shape (n,); inf where there
        is none.
    """
    n, size = members.shape
    path = np.full(size, -1, dtype=np.int64)
    path[0] = root
    distances = np.empty((size, n))  # of every record from the first ones of the path, added up
    distances[0] = squares[root]
    bases = np.empty(size)  # reduced cost of the first ones of the path
    bases[0] = -duals[root]
    following = np.zeros(size, dtype=np.int64)
    following[0] = root + 1
    costs[root] = np.inf
    level = 0
    while level >= 0:
        record = following[level]
        if level == size - 2:
            for last in range(record, n):
                cost = bases[level] + distances[level, last] / size - duals[last]
                if cost < costs[root]:
                    path[size - 1] = last
                    costs[root] = cost
                    members[root] = path
            level -= 1
            continue
        if record > n - size + level + 1 or cancelled[0]:
            level -= 1
            continue
        following[level] += 1
        bases[level + 1] = bases[level] + distances[level, record] / size - duals[record]
        level += 1
        path[level] = record
        following[level] = record + 1
        for other in range(record + 1, n):
            distances[level, other] = distances[level - 1, other] + squares[record, other]
