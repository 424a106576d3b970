"""Pricing by branch and bound: groups of one size with a reduced cost below a cutoff.

The reduced cost of a group C of m records is Σ_{a<b ∈ C} d²(a, b)/m − Σ_{v ∈ C} λ_v plus the penalties of cuts
(`cut_penalties`). The records stand in an order; the root of a group is its first record there. A node of the search is
a partial group S; its candidates are the records that may still be added to it.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.pricing.cut_penalties import CutPenalties, Cuts, charge_penalties, no_penalties
from microagg.kernels.pricing.group_candidates import (
    Candidates,
    add_smallest_scores,
    filter_candidates,
    new_candidates,
    require_linked,
    sort_candidates,
    sum_nearest_candidates,
)
from microagg.kernels.pricing.root_prices import RootPrices, store_group
from microagg.model.arrays import FloatArray, IntArray

MAX_LOCAL_CANDIDATES = (
    1500  # candidates of a root up to which nearest sums among them are computed: beyond, that costs more than it saves
)
FULL_DEPTH = 1_000_000  # depth of an exact search
NO_NODE_LIMIT = 2**62  # nodes: no limit


class RootProblem(NamedTuple):
    """Pricing problem below one root; the fields are the parameters of `price_roots`."""

    squares: FloatArray
    sums: FloatArray
    duals: FloatArray
    linked: IntArray
    cuts: Cuts
    depth: int
    max_nodes: int


class Search(NamedTuple):
    """Workspace of the depth-first search below a root."""

    group: IntArray  # (size,) records of the partial group
    candidates: Candidates
    penalties: CutPenalties
    sums: FloatArray  # (n, size) nearest sums among the candidates of the root
    n_nodes: IntArray  # (2,) nodes visited: of all roots, and of this one


@kernel
def price_roots(
    squares: FloatArray,
    halves: FloatArray,
    sums: FloatArray,
    duals: FloatArray,
    linked: IntArray,
    cuts: Cuts,
    order: IntArray,
    first: int,
    last: int,
    cutoff: float,
    max_local: int,
    depth: int,
    max_nodes: int,
    prices: RootPrices,
) -> int:
    """Find the groups whose roots stand at the places first … last − 1 of the order, by branch and bound.

    A group of S and r more records x has at least the reduced cost of S and the r smallest scores
    (D_S(x) + nn_{r−1}(x))/m − λ_x, where D_S(x) adds up the squared distances of x from S, and nn_{r−1}(x) the r − 1
    smallest halves from x to other records, all candidates among them: the squared distance of two added records is
    counted in two halves, one at each of them. Penalties of cuts are added to both (`charge_penalties`). O(n) time for
    each node; the number of nodes is exponential in the size at worst. O(size·n) memory.

    Parameters
    ----------
    squares
        IN: squared distances, of shape (n, n); inf for records that must not be in one group.
    halves
        IN, of shape (n, n): those of (a, b) and (b, a) add up to the squared distance.
    sums
        IN: `nearest_sums` of the halves, of at least m − 2.
    duals
        IN: λ, of shape (n,).
    linked
        IN: the other records of the must-link set of each record, of shape (n, any number), −1 past the end. Only an
        exact search respects them.
    order
        IN: the records, by decreasing dual as a rule: then most of the work is that of the first roots.
    cutoff
        Only groups of lower reduced cost are wanted.
    max_local
        Candidates of a root up to which nearest sums among them are computed: `MAX_LOCAL_CANDIDATES`.
    depth
        Number of records added to a root one by one, at least one; the rest are those of the smallest scores, added at
        once at a cost that no group is below. `FULL_DEPTH`: every record is added on its own.
    max_nodes
        Nodes below one root: more of them cancel the pricing. `NO_NODE_LIMIT`: no limit.
    prices
        IN/OUT: the groups found so far.

    Returns
    -------
    int
        Number of nodes visited, roots not counted.
    """
    size = prices.members.shape[2]
    search = new_search(len(order), size, len(cuts.duals))
    candidates = search.candidates
    extra = search.penalties.extra
    for place in range(first, last):
        row = place - prices.first
        base = _open_root(squares, duals, cuts, order, place, search)
        root_cutoff = min(cutoff, prices.costs[row, -1])
        filter_candidates(candidates, 0, extra, sums, duals, base, root_cutoff)
        if candidates.counts[0] == 0:
            continue
        root_sums = sums
        if candidates.counts[0] <= max_local:
            sum_nearest_candidates(halves, candidates, search.sums)
            root_sums = search.sums
            filter_candidates(candidates, 0, extra, root_sums, duals, base, root_cutoff)
        problem = RootProblem(squares, root_sums, duals, linked, cuts, depth, max_nodes)
        search_root(problem, base, root_cutoff, prices, row, search)
    return int(search.n_nodes[0]) - (last - first)


@inner_kernel
def new_search(n: int, size: int, n_cuts: int) -> Search:
    """Return the workspace for groups of one size among n records."""
    return Search(
        np.empty(size, dtype=np.int64),
        new_candidates(n, size),
        no_penalties(n, n_cuts),
        np.empty((n, size)),
        np.zeros(2, dtype=np.int64),
    )


@inner_kernel
def _open_root(
    squares: FloatArray, duals: FloatArray, cuts: Cuts, order: IntArray, place: int, search: Search
) -> float:
    """Begin the search below a root, with every record after it as a candidate; return the root's reduced cost."""
    root = order[place]
    candidates, penalties = search.candidates, search.penalties
    search.group[0] = root
    search.n_nodes[0] += 1
    search.n_nodes[1] = 0
    count = len(order) - place - 1
    for i in range(count):
        record = order[place + 1 + i]
        candidates.records[0, i] = record
        candidates.distances[0, i] = squares[root, record]
        penalties.node_of[record] = search.n_nodes[0]
        penalties.extra[record] = 0.0
    candidates.counts[0] = count
    penalty = charge_penalties(cuts, penalties, search.group, 1, len(search.group) - 1, search.n_nodes[0])
    cost: float = penalty - duals[root]
    return cost


@inner_kernel
def search_root(problem: RootProblem, base: float, cutoff: float, prices: RootPrices, row: int, search: Search) -> None:
    """Add records to a root one by one, depth first, wherever the reduced cost can stay below the cutoff."""
    group, candidates, linked = search.group, search.candidates, problem.linked
    size = len(group)
    following = np.zeros(size, np.int64)  # index of the candidate that is added next, at each level
    bases = np.empty(size)  # reduced cost of the partial group without cuts
    n_required = np.zeros(size, np.int64)  # candidates that must be added next, as they are linked to the last record
    level = 0
    sort_candidates(candidates)
    n_required[0] = require_linked(candidates, level, linked, group)
    bases[0] = -problem.duals[group[0]]
    if size == 2:
        _add_last(prices, row, base, cutoff, candidates, level, n_required[0], linked, group)
        return
    while level >= 0:
        i = following[level]
        n_left = size - 1 - level
        exhausted = i > candidates.counts[level] - n_left
        if exhausted or (i > 0 and n_required[level] > 0) or prices.cancelled[0]:
            level -= 1
            continue
        following[level] += 1
        record = candidates.records[level, i]
        deeper = level + 1
        group[deeper] = record
        following[deeper] = 0
        bases[deeper] = bases[level] + candidates.distances[level, i] / size - problem.duals[record]
        search.n_nodes[0] += 1
        search.n_nodes[1] += 1
        if search.n_nodes[1] > problem.max_nodes:
            prices.cancelled[0] = True
        count = 0
        for j in range(i + 1, candidates.counts[level]):
            other = candidates.records[level, j]
            candidates.records[deeper, count] = other
            candidates.distances[deeper, count] = candidates.distances[level, j] + problem.squares[record, other]
            search.penalties.node_of[other] = search.n_nodes[0]
            search.penalties.extra[other] = 0.0
            count += 1
        candidates.counts[deeper] = count
        base = bases[deeper] + charge_penalties(
            problem.cuts, search.penalties, group, deeper + 1, n_left - 1, search.n_nodes[0]
        )
        extra = search.penalties.extra
        cost = filter_candidates(candidates, deeper, extra, problem.sums, problem.duals, base, cutoff)
        n_required[deeper] = require_linked(candidates, deeper, linked, group)
        if candidates.counts[deeper] == 0:
            continue
        if n_left == 2:
            cutoff = _add_last(prices, row, base, cutoff, candidates, deeper, n_required[deeper], linked, group)
        elif deeper == problem.depth:
            add_smallest_scores(candidates, deeper, group)
            store_group(prices, row, cost, group)
            cutoff = min(cutoff, prices.costs[row, -1])
        else:
            level = deeper


@inner_kernel
def _add_last(
    prices: RootPrices,
    row: int,
    base: float,
    cutoff: float,
    candidates: Candidates,
    level: int,
    required: int,
    linked: IntArray,
    group: IntArray,
) -> float:
    """Store the groups that one more candidate completes, at its score; return the cutoff, which may have fallen."""
    choices = candidates.counts[level]
    if required > 0:
        choices = int(required == 1)
    for i in range(choices):
        record = candidates.records[level, i]
        cost = base + candidates.scores[i]
        if cost < cutoff and (required == 1 or linked[record, 0] < 0):
            group[level + 1] = record
            store_group(prices, row, cost, group)
            if not prices.list_all:
                cutoff = min(cutoff, prices.costs[row, -1])
    return cutoff
