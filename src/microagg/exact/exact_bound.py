"""Exact bound: the optimum, or how far from it the best partition is at most."""

from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np

from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stages import Construct, Refine
from microagg.control.stopping import StoppedError
from microagg.exact.optimality_proof import OptimalityProof
from microagg.exact.primal_heuristics import PrimalHeuristics
from microagg.exact.proof_context import PricingEffort, ProofContext
from microagg.exact.proof_record import trivial_proof
from microagg.exact.proof_state import ProofState
from microagg.lp.group_pricing import BranchAndBoundPricer
from microagg.lp.incumbent import Incumbent
from microagg.lp.pricing_result import TooExpensiveError
from microagg.lp.root_relaxation import COLUMN_GENERATION, RootRelaxation
from microagg.model.checks import whole_number
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound


@dataclass(frozen=True)
class Exact:
    """Proof of the optimum, or of how far from it the best partition is at most, by branch, price and cut.

    Ours, from known components. The linear programme over all groups (see `ColumnGeneration`) is tightened by rank-1
    cuts while that gains, and better partitions are searched for among its cheapest groups (see `dive`). A group whose
    reduced cost exceeds the gap between the bound and the best partition is in no better one: the others are listed,
    first those for a part of the gap only, and the best partition is searched for among them, with more cuts, by an
    integer programme, and by branches that put two records together or apart. If nothing is found below that part,
    nothing is there; and so on with larger parts, until one covers the gap: then the best partition is optimal. Where
    as many groups as can be listed cover little of the gap, branches come first.

    Parameters
    ----------
    branches
        How many nodes are visited, at most, and none with more effort than is usual; None: any number, with as much
        effort as each takes. The proof then goes on until a limit of the run or of memory.
    first
        Construct the partitions whose groups are the first columns, besides those of the incumbent.
    refine
        Improves partitions that are rounded from fractional solutions; a quick one, as no limit ends it.
    search
        Searches on from partitions that are made of cheap groups.

    References
    ----------
    Baldacci, Christofides & Mingozzi (2008), An exact algorithm for the vehicle routing problem based on the set
    partitioning formulation with additional cuts, Mathematical Programming 115: listing what the gap allows.
    Ryan & Foster (1981), An integer programming approach to scheduling: branching on pairs.
    """

    branches: int | None = None
    first: tuple[Construct, ...] = field(default=(), metadata=INJECTED)
    refine: Refine | None = field(default=None, metadata=INJECTED)
    search: Refine | None = field(default=None, metadata=INJECTED)
    reference: ClassVar[str] = "microagg"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __post_init__(self) -> None:
        if self.branches is not None:
            object.__setattr__(self, "branches", whole_number("branches", self.branches, at_least=1))

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        shared = Incumbent.scaled(problem, incumbent)
        if shared is None:
            return LowerBound(0.0, COLUMN_GENERATION, proof=partial(trivial_proof, problem.n)), incumbent
        state = ProofState(RootRelaxation(shared, self.first, run))
        ended_by: str | None
        try:
            ended_by = self._prove(state, run)
        except StoppedError as error:
            ended_by = error.ending
        return state.bound(ended_by), shared.best

    def _prove(self, state: ProofState, run: Run) -> str | None:
        """Solve the linear programme over all groups, then go on to the optimum; return what ended it before."""
        pricer = state.root.start_from_neighbours()
        effort = PricingEffort(is_limited=self.branches is not None)
        ended_by = state.root.solve_or_relax(pricer)
        if ended_by == "effort" and not effort.is_limited:
            ended_by = _solve_root(state.root, pricer, effort)
        if ended_by is not None:
            return ended_by
        context = ProofContext(pricer, state.root.incumbent, np.random.default_rng(0), run, state.tick, effort)
        heuristics = PrimalHeuristics(context, self.refine, self.search)
        return OptimalityProof(state, context, heuristics, self.branches).complete()


def _solve_root(root: RootRelaxation, pricer: BranchAndBoundPricer, effort: PricingEffort) -> str | None:
    """Solve the linear programme over all groups by exact pricing, with more and more effort."""
    while True:
        with suppress(TooExpensiveError):
            return root.solve(pricer, effort.max_subsets_per_root)
        effort.grow()
