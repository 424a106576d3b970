"""Counts of the records that are near each other on the paths of MF-TSP, and groups by these counts.

References
----------
[1] Multivariate microaggregation with fixed group size based on the travelling salesman problem (the MF-TSP paper),
    algorithm 1.
"""

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import IntArray


@kernel
def count_near_pairs(path: IntArray, max_steps: int, counts: IntArray) -> None:
    """Count every pair of records at most `max_steps` apart on the closed path ([1] lines 6 to 10): O(n·max_steps).

    Pairs that are half the path apart, as far in one direction as in the other, are left out.

    Parameters
    ----------
    path
        IN: all records in order, of shape (n,).
    counts
        IN/OUT: increased by 1 for each such pair, symmetric, of shape (n, n).
    """
    n = len(path)
    for position in range(n):
        one = path[position]
        for step in range(1, min(max_steps, (n - 1) // 2) + 1):
            other = path[(position + step) % n]
            counts[one, other] += 1
            counts[other, one] += 1


def group_by_counts(counts: IntArray, k: int, tick: Tick = no_tick) -> IntArray:
    """Group the pair with the highest count and the records with the highest counts beside it, again and again.

    While at least 2k − 1 records are left, k ≥ 2 ([1] lines 11 to 24). Ties go to the lowest row, then column; between
    a row's and a column's highest, to the column's. O(n²) mostly, O(n³/k) at worst.

    Parameters
    ----------
    counts
        How often two records are near each other, symmetric, of shape (n, n).
    tick
        Called now and then with the share that is done.

    Returns
    -------
    ndarray of shape (n,)
        The group of each record, -1 for those left.
    """
    n = len(counts)
    labels = np.full(n, -1, dtype=np.int64)
    partner = np.full(n, -1, dtype=np.int64)
    n_groups = max(0, (n - k + 1) // k)
    step = steps_per_tick(100 * n)
    for first in range(0, n_groups, step):
        tick(first / n_groups)
        _form_groups(counts, k, first, min(first + step, n_groups), labels, partner)
    return labels


@kernel
def _form_groups(counts: IntArray, k: int, first: int, last: int, labels: IntArray, partner: IntArray) -> None:
    """Form the groups first … last − 1: O(n·k) each, besides updates of `partner`.

    Parameters
    ----------
    counts
        IN: symmetric, of shape (n, n).
    labels
        IN/OUT: the group of each record, -1 for those left.
    partner
        IN/OUT: see `_highest_row`.
    """
    for group in range(first, last):
        row = _highest_row(counts, labels, partner)
        column = partner[row]
        labels[row] = group
        labels[column] = group
        for _ in range(k - 2):
            in_row = _highest_left(counts[row], labels)
            in_column = _highest_left(counts[column], labels)
            joining = in_row if counts[row, in_row] > counts[column, in_column] else in_column  # [1] line 17
            labels[joining] = group


@inner_kernel
def _highest_row(counts: IntArray, labels: IntArray, partner: IntArray) -> int:
    """Find the row with the highest count of all pairs of records left ([1] line 12): O(n), and O(n) for each update.

    Parameters
    ----------
    labels
        IN: the group of each record, -1 for those left.
    partner
        IN/OUT: the record with the highest count beside each record left; updated where it is unknown (-1) or no
        longer left.
    """
    best = -1
    for record in range(len(counts)):
        if labels[record] >= 0:
            continue
        if partner[record] < 0 or labels[partner[record]] >= 0:
            labels[record] = 0  # for the search only: a record is not its own partner
            partner[record] = _highest_left(counts[record], labels)
            labels[record] = -1
        if best < 0 or counts[record, partner[record]] > counts[best, partner[best]]:
            best = record
    return best


@inner_kernel
def _highest_left(row: IntArray, labels: IntArray) -> int:
    """Find the record left with the highest count in a row; of equals, the lowest: O(n)."""
    best = -1
    for record in range(len(row)):
        if labels[record] < 0 and (best < 0 or row[record] > row[best]):
            best = record
    return best
