"""Walk through groups and cut the walk, again and again: the rounds of RepOrdMic ([1] is its paper)."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.kernels.walks.insertion import by_insertion, make_room, walk_on
from microagg.kernels.walks.optimal_cut import best_cut, cut_at_once
from microagg.kernels.walks.orderings import Ground
from microagg.model.arrays import BoolArray, IntArray


class State(NamedTuple):
    """Hold groups between two rounds."""

    labels: IntArray  # (n,) the group of each record
    members: IntArray  # (n,) the records group by group
    starts: IntArray  # (n_groups + 1,) where each group starts among them, and the last one ends
    settled: BoolArray  # (n_groups,) whether a walk that enters at a group's first member goes through it as it stands
    sse: float


def open_state(labels: IntArray, sse: float) -> State:
    """Start from the parts of some labels 0, 1, …, of any size, that count for so much sse."""
    sizes = np.bincount(labels)
    starts = np.append(0, np.cumsum(sizes))
    return State(labels, np.argsort(labels, kind="stable"), starts, np.zeros(len(sizes), dtype=np.bool_), sse)


def first_round(ground: Ground, k: int, state: State, tick: Tick = no_tick) -> State:
    """Do the round after which all groups have k to 2k − 1 records."""
    order = by_insertion(ground, state.labels, state.members, state.starts, state.settled, tick)
    cuts, sse = best_cut(ground.X, order, k, tick)
    return _groups(order, cuts, state.labels, sse)


def more_rounds(ground: Ground, k: int, state: State, significant: float, most: float) -> tuple[State, int, bool]:
    """Do rounds, as many as take a fraction of a second but at most `most`, while each gains what is significant.

    Returns
    -------
    state : State
        The groups after the last round.
    rounds : int
        How many there were.
    gaining : bool
        Whether the last one gained enough for another.
    """
    n, d = ground.X.shape
    return _some_rounds(ground, k, state, significant, int(min(most, steps_per_tick(n * d * (4 * k + 20)))))


@kernel
def _some_rounds(ground: Ground, k: int, state: State, significant: float, most: int) -> tuple[State, int, bool]:
    n = len(ground.X)
    sequence = make_room(n)
    for done in range(1, most + 1):
        order = np.empty(n, dtype=np.int64)
        walk_on(
            ground,
            state.labels,
            state.members,
            state.starts,
            state.settled,
            order,
            0,
            ground.outermost,
            sequence,
            n,
            n,
        )
        cuts, sse = cut_at_once(ground.X, order, k)
        gained = state.sse - sse
        state = _groups(order, cuts, state.labels, sse)
        if not gained > significant:  # nothing of nothing is not enough either
            return state, done, False
    return state, most, True


@kernel
def _groups(order: IntArray, cuts: IntArray, labels: IntArray, sse: float) -> State:
    """Give the groups of a cut walk numbers; those that the walk went through as groups are settled.

    Parameters
    ----------
    order, cuts
        The walk and where its new groups start, the last one first.
    labels
        The old group of each record.
    """
    n, count = len(order), len(cuts)
    starts, new = np.empty(count + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
    settled = np.empty(count, dtype=np.bool_)
    starts[count] = n
    for group in range(count):
        starts[group] = cuts[count - 1 - group]
    for group in range(count):
        first, end = starts[group], starts[group + 1]
        old = labels[order[first]]
        settled[group] = (first == 0 or labels[order[first - 1]] != old) and (end == n or labels[order[end]] != old)
        for place in range(first, end):
            new[order[place]] = group
            settled[group] &= labels[order[place]] == old
    return State(new, order, starts, settled, sse)
