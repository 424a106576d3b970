"""Groups merged until all of them satisfy the rules."""

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.kernels.rules.member_lists import NOBODY, MemberLists, gather, update
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_N_CANDIDATES = 8  # the cheapest partners, of which one that makes the group legal is preferred


def merge_illegal_groups(groups: MemberLists, rules: RuleArrays, tick: Tick = no_tick) -> None:
    """Merge each group that violates a rule with the one that costs least (IN/OUT), until none does.

    The smallest group that violates a rule is merged first. Of its cheapest partners by Ward's cost, the first with
    which it satisfies the rules is preferred; if there is none, the cheapest is taken. Ties go to the lowest index.
    O(n_groups·d) for each merge, and the check of the groups.
    """
    n_groups = len(groups.sizes)
    is_illegal = np.zeros(n_groups, dtype=np.bool_)
    _find_illegal_groups(groups, rules, is_illegal)
    candidates = np.empty(_N_CANDIDATES, dtype=np.int64)
    costs = np.empty(_N_CANDIDATES)
    n_first = max(1, int(is_illegal.sum()))
    steps = steps_per_tick(n_groups * (groups.X.shape[1] + 4))
    while not _merge_some(groups, rules, is_illegal, candidates, costs, steps):
        tick(1 - is_illegal.sum() / n_first)


@kernel
def _find_illegal_groups(groups: MemberLists, rules: RuleArrays, is_illegal: BoolArray) -> None:
    """Find the groups that violate a rule (OUT)."""
    for group in range(len(groups.sizes)):
        if groups.sizes[group] > 0:
            is_illegal[group] = not _is_legal_group(groups, rules, group)


@kernel
def _merge_some(
    groups: MemberLists, rules: RuleArrays, is_illegal: BoolArray, candidates: IntArray, costs: FloatArray, steps: int
) -> bool:
    """Merge up to `steps` groups; return whether all satisfy the rules now."""
    for _ in range(steps):
        group = _smallest(groups.sizes, is_illegal)
        if group == NOBODY:
            return True
        n_found = _find_partners(groups, group, candidates, costs)
        if n_found == 0:  # one group of all records, which is at the limit
            return True
        partner = candidates[0]
        for i in range(n_found):
            size = gather(groups, group, groups.first, 0)
            size = gather(groups, candidates[i], groups.first, size)
            if is_legal(rules, groups.first, size):
                partner = candidates[i]
                break
        _join(groups, rules, is_illegal, group, partner)
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


@inner_kernel
def _join(groups: MemberLists, rules: RuleArrays, is_illegal: BoolArray, group: int, partner: int) -> None:
    """Merge two groups into the one of the lower number, and check it."""
    kept = min(group, partner)
    gone = max(group, partner)
    tail = groups.heads[kept]
    while groups.nexts[tail] != NOBODY:
        tail = groups.nexts[tail]
    groups.nexts[tail] = groups.heads[gone]
    groups.lasts[groups.heads[gone]] = tail
    record = groups.heads[gone]
    while record != NOBODY:
        groups.labels[record] = kept
        record = groups.nexts[record]
    groups.heads[gone] = NOBODY
    groups.sizes[kept] += groups.sizes[gone]
    groups.sizes[gone] = 0
    is_illegal[gone] = False
    update(groups, kept)
    is_illegal[kept] = not _is_legal_group(groups, rules, kept)


@inlined_kernel
def _is_legal_group(groups: MemberLists, rules: RuleArrays, group: int) -> bool:
    """Check a group against the rules."""
    size = gather(groups, group, groups.first, 0)
    return is_legal(rules, groups.first, size)
