"""Go through all records from each of them, count who walks near whom, and group those that do so most often."""

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


@kernel
def insertion_path(distances: FloatArray, start: int, sequence: IntArray) -> IntArray:
    """Insert the records one by one, in the order of `sequence`, where each lengthens the path from `start` least.

    The way back from the end to the start costs nothing (the dummy city). Ties go to the first place along the
    path. O(n²).
    """
    n = len(distances)
    following = np.full(n, -1, dtype=np.int64)
    edges = np.zeros(n)  # how far it is to the following
    end = start
    for record in sequence:
        if record == start:
            continue
        row = distances[record]
        best, after, here, away = np.inf, end, start, row[start]
        while here != end:
            there = following[here]
            further = row[there]
            longer = away + further - edges[here]
            if longer < best:
                best, after = longer, here
            here, away = there, further
        if row[end] < best:
            after = end
        following[record], edges[record] = following[after], 0.0
        if after == end:
            end = record
        else:
            edges[record] = row[following[record]]
        following[after], edges[after] = record, row[after]
    path = np.empty(n, dtype=np.int64)
    here = start
    for position in range(n):
        path[position] = here
        here = following[here]
    return path


@kernel
def nearest_path(distances: FloatArray, start: int) -> IntArray:
    """Go from `start` always to the nearest record left; ties go to the lowest index. O(n²)."""
    n = len(distances)
    left = np.arange(n)
    path = np.empty(n, dtype=np.int64)
    path[0], left[start] = start, left[n - 1]
    for step in range(1, n):
        row = distances[path[step - 1]]
        best = 0
        for i in range(1, n - step):
            if row[left[i]] < row[left[best]] or (row[left[i]] == row[left[best]] and left[i] < left[best]):
                best = i
        path[step], left[best] = left[best], left[n - step - 1]
    return path


@kernel
def count_near(path: IntArray, reach: int, counts: IntArray) -> None:
    """Add 1 to `counts` (IN/OUT, symmetric) for every pair of records at most `reach` steps apart on the closed path.

    Pairs that are half the path apart, which have no nearer way round, are left out.
    """
    n = len(path)
    for position in range(n):
        for step in range(1, min(reach, (n - 1) // 2) + 1):
            one, other = path[position], path[(position + step) % n]
            counts[one, other] += 1
            counts[other, one] += 1


def group_by_counts(counts: IntArray, k: int, tick: Tick = no_tick) -> IntArray:
    """Group the pair with the highest count and those with the highest counts beside either, again and again.

    While at least 2k − 1 records are left, k ≥ 2. Ties go to the lowest row, then column; between a row's and a
    column's highest, to the column's. O(n²) mostly.

    Returns
    -------
    ndarray of shape (n,)
        The group of each record, -1 for those left.
    """
    n = len(counts)
    labels, highest = np.full((2, n), -1, dtype=np.int64)
    wanted = max(0, (n - k + 1) // k)
    step = steps_per_tick(100 * n)
    for first in range(0, wanted, step):
        tick(first / wanted)
        _group_some(counts, k, first, min(first + step, wanted), labels, highest)
    return labels


@kernel
def _group_some(counts: IntArray, k: int, first: int, last: int, labels: IntArray, highest: IntArray) -> None:
    """Form the groups first … last − 1.

    Parameters
    ----------
    labels
        IN/OUT: the group of each record, -1 for those left.
    highest
        IN/OUT: where in its row each record left has its highest count, -1 where that is not known.
    """
    n = len(counts)
    for group in range(first, last):
        row = -1
        for record in range(n):
            if labels[record] >= 0:
                continue
            if highest[record] < 0 or labels[highest[record]] >= 0:
                labels[record] = group  # not itself
                highest[record] = _highest_left(counts[record], labels)
                labels[record] = -1
            if row < 0 or counts[record, highest[record]] > counts[row, highest[row]]:
                row = record
        column = highest[row]
        labels[row] = labels[column] = group
        for _ in range(k - 2):
            across, down = _highest_left(counts[row], labels), _highest_left(counts[column], labels)
            labels[across if counts[row, across] > counts[column, down] else down] = group


@kernel
def _highest_left(row: IntArray, labels: IntArray) -> int:
    best = -1
    for record in range(len(row)):
        if labels[record] < 0 and (best < 0 or row[record] > row[best]):
            best = record
    return best
