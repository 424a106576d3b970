"""Find records of several groups that had better move on, each to the group of the next, in a circle.

From one group, the others are ranked by the distance of their centroids, and paths lead only to higher ranks: so no
group is met twice, and the shortest paths come out of one pass over the records. [1] is the ICSM paper.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.moves.exchange import (
    ROUNDING,
    Shape,
    join_change,
    leave_change,
    replace_change,
    squared_distance,
    squares_from,
)
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


class Paths(NamedTuple):
    """Hold the shortest paths from the nodes of one group: its records, and at last the group itself.

    A node is a record, or n + a group. A path to a record ends with that record outside its group, one to a group with
    the record before it inside.
    """

    costs: FloatArray  # (n + n_groups, sources)
    before: IntArray  # (n + n_groups, sources) the node before, -1 for none
    least: FloatArray  # (n_groups, sources) the least cost of any record of each group
    ranks: IntArray  # (n_groups,) the groups by rank


def find_circle(X: FloatArray, shape: Shape, k: int, tick: Tick = no_tick) -> IntArray:
    """Find the circle that gains most through the group of the least score ([1] algorithm 4).

    Only circles along which the rank of the groups rises are looked at, but for the last step. O(n²·(d + k)) at worst,
    O(n·k) memory.

    Returns
    -------
    ndarray
        Its nodes in order: records, and n + a group for one that only takes the record before it. None if none gains.
    """
    n, d = X.shape
    n_groups = len(shape.sizes)
    paths = open_paths(shape, least_score(shape))
    step = steps_per_tick(n * k * (d + 2 * k))
    for first in range(1, n_groups, step):
        tick(first / n_groups)
        extend_paths(X, shape, k, paths, first, min(first + step, n_groups))
    return close_best(X, shape, k, paths)


@kernel
def least_score(shape: Shape) -> int:
    """Find the group that is most likely to take part in a circle ([1] equation 7).

    The sums of R1 over all pairs of records come out as
    Score(p) = Σ_q D²(m_q − m_p) + sse_p(2m_q − 1 + m_q/m_p) − sse_q(2m_p − 1 + m_p/m_q), D the distance of the
    centroids; and these sums over q as below. Ties go to the lowest group. O(n_groups·d).
    """
    n, n_groups, d = len(shape.labels), len(shape.sizes), shape.centroids.shape[1]
    sse = np.zeros(n_groups)
    for record in range(n):
        sse[shape.labels[record]] += shape.radii[record] ** 2
    weighted, plain = np.zeros(d), np.zeros(d)
    for group in range(n_groups):
        weighted += shape.centroids[group] * (shape.sizes[group] / n)
        plain += shape.centroids[group] / n_groups
    spread_weighted, spread_plain = 0.0, 0.0
    for group in range(n_groups):
        spread_weighted += shape.sizes[group] * squared_distance(shape.centroids[group], weighted)
        spread_plain += squared_distance(shape.centroids[group], plain)
    total, total_shared = sse.sum(), (sse / shape.sizes).sum()
    best, least = 0, np.inf
    for group in range(n_groups):
        size, others = shape.sizes[group], n - shape.sizes[group]
        score = n * squared_distance(shape.centroids[group], weighted) + spread_weighted
        score -= size * (n_groups * squared_distance(shape.centroids[group], plain) + spread_plain)
        score += sse[group] * (2 * others - (n_groups - 1) + others / size)
        score -= (2 * size - 1) * (total - sse[group]) + size * (total_shared - sse[group] / size)
        if score < least:
            best, least = group, score
    return best


@kernel
def open_paths(shape: Shape, source: int) -> Paths:
    """Rank the groups by distance from one of them, and start a path at each of its nodes."""
    n, n_groups = len(shape.labels), len(shape.sizes)
    distances = np.empty(n_groups)
    for group in range(n_groups):
        distances[group] = squared_distance(shape.centroids[group], shape.centroids[source])
    distances[source] = -1.0
    size = shape.sizes[source]
    costs = np.full((n + n_groups, size + 1), np.inf)
    least = np.full((n_groups, size + 1), np.inf)
    for start in range(size):
        costs[shape.members[shape.starts[source] + start], start] = 0.0
        least[source, start] = 0.0
    costs[n + source, size] = 0.0
    before = np.full((n + n_groups, size + 1), -1, dtype=np.int64)
    return Paths(costs, before, least, np.argsort(distances, kind="mergesort"))


@kernel
def extend_paths(X: FloatArray, shape: Shape, k: int, paths: Paths, first: int, last: int) -> None:
    """Find the shortest paths (IN/OUT) to the nodes of the groups of ranks first … last − 1 ([1] algorithm 4).

    A record y of a group without it at c′ is reached from x at R1 = R3(y) + (m − 1)/m·‖x − c′‖². Groups too far from
    c′ to shorten any path, given the least cost of their records, are passed over.
    """
    n, d = X.shape
    costs, before, least, ranks = paths
    members, starts, sizes, centroids = shape.members, shape.starts, shape.sizes, shape.centroids
    sources = costs.shape[1]
    distances, away_from, rest = np.empty(len(sizes)), np.empty(len(sizes)), np.empty(d)
    for rank in range(first, last):
        group = ranks[rank]
        size, nearest = sizes[group], 0
        squares_from(shape, group, away_from)
        for lower in range(rank):
            distances[lower] = np.sqrt(away_from[ranks[lower]])
            if distances[lower] < distances[nearest]:
                nearest = lower
        for place in range(starts[group], starts[group + 1] + 1):
            if place < starts[group + 1]:
                node, share = members[place], (size - 1) / size
                leaving, shift = leave_change(shape, node), shape.radii[node] / (size - 1)
                for j in range(d):
                    rest[j] = (centroids[group, j] * size - X[node, j]) / (size - 1)
            elif size < 2 * k - 1:
                node, share, leaving, shift = n + group, size / (size + 1), 0.0, 0.0
                rest[:] = centroids[group]
            else:
                continue
            for turn in range(-1, rank):  # the nearest first: then most others are too far
                lower = nearest if turn < 0 else turn
                other = ranks[lower]
                away = max(0.0, distances[lower] - shift - shape.reaches[other])
                joining, promising = leaving + share * away * away, False
                for source in range(sources):
                    promising |= least[other, source] + joining < costs[node, source]
                if promising:
                    for i in range(starts[other], starts[other + 1]):
                        squares = 0.0
                        for j in range(d):
                            difference = X[members[i], j] - rest[j]
                            squares += difference * difference
                        _relax(costs, before, members[i], node, leaving + share * squares)
                if node < n and size > k:
                    _relax(costs, before, n + other, node, leaving)
            if node < n:
                for source in range(sources):
                    least[group, source] = min(least[group, source], costs[node, source])


@kernel
def _relax(costs: FloatArray, before: IntArray, node: int, other: int, cost: float) -> None:
    """Go to another node by way of a node where that is shorter."""
    for source in range(costs.shape[1]):
        if costs[node, source] + cost < costs[other, source]:
            costs[other, source] = costs[node, source] + cost
            before[other, source] = node


@kernel
def close_best(X: FloatArray, shape: Shape, k: int, paths: Paths) -> IntArray:
    """Close the paths and give the nodes of the circle that gains most, in order; none if none does."""
    n, group = len(X), paths.ranks[0]
    size = shape.sizes[group]
    best, best_source, least = -1, -1, 0.0
    for node in range(len(paths.costs)):
        for source in range(size + 1):
            cost = paths.costs[node, source]
            if cost == np.inf or paths.before[node, source] < 0:
                continue
            if source < size:
                start = shape.members[shape.starts[group] + source]
                if node < n:
                    closing = replace_change(X, shape, node, start)
                elif size > k:
                    closing = leave_change(shape, start)
                else:
                    continue
            elif node < n and size < 2 * k - 1:
                closing = join_change(X, shape, node, group)
            else:
                continue
            if cost + closing < least and cost + closing < -ROUNDING * (abs(cost) + abs(closing)):
                best, best_source, least = node, source, cost + closing
    circle, length = np.empty(len(shape.sizes) + 1, dtype=np.int64), 0
    while best >= 0:
        circle[length] = best
        length += 1
        best = paths.before[best, best_source]
    return circle[:length][::-1].copy()


@kernel
def move_on(labels: IntArray, circle: IntArray) -> None:
    """Move each record of a circle to the group of the next node (IN/OUT)."""
    n, old = len(labels), labels.copy()
    for i in range(len(circle)):
        node, following = circle[i], circle[(i + 1) % len(circle)]
        if node < n:
            labels[node] = old[following] if following < n else following - n
