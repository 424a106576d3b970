"""Enumeration of the groups that a better partition can hold, by their reduced costs."""

from typing import NamedTuple

import numpy as np

from microagg.exact.branch_node import BranchNode
from microagg.exact.column_pool import ColumnPool
from microagg.exact.proof_context import ProofContext
from microagg.lp.pricing_result import TooExpensiveError

_MIN_CUTOFF_SHARE = 1e-9  # of the incumbent's sse: the smallest useful cutoff
_SHRINK_FACTOR = 0.25  # of a cutoff below which there are too many groups
_CLOSE_FACTOR = 1.2  # between a cutoff that is low enough and one that is too high: no other is tried between them


class Enumeration(NamedTuple):
    """All groups of reduced cost below a cutoff."""

    pool: ColumnPool | None  # None: too many have a reduced cost of next to nothing
    cutoff: float


def enumerate_gap(context: ProofContext, node: BranchNode, max_groups: int, max_cutoff: float) -> Enumeration:
    """List the groups of reduced cost below the gap between bound and incumbent, or as much of it as is possible.

    Parameters
    ----------
    node
        Its duals prove the bound.
    max_groups
        That the list may hold.
    max_cutoff
        Limits the cutoff, besides the gap.
    """
    smallest = _MIN_CUTOFF_SHARE * context.incumbent.cutoff
    largest = min(max_cutoff, context.incumbent.cutoff - node.lower_bound)
    listed = Enumeration(None, 0.0)
    too_high = np.inf
    cutoff = largest
    while cutoff > smallest and too_high > _CLOSE_FACTOR * listed.cutoff:
        try:
            listed = Enumeration(context.enumerate_below(cutoff, node.duals, max_groups), cutoff)
        except TooExpensiveError:
            too_high = cutoff
        if listed.cutoff == largest:
            break
        cutoff = _SHRINK_FACTOR * too_high if listed.pool is None else float(np.sqrt(listed.cutoff * too_high))
    return listed
