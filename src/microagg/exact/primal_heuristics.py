"""Primal heuristics: better partitions, found on the way to a proof."""

import numpy as np

from microagg.control.stages import Refine
from microagg.exact.branch_node import BranchNode
from microagg.exact.column_pool import ColumnPool
from microagg.exact.diving import dive
from microagg.exact.proof_context import ProofContext
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lp_solution import LpSolution
from microagg.lp.rounding_heuristics import round_largest
from microagg.model.limits import Limits
from microagg.model.partition import Partition

_FIX_ABOVE = (0.9, 0.7)  # of the dives, one after another


class PrimalHeuristics:
    """Search for partitions that improve the incumbent.

    Parameters
    ----------
    refine, search
        See `Exact`.
    """

    def __init__(self, context: ProofContext, refine: Refine | None, search: Refine | None) -> None:
        self.context = context
        self.refine = refine
        self.search = search

    def round_solution(self, columns: GroupColumns, solution: LpSolution) -> None:
        """Round a fractional solution, and refine the partition."""
        (rounded,) = round_largest(self.context.problem, columns, solution.values)
        self.context.incumbent.offer(self._refined(rounded))

    def dive_and_search(self, node: BranchNode, pool: ColumnPool) -> bool:
        """Dive among listed groups, and search on from there; return whether the incumbent was improved."""
        incumbent = self.context.incumbent
        before = incumbent.best
        for fix_above in _FIX_ABOVE:
            found = self._refined(dive(self.context, node, pool, fix_above))
            incumbent.offer(found, self._searched(found))
            self.context.tick()
        return incumbent.best is not before

    def _refined(self, partition: Partition) -> Partition:
        """Refine a partition without limits: it takes a moment only, and half of it would depend on the clock."""
        if self.refine is None:
            return partition
        run = self.context.run.child(Limits(), own_log=True, silent=True)
        return self.refine(partition, np.random.default_rng(0), run)

    def _searched(self, partition: Partition) -> Partition:
        if self.search is None:
            return partition
        return self.search(partition, np.random.default_rng(0), self.context.run)
