"""Rounds that lower the sse of groups with rules kept."""

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from microagg.constrain.ruled_problem import RuledProblem
from microagg.control.round_progress import RoundProgress
from microagg.kernels.tick import Tick, steps_per_tick
from microagg.model.arrays import IntArray

if TYPE_CHECKING:
    from microagg.kernels.rules.member_lists import MemberLists

_N_NEAR_GROUPS = 10  # of each record
_SMALLEST_GAIN = 1e-4  # of a round, relative: the next one would gain less
_NONE = np.empty(0, dtype=np.int64)


def refine(ruled: RuledProblem, groups: "MemberLists", progress: RoundProgress) -> None:
    """Change groups (IN/OUT) round by round until the sse hardly falls any more, with the rules kept.

    A round splits and dissolves groups, forms new ones, and moves and swaps records between near groups, wherever
    something has changed since the last round. Where `StoppedError` ends it, the groups are legal, too.
    """
    from microagg.kernels.rules.member_lists import total_sse

    rounds = _Rounds(ruled, groups)
    sse = total_sse(groups)
    for number in count():
        progress.report(number, sse)
        rounds.make_round(progress.ticker(number, sse))
        before = sse
        sse = total_sse(groups)
        if sse >= before * (1 - _SMALLEST_GAIN):
            return


class _Rounds:
    """Rounds over the same groups; each looks only at what has changed since the last one."""

    def __init__(self, ruled: RuledProblem, groups: "MemberLists") -> None:
        from microagg.kernels.moves.regrouping import new_regrouping

        n = ruled.problem.n
        self.ruled = ruled
        self.groups = groups
        self.regrouping = new_regrouping(ruled.points, ruled.quotas, len(groups.sizes))
        self.near = np.empty((n, 0), dtype=np.int64)
        self.visited = np.full(n, -1)  # by the descent
        self.changed = np.zeros(len(groups.sizes), dtype=np.int64)
        self.clock = np.zeros(1, dtype=np.int64)
        self.regrouped = np.full(n, -1)

    def make_round(self, tick: Tick) -> None:
        """Make each kind of change wherever that may gain."""
        from microagg.kernels.moves.constrained_descent import Visits, descend_with_rules

        self._find_near(tick)
        self._regroup(tick)
        self._find_near(tick)
        visits = Visits(self.near, self.visited, self.changed, self.clock)
        descend_with_rules(self.groups, self.ruled.arrays, visits, tick)

    def _find_near(self, tick: Tick) -> None:
        """Find the groups that are near each record; one whose list is another is to be looked at anew."""
        from microagg.kernels.moves.constrained_descent import near_groups

        existing = np.flatnonzero(self.groups.sizes)
        centroids = np.ascontiguousarray(self.groups.means[existing])
        near = existing[near_groups(self.ruled.points, centroids, _N_NEAR_GROUPS, tick)]
        is_other = np.ones(len(near), dtype=np.bool_)
        if near.shape == self.near.shape:
            is_other = (np.sort(near) != np.sort(self.near)).any(axis=1)
        self.near = near
        self.visited[is_other] = -1
        self.regrouped[is_other] = -1

    def _regroup(self, tick: Tick) -> None:
        """Split and dissolve groups, and form new ones."""
        from microagg.kernels.moves.regrouping import regroup

        groups = self.groups
        before = groups.labels.copy()
        newest = np.maximum(self.changed[before], self.changed[self.near].max(axis=1))
        records = np.flatnonzero(newest > self.regrouped)
        self.regrouped[records] = self.clock[0]
        d = groups.X.shape[1]
        size = len(before) / np.count_nonzero(groups.sizes)
        step = steps_per_tick(_N_NEAR_GROUPS * size * (size + d + self.ruled.quotas.size))
        slices = [(some, _NONE) for some in _slices(np.unique(before[records]), step)]
        slices += [(_NONE, some) for some in _slices(records, step)]
        for some, of_records in slices:
            tick()
            regroup(groups, self.ruled.arrays, self.regrouping, self.near, some, of_records)
        moved = groups.labels != before
        self.clock[0] += 1
        self.changed[before[moved]] = self.clock[0]
        self.changed[groups.labels[moved]] = self.clock[0]


def _slices(array: IntArray, step: int) -> list[IntArray]:
    """Divide an array into slices of at most `step`."""
    return [array[first : first + step] for first in range(0, len(array), step)]
