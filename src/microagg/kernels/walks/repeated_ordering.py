"""Rounds of RepOrdMic: order the records group by group, cut the order optimally, and repeat with the new groups.

References
----------
[1] Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of
    Engineering 33(7), algorithm 1.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.kernels.walks.insertion import empty_sequence, insert_groups, order_by_insertion
from microagg.kernels.walks.optimal_cut import cut_path_at_once, cut_path_with_sse
from microagg.kernels.walks.walk_context import GroupedRecords, WalkContext, group_records
from microagg.model.arrays import BoolArray, IntArray


class RoundState(NamedTuple):
    """Groups between two rounds, and their sse."""

    groups: GroupedRecords
    ordered: BoolArray  # (n_groups,) whether the members stand as insertion from the first of them orders them
    sse: float


def initial_state(labels: IntArray, sse: float) -> RoundState:
    """Return the state before the first round: groups of any size, labelled 0, 1, …, with this sse."""
    sizes = np.bincount(labels)
    return RoundState(group_records(labels, sizes), np.zeros(len(sizes), dtype=np.bool_), sse)


def first_round(
    context: WalkContext, k: int, state: RoundState, tick: Tick = no_tick, nearest: bool = False
) -> RoundState:
    """Return the state after one round ([1] steps 1 to 13), whatever the sizes: all groups have k to 2k − 1 records.

    O(n·s·d + n·k·d) for groups of s records, besides the steps between groups; the context is IN/OUT. `nearest` is
    that of `order_by_insertion`.
    """
    order = order_by_insertion(context, state.groups, state.ordered, tick, nearest)
    starts, sse = cut_path_with_sse(context.X, order, k, tick)
    return _state_of_cut(order, starts, state.groups.labels, sse)


def further_rounds(
    context: WalkContext, k: int, state: RoundState, min_gain: float, max_rounds: float, nearest: bool = False
) -> tuple[RoundState, int, bool]:
    """Do rounds while each lowers the sse by more than `min_gain` ([1] steps 14 to 16), for a fraction of a second.

    O(n·k·d) a round, besides the steps between groups; the context is IN/OUT. `nearest` is that of
    `order_by_insertion`.

    Returns
    -------
    state : RoundState
        The groups after the last round.
    rounds : int
        How many were done, at most `max_rounds`.
    gaining : bool
        Whether the last one gained enough for another.
    """
    n, d = context.X.shape
    per_tick = steps_per_tick(n * d * (4 * k + 20))
    return _do_rounds(context, k, state, min_gain, int(min(max_rounds, per_tick)), nearest)


@kernel
def _do_rounds(
    context: WalkContext, k: int, state: RoundState, min_gain: float, max_rounds: int, nearest: bool
) -> tuple[RoundState, int, bool]:
    """Do what `further_rounds` does, up to `max_rounds` rounds."""
    n = len(context.X)
    sequence = empty_sequence(n, nearest)
    done = int(np.int64(0))  # not a literal, for which numba would compile `insert_groups` once more
    for rounds in range(1, max_rounds + 1):
        order = np.empty(n, dtype=np.int64)
        insert_groups(context, state.groups, state.ordered, order, done, context.outermost, sequence, n, n)
        starts, sse = cut_path_at_once(context.X, order, k)
        gain = state.sse - sse
        state = _state_of_cut(order, starts, state.groups.labels, sse)
        if not gain > min_gain:  # also where both are 0
            return state, rounds, False
    return state, max_rounds, True


@kernel
def _state_of_cut(order: IntArray, cut_starts: IntArray, labels: IntArray, sse: float) -> RoundState:
    """Return the groups of an order that was cut; those that were groups before are ordered already. O(n).

    Parameters
    ----------
    order, cut_starts
        The records in order, and where the new groups start, the last one first.
    labels
        The former group of each record.
    """
    n = len(order)
    n_groups = len(cut_starts)
    starts = np.empty(n_groups + 1, dtype=np.int64)
    starts[:n_groups] = cut_starts[::-1]
    starts[n_groups] = n
    new_labels = np.empty(n, dtype=np.int64)
    ordered = np.empty(n_groups, dtype=np.bool_)
    for group in range(n_groups):
        first = starts[group]
        end = starts[group + 1]
        old = labels[order[first]]
        starts_there = first == 0 or labels[order[first - 1]] != old
        ends_there = end == n or labels[order[end]] != old
        ordered[group] = starts_there and ends_there
        for place in range(first, end):
            new_labels[order[place]] = group
            ordered[group] &= labels[order[place]] == old
    return RoundState(GroupedRecords(new_labels, order, starts), ordered, sse)
