"""Proof of optimality: cuts at the root, lists of groups stage by stage, then branches."""

from dataclasses import replace

import numpy as np

from microagg.exact.branch_and_price import MAX_STALLED_ROUNDS, BranchTree
from microagg.exact.branch_node import BranchNode
from microagg.exact.gap_enumeration import enumerate_gap
from microagg.exact.primal_heuristics import PrimalHeuristics
from microagg.exact.proof_context import ProofContext
from microagg.exact.proof_state import ProofState

STAGE_MAX_GROUPS = (3_000, 12_000, 50_000, 200_000, 800_000, 2_000_000)  # that are listed, stage by stage
DIVE_GROUPS_PER_RECORD = 50  # that are listed to dive among
MIN_COVERED_GAP_SHARE = 0.1  # where the groups of the dives cover less of the gap, longer lists would not help
_MAX_BRANCHES_PER_STAGE = 300
_CUTOFF_GROWTH = 3.0  # from one stage to the next, at most


class OptimalityProof:
    """Proof that goes on from the linear programme over all groups, tree after tree.

    Parameters
    ----------
    state
        What is proved so far; each tree is added to it.
    max_branches
        Nodes that may be visited in all; None: any number.
    """

    def __init__(
        self, state: ProofState, context: ProofContext, heuristics: PrimalHeuristics, max_branches: int | None
    ) -> None:
        self.state = state
        self.context = context
        self.heuristics = heuristics
        self.branches_left = np.inf if max_branches is None else max_branches

    def complete(self) -> str | None:
        """Prove the optimum; return what ended that before."""
        node, is_listable = self._tighten_root()
        if is_listable:
            self._grow_listed_trees(node)
        if self.state.is_closed:
            return None
        if self.branches_left <= 0:
            return "effort"
        return None if self._plant(node, np.inf).grow(self.branches_left) else "effort"

    def _plant(self, root: BranchNode, target: float) -> BranchTree:
        tree = BranchTree(self.context, self.heuristics, root, target)
        self.state.trees.append(tree)
        return tree

    def _tighten_root(self) -> tuple[BranchNode, bool]:
        """Add cuts to the root, and dive among its cheapest groups while that improves the incumbent.

        Returns
        -------
        tuple
            The root, and whether lists of groups can cover enough of the gap.
        """
        tree = self._plant(self.state.root_node(), np.inf)
        max_groups = DIVE_GROUPS_PER_RECORD * self.context.problem.n
        incumbent = self.context.incumbent
        improved = True
        for max_stalled_rounds in (1, MAX_STALLED_ROUNDS):
            node = tree.tighten_root(max_stalled_rounds)
            pool, cutoff = enumerate_gap(self.context, node, max_groups, np.inf)
            is_listable = cutoff >= MIN_COVERED_GAP_SHARE * (incumbent.cutoff - node.lower_bound)
            improved = improved and pool is not None and self.heuristics.dive_and_search(node, pool)
        return node, is_listable

    def _grow_listed_trees(self, node: BranchNode) -> None:
        """Search for partitions in a part of the gap, over listed groups only; then in larger and larger parts."""
        cutoff = np.inf
        for max_groups in STAGE_MAX_GROUPS:
            if self.state.is_closed:
                return
            listed = enumerate_gap(self.context, node, max_groups, _CUTOFF_GROWTH * cutoff)
            if listed.pool is None:
                continue
            cutoff = listed.cutoff
            tree = self._plant(replace(node, pool=listed.pool), node.lower_bound + cutoff)
            finished = tree.grow(min(_MAX_BRANCHES_PER_STAGE, self.branches_left))
            self.branches_left -= len(tree.records)
            if not finished:
                return
