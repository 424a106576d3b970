"""Branch and price: Ryan–Foster branching on pairs of records, until no partition below some sse is left."""

import heapq
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from microagg.control.stopping import StoppedError
from microagg.exact.branch_node import PENALTY_FACTOR, BranchNode, NodeRecord
from microagg.exact.column_pool import ColumnPool
from microagg.exact.node_relaxation import NodeRelaxation
from microagg.exact.primal_heuristics import PrimalHeuristics
from microagg.exact.proof_context import ProofContext
from microagg.exact.strong_branching import choose_pair
from microagg.lp.pair_rules import PairRule
from microagg.lp.pricing_result import TooExpensiveError


class MipLimits(NamedTuple):
    """Size up to which a node is solved as an integer programme, and the effort for that."""

    max_columns: int
    max_checks: int  # effort of HiGHS: see `lp.highs.interrupted`


MAX_STALLED_ROUNDS = 3  # of cuts, at the root and where groups are listed
ROOT_MIP_LIMITS = MipLimits(4000, 150)
NODE_MIP_LIMITS = MipLimits(900, 30)


class BranchTree:
    """Branching tree, searched by best bound first.

    Parameters
    ----------
    root
        Its root node.
    target
        Scaled sse that partitions must stay below, besides being better than the incumbent; inf: nothing else.
    """

    def __init__(self, context: ProofContext, heuristics: PrimalHeuristics, root: BranchNode, target: float) -> None:
        self.context = context
        self.heuristics = heuristics
        self.target = target
        highest_dual = float(root.duals.of_records.max())
        self.penalty = max(PENALTY_FACTOR * highest_dual, 2 * (context.incumbent.cutoff - root.lower_bound))
        self.records = [NodeRecord(root)]
        self._open = [(root.lower_bound, root.index)]  # heap
        self._current: NodeRelaxation | None = None

    @property
    def cutoff(self) -> float:
        """Scaled sse that partitions must stay below."""
        return min(self.target, self.context.incumbent.cutoff)

    @property
    def lower_bound(self) -> float:
        """What no partition loses less than, scaled."""
        current = [] if self._current is None else [self._current.lower_bound]
        return min([self.cutoff, *current, *(lower_bound for lower_bound, _ in self._open)])

    def tighten_root(self, max_stalled_rounds: int) -> BranchNode:
        """Add cuts to the root, of which no groups are listed, and do nothing else."""
        (record,) = self.records
        self._open = []
        record.proofs.clear()
        relaxation = self._enter(record.node)
        try:
            relaxation.tighten(self.context.pricing(record.node.rules), max_stalled_rounds)
        except TooExpensiveError:
            pass
        finally:
            self._reopen(record, relaxation)
        return record.node

    def grow(self, max_nodes: float) -> bool:
        """Visit at most `max_nodes` open nodes; return whether none is left."""
        n_visited = 0
        while self._open and n_visited < max_nodes:
            lower_bound, index = heapq.heappop(self._open)
            is_done = lower_bound >= self.cutoff or self._visit(self.records[index])
            if not (is_done or self.context.effort.grow()):
                break
            n_visited += 1
        return not self._open

    def _visit(self, record: NodeRecord) -> bool:
        """Visit a node; return False where that was too expensive, and the node stays open."""
        relaxation = self._enter(record.node)
        try:
            self._process(record, relaxation)
        except TooExpensiveError:
            self._reopen(record, relaxation)
            return False
        except StoppedError:
            self._reopen(record, relaxation)
            raise
        self._current = None
        record.release_columns()
        return True

    def _enter(self, node: BranchNode) -> NodeRelaxation:
        self._current = NodeRelaxation(self.context, self.heuristics, node, self.target, self.penalty)
        return self._current

    def _reopen(self, record: NodeRecord, relaxation: NodeRelaxation) -> None:
        """Leave a node that is not finished open, with what is proved of it by now."""
        if not record.proofs or record.proofs[-1] is not relaxation.proof:
            record.proofs.append(relaxation.proof)
        record.node = replace(
            record.node,
            columns=relaxation.generator.master.columns,
            duals=relaxation.proof,
            lower_bound=relaxation.lower_bound,
        )
        heapq.heappush(self._open, (relaxation.lower_bound, record.node.index))
        self._current = None

    def _process(self, record: NodeRecord, relaxation: NodeRelaxation) -> None:
        """Raise the lower bound of a node; where that does not close it, solve an integer programme, or branch."""
        pool = self._tighten(record, relaxation)
        record.proofs.append(relaxation.proof)
        if relaxation.is_closed():
            return
        if pool is not None:
            pool = pool.below(relaxation.gap, relaxation.proof)
            max_columns, max_checks = ROOT_MIP_LIMITS if record.node.parent is None else NODE_MIP_LIMITS
            if pool.n_columns <= max_columns and relaxation.solve_integer(pool, max_checks):
                record.ends = "integer"
                return
        self._branch(record.node, relaxation, pool)
        record.ends = "branches"

    def _tighten(self, record: NodeRecord, relaxation: NodeRelaxation) -> ColumnPool | None:
        """Add cuts to a node, list its groups where possible, and add further cuts; return the list."""
        node = record.node
        max_stalled_rounds = MAX_STALLED_ROUNDS if node.parent is None else 1
        if node.pool is not None:
            if node.parent is None:
                record.proofs.append(node.duals)
                record.listed = True
            relaxation.tighten(node.pool, max_stalled_rounds)
            return node.pool
        relaxation.tighten(self.context.pricing(node.rules), max_stalled_rounds)
        pool = None if relaxation.is_closed() else relaxation.list_groups()
        if pool is not None:
            record.proofs.append(relaxation.proof)
            record.listed = True
            relaxation.tighten(pool, MAX_STALLED_ROUNDS)
        return pool

    def _branch(self, node: BranchNode, relaxation: NodeRelaxation, pool: ColumnPool | None) -> None:
        """Open two nodes, in which two records are together and apart."""
        first, second = choose_pair(relaxation, node)
        columns = relaxation.generator.master.columns
        for together in (True, False):
            rule = PairRule(first, second, together)
            child = BranchNode(
                index=len(self.records),
                parent=node.index,
                rules=(*node.rules, rule),
                columns=columns.select(np.flatnonzero(columns.allowed_by(rule))),
                duals=relaxation.proof,
                lower_bound=relaxation.lower_bound,
                pool=None if pool is None else pool.allowed_by(rule),
            )
            self.records.append(NodeRecord(child, inherits=pool is not None))
            heapq.heappush(self._open, (child.lower_bound, child.index))
