"""Groups joined by Ward's rule, the pair that adds the least to the sse first, until each has at least k records."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.grouping.union_find import find_root
from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_UNKNOWN = -1  # the partner of a group: the cost is a lower bound then


class WardGroups(NamedTuple):
    """Groups under way: each has the place of its first record; all arrays have a place for each record."""

    leaders: IntArray  # the group that a group has joined, itself if none
    sizes: IntArray  # 0 where there is no group
    centroids: FloatArray
    partners: IntArray  # the cheapest group to join, of groups below k
    costs: FloatArray  # what that adds to the sse; infinite for groups that need none


def join_small_groups(X: FloatArray, labels: IntArray, k: int, tick: Tick = no_tick) -> IntArray:
    """Join groups, never two of at least k records, until all records are in groups of at least k.

    Of all pairs of groups, at least one below k, the one that adds the least to the sse is joined; ties go to the
    lowest group, and among its partners to the smallest: else equal records would all join one group.

    Every group remembers its cheapest partner. A join makes no pair cheaper than the cheaper of the two before, so that
    a cost whose partner has changed is a lower bound, and is computed anew only when it is the least. O(n²·d), if few
    of them are.

    Parameters
    ----------
    X
        The records, of shape (n, d).
    labels
        The first groups, of shape (n,): the lowest record of the group of each record. One has at least k records.

    Returns
    -------
    ndarray of shape (n,)
        One record of each record's group, the same for all records of the group.
    """
    n, d = X.shape
    groups = WardGroups(
        labels.copy(), np.bincount(labels, minlength=n), np.empty((n, d)), np.full(n, _UNKNOWN), np.full(n, np.inf)
    )
    _find_centroids(X, groups)
    step = steps_per_tick(n * (d + 4))
    small = np.flatnonzero((groups.sizes > 0) & (groups.sizes < k))
    for first in range(0, len(small), step):
        tick(0.5 * first / len(small))
        _find_partners(groups, small[first : first + step])
    while (n_small := np.isfinite(groups.costs).sum()) > 0:
        tick(1 - 0.5 * n_small / len(small))
        _join_cheapest(groups, k, step)
    _find_leaders(groups.leaders)
    return groups.leaders


@kernel
def _find_centroids(X: FloatArray, groups: WardGroups) -> None:
    """Compute the centroids of the first groups (OUT): O(n·d)."""
    centroids = groups.centroids
    for record in range(len(X)):
        for column in range(X.shape[1]):
            centroids[record, column] = 0.0
    for record in range(len(X)):
        group = groups.leaders[record]
        for column in range(X.shape[1]):
            centroids[group, column] += X[record, column] / groups.sizes[group]


@kernel
def _find_partners(groups: WardGroups, small: IntArray) -> None:
    """Find the partners of some groups (OUT): O(n·d) each."""
    for group in small:
        _find_partner(groups, group)


@kernel
def _join_cheapest(groups: WardGroups, k: int, steps: int) -> None:
    """Join the cheapest pair, or find a partner that is no longer known, `steps` times (IN/OUT): O(n·d) each."""
    for _ in range(steps):
        group = _cheapest(groups.costs)
        if groups.costs[group] == np.inf:
            return
        if groups.partners[group] == _UNKNOWN:
            _find_partner(groups, group)
        else:
            _join(groups, group, groups.partners[group], k)


@inlined_kernel
def _cheapest(costs: FloatArray) -> int:
    """Find the first of the groups with the least cost: O(n)."""
    best = 0
    for group in range(len(costs)):
        if costs[group] < costs[best]:
            best = group
    return best


@inner_kernel
def _find_partner(groups: WardGroups, group: int) -> None:
    """Find the cheapest partner of a group among all others (OUT): O(n·d)."""
    partner = _UNKNOWN
    least = np.inf
    for other in range(len(groups.sizes)):
        if other != group and groups.sizes[other] > 0:
            cost = _ward_cost(groups, group, other)
            if cost < least or (cost == least and groups.sizes[other] < groups.sizes[partner]):
                least = cost
                partner = other
    groups.partners[group] = partner
    groups.costs[group] = least


@inner_kernel
def _join(groups: WardGroups, group: int, partner: int, k: int) -> None:
    """Join two groups, and correct what other groups remember of them (IN/OUT): O(n·d)."""
    leaders, sizes, centroids, partners, costs = groups
    joined = min(group, partner)
    gone = max(group, partner)
    total = sizes[joined] + sizes[gone]
    for column in range(centroids.shape[1]):
        shift = (centroids[gone, column] - centroids[joined, column]) * sizes[gone] / total
        centroids[joined, column] += shift
    leaders[gone] = joined
    sizes[joined] = total
    sizes[gone] = 0
    costs[gone] = np.inf
    costs[joined] = np.inf
    for other in range(len(costs)):
        if costs[other] == np.inf:
            continue
        if partners[other] == joined or partners[other] == gone:
            partners[other] = _UNKNOWN
        cost = _ward_cost(groups, other, joined)
        if cost < costs[other] or (cost == costs[other] and _is_before(sizes, joined, partners[other])):
            costs[other] = cost
            partners[other] = joined
    if total < k:
        _find_partner(groups, joined)


@inlined_kernel
def _is_before(sizes: IntArray, joined: int, partner: int) -> bool:
    """Check whether a group comes before a partner that costs the same, and is known: it is smaller or lower."""
    if partner == _UNKNOWN:
        return False
    return bool(sizes[joined] < sizes[partner] or (sizes[joined] == sizes[partner] and joined < partner))


@inlined_kernel
def _ward_cost(groups: WardGroups, group: int, other: int) -> float:
    """Compute what joining two groups adds to the sse: O(d)."""
    squares = 0.0
    for column in range(groups.centroids.shape[1]):
        difference = groups.centroids[group, column] - groups.centroids[other, column]
        squares += difference * difference
    size = groups.sizes[group]
    other_size = groups.sizes[other]
    return float(squares * size * other_size / (size + other_size))


@kernel
def _find_leaders(leaders: IntArray) -> None:
    """Replace each group that has joined another by the one that is left (IN/OUT): O(n·log n)."""
    for record in range(len(leaders)):
        leaders[record] = find_root(leaders, record)
