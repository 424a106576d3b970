"""Pricing of the groups of each root from lists of near records: no distances of all pairs are kept.

The terms are those of `branch_and_bound`.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.pricing.branch_and_bound import (
    FULL_DEPTH,
    RootProblem,
    Search,
    new_search,
    search_root,
)
from microagg.kernels.pricing.cut_penalties import Cuts
from microagg.kernels.pricing.group_candidates import filter_candidates, sum_nearest_candidates
from microagg.kernels.pricing.listed_candidates import drop_isolated, list_candidates, scan_boxes
from microagg.kernels.pricing.listed_records import (
    MAX_CANDIDATES,
    MAX_SCANNED,
    CheapestGroups,
    ListedRecords,
    RecordSlacks,
    RootCandidates,
    new_root_candidates,
    store_bound,
)
from microagg.kernels.pricing.root_prices import RootPrices
from microagg.model.arrays import FloatArray, IntArray

_MANY_CANDIDATES = 100  # of a root: beyond, some are dropped before their distances are computed
_MAX_SHARE_LEFT = 0.8  # of the candidates: where more are left, dropping them is over
_FIRST_SHARE = 1 / 64  # of the dual of a root: how far below 0 the first lower cutoff is


class _RootDistances(NamedTuple):
    """Workspace: distances of the candidates of one root, numbered from 0, and of the root, the last one."""

    squares: FloatArray  # (MAX_CANDIDATES + 1, MAX_CANDIDATES + 1)
    halves: FloatArray  # as above: those of (a, b) and (b, a) add up to the squared distance
    duals: FloatArray  # (MAX_CANDIDATES + 1,)
    linked: IntArray  # no must-link sets
    cuts: Cuts  # none
    prices: RootPrices  # of one group


@kernel
def price_listed_roots(
    records: ListedRecords,
    slacks: RecordSlacks,
    size: int,
    first: int,
    last: int,
    max_nodes: int,
    found: CheapestGroups,
) -> None:
    """Find the cheapest groups of one size whose roots are the records first … last − 1.

    Where that is too expensive, lower and lower cutoffs are tried: if no group is below one, that is a lower bound.

    Parameters
    ----------
    max_nodes
        Nodes below one root: more of them are too expensive.
    found
        IN/OUT: only groups of lower reduced cost are stored.
    """
    candidates = new_root_candidates(len(records.X), size)
    distances = _new_distances(size)
    search = new_search(MAX_CANDIDATES + 1, size, 0)
    for root in range(first, last):
        share = _FIRST_SHARE
        cutoff = found.costs[root]
        while not found.cancelled[0]:
            count = _find_candidates(records, slacks, root, cutoff, candidates)
            if count <= MAX_CANDIDATES:
                _measure(records, slacks, root, count, candidates, distances)
                if _search(root, count, cutoff, max_nodes, candidates, distances, search, found):
                    break
            if share > 1.0:
                store_bound(slacks, root, candidates, found)
                break
            cutoff = found.costs[root] - share * max(slacks.duals[root], 0.0)
            share *= 2.0


@inner_kernel
def _find_candidates(
    records: ListedRecords, slacks: RecordSlacks, root: int, cutoff: float, candidates: RootCandidates
) -> int:
    """Find the records that may be in a group of the root below the cutoff, and return their number.

    Only where the list of the root does not hold all of them, all records are looked at, box by box.
    """
    count, is_complete = list_candidates(records, slacks, root, cutoff, candidates)
    if not is_complete:
        count = scan_boxes(records, slacks, root, cutoff, candidates)
    is_shrinking = count <= MAX_SCANNED
    while is_shrinking and count > _MANY_CANDIDATES:
        left = drop_isolated(records, slacks, root, count, cutoff, candidates)
        is_shrinking = left < _MAX_SHARE_LEFT * count
        count = left
    return count


@inner_kernel
def _new_distances(size: int) -> _RootDistances:
    """Return the workspace for groups of one size."""
    nothing = np.empty(0, dtype=np.int64)
    starts = np.zeros(MAX_CANDIDATES + 2, dtype=np.int64)
    cuts = Cuts(starts, nothing, nothing, starts[:1], nothing, nothing, nothing, np.empty(0))
    prices = RootPrices(
        0,
        np.zeros((1, 1, size), dtype=np.int64),
        np.full((1, 1), np.inf),
        np.zeros(1, dtype=np.int64),
        False,
        np.zeros(1, dtype=np.bool_),
    )
    return _RootDistances(
        np.empty((MAX_CANDIDATES + 1, MAX_CANDIDATES + 1)),
        np.empty((MAX_CANDIDATES + 1, MAX_CANDIDATES + 1)),
        np.empty(MAX_CANDIDATES + 1),
        np.full((MAX_CANDIDATES + 1, 1), -1, dtype=np.int64),
        cuts,
        prices,
    )


@inner_kernel
def _measure(
    records: ListedRecords,
    slacks: RecordSlacks,
    root: int,
    count: int,
    candidates: RootCandidates,
    distances: _RootDistances,
) -> None:
    """Compute the squared distances of a root and its candidates, and what each bears of them (OUT): O(count²·d)."""
    X, squares, halves = records.X, distances.squares, distances.halves
    candidates.records[count] = root
    for i in range(count + 1):
        record = candidates.records[i]
        distances.duals[i] = slacks.duals[record]
        candidates.places[record] = i
        for j in range(i):
            square = squared_distance(X, record, X, candidates.records[j])
            squares[i, j] = square
            squares[j, i] = square
            halves[i, j] = 0.5 * square
            halves[j, i] = 0.5 * square
    for i in range(count):
        record = candidates.records[i]
        for entry in range(records.lists.shape[1]):
            j = candidates.places[records.lists[record, entry]]
            if j >= 0:
                excess = records.excess[record, entry]
                halves[i, j] = 0.5 * squares[i, j] + excess
                halves[j, i] = 0.5 * squares[i, j] - excess
    for i in range(count + 1):
        candidates.places[candidates.records[i]] = -1


@inner_kernel
def _search(
    root: int,
    count: int,
    cutoff: float,
    max_nodes: int,
    candidates: RootCandidates,
    distances: _RootDistances,
    search: Search,
    found: CheapestGroups,
) -> bool:
    """Search the groups of a root and its candidates, and store the cheapest one if it is below the cutoff.

    If none is, the cutoff is stored as a lower bound where that says more than is known. Returns whether the search
    came to its end.
    """
    listed = search.candidates
    prices = distances.prices
    base = -distances.duals[count]
    for i in range(count):
        listed.records[0, i] = i
        listed.distances[0, i] = distances.squares[count, i]
    listed.counts[0] = count
    search.group[0] = count
    search.n_nodes[1] = 0
    prices.costs[0, 0] = np.inf
    sum_nearest_candidates(distances.halves, listed, search.sums)
    filter_candidates(listed, 0, search.penalties.extra, search.sums, distances.duals, base, cutoff)
    if listed.counts[0] > 0:
        problem = RootProblem(
            distances.squares,
            search.sums,
            distances.duals,
            distances.linked,
            distances.cuts,
            FULL_DEPTH,
            max_nodes,
        )
        search_root(problem, base, cutoff, prices, 0, search)
    if prices.cancelled[0]:
        prices.cancelled[0] = False
        return False
    if prices.costs[0, 0] < cutoff:
        found.costs[root] = prices.costs[0, 0]
        found.relaxed[root] = False
        found.members[root, :] = -1
        for i in range(len(search.group)):
            found.members[root, i] = candidates.records[prices.members[0, 0, i]]
    elif cutoff < found.costs[root]:
        found.costs[root] = cutoff
        found.relaxed[root] = True
    return True
