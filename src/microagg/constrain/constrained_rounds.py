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
_SMALLEST_GAIN = 1e-5  # of a round, relative: the next one would gain less


def refine(ruled: RuledProblem, groups: "MemberLists", progress: RoundProgress) -> None:
    """Change groups (IN/OUT) round by round until the sse hardly falls any more, with the rules kept.

    A round splits groups, moves and swaps records between near groups, dissolves groups, and forms new ones. Where
    `StoppedError` ends it, the groups are legal, too.
    """
    from microagg.kernels.rules.member_lists import total_sse

    sse = float(total_sse(groups))
    for number in count():
        progress.report(number, sse)
        _make_round(ruled, groups, progress.ticker(number, sse))
        before = sse
        sse = float(total_sse(groups))
        if sse >= before * (1 - _SMALLEST_GAIN):
            return


def _make_round(ruled: RuledProblem, groups: "MemberLists", tick: Tick) -> None:
    """Make each kind of change once, everywhere."""
    from microagg.kernels.moves.constrained_descent import descend_with_rules
    from microagg.kernels.moves.constrained_regrouping import dissolve_some, extract_some, new_trial
    from microagg.kernels.rules.quota_growth import new_pool
    from microagg.kernels.rules.rule_splitting import split_groups

    n, d = ruled.points.shape
    rules = ruled.arrays
    quotas = ruled.quotas
    pool = new_pool(ruled.points)
    trial = new_trial(n, len(groups.sizes))
    split_groups(groups, pool, quotas, rules)
    tick()
    descend_with_rules(groups, rules, _near(ruled, groups, tick), tick)
    near = _near(ruled, groups, tick)
    mean_size = n / np.count_nonzero(groups.sizes)
    step = steps_per_tick(mean_size * d * (_N_NEAR_GROUPS + mean_size))
    for first in range(0, len(groups.sizes), step):
        dissolve_some(groups, rules, near, trial, first, min(first + step, len(groups.sizes)))
        tick()
    near = _near(ruled, groups, tick)
    step = steps_per_tick(_N_NEAR_GROUPS * mean_size * (mean_size + d + quotas.size))
    for first in range(0, n, step):
        extract_some(groups, rules, near, trial, pool, quotas, first, min(first + step, n))
        tick()


def _near(ruled: RuledProblem, groups: "MemberLists", tick: Tick) -> IntArray:
    """Return the groups that are near each record."""
    from microagg.kernels.moves.constrained_descent import near_groups

    existing = np.flatnonzero(groups.sizes)
    centroids = np.ascontiguousarray(groups.means[existing])
    return existing[near_groups(ruled.points, centroids, _N_NEAR_GROUPS, tick)]
