"""Cyclic moves that lower the sse: records of several groups, each of which moves to the group of the next.

From one group, the others are ranked by the distance of their centroids, and paths lead only to higher ranks: so no
group occurs twice, and the cheapest paths are found in one pass over the records. [1] is the ICSM paper.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.moves.exchange import (
    ROUNDING,
    GroupGeometry,
    join_change,
    leave_change,
    measure_centroids,
    replace_change,
)
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


class Paths(NamedTuple):
    """Cheapest paths from the nodes of one group, of m records: start 0 … m − 1 are its records, start m is itself.

    A node is a record, or n + a group. At the end of a path to a record, that record has left its group; at the end of
    a path to a group, the record before it has joined that group.
    """

    costs: FloatArray  # (n + n_groups, m + 1) the change of the sse along each path, inf if there is none
    predecessors: IntArray  # (n + n_groups, m + 1) the node before the last, -1 for none
    least_costs: FloatArray  # (n_groups, m + 1) the least cost of a path to any record of each group
    groups_by_rank: IntArray  # (n_groups,)


class _Entry(NamedTuple):
    """Cost of a path's last step: for a record x, leaving + share·‖x − centre‖² to enter a node."""

    node: int
    leaving: float  # the change of the sse when the node's record leaves its group; 0 for a group
    share: float  # (m − 1)/m, or m/(m + 1) for a group
    centre: FloatArray  # (1, d) the centroid of the group that is entered, without the record that leaves
    shift: float  # the distance of `centre` from the group's centroid


def find_cycle(
    X: FloatArray, groups: GroupGeometry, k: int, source: int, tick: Tick = no_tick, first: bool = False
) -> IntArray:
    """Find the cycle through a group that gains most, or the first that gains ([1] algorithm 4, lines 6–16).

    Only cycles along which the ranks of the groups rise, but for the last step. O(n²·(d + k)) at worst, O(n·k) memory.

    Parameters
    ----------
    source
        The group.
    first
        Whether it is the first: by its record of that group, and then by rank and index of its last node.

    Returns
    -------
    ndarray
        Its nodes in order: records, and n + a group for one that only takes the record before it. Empty if none gains.
    """
    n, d = X.shape
    n_groups = len(groups.sizes)
    paths = start_paths(groups, source)
    step = steps_per_tick(n * k * (d + 2 * k))
    for rank in range(1, n_groups, step):
        tick(rank / n_groups)
        extend_paths(X, groups, k, paths, rank, min(rank + step, n_groups))
    return first_cycle(X, groups, k, paths) if first else best_cycle(X, groups, k, paths)


@kernel
def least_score(groups: GroupGeometry) -> int:
    """Find the group that is most likely to be part of a cycle that gains ([1] equation 7): O(n + n_groups·d).

    The sums of R1 over all pairs of records come out as
    Score(p) = Σ_q D²(m_q − m_p) + sse_p(2m_q − 1 + m_q/m_p) − sse_q(2m_p − 1 + m_p/m_q), D the distance of the
    centroids; and these sums over q as below. Ties go to the lowest group.
    """
    n, n_groups, d = len(groups.labels), len(groups.sizes), groups.centroids.shape[1]
    sse = np.zeros(n_groups)
    for record in range(n):
        sse[groups.labels[record]] += groups.radii[record] ** 2
    weighted_mean = np.zeros((1, d))
    plain_mean = np.zeros((1, d))
    for group in range(n_groups):
        for j in range(d):
            weighted_mean[0, j] += groups.centroids[group, j] * (groups.sizes[group] / n)
            plain_mean[0, j] += groups.centroids[group, j] / n_groups
    total = 0.0
    total_per_record = 0.0
    weighted_spread = 0.0
    plain_spread = 0.0
    for group in range(n_groups):
        total += sse[group]
        total_per_record += sse[group] / groups.sizes[group]
        weighted_spread += groups.sizes[group] * squared_distance(groups.centroids, group, weighted_mean, 0)
        plain_spread += squared_distance(groups.centroids, group, plain_mean, 0)
    best = 0
    least = np.inf
    for group in range(n_groups):
        size = groups.sizes[group]
        n_others = n - size
        score = n * squared_distance(groups.centroids, group, weighted_mean, 0) + weighted_spread
        score -= size * (n_groups * squared_distance(groups.centroids, group, plain_mean, 0) + plain_spread)
        score += sse[group] * (2 * n_others - (n_groups - 1) + n_others / size)
        score -= (2 * size - 1) * (total - sse[group]) + size * (total_per_record - sse[group] / size)
        if score < least:
            best = group
            least = score
    return best


@kernel
def start_paths(groups: GroupGeometry, source: int) -> Paths:
    """Rank the groups by distance from one of them, and start a path at each of its nodes: O(n·size + n_groups·d)."""
    n, n_groups = len(groups.labels), len(groups.sizes)
    squares = np.empty(n_groups)
    for group in range(n_groups):
        squares[group] = squared_distance(groups.centroids, group, groups.centroids, source)
    squares[source] = -1.0
    size = groups.sizes[source]
    costs = np.full((n + n_groups, size + 1), np.inf)
    least_costs = np.full((n_groups, size + 1), np.inf)
    for start in range(size):
        costs[groups.members[groups.starts[source] + start], start] = 0.0
        least_costs[source, start] = 0.0
    costs[n + source, size] = 0.0
    predecessors = np.full((n + n_groups, size + 1), -1, dtype=np.int64)
    return Paths(costs, predecessors, least_costs, np.argsort(squares, kind="mergesort"))


@kernel
def extend_paths(X: FloatArray, groups: GroupGeometry, k: int, paths: Paths, first: int, last: int) -> None:
    """Find the cheapest paths (IN/OUT) to the nodes of the groups of ranks first … last − 1 ([1] algorithm 4).

    A record y of a group that has its centroid at c′ without y is entered from x at R1 = R3(y) + (m − 1)/m·‖x − c′‖².
    O(n·(d + k)) for each node at worst; groups too far from c′ to shorten any path are skipped.
    """
    n, d = X.shape
    centre = np.empty((1, d))
    squares = np.empty(len(groups.sizes))
    distances = np.empty(len(groups.sizes))  # by rank
    for rank in range(first, last):
        group = paths.groups_by_rank[rank]
        size = groups.sizes[group]
        measure_centroids(groups, group, squares)
        nearest = _distances_by_rank(squares, paths.groups_by_rank[:rank], distances)
        for place in range(groups.starts[group], groups.starts[group + 1]):
            record = groups.members[place]
            for j in range(d):
                centre[0, j] = (groups.centroids[group, j] * size - X[record, j]) / (size - 1)
            shift = groups.radii[record] / (size - 1)
            entry = _Entry(record, leave_change(groups, record), (size - 1) / size, centre, shift)
            _extend_to_node(X, groups, k, paths, entry, distances[:rank], nearest)
            for start in range(paths.costs.shape[1]):
                least = min(paths.least_costs[group, start], paths.costs[record, start])
                paths.least_costs[group, start] = least
        if size < 2 * k - 1:
            for j in range(d):
                centre[0, j] = groups.centroids[group, j]
            entry = _Entry(n + group, 0.0, size / (size + 1), centre, 0.0)
            _extend_to_node(X, groups, k, paths, entry, distances[:rank], nearest)


@inner_kernel
def _distances_by_rank(squares: FloatArray, groups_by_rank: IntArray, distances: FloatArray) -> int:
    """Compute the distances of groups by rank (OUT) from their squares; return the rank of the least: O(n_groups)."""
    nearest = 0
    for rank in range(len(groups_by_rank)):
        distances[rank] = np.sqrt(squares[groups_by_rank[rank]])
        if distances[rank] < distances[nearest]:
            nearest = rank
    return nearest


@inner_kernel
def _extend_to_node(
    X: FloatArray,
    groups: GroupGeometry,
    k: int,
    paths: Paths,
    entry: _Entry,
    distances: FloatArray,
    nearest: int,
) -> None:
    """Find the cheapest paths (IN/OUT) to one node from those of all lower ranks: O(n·(d + k)) at worst.

    Parameters
    ----------
    distances, nearest
        The distances of the centroids of lower ranks from that of the node's group, and the rank of the least.
    """
    # A group that only takes a record is on the path too: then this group loses one, and must have more than k.
    may_shrink = entry.node < len(X) and groups.sizes[groups.labels[entry.node]] > k
    costs = paths.costs
    predecessors = paths.predecessors
    for turn in range(-1, len(distances)):  # the nearest first: then most others are too far
        lower = nearest if turn < 0 else turn
        other = paths.groups_by_rank[lower]
        distance = max(0.0, distances[lower] - entry.shift - groups.group_radii[other])
        least_step = entry.leaving + entry.share * distance * distance
        if _may_shorten(paths.least_costs, other, costs, entry.node, least_step):
            for i in range(groups.starts[other], groups.starts[other + 1]):
                squares = squared_distance(X, groups.members[i], entry.centre, 0)
                _relax(costs, predecessors, groups.members[i], entry.node, entry.leaving + entry.share * squares)
        if may_shrink:
            _relax(costs, predecessors, len(X) + other, entry.node, entry.leaving)


@inner_kernel
def _may_shorten(least_costs: FloatArray, group: int, costs: FloatArray, node: int, least_step: float) -> bool:
    """Check whether a step of at least this cost from a record of a group may shorten any path to a node: O(k)."""
    shorter = False
    for start in range(costs.shape[1]):
        shorter |= least_costs[group, start] + least_step < costs[node, start]
    return shorter


@inner_kernel
def _relax(costs: FloatArray, predecessors: IntArray, node: int, following: int, cost: float) -> None:
    """Replace the paths to the following node (IN/OUT) by those over `node`, where these are cheaper: O(k)."""
    for start in range(costs.shape[1]):
        if costs[node, start] + cost < costs[following, start]:
            costs[following, start] = costs[node, start] + cost
            predecessors[following, start] = node


@kernel
def best_cycle(X: FloatArray, groups: GroupGeometry, k: int, paths: Paths) -> IntArray:
    """Close the paths, and return the nodes of the cycle that gains most, in order; empty if none does: O(n·k·d)."""
    best = -1
    best_start = -1
    least = 0.0
    for node in range(len(paths.costs)):
        for start in range(paths.costs.shape[1]):
            change = _closed_change(X, groups, k, paths, node, start)
            if change < least:
                best = node
                best_start = start
                least = change
    return _nodes_to(paths, best, best_start)


@kernel
def first_cycle(X: FloatArray, groups: GroupGeometry, k: int, paths: Paths) -> IntArray:
    """Close the paths, and return the nodes of the first cycle that gains, in order; empty if none does: O(n·k·d)."""
    n = len(X)
    for start in range(paths.costs.shape[1]):  # [1] algorithm 4, line 8
        for rank in range(1, len(paths.groups_by_rank)):  # line 9
            group = paths.groups_by_rank[rank]
            for place in range(groups.starts[group], groups.starts[group + 1] + 1):
                node = groups.members[place] if place < groups.starts[group + 1] else n + group
                if _closed_change(X, groups, k, paths, node, start) < 0.0:
                    return _nodes_to(paths, node, start)
    return _nodes_to(paths, -1, -1)


@inner_kernel
def _nodes_to(paths: Paths, node: int, start: int) -> IntArray:
    """Return the nodes of the path from a start to a node, in order; none if the node is -1: O(n_groups)."""
    nodes = np.empty(len(paths.groups_by_rank) + 1, dtype=np.int64)
    length = 0
    while node >= 0:
        nodes[length] = node
        length += 1
        node = paths.predecessors[node, start]
    return nodes[:length][::-1].copy()


@inner_kernel
def _closed_change(X: FloatArray, groups: GroupGeometry, k: int, paths: Paths, node: int, start: int) -> float:
    """Return the change of the sse by a path, closed to a cycle; 0 if there is none, or it does not gain: O(d)."""
    n = len(X)
    source = paths.groups_by_rank[0]
    size = groups.sizes[source]
    cost = paths.costs[node, start]
    if cost == np.inf or paths.predecessors[node, start] < 0:
        return 0.0
    if start == size:
        if node >= n or size >= 2 * k - 1:
            return 0.0
        closing = join_change(X, groups, node, source)
    elif node < n:
        closing = replace_change(X, groups, node, groups.members[groups.starts[source] + start])
    elif size > k:
        closing = leave_change(groups, groups.members[groups.starts[source] + start])
    else:
        return 0.0
    change = cost + closing
    return float(change) if change < -ROUNDING * (abs(cost) + abs(closing)) else 0.0


@kernel
def apply_cycle(labels: IntArray, cycle: IntArray) -> None:
    """Move each record of a cycle to the group of the next node; `labels` is IN/OUT: O(n)."""
    n = len(labels)
    old_labels = labels.copy()
    for i in range(len(cycle)):
        node = cycle[i]
        following = cycle[(i + 1) % len(cycle)]
        if node < n:
            labels[node] = old_labels[following] if following < n else following - n
