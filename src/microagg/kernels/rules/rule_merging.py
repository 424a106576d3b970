"""Groups merged until all of them satisfy the rules."""

import numpy as np

from microagg.kernels.jit import inlined_kernel, kernel
from microagg.kernels.rules.member_lists import NOBODY, MemberLists, gather, put_in, update
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_N_CANDIDATES = 8  # the cheapest partners, of which one that makes the group legal is preferred


def merge_illegal_groups(groups: MemberLists, rules: RuleArrays, is_illegal: BoolArray, tick: Tick = no_tick) -> None:
    """Merge each group that violates a rule with the one that costs least (IN/OUT), until none does.

    The smallest group that violates a rule is merged first. Of its cheapest partners by Ward's cost, the first with
    which it satisfies the rules is preferred; if there is none, the cheapest is taken. Ties go to the lowest index.
    O(n_groups·d) for each merge, and the check of the groups.

    Parameters
    ----------
    is_illegal
        Whether each group violates a rule, of shape (n_groups,).
    """
    is_illegal = is_illegal.copy()
    n_first = max(1, int(is_illegal.sum()))
    candidates = np.empty(_N_CANDIDATES, dtype=np.int64)
    costs = np.empty(_N_CANDIDATES)
    steps = steps_per_tick(len(groups.sizes) * (groups.X.shape[1] + 4))
    while not _merge_some(groups, rules, is_illegal, candidates, costs, steps):
        tick(1 - int(is_illegal.sum()) / n_first)


@kernel
def _merge_some(
    groups: MemberLists, rules: RuleArrays, is_illegal: BoolArray, candidates: IntArray, costs: FloatArray, steps: int
) -> bool:
    """Merge up to `steps` groups that violate a rule; return whether none is left."""
    records = groups.first
    for _ in range(steps):
        group = _smallest(groups.sizes, is_illegal)
        if group == NOBODY:
            return True
        n_found = _find_partners(groups, group, candidates, costs)
        if n_found == 0:  # one group of all records
            return True
        size = gather(groups, group, records, 0)
        partner = candidates[0]
        becomes_legal = False
        for i in range(n_found):
            if is_legal(rules, records, gather(groups, candidates[i], records, size)):
                partner = candidates[i]
                becomes_legal = True
                break
        _join(groups, min(group, partner), max(group, partner))
        is_illegal[max(group, partner)] = False
        is_illegal[min(group, partner)] = not becomes_legal
    return False


@inlined_kernel
def _smallest(sizes: IntArray, is_illegal: BoolArray) -> int:
    """Return the smallest group that violates a rule, or NOBODY."""
    smallest = NOBODY
    for group in range(len(sizes)):
        if is_illegal[group] and (smallest == NOBODY or sizes[group] < sizes[smallest]):
            smallest = group
    return smallest


@inlined_kernel
def _find_partners(groups: MemberLists, group: int, candidates: IntArray, costs: FloatArray) -> int:
    """Find the cheapest partners of a group in the order of their costs (OUT); return how many there are."""
    n_found = 0
    for other in range(len(groups.sizes)):
        if other == group or groups.sizes[other] == 0:
            continue
        cost = _ward_cost(groups, group, other)
        if n_found == len(costs) and cost >= costs[n_found - 1]:
            continue
        place = min(n_found, len(costs) - 1)
        while place > 0 and costs[place - 1] > cost:
            costs[place] = costs[place - 1]
            candidates[place] = candidates[place - 1]
            place -= 1
        costs[place] = cost
        candidates[place] = other
        n_found = min(n_found + 1, len(costs))
    return n_found


@inlined_kernel
def _ward_cost(groups: MemberLists, group: int, other: int) -> float:
    """Return what merging two groups adds to the sse: O(d)."""
    cost = 0.0
    for column in range(groups.means.shape[1]):
        weight = groups.weights[group, column]
        other_weight = groups.weights[other, column]
        if weight > 0.0 and other_weight > 0.0:
            difference = groups.means[group, column] - groups.means[other, column]
            cost += weight * other_weight / (weight + other_weight) * difference * difference
    return cost


@inlined_kernel
def _join(groups: MemberLists, kept: int, gone: int) -> None:
    """Put the records of one group into another: O(size·d)."""
    record = groups.heads[gone]
    while record != NOBODY:
        following = groups.nexts[record]
        put_in(groups, record, kept)
        record = following
    groups.heads[gone] = NOBODY
    groups.sizes[gone] = 0
    update(groups, kept)
