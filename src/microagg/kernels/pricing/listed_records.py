"""Records with lists of their nearest, as pricing of many records takes them, and what it finds.

The terms are those of `branch_and_bound`.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import BoolArray, FloatArray, IntArray

MAX_CANDIDATES = 300  # of a root, all of whose groups are searched
MAX_SCANNED = 8_192  # of a root, before some are dropped for want of others near them


class ListedRecords(NamedTuple):
    """Records with lists of their nearest; near ones follow each other."""

    X: FloatArray  # (n, d)
    lists: IntArray  # (n, n_neighbours)
    excess: FloatArray  # (n, n_neighbours) what the record bears above one half of the squared distance of each
    radii: FloatArray  # (n,) no record that is not in the list has a lower squared distance
    sums: FloatArray  # (n, at least 2k − 2) `nearest_sums` of what each record bears of its squared distances
    ranks: IntArray  # (n,) place of each record in the order of roots: the root of a group has the lowest
    low: FloatArray  # (n_boxes, d) least coordinates of each run of BOX records
    high: FloatArray  # (n_boxes, d) greatest ones


class RecordSlacks(NamedTuple):
    """What records add to the reduced cost of a group of one size at least, besides their distances from a root."""

    duals: FloatArray  # (n,)
    slacks: FloatArray  # (n,) nn_{m−2}/m − λ
    floors: FloatArray  # (n,) least of the slacks of higher rank
    box_floors: FloatArray  # (n_boxes,) least of the slacks in each run of BOX records


class CheapestGroups(NamedTuple):
    """The cheapest group of each root found so far, of any size."""

    costs: FloatArray  # (n,) its reduced cost, or a lower bound of all such; 0: no group's is below
    members: IntArray  # (n, 2k − 1) its records, −1 past the end
    relaxed: BoolArray  # (n,) whether the cost is a bound of all groups, and that of none; then `members` mean nothing
    cancelled: BoolArray  # (1,) set by another thread to end pricing


class RootCandidates(NamedTuple):
    """Workspace: the candidates of one root."""

    records: IntArray  # (MAX_SCANNED + 1,)
    scores: FloatArray  # (MAX_SCANNED + 1,)
    nearest: FloatArray  # (MAX_SCANNED + 1, size) smallest shares of squared distances to other candidates
    places: IntArray  # (n,) where each record stands in `records`; −1 for all others
    smallest: FloatArray  # (size,) smallest scores
    cheapest: IntArray  # (size,) records that have them


@inner_kernel
def new_root_candidates(n: int, size: int) -> RootCandidates:
    """Return the workspace for groups of one size among n records."""
    return RootCandidates(
        np.empty(MAX_SCANNED + 1, dtype=np.int64),
        np.empty(MAX_SCANNED + 1),
        np.empty((MAX_SCANNED + 1, size)),
        np.full(n, -1, dtype=np.int64),
        np.empty(size),
        np.empty(size, dtype=np.int64),
    )


@inner_kernel
def insert_score(candidates: RootCandidates, count: int, score: float, record: int) -> None:
    """Insert a record into those of the `count` smallest scores (IN/OUT) if it is one of them: O(count)."""
    smallest, cheapest = candidates.smallest, candidates.cheapest
    if score >= smallest[count - 1]:
        return
    i = count - 1
    while i > 0 and smallest[i - 1] > score:
        smallest[i] = smallest[i - 1]
        cheapest[i] = cheapest[i - 1]
        i -= 1
    smallest[i] = score
    cheapest[i] = record


@inner_kernel
def base_cost(slacks: RecordSlacks, root: int, candidates: RootCandidates) -> float:
    """Return what the root and all other records of a group but one cost at least: O(size)."""
    base = -slacks.duals[root]
    for i in range(len(candidates.smallest) - 2):
        base += candidates.smallest[i]
    return base  # type: ignore[no-any-return]


@inner_kernel
def store_bound(slacks: RecordSlacks, root: int, candidates: RootCandidates, found: CheapestGroups) -> None:
    """Store the least reduced cost that the smallest scores allow, if it is below what is known: O(size)."""
    size = len(candidates.smallest)
    cost = base_cost(slacks, root, candidates) + candidates.smallest[size - 2]
    if cost < found.costs[root]:
        found.costs[root] = cost
        found.relaxed[root] = True


@kernel
def reduced_costs(X: FloatArray, duals: FloatArray, members: IntArray) -> FloatArray:
    """Return the reduced cost of each group; 0 for an empty one. O(groups·size²·d).

    Parameters
    ----------
    members
        IN, of shape (n_groups, any number): the records of each group, −1 past the end.
    """
    n_groups, most = members.shape
    costs = np.zeros(n_groups)
    for group in range(n_groups):
        size = 0
        squares = 0.0
        shares = 0.0
        while size < most and members[group, size] >= 0:
            record = members[group, size]
            shares += duals[record]
            for i in range(size):
                squares += squared_distance(X, record, X, members[group, i])
            size += 1
        if size > 0:
            costs[group] = squares / size - shares
    return costs
