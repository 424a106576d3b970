"""Linear relaxation of one node of a branching tree: column generation and cutting planes."""

import numpy as np

from microagg.exact.branch_node import COLUMNS_PER_RECORD, BranchNode
from microagg.exact.column_pool import ColumnPool
from microagg.exact.primal_heuristics import PrimalHeuristics
from microagg.exact.proof_context import ProofContext
from microagg.exact.separation import separate
from microagg.lp.column_generator import CONVERGENCE_TOL, ColumnGenerator
from microagg.lp.dual_stabilisation import DualStabilisation
from microagg.lp.duals import Duals
from microagg.lp.integer_programme import solve_integer_programme
from microagg.lp.lp_solution import LpSolution
from microagg.lp.pricing_result import Pricing, TooExpensiveError
from microagg.lp.restricted_master import RestrictedMaster
from microagg.model.partition import Partition

MAX_CUTS_PER_ROUND = 600  # or one for every `RECORDS_PER_CUT` records, if that is more
RECORDS_PER_CUT = 5
MAX_LISTED_GROUPS = 60_000
INITIAL_RADIUS = 1.0  # see `DualStabilisation`
_INITIAL_SMOOTHING = 0.2
_MIN_GAIN_SHARE = 0.02  # of the gap: a round of cuts that gains less is stalled
_ROUND_TOL = 0.002  # of the gap: what may be left to gain before the next cuts
_KIND = "cuts and branches"


class NodeRelaxation:
    """Linear relaxation of a node, whose lower bound is raised towards the cutoff.

    Parameters
    ----------
    context, heuristics
        What all nodes share.
    node
        The warm start.
    target
        Scaled sse that partitions must stay below, besides being better than the incumbent.
    penalty
        For a record that is left out.
    """

    def __init__(
        self, context: ProofContext, heuristics: PrimalHeuristics, node: BranchNode, target: float, penalty: float
    ) -> None:
        self.context = context
        self.heuristics = heuristics
        self.target = target
        columns = node.columns
        if node.pool is not None:
            columns = node.pool.cheapest(COLUMNS_PER_RECORD * columns.n, node.duals)
        master = RestrictedMaster(columns, node.duals.cuts, penalty)
        self.generator = ColumnGenerator(master, context.run, context.tick, context.incumbent)
        self.generator.start(node.duals.values, max(0.0, node.lower_bound), _KIND)

    @property
    def cutoff(self) -> float:
        """Scaled sse that partitions must stay below."""
        return min(self.target, self.context.incumbent.cutoff)

    @property
    def lower_bound(self) -> float:
        """What is proved so far, scaled."""
        return self.generator.lower_bound

    @property
    def proof(self) -> Duals:
        """The duals that prove it."""
        return self.generator.proof

    @property
    def gap(self) -> float:
        """Distance of the lower bound from the cutoff."""
        return self.cutoff - self.lower_bound

    def is_closed(self) -> bool:
        """Check whether no partition of the node stays below the cutoff."""
        return self.lower_bound >= self.cutoff

    def tighten(self, pricing: Pricing, max_stalled_rounds: int) -> None:
        """Add violated cuts, round by round, until `max_stalled_rounds` in a row gain little."""
        context = self.context
        n_stalled = 0
        while n_stalled < max_stalled_rounds:
            if self.is_closed():
                return
            before = self.lower_bound
            gap = self.gap
            solution = self._converge(pricing, _ROUND_TOL * gap / self.cutoff)
            if self.is_closed():
                return
            columns = self.generator.master.columns
            self.heuristics.round_solution(columns, solution)
            is_stalled = self.lower_bound - before <= _MIN_GAIN_SHARE * gap
            n_stalled = n_stalled + 1 if is_stalled else 0
            max_cuts = max(MAX_CUTS_PER_ROUND, columns.n // RECORDS_PER_CUT)
            cuts = separate(columns, solution.values, max_cuts, context.rng, context.run.workers, context.tick)
            if not cuts.n_cuts:
                break
            self.generator.add_cuts(cuts)
        self._converge(pricing, CONVERGENCE_TOL)

    def list_groups(self) -> ColumnPool | None:
        """List all groups that a partition below the cutoff can hold; None where they are too many."""
        try:
            return self.context.enumerate_below(self.gap, self.proof, MAX_LISTED_GROUPS)
        except TooExpensiveError:
            return None

    def solve_integer(self, pool: ColumnPool, max_checks: int) -> bool:
        """Solve the integer programme over listed groups; return whether no better partition is left among them."""
        if not pool.n_columns:
            return True
        context = self.context
        found = solve_integer_programme(pool.columns, self.proof.binding().cuts, max_checks, context.run)
        context.tick()
        if found.chosen is not None:
            context.incumbent.offer(Partition(context.problem, pool.columns.labels(found.chosen)))
        return found.lower_bound >= self.cutoff

    def _converge(self, pricing: Pricing, tolerance: float) -> LpSolution:
        """Generate columns until the gap is within a tolerance; stop the run where that fails."""
        radius = np.inf if isinstance(pricing, ColumnPool) else INITIAL_RADIUS  # a list is cheap to price anywhere
        stabilisation = DualStabilisation(_INITIAL_SMOOTHING, radius)
        tolerance = max(CONVERGENCE_TOL, tolerance)
        ended_by = self.generator.converge(pricing, _KIND, stabilisation, tolerance, self.cutoff)
        if ended_by is not None or self.generator.solution is None:
            self.context.run.stop("tolerance" if ended_by is None else ended_by)
        return self.generator.solution
