"""Groups dissolved and formed anew, with rules kept, where that lowers the sse.

Each trial is made and judged by the sse and the legality of all the groups that it has touched, and undone if it fails.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.kernels.rules.member_lists import NOBODY, MemberLists, gather, joining_cost, put_in, take_out, update
from microagg.kernels.rules.quota_growth import Pool, Quotas, grow
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.model.arrays import BoolArray, IntArray

_RELATIVE_ROUNDING = 1e-10  # of the sse of the groups that change: a smaller gain may be a rounding error
N_MOVED, N_TOUCHED = range(2)  # entries of `Trial.counts`


class Trial(NamedTuple):
    """Moves of records that may be undone."""

    moved: IntArray  # (n,) records in the order of their moves
    origins: IntArray  # (n,) the groups that they came from
    touched: IntArray  # (n_groups,) groups that have changed
    is_touched: BoolArray  # (n_groups,)
    sse: np.ndarray  # (1,) of the groups touched, before the trial
    counts: IntArray  # (2,) see `N_MOVED` and the following


def new_trial(n: int, n_groups: int) -> Trial:
    """Return a trial without moves."""
    return Trial(
        moved=np.empty(n, dtype=np.int64),
        origins=np.empty(n, dtype=np.int64),
        touched=np.empty(n_groups, dtype=np.int64),
        is_touched=np.zeros(n_groups, dtype=np.bool_),
        sse=np.zeros(1),
        counts=np.zeros(2, dtype=np.int64),
    )


@kernel
def dissolve_some(groups: MemberLists, rules: RuleArrays, near: IntArray, trial: Trial, first: int, last: int) -> int:
    """Put the records of each of the groups first … last − 1 into near groups, if that gains; return how many did."""
    n_gained = 0
    members = groups.second
    for group in range(first, last):
        size = gather(groups, group, members, 0)
        placed = size > 0
        for i in range(size):
            target = _cheapest(groups, near, members[i], group)
            if target == NOBODY:
                placed = False
                break
            _move(groups, trial, members[i], target)
        n_gained += _judge(groups, rules, trial, placed)
    return n_gained


@kernel
def extract_some(
    groups: MemberLists,
    rules: RuleArrays,
    near: IntArray,
    trial: Trial,
    pool: Pool,
    quotas: Quotas,
    first: int,
    last: int,
) -> int:
    """Form a new group around each of the records first … last − 1, of records that near groups can spare, if that gains."""
    n_gained = 0
    new = 0
    for record in range(first, last):
        while new < len(groups.sizes) and groups.sizes[new] > 0:
            new += 1
        if new == len(groups.sizes):
            return n_gained
        own = groups.labels[record]
        n_pool = _gather_spare(groups, rules, own, pool.records, 0)
        is_spare = False
        for i in range(n_pool):
            is_spare |= pool.records[i] == record
        if not is_spare:
            continue
        for i in range(near.shape[1]):
            if near[record, i] != own:
                n_pool = _gather_spare(groups, rules, near[record, i], pool.records, n_pool)
        if n_pool < quotas.size:
            continue
        size = grow(pool, n_pool, quotas, rules, record)
        for i in range(size):
            _move(groups, trial, pool.chosen[i], new)
        n_gained += _judge(groups, rules, trial, size > 0)
    return n_gained


@inlined_kernel
def _gather_spare(groups: MemberLists, rules: RuleArrays, group: int, records: IntArray, start: int) -> int:
    """List the records without which their group is legal in `records` (OUT) from `start` on; return where they end."""
    members = groups.first
    size = gather(groups, group, members, 0)
    if size <= rules.k:
        return start
    for i in range(size):
        record = members[i]
        members[i] = members[size - 1]
        if is_legal(rules, members, size - 1):
            records[start] = record
            start += 1
        members[i] = record
    return start


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
def _move(groups: MemberLists, trial: Trial, record: int, target: int) -> None:
    """Move a record as part of a trial."""
    origin = groups.labels[record]
    _touch(groups, trial, origin)
    _touch(groups, trial, target)
    trial.moved[trial.counts[N_MOVED]] = record
    trial.origins[trial.counts[N_MOVED]] = origin
    trial.counts[N_MOVED] += 1
    take_out(groups, record)
    put_in(groups, record, target)
    update(groups, origin)
    update(groups, target)


@inlined_kernel
def _touch(groups: MemberLists, trial: Trial, group: int) -> None:
    """Remember a group before its first change."""
    if not trial.is_touched[group]:
        trial.is_touched[group] = True
        trial.touched[trial.counts[N_TOUCHED]] = group
        trial.counts[N_TOUCHED] += 1
        trial.sse[0] += _group_sse(groups, group)


@inner_kernel
def _judge(groups: MemberLists, rules: RuleArrays, trial: Trial, is_complete: bool) -> bool:
    """Keep a trial if it is complete, the sse has fallen and the groups are legal; else undo it. Return whether kept."""
    keep = is_complete
    if keep:
        sse = 0.0
        for i in range(trial.counts[N_TOUCHED]):
            sse += _group_sse(groups, trial.touched[i])
        keep = sse < trial.sse[0] * (1 - _RELATIVE_ROUNDING)
    if keep:
        for i in range(trial.counts[N_TOUCHED]):
            size = gather(groups, trial.touched[i], groups.first, 0)
            if size > 0 and not is_legal(rules, groups.first, size):
                keep = False
                break
    if not keep:
        for back in range(trial.counts[N_MOVED]):
            i = trial.counts[N_MOVED] - 1 - back
            take_out(groups, trial.moved[i])
            put_in(groups, trial.moved[i], trial.origins[i])
        for i in range(trial.counts[N_TOUCHED]):
            update(groups, trial.touched[i])
    for i in range(trial.counts[N_TOUCHED]):
        trial.is_touched[trial.touched[i]] = False
    trial.counts[N_MOVED] = 0
    trial.counts[N_TOUCHED] = 0
    trial.sse[0] = 0.0
    return keep


@inner_kernel
def _group_sse(groups: MemberLists, group: int) -> float:
    """Return the sse of a group: O(size·d)."""
    sse = 0.0
    record = groups.heads[group]
    while record != NOBODY:
        for column in range(groups.X.shape[1]):
            sse += groups.cells[record, column] * (groups.X[record, column] - groups.means[group, column]) ** 2
        record = groups.nexts[record]
    return sse
