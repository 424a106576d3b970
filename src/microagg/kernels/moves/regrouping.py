"""Groups split, dissolved, and formed anew of records that near groups can spare, with rules kept, where that gains."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.kernels.moves.trial_moves import N_TOUCHED, Trial, forget, judge, move, new_trial, undo
from microagg.kernels.rules.member_lists import NOBODY, MemberLists, gather, joining_cost
from microagg.kernels.rules.quota_growth import Pool, Quotas, grow, new_pool
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.model.arrays import BoolArray, FloatArray, IntArray


class Regrouping(NamedTuple):
    """What is needed for regrouping, besides groups and rules."""

    trial: Trial
    pool: Pool
    quotas: Quotas
    is_spare: BoolArray  # (n,) whether the group of each record is legal without it


def new_regrouping(points: FloatArray, quotas: Quotas, n_groups: int) -> Regrouping:
    """Return what is needed for regrouping records, of shape (n, d)."""
    n = len(points)
    return Regrouping(new_trial(n, n_groups), new_pool(points), quotas, np.zeros(n, dtype=np.bool_))


@kernel
def regroup(
    groups: MemberLists, rules: RuleArrays, regrouping: Regrouping, near: IntArray, some: IntArray, records: IntArray
) -> None:
    """Split some groups, or dissolve them; then form new groups around some records, where that gains (IN/OUT).

    O(near·size·d) for each group, and O(near·size·(d + quotas·size)) for each record, besides checks of the rules.
    """
    for group in some:
        while _split(groups, rules, regrouping, group):
            pass
        _dissolve(groups, rules, regrouping.trial, near, group)
    if len(records) > 0:
        for group in range(len(groups.sizes)):
            _mark_spare(groups, rules, regrouping.is_spare, group)
    for record in records:
        if regrouping.is_spare[record]:
            _extract(groups, rules, regrouping, near, record)


@inner_kernel
def _split(groups: MemberLists, rules: RuleArrays, regrouping: Regrouping, group: int) -> bool:
    """Form a new group out of one around the record that saves most by leaving; return whether that gains."""
    pool = regrouping.pool
    if groups.sizes[group] < 2 * regrouping.quotas.size:
        return False
    n_pool = gather(groups, group, pool.records, 0)
    outermost = pool.records[0]
    for i in range(n_pool):
        if groups.savings[pool.records[i]] > groups.savings[outermost]:
            outermost = pool.records[i]
    is_split = _form_group(groups, rules, regrouping, n_pool, outermost)
    forget(regrouping.trial)
    return is_split


@inner_kernel
def _extract(groups: MemberLists, rules: RuleArrays, regrouping: Regrouping, near: IntArray, record: int) -> None:
    """Form a new group around a record of records that its own and near groups can spare, if that gains."""
    pool = regrouping.pool
    trial = regrouping.trial
    own = groups.labels[record]
    n_pool = _gather_spare(groups, regrouping.is_spare, own, pool.records, 0)
    for i in range(near.shape[1]):
        if near[record, i] != own:
            n_pool = _gather_spare(groups, regrouping.is_spare, near[record, i], pool.records, n_pool)
    if n_pool < regrouping.quotas.size:
        return
    if _form_group(groups, rules, regrouping, n_pool, record):
        for i in range(trial.counts[N_TOUCHED]):
            _mark_spare(groups, rules, regrouping.is_spare, trial.touched[i])
    forget(trial)


@inner_kernel
def _form_group(groups: MemberLists, rules: RuleArrays, regrouping: Regrouping, n_pool: int, record: int) -> bool:
    """Form a new group of the pool around a record, if that gains; return whether it does."""
    pool = regrouping.pool
    new = 0
    while new < len(groups.sizes) and groups.sizes[new] > 0:
        new += 1
    if new == len(groups.sizes):
        return False
    size = grow(pool, n_pool, regrouping.quotas, rules, record)
    for i in range(size):
        move(groups, regrouping.trial, pool.chosen[i], new)
    return size > 0 and judge(groups, rules, regrouping.trial)


@inner_kernel
def _dissolve(groups: MemberLists, rules: RuleArrays, trial: Trial, near: IntArray, group: int) -> None:
    """Put each record of a group into the near group that it joins at the least cost, if that gains."""
    members = groups.second
    size = gather(groups, group, members, 0)
    is_complete = True
    for i in range(size):
        target = _cheapest(groups, near, members[i], group)
        if target == NOBODY:
            is_complete = False
            break
        move(groups, trial, members[i], target)
    if is_complete:
        judge(groups, rules, trial)
    else:
        undo(groups, trial)
    forget(trial)


@inlined_kernel
def _cheapest(groups: MemberLists, near: IntArray, record: int, group: int) -> int:
    """Return the near group, other than one, that a record joins at the least cost."""
    best = NOBODY
    least = np.inf
    for i in range(near.shape[1]):
        other = near[record, i]
        if other != group and groups.sizes[other] > 0:
            cost = joining_cost(groups, record, other)
            if cost < least:
                least = cost
                best = other
    return best


@inner_kernel
def _mark_spare(groups: MemberLists, rules: RuleArrays, is_spare: BoolArray, group: int) -> None:
    """Find the records of a group without which it is legal (OUT in `is_spare`)."""
    members = groups.first
    size = gather(groups, group, members, 0)
    for i in range(size):
        record = members[i]
        members[i] = members[size - 1]
        is_spare[record] = is_legal(rules, members, size - 1)
        members[i] = record


@inlined_kernel
def _gather_spare(groups: MemberLists, is_spare: BoolArray, group: int, records: IntArray, start: int) -> int:
    """List the records that a group can spare in `records` (OUT) from `start` on; return where they end."""
    record = groups.heads[group]
    while record != NOBODY:
        if is_spare[record]:
            records[start] = record
            start += 1
        record = groups.nexts[record]
    return start
