"""Pricing of the groups of each root from lists of near records: no distances of all pairs are kept.

The terms are those of `branch_and_bound`.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.pricing.branch_and_bound import (
    FULL_DEPTH,
    NO_NODE_LIMIT,
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

    Only where the list of a root does not hold all of its candidates, all records are looked at, box by box. Where
    there are too many candidates, what is stored is a lower bound of the reduced costs of its groups.

    Parameters
    ----------
    max_nodes
        Nodes below one root: where more are needed, only one record is added to the root on its own, as `price_roots`
        does at depth 1, and the cost is a lower bound.
    found
        IN/OUT: only groups of lower reduced cost are stored.
    """
    candidates = new_root_candidates(len(records.X), size)
    distances = _new_distances(size)
    search = new_search(MAX_CANDIDATES + 1, size, 0)
    for root in range(first, last):
        if found.cancelled[0]:
            break
        cutoff = found.costs[root]
        count, bound, is_whole = list_candidates(records, slacks, root, cutoff, candidates)
        if bound >= cutoff:
            continue
        if not is_whole:
            count = scan_boxes(records, slacks, root, candidates, found)
        is_shrinking = True
        while is_shrinking and count > _MANY_CANDIDATES:
            left = drop_isolated(records, slacks, root, count, cutoff, candidates)
            is_shrinking = left < _MAX_SHARE_LEFT * count
            count = left
        if count > MAX_CANDIDATES:
            store_bound(slacks, root, candidates, found)
        elif count >= size - 1:
            _measure(records, slacks, root, count, candidates, distances)
            _search(root, count, max_nodes, candidates, distances, search, found)


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
    max_nodes: int,
    candidates: RootCandidates,
    distances: _RootDistances,
    search: Search,
    found: CheapestGroups,
) -> None:
    """Search the groups of a root and its candidates, and store the cheapest if it is cheaper than the one there."""
    listed = search.candidates
    squares, duals, prices = distances.squares, distances.duals, distances.prices
    cutoff = found.costs[root]
    base = -duals[count]
    for i in range(count):
        listed.records[0, i] = i
        listed.distances[0, i] = squares[count, i]
    listed.counts[0] = count
    search.group[0] = count
    sum_nearest_candidates(distances.halves, listed, search.sums)
    depth = FULL_DEPTH
    limit = max_nodes
    while True:
        filter_candidates(listed, 0, search.penalties.extra, search.sums, duals, base, cutoff)
        if listed.counts[0] == 0:
            return
        search.n_nodes[1] = 0
        prices.costs[0, 0] = np.inf
        problem = RootProblem(squares, search.sums, duals, distances.linked, distances.cuts, depth, limit)
        search_root(problem, base, cutoff, prices, 0, search)
        if not prices.cancelled[0]:
            break
        prices.cancelled[0] = False
        depth = 1
        limit = NO_NODE_LIMIT
    if prices.costs[0, 0] < cutoff:
        found.costs[root] = prices.costs[0, 0]
        found.relaxed[root] = depth == 1
        found.members[root, :] = -1
        for i in range(len(search.group)):
            found.members[root, i] = candidates.records[prices.members[0, 0, i]]
