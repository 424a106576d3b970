"""Enumeration of every group whose reduced cost is below a cutoff, by which certificates are checked.

The reduced cost of a group C of m records is Σ_{a<b ∈ C} d²(a, b)/m − Σ_{v ∈ C} λ_v + Σ_cuts μ·⌊w(C)/q⌋ with μ ≥ 0. The
records stand in an order; the root of a group is its first record there. The search is depth first: a node is a partial
group S, its candidates are the records that may still be added. Nothing is shared with the kernels that make
certificates.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray

_FIRST_CAPACITY = 64  # groups; doubled when they are full


class CutTable(NamedTuple):
    """Cuts, by cut and by record; −1 past the end of a row."""

    records: IntArray  # (n_cuts, longest) of each cut
    weights: IntArray  # (n_cuts, longest) of these records
    denominators: IntArray  # (n_cuts,) q
    duals: FloatArray  # (n_cuts,) μ
    cuts_of: IntArray  # (n, most) cuts that hold each record
    weights_of: IntArray  # (n, most) weights of the record in these cuts


class CostData(NamedTuple):
    """What the reduced costs of groups of m records are computed from."""

    squares: FloatArray  # (n, n) d²; inf between records that must not be in one group
    duals: FloatArray  # (n,) λ
    linked: IntArray  # (n, most) other records of the must-link set of each record; −1 past the end
    cuts: CutTable
    nearest_sums: FloatArray  # (n, m) from `sum_nearest_halves` of all records


class GroupSearch(NamedTuple):
    """State of the search: a partial group S and its candidates, at each depth; at depth 0, S is empty."""

    group: IntArray  # (m,) records of S
    n_members: IntArray  # (m + 1,) number of records of S
    square_sums: FloatArray  # (m + 1,) sum of the squared distances between records of S
    dual_sums: FloatArray  # (m + 1,) sum of the duals of S
    candidates: IntArray  # (m + 1, n)
    distances: FloatArray  # (m + 1, n) D_S of each candidate: sum of its squared distances from S
    n_candidates: IntArray  # (m + 1,)
    following: IntArray  # (m + 1,) index of the candidate that is added next
    nearest_sums: FloatArray  # (n, m) as in `CostData`, among the candidates of the root
    cut_weights: IntArray  # (n_cuts,) w(S) of each cut
    touched: IntArray  # (n_cuts,) cuts that hold a record of S
    n_touched: IntArray  # (m + 1,)
    penalties: FloatArray  # (n,) least penalty that a candidate adds
    node_of: IntArray  # (n,) last node at which the record was a candidate
    node: IntArray  # (1,) number of the current node
    bearers: IntArray  # (longest,) candidates that add a penalty of one cut
    scores: FloatArray  # (n,) of the candidates
    smallest: FloatArray  # (m,) workspace: smallest values, ascending


@kernel
def list_groups(
    data: CostData, order: IntArray, first: int, last: int, cutoff: float, max_groups: int, list_all: bool
) -> IntArray:
    """List the groups of reduced cost below the cutoff whose roots stand at the places first … last − 1 of the order.

    O(n·m) time for each node of the search, whose number is exponential in m at worst; O(n·m) memory besides the list.

    Parameters
    ----------
    data
        IN: what the reduced costs of groups of m records are computed from.
    order
        IN: the records, of shape (n,).
    max_groups
        The listing ends as soon as it has so many groups.
    list_all
        Whether all groups are wanted; else the cheapest of each root, the first one found of equal cost.

    Returns
    -------
    ndarray of shape (any number, m)
        The root of each group comes first.
    """
    size = data.nearest_sums.shape[1]
    search = _new_search(len(order), size, data.cuts)
    search.candidates[0] = order
    search.n_candidates[0] = len(order)
    groups = np.empty((_FIRST_CAPACITY, size), dtype=np.int64)
    count = 0
    for place in range(first, last):
        root_cutoff = cutoff
        before = count
        depth = _open_root(search, data, place, root_cutoff)
        while depth > 0:
            cost = _partial_cost(search, data.cuts, depth) if search.n_members[depth] == size else np.inf
            if cost < root_cutoff:
                if not list_all:
                    root_cutoff = cost
                    count = before
                if count == len(groups):
                    groups = np.concatenate((groups, np.empty_like(groups)))
                groups[count] = search.group
                count += 1
                if count >= max_groups:
                    return groups[:count]
            if search.following[depth] == search.n_candidates[depth]:
                _remove_last(search, data.cuts, depth)
                depth -= 1
            elif _add_candidate(search, data, depth):
                depth += 1
                _filter_candidates(search, data, depth, root_cutoff)
    return groups[:count]


@kernel
def sum_nearest_halves(squares: FloatArray, records: IntArray, nearest_sums: FloatArray) -> None:
    """Add up the 0, 1, 2, … smallest halves d²/2 from each of some records to the others: O(records²·m).

    `nearest_sums` is OUT at these records, of shape (n, m): inf where there are fewer others.
    """
    most = nearest_sums.shape[1] - 1
    smallest = np.empty(most)
    for record in records:
        smallest[:] = np.inf
        for other in records:
            if other != record:
                _insert_smallest(smallest, most, squares[record, other] / 2)
        nearest_sums[record, 0] = 0.0
        for i in range(most):
            nearest_sums[record, i + 1] = nearest_sums[record, i] + smallest[i]


@inner_kernel
def _open_root(search: GroupSearch, data: CostData, place: int, cutoff: float) -> int:
    """Begin the search below the root at a place; return the depth: 1, or 0 if the root cannot be added."""
    search.following[0] = place
    if not _add_candidate(search, data, 0):
        return 0
    depth = 1
    search.nearest_sums[:] = data.nearest_sums
    _filter_candidates(search, data, depth, cutoff)
    sum_nearest_halves(data.squares, search.candidates[1, : search.n_candidates[1]], search.nearest_sums)
    _filter_candidates(search, data, depth, cutoff)
    return depth


@inner_kernel
def _add_candidate(search: GroupSearch, data: CostData, depth: int) -> bool:
    """Add the next candidate and its must-link set to S, one depth further; candidates before it are dropped.

    Return whether that is possible: not if one of the set is no candidate, or S would have too many records. Then S is
    as before.
    """
    deeper = depth + 1
    chosen = search.following[depth]
    search.following[depth] += 1
    search.n_members[deeper] = search.n_members[depth]
    search.n_touched[deeper] = search.n_touched[depth]
    search.square_sums[deeper] = search.square_sums[depth]
    search.dual_sums[deeper] = search.dual_sums[depth]
    search.following[deeper] = 0
    search.n_candidates[deeper] = search.n_candidates[depth] - chosen
    for i in range(search.n_candidates[deeper]):
        search.candidates[deeper, i] = search.candidates[depth, chosen + i]
        search.distances[deeper, i] = search.distances[depth, chosen + i]
    _move_to_group(search, data, deeper, 0)
    for other in data.linked[search.candidates[depth, chosen]]:
        if other < 0:
            break
        place = 0
        while place < search.n_candidates[deeper] and search.candidates[deeper, place] != other:
            place += 1
        if place == search.n_candidates[deeper] or search.n_members[deeper] == len(search.group):
            _remove_last(search, data.cuts, deeper)
            return False
        _move_to_group(search, data, deeper, place)
    return True


@inner_kernel
def _move_to_group(search: GroupSearch, data: CostData, depth: int, place: int) -> None:
    """Move a candidate to S: O(n + cuts of the record)."""
    record = search.candidates[depth, place]
    search.group[search.n_members[depth]] = record
    search.n_members[depth] += 1
    search.square_sums[depth] += search.distances[depth, place]
    search.dual_sums[depth] += data.duals[record]
    search.n_candidates[depth] -= 1
    for i in range(place, search.n_candidates[depth]):
        search.candidates[depth, i] = search.candidates[depth, i + 1]
        search.distances[depth, i] = search.distances[depth, i + 1]
    for i in range(search.n_candidates[depth]):
        search.distances[depth, i] += data.squares[record, search.candidates[depth, i]]
    cuts = data.cuts
    for i in range(cuts.cuts_of.shape[1]):
        cut = cuts.cuts_of[record, i]
        if cut < 0:
            break
        if search.cut_weights[cut] == 0:
            search.touched[search.n_touched[depth]] = cut
            search.n_touched[depth] += 1
        search.cut_weights[cut] += cuts.weights_of[record, i]


@inner_kernel
def _remove_last(search: GroupSearch, cuts: CutTable, depth: int) -> None:
    """Remove from S what was added at a depth: O(cuts of these records)."""
    for place in range(search.n_members[depth - 1], search.n_members[depth]):
        record = search.group[place]
        for i in range(cuts.cuts_of.shape[1]):
            if cuts.cuts_of[record, i] < 0:
                break
            search.cut_weights[cuts.cuts_of[record, i]] -= cuts.weights_of[record, i]


@inner_kernel
def _partial_cost(search: GroupSearch, cuts: CutTable, depth: int) -> float:
    """Return what S alone adds to the reduced cost of a group, which is all of it if S is complete: O(cuts)."""
    cost: float = search.square_sums[depth] / len(search.group) - search.dual_sums[depth]
    for i in range(search.n_touched[depth]):
        cut = search.touched[i]
        cost += cuts.duals[cut] * (search.cut_weights[cut] // cuts.denominators[cut])
    return cost


@inner_kernel
def _filter_candidates(search: GroupSearch, data: CostData, depth: int, cutoff: float) -> None:
    """Drop the candidates that are in no group of S and others below the cutoff; all, if S has m records.

    A group of S and r candidates T costs what S alone does, Σ_{x ∈ T} (D_S(x)/m − λ_x), Σ_{x<y ∈ T} d²(x, y)/m, and the
    penalties of T. Let each d²(x, y) count half at x and half at y: x has r − 1 such halves, no less than its r − 1
    smallest, `nearest_sums`. So the group costs no less than S alone and the scores
    (D_S(x) + nearest_sums_{r−1}(x))/m − λ_x + penalty(x) of all x ∈ T; hence no less than S and the r smallest scores;
    nor, if it holds x, than S, the r − 1 smallest, and that of x. O(n·m + cuts).
    """
    count = search.n_candidates[depth]
    size = len(search.group)
    more = size - search.n_members[depth]
    search.n_candidates[depth] = 0
    if more == 0:
        return
    _charge_penalties(search, data.cuts, depth, count, more)
    search.smallest[:] = np.inf
    for i in range(count):
        record = search.candidates[depth, i]
        score = (search.distances[depth, i] + search.nearest_sums[record, more - 1]) / size
        search.scores[i] = score - data.duals[record] + search.penalties[record]
        _insert_smallest(search.smallest, more, search.scores[i])
    others = _partial_cost(search, data.cuts, depth)
    for i in range(more - 1):
        others += search.smallest[i]
    kept = 0
    if others + search.smallest[more - 1] < cutoff:
        for i in range(count):
            if others + search.scores[i] < cutoff:
                search.candidates[depth, kept] = search.candidates[depth, i]
                search.distances[depth, kept] = search.distances[depth, i]
                kept += 1
    search.n_candidates[depth] = kept


@inner_kernel
def _charge_penalties(search: GroupSearch, cuts: CutTable, depth: int, count: int, more: int) -> None:
    """Charge the first `count` candidates with the penalties of cuts that they add: `search.penalties` is OUT.

    A candidate bears a cut if it alone brings w(S) to the next multiple of q. A group that holds such candidates has
    the penalty μ at least once more than S alone; it holds no more of them than there are, nor than can be added. So
    each adds at least μ over the smaller of these two numbers.
    """
    search.node[0] += 1
    for i in range(count):
        record = search.candidates[depth, i]
        search.node_of[record] = search.node[0]
        search.penalties[record] = 0.0
    for i in range(search.n_touched[depth]):
        cut = search.touched[i]
        missing = cuts.denominators[cut] - search.cut_weights[cut] % cuts.denominators[cut]
        n_bearers = 0
        for j in range(len(search.bearers)):
            record = cuts.records[cut, j]
            if record >= 0 and search.node_of[record] == search.node[0] and cuts.weights[cut, j] >= missing:
                search.bearers[n_bearers] = record
                n_bearers += 1
        for j in range(n_bearers):
            search.penalties[search.bearers[j]] += cuts.duals[cut] / min(more, n_bearers)


@inner_kernel
def _insert_smallest(smallest: FloatArray, count: int, value: float) -> None:
    """Insert a value into the `count` smallest so far (IN/OUT, ascending) if it is one of them: O(count)."""
    if count == 0 or value >= smallest[count - 1]:
        return
    i = count - 1
    while i > 0 and smallest[i - 1] > value:
        smallest[i] = smallest[i - 1]
        i -= 1
    smallest[i] = value


@inner_kernel
def _new_search(n: int, size: int, cuts: CutTable) -> GroupSearch:
    """Return a search with an empty group and no candidates."""
    n_cuts, longest = cuts.records.shape
    counts = np.zeros((4, size + 1), dtype=np.int64)
    sums = np.zeros((2, size + 1))
    return GroupSearch(
        np.zeros(size, dtype=np.int64),
        counts[0],
        sums[0],
        sums[1],
        np.zeros((size + 1, n), dtype=np.int64),
        np.zeros((size + 1, n)),
        counts[1],
        counts[2],
        np.zeros((n, size)),
        np.zeros(n_cuts, dtype=np.int64),
        np.zeros(n_cuts, dtype=np.int64),
        counts[3],
        np.zeros(n),
        np.zeros(n, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(longest, dtype=np.int64),
        np.zeros(n),
        np.zeros(size),
    )
