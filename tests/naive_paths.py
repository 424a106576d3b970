"""Slow and obvious versions of the path heuristics of MF-TSP, and of its count of near records."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from microagg.model.arrays import FloatArray, IntArray

Rank = Callable[[list[int], int], tuple[float, int]]
"""Rank of a waiting record beside a path: the record of the least rank is inserted next."""


def insertion_costs(distances: FloatArray, path: list[int], record: int) -> list[float]:
    """Compute how much longer a path gets with a record after each of its records."""
    inside = [
        distances[before, record] + distances[record, after] - distances[before, after]
        for before, after in pairwise(path)
    ]
    return [*inside, distances[path[-1], record]]


def path_by_rank(distances: FloatArray, start: int, rank: Rank) -> list[int]:
    """Insert all records, always the one of the least rank, where the path from a start grows least."""
    path = [start]
    waiting = [record for record in range(len(distances)) if record != start]
    while waiting:
        record = min(waiting, key=lambda one: rank(path, one))
        waiting.remove(record)
        path.insert(1 + int(np.argmin(insertion_costs(distances, path, record))), record)
    return path


def nearest_insertion(distances: FloatArray, start: int) -> list[int]:
    """Insert the record nearest to the path first."""
    return path_by_rank(distances, start, lambda path, record: (distances[record, path].min(), record))


def farthest_insertion(distances: FloatArray, start: int) -> list[int]:
    """Insert the record farthest from the path first."""
    return path_by_rank(distances, start, lambda path, record: (-distances[record, path].min(), record))


def cheapest_insertion(distances: FloatArray, start: int) -> list[int]:
    """Insert the record first that lengthens the path least."""
    return path_by_rank(distances, start, lambda path, record: (min(insertion_costs(distances, path, record)), record))


def path_length(distances: FloatArray, path: list[int]) -> float:
    """Compute the length of an open path."""
    return float(sum(distances[one, other] for one, other in pairwise(path)))


def two_opt(distances: FloatArray, path: list[int]) -> list[int]:
    """Reverse parts of a path while that shortens it: the first part that does, from left to right, again and again."""
    shortened = True
    while shortened:
        shortened = False
        for left in range(len(path) - 2):
            for right in range(left + 2, len(path)):
                turned = path[: left + 1] + path[left + 1 : right + 1][::-1] + path[right + 1 :]
                if path_length(distances, turned) < path_length(distances, path) - 1e-9:
                    path = turned
                    shortened = True
    return path


def count_near_pairs(paths: list[list[int]], max_steps: int) -> IntArray:
    """Count on how many closed paths two records are at most so many steps apart, in either direction."""
    n = len(paths[0])
    counts = np.zeros((n, n), dtype=np.int64)
    for path in paths:
        for here, record in enumerate(path):
            for there, other in enumerate(path):
                steps = min((here - there) % n, (there - here) % n)
                counts[record, other] += 1 <= steps <= max_steps
    return counts
