"""Candidates of a root: those of its list, or of all records where the list does not hold all of them.

The terms are those of `branch_and_bound`. Every function leaves the smallest scores in `RootCandidates.smallest`.
"""

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.geometry.record_boxes import BOX
from microagg.kernels.jit import inner_kernel
from microagg.kernels.pricing.listed_records import (
    MAX_SCANNED,
    ListedRecords,
    RecordSlacks,
    RootCandidates,
    base_cost,
    insert_score,
)
from microagg.kernels.pricing.nearest_sums import insert_smallest


@inner_kernel
def list_candidates(
    records: ListedRecords, slacks: RecordSlacks, root: int, cutoff: float, candidates: RootCandidates
) -> tuple[int, bool]:
    """Find the candidates of a root in its list: O(n_neighbours·(d + size)).

    A record that is not in the list is no nearer than the last one that is, so that its score is not below a floor.

    Returns
    -------
    tuple
        Their number, and whether the root has no other candidates.
    """
    smallest = candidates.smallest
    size = len(smallest)
    smallest[:] = np.inf
    for other in records.lists[root]:
        if records.ranks[other] > records.ranks[root]:
            score = squared_distance(records.X, root, records.X, other) / size + slacks.slacks[other]
            insert_score(candidates, size - 1, score, other)
    floor = records.radii[root] / size + slacks.floors[root]
    base = -slacks.duals[root]
    for i in range(size - 2):
        base += min(smallest[i], floor)
    if base + min(smallest[size - 2], floor) >= cutoff:
        return 0, True
    if base + floor < cutoff or records.lists.shape[1] > MAX_SCANNED:
        return 0, False
    count = 0
    for other in records.lists[root]:
        if records.ranks[other] > records.ranks[root]:
            score = squared_distance(records.X, root, records.X, other) / size + slacks.slacks[other]
            if base + score < cutoff:
                candidates.records[count] = other
                count += 1
    return count, True


@inner_kernel
def scan_boxes(
    records: ListedRecords, slacks: RecordSlacks, root: int, cutoff: float, candidates: RootCandidates
) -> int:
    """Find the candidates of a root among all records, and return their number: O(n·d) at worst.

    Where there are more than `MAX_SCANNED`, one more than that is returned.
    """
    size = len(candidates.smallest)
    _smallest_scores(records, slacks, root, candidates)
    base = base_cost(slacks, root, candidates)
    if base + candidates.smallest[size - 2] >= cutoff:
        return 0
    count = 0
    for box in range(len(records.low)):
        if base + _box_square(records, box, root) / size + slacks.box_floors[box] >= cutoff:
            continue
        for other in range(box * BOX, min((box + 1) * BOX, len(records.X))):
            if records.ranks[other] > records.ranks[root]:
                score = squared_distance(records.X, root, records.X, other) / size + slacks.slacks[other]
                if base + score < cutoff:
                    if count == MAX_SCANNED:
                        return MAX_SCANNED + 1
                    candidates.records[count] = other
                    count += 1
    return count


@inner_kernel
def _smallest_scores(records: ListedRecords, slacks: RecordSlacks, root: int, candidates: RootCandidates) -> None:
    """Find the smallest scores and their records among all records (OUT): O(n·d) at worst.

    `candidates.smallest` comes with the smallest scores of a list, which none of them is above.
    """
    smallest = candidates.smallest
    size = len(smallest)
    highest = smallest[size - 2]
    smallest[:] = np.inf
    for box in range(len(records.low)):
        if _box_square(records, box, root) / size + slacks.box_floors[box] > highest:
            continue
        for other in range(box * BOX, min((box + 1) * BOX, len(records.X))):
            if records.ranks[other] > records.ranks[root]:
                score = squared_distance(records.X, root, records.X, other) / size + slacks.slacks[other]
                insert_score(candidates, size - 1, score, other)
        highest = min(highest, smallest[size - 2])


@inner_kernel
def _box_square(records: ListedRecords, box: int, root: int) -> float:
    """Return the squared distance of a record from a box: O(d)."""
    square = 0.0
    for j in range(records.X.shape[1]):
        value = records.X[root, j]
        gap = max(max(records.low[box, j] - value, value - records.high[box, j]), 0.0)
        square += gap * gap
    return square


@inner_kernel
def drop_isolated(
    records: ListedRecords,
    slacks: RecordSlacks,
    root: int,
    count: int,
    cutoff: float,
    candidates: RootCandidates,
) -> int:
    """Drop candidates (IN/OUT) that no group below the cutoff can hold, and return how many are left.

    Their nearest sums are those among the candidates, as far as their lists tell. O(count·n_neighbours·(d + size)).
    """
    size = len(candidates.smallest)
    _share_distances(records, count, candidates)
    candidates.smallest[:] = np.inf
    for i in range(count):
        record = candidates.records[i]
        shares = 0.0
        for j in range(size - 2):
            shares += candidates.nearest[i, j]
        square = squared_distance(records.X, root, records.X, record)
        candidates.scores[i] = (square + shares) / size - slacks.duals[record]
        insert_score(candidates, size - 1, candidates.scores[i], record)
    base = base_cost(slacks, root, candidates)
    if base + candidates.smallest[size - 2] >= cutoff:
        return 0
    kept = 0
    for i in range(count):
        if base + candidates.scores[i] < cutoff:
            candidates.records[kept] = candidates.records[i]
            kept += 1
    return kept


@inner_kernel
def _share_distances(records: ListedRecords, count: int, candidates: RootCandidates) -> None:
    """Find the smallest shares (OUT in `nearest`) of the squared distances from each candidate to others.

    A record that is neither in the list of a candidate nor has it in its own costs it half of its radius at least.
    """
    X, radii, nearest = records.X, records.radii, candidates.nearest
    most = len(candidates.smallest) - 2
    for i in range(count):
        record = candidates.records[i]
        candidates.places[record] = i
        for j in range(most):
            nearest[i, j] = 0.5 * radii[record]
    for i in range(count):
        record = candidates.records[i]
        for entry in range(records.lists.shape[1]):
            other = records.lists[record, entry]
            j = candidates.places[other]
            if j >= 0:
                square = squared_distance(X, record, X, other)
                insert_smallest(nearest[i], most, 0.5 * square + records.excess[record, entry])
                if square >= radii[other] and not (records.lists[other] == record).any():
                    insert_smallest(nearest[j], most, 0.5 * square - records.excess[record, entry])
    for i in range(count):
        candidates.places[candidates.records[i]] = -1
