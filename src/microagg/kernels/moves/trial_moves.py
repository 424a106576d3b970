"""Moves of records on trial: kept if the sse falls and all the groups that they touch are legal, else undone."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inlined_kernel, inner_kernel
from microagg.kernels.rules.member_lists import NOBODY, MemberLists, gather, put_in, take_out, update
from microagg.kernels.rules.rule_arrays import RuleArrays, is_legal
from microagg.model.arrays import BoolArray, FloatArray, IntArray

N_MOVED, N_TOUCHED = range(2)  # entries of `Trial.counts`
_RELATIVE_ROUNDING = 1e-10  # of the sse of the groups touched: a smaller gain may be a rounding error


class Trial(NamedTuple):
    """Moves that may be undone."""

    moved: IntArray  # (n,) records in the order of their moves
    origins: IntArray  # (n,) the groups that they came from
    touched: IntArray  # (n_groups,) groups that have changed
    is_touched: BoolArray  # (n_groups,)
    sse: FloatArray  # (1,) of the groups touched, before the trial
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


@inner_kernel
def move(groups: MemberLists, trial: Trial, record: int, target: int) -> None:
    """Move a record to another group as part of a trial."""
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
def judge(groups: MemberLists, rules: RuleArrays, trial: Trial) -> bool:
    """Keep the moves if the sse has fallen and all groups touched are legal; else undo them. Return whether kept."""
    is_kept = _gains(groups, trial) and _is_legal_trial(groups, rules, trial)
    if not is_kept:
        undo(groups, trial)
    return is_kept


@inlined_kernel
def _gains(groups: MemberLists, trial: Trial) -> bool:
    """Check whether the sse of the groups touched has fallen."""
    sse = 0.0
    for i in range(trial.counts[N_TOUCHED]):
        sse += _group_sse(groups, trial.touched[i])
    return bool(sse < trial.sse[0] * (1 - _RELATIVE_ROUNDING) - groups.noise)


@inlined_kernel
def _is_legal_trial(groups: MemberLists, rules: RuleArrays, trial: Trial) -> bool:
    """Check the groups touched that have any records left."""
    for i in range(trial.counts[N_TOUCHED]):
        size = gather(groups, trial.touched[i], groups.first, 0)
        if size > 0 and not is_legal(rules, groups.first, size):
            return False
    return True


@inner_kernel
def undo(groups: MemberLists, trial: Trial) -> None:
    """Move all records back."""
    for moved in range(trial.counts[N_MOVED]):
        i = trial.counts[N_MOVED] - 1 - moved
        take_out(groups, trial.moved[i])
        put_in(groups, trial.moved[i], trial.origins[i])
    for i in range(trial.counts[N_TOUCHED]):
        update(groups, trial.touched[i])


@inlined_kernel
def forget(trial: Trial) -> None:
    """Make ready for another trial."""
    for i in range(trial.counts[N_TOUCHED]):
        trial.is_touched[trial.touched[i]] = False
    trial.counts[N_MOVED] = 0
    trial.counts[N_TOUCHED] = 0
    trial.sse[0] = 0.0


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
