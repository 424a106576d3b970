"""Candidates of a partial group in branch and bound: the records that may still be added to it, and their scores.

The terms are those of `branch_and_bound`.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel
from microagg.kernels.pricing.nearest_sums import insert_smallest, prefix_sums
from microagg.model.arrays import FloatArray, IntArray


class Candidates(NamedTuple):
    """Candidates of the partial group at each level of the search: at level l, it has l + 1 records."""

    records: IntArray  # (size, n)
    distances: FloatArray  # (size, n) sums of the squared distances of each candidate from the partial group
    counts: IntArray  # (size,)
    scores: FloatArray  # (n,) of the candidates of the current level
    smallest: FloatArray  # (size,) workspace: smallest values


@inner_kernel
def new_candidates(n: int, size: int) -> Candidates:
    """Return the workspace of candidates for groups of one size among n records."""
    return Candidates(
        np.empty((size, n), dtype=np.int64),
        np.empty((size, n)),
        np.zeros(size, dtype=np.int64),
        np.empty(n),
        np.empty(size),
    )


@inner_kernel
def sum_nearest_candidates(halves: FloatArray, candidates: Candidates, sums: FloatArray) -> None:
    """Add up the smallest halves from each candidate of the root to the others: `sums` is OUT. O(n²·size)."""
    records, smallest = candidates.records[0], candidates.smallest
    count = candidates.counts[0]
    most = len(smallest) - 2
    for i in range(count):
        record = records[i]
        smallest[:] = np.inf
        for j in range(count):
            if j != i:
                insert_smallest(smallest, most, halves[record, records[j]])
        prefix_sums(smallest, most, sums[record])


@inner_kernel
def filter_candidates(
    candidates: Candidates,
    level: int,
    extra: FloatArray,
    sums: FloatArray,
    duals: FloatArray,
    base: float,
    cutoff: float,
) -> float:
    """Score the candidates, drop those that are in no group below the cutoff, and return the least cost: O(n·size).

    Parameters
    ----------
    candidates
        IN/OUT: those of one level.
    extra
        IN: the penalty that each record adds.
    sums
        IN: nearest sums, among the candidates or among more records.
    base
        The reduced cost of the partial group.
    """
    records, distances = candidates.records[level], candidates.distances[level]
    scores, smallest = candidates.scores, candidates.smallest
    count = candidates.counts[level]
    size = len(smallest)
    wanted = size - 1 - level
    candidates.counts[level] = 0
    if count < wanted:
        return np.inf
    for i in range(wanted):
        smallest[i] = np.inf
    for i in range(count):
        record = records[i]
        scores[i] = (distances[i] + sums[record, wanted - 1]) / size - duals[record] + extra[record]
        insert_smallest(smallest, wanted, scores[i])
    for i in range(wanted - 1):
        base += smallest[i]
    cost: float = base + smallest[wanted - 1]
    if cost >= cutoff:
        return cost
    kept = 0
    for i in range(count):
        if base + scores[i] < cutoff:
            records[kept] = records[i]
            distances[kept] = distances[i]
            scores[kept] = scores[i]
            kept += 1
    candidates.counts[level] = kept
    return cost


@inner_kernel
def sort_candidates(candidates: Candidates) -> None:
    """Sort the candidates of the root by score, so that cheap groups are found early: O(n·log n)."""
    count = candidates.counts[0]
    records, distances, scores = candidates.records[0], candidates.distances[0], candidates.scores
    order = np.argsort(scores[:count], kind="mergesort")
    records[:count] = records[:count][order]
    distances[:count] = distances[:count][order]
    scores[:count] = scores[:count][order]


@inner_kernel
def require_linked(candidates: Candidates, level: int, linked: IntArray, group: IntArray) -> int:
    """Put the candidates that are linked to the last record of the group first, and return how many there are.

    Where one of them is no candidate, nor in the group, all candidates are dropped.
    """
    count = candidates.counts[level]
    if linked[group[level], 0] < 0 or count == 0:
        return 0
    records, distances, scores = candidates.records[level], candidates.distances[level], candidates.scores
    required = 0
    for record in linked[group[level]]:
        if record < 0:
            break
        place = required
        while place < count and records[place] != record:
            place += 1
        if place < count:
            records[required], records[place] = records[place], records[required]
            distances[required], distances[place] = distances[place], distances[required]
            scores[required], scores[place] = scores[place], scores[required]
            required += 1
        elif not (group[:level] == record).any():
            candidates.counts[level] = 0
            return 0
    return required


@inner_kernel
def add_smallest_scores(candidates: Candidates, level: int, group: IntArray) -> None:
    """Complete the group by the candidates of the smallest scores."""
    scores = candidates.scores[: candidates.counts[level]]
    for place in range(level + 1, len(group)):
        best = np.argmin(scores)
        group[place] = candidates.records[level, best]
        scores[best] = np.inf
