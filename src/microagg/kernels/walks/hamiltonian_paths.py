"""Hamiltonian paths from a given record: nearest neighbour, four kinds of insertion, and 2-opt moves.

A path may end at any record: in the tour of [1] line 3, the edge from its end back to its start costs nothing.

References
----------
[1] Multivariate microaggregation with fixed group size based on the travelling salesman problem (the MF-TSP paper),
    algorithm 1.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_MAX_RATIO = 1 - 1e-12  # of the lengths after and before a move: any closer to 1, rounding could repeat moves for ever


@kernel
def nearest_path(distances: FloatArray, start: int) -> IntArray:
    """Return the path from `start` always to the nearest unvisited record; ties go to the lowest index. O(n²).

    Parameters
    ----------
    distances
        IN: between all records, of shape (n, n).
    """
    n = len(distances)
    unvisited = np.arange(n)
    unvisited[start] = unvisited[n - 1]
    path = np.empty(n, dtype=np.int64)
    path[0] = start
    for step in range(1, n):
        row = distances[path[step - 1]]
        best = 0
        for i in range(1, n - step):
            record = unvisited[i]
            nearest = unvisited[best]
            if row[record] < row[nearest] or (row[record] == row[nearest] and record < nearest):
                best = i
        path[step] = unvisited[best]
        unvisited[best] = unvisited[n - step - 1]
    return path


@kernel
def insertion_path(distances: FloatArray, start: int, insertion_order: IntArray) -> IntArray:
    """Return a path from `start`, built by insertion in a given order: each record goes where it lengthens it least.

    Ties go to the first place along the path. O(n²).

    Parameters
    ----------
    distances
        IN: between all records, of shape (n, n).
    insertion_order
        IN: all records, in the order in which they are inserted; `start` is passed over.
    """
    n = len(distances)
    successor = np.full(n, -1, dtype=np.int64)
    edge = np.zeros(n)
    for record in insertion_order:
        if record != start:
            before, _ = _cheapest_gap(distances[record], start, successor, edge)
            _insert(distances[record], record, before, successor, edge)
    return _records_along(start, successor)


@kernel
def distance_insertion_path(distances: FloatArray, start: int, farthest: bool) -> IntArray:
    """Return a path from `start`, built by nearest or farthest insertion, each record where it lengthens it least.

    The next record is the one whose distance from the nearest record of the path is the least, or the largest where
    `farthest` is set. Ties go to the lowest index, and to the first place along the path. O(n²).

    Parameters
    ----------
    distances
        IN: between all records, of shape (n, n).
    """
    n = len(distances)
    successor = np.full(n, -1, dtype=np.int64)
    edge = np.zeros(n)
    sign = -1.0 if farthest else 1.0
    from_path = distances[start].copy()
    waiting = np.ones(n, dtype=np.bool_)
    waiting[start] = False
    for _ in range(n - 1):
        record = -1
        for other in range(n):
            if waiting[other] and (record < 0 or sign * from_path[other] < sign * from_path[record]):
                record = other
        row = distances[record]
        before, _cost = _cheapest_gap(row, start, successor, edge)
        _insert(row, record, before, successor, edge)
        waiting[record] = False
        for other in range(n):
            from_path[other] = min(from_path[other], row[other])
    return _records_along(start, successor)


class _GrowingPath(NamedTuple):
    """Path that grows by cheapest insertion, and where each record that waits would lengthen it least."""

    successor: IntArray  # (n,) next record along the path; -1 after the last
    edge: FloatArray  # (n,) distance to the next record
    waiting: BoolArray  # (n,)
    gap: IntArray  # (n,) record after which each one that waits is inserted
    cost: FloatArray  # (n,) by how much that lengthens the path


def cheapest_insertion_path(distances: FloatArray, start: int, tick: Tick = no_tick) -> IntArray:
    """Return a path from `start`, built by cheapest insertion: always the record that lengthens it least is next.

    Ties go to the lowest index, between gaps to the one found first. O(n²) mostly: only records whose cheapest gap was
    filled search all gaps again; O(n³) at worst.

    Parameters
    ----------
    distances
        IN: between all records, of shape (n, n).
    """
    n = len(distances)
    path = _GrowingPath(
        np.full(n, -1, dtype=np.int64),
        np.zeros(n),
        np.arange(n) != start,
        np.full(n, start, dtype=np.int64),
        distances[start].copy(),
    )
    n_left = n - 1
    while n_left > 0:
        tick()
        n_inserted = min(n_left, steps_per_tick(n * n))
        _insert_cheapest(distances, start, path, n_inserted)
        n_left -= n_inserted
    return _path_along(start, path.successor)


@kernel
def _insert_cheapest(distances: FloatArray, start: int, path: _GrowingPath, count: int) -> None:
    """Insert some records into the path (IN/OUT), each time the one that lengthens it least."""
    n = len(distances)
    successor, edge, waiting = path.successor, path.edge, path.waiting
    gap, cost = path.gap, path.cost
    for _ in range(count):
        record = -1
        for other in range(n):
            if waiting[other] and (record < 0 or cost[other] < cost[record]):
                record = other
        before = gap[record]
        _insert(distances[record], record, before, successor, edge)
        waiting[record] = False
        for other in range(n):
            if not waiting[other]:
                continue
            row = distances[other]
            if gap[other] == before:
                gap[other], cost[other] = _cheapest_gap(row, start, successor, edge)
                continue
            for new in (before, record):
                new_cost = _cost_after(row, new, successor, edge)
                if new_cost < cost[other]:
                    gap[other] = new
                    cost[other] = new_cost


@kernel
def _path_along(start: int, successor: IntArray) -> IntArray:
    """Return the records along the path from `start`, to Python: O(n)."""
    return _records_along(start, successor)


@kernel
def shorten_path(distances: FloatArray, path: IntArray) -> bool:
    """Make the 2-opt moves that shorten the path (IN/OUT), pair of edges by pair of edges, once through: O(n²).

    A move reverses a part of the path; the last part may be reversed at the cost of one new edge. The first record
    keeps its place. A move is O(n).

    Returns
    -------
    bool
        Whether a move was made, so that others may have become possible.
    """
    n = len(path)
    edge = np.zeros(n)  # distance to the next record along the path; 0 after the last
    _measure_edges(distances, path, 0, n - 1, edge)
    shortened = False
    for left in range(n - 2):
        row = distances[path[left]]
        for right in range(left + 2, n):
            added = row[path[right]]
            if right + 1 < n:
                added += distances[path[left + 1], path[right + 1]]
            if added < (edge[left] + edge[right]) * _MAX_RATIO:
                for i in range((right - left) // 2):
                    moved = path[left + 1 + i]
                    path[left + 1 + i] = path[right - i]
                    path[right - i] = moved
                _measure_edges(distances, path, left, min(right + 1, n - 1), edge)
                shortened = True
    return shortened


@inner_kernel
def _measure_edges(distances: FloatArray, path: IntArray, first: int, last: int, edge: FloatArray) -> None:
    """Compute the distances along the path between the places `first` and `last`; `edge` is OUT: O(last − first)."""
    for place in range(first, last):
        edge[place] = distances[path[place], path[place + 1]]


@inner_kernel
def _cheapest_gap(row: FloatArray, start: int, successor: IntArray, edge: FloatArray) -> tuple[int, float]:
    """Find after which record of the path from `start` one with these distances costs least, and how much: O(n).

    Parameters
    ----------
    row
        IN: distances from the record that is to be inserted.
    successor
        IN: the next record along the path, -1 after the last.
    edge
        IN: distance to the next record.
    """
    best = start
    least = np.inf
    here = start
    distance = row[start]
    while successor[here] >= 0:
        following = successor[here]
        distance_following = row[following]
        cost = distance + distance_following - edge[here]
        if cost < least:
            best = here
            least = cost
        here = following
        distance = distance_following
    if distance < least:
        return here, distance
    return best, least


@inner_kernel
def _cost_after(row: FloatArray, before: int, successor: IntArray, edge: FloatArray) -> float:
    """Return how much longer the path gets with a record of these distances after `before`: O(1)."""
    after = successor[before]
    if after < 0:
        return float(row[before])
    return float(row[before] + row[after] - edge[before])


@inner_kernel
def _insert(row: FloatArray, record: int, before: int, successor: IntArray, edge: FloatArray) -> None:
    """Insert a record with these distances after another one; `successor` and `edge` are IN/OUT: O(1)."""
    after = successor[before]
    successor[record] = after
    edge[record] = row[after] if after >= 0 else 0.0
    successor[before] = record
    edge[before] = row[before]


@inner_kernel
def _records_along(start: int, successor: IntArray) -> IntArray:
    """Return the records along the path from `start`: O(n)."""
    n = len(successor)
    path = np.empty(n, dtype=np.int64)
    here = start
    for position in range(n):
        path[position] = here
        here = successor[here]
    return path
