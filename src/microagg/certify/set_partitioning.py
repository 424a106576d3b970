"""The best partition into candidate groups, by an integer programme (scipy's HiGHS)."""

from math import fsum
from typing import NamedTuple

import numpy as np

from microagg.certify.group_list import GroupList
from microagg.certify.stdout_guard import printing_to_stderr

_SCALED_SSE = 1e6  # largest coefficient: the absolute tolerances of HiGHS are about 1e-6
_MIN_SSE = 1e-290  # keeps that scale finite
_MIP_TOLERANCE = 1e-9  # relative: what HiGHS may leave unproved
_OPTIMAL = 0  # scipy's status codes
_INFEASIBLE = 2
_CHOSEN = 0.5  # value above which a binary variable is 1


class Selection(NamedTuple):
    """What is known of partitions into candidate groups."""

    none_below: bool  # whether none has an sse below the bound
    detail: str


def select_groups(candidates: GroupList, lower_bound: float) -> Selection:
    """Select groups that hold each record once, of least sse, and compare that with a lower bound.

    The sse of the selection is added up here; that no other is better is as exact as HiGHS is.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    scale = _SCALED_SSE / max(lower_bound, float(candidates.sses.max()), _MIN_SSE)
    with printing_to_stderr():
        found = milp(
            scale * candidates.sses,
            integrality=np.ones(candidates.size),
            bounds=Bounds(0.0, 1.0),
            constraints=LinearConstraint(candidates.groups.T, 1.0, 1.0),
            options={"mip_rel_gap": 0.0},
        )
    if found.status == _INFEASIBLE:
        return Selection(True, "no selection of candidate groups is a partition")
    if found.status != _OPTIMAL:
        return Selection(False, f"the integer programme was not solved: {found.message}")
    sse = fsum(candidates.sses[found.x > _CHOSEN])
    proved = min(sse, found.mip_dual_bound / scale)
    none_below = sse >= lower_bound and proved >= (1.0 - _MIP_TOLERANCE) * lower_bound
    return Selection(
        none_below, f"the best of {candidates.size} candidate groups have sse {sse:.12g}, proved to {proved:.12g}"
    )
