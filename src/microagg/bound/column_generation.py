"""Bound by column generation: the linear programme over all groups."""

from dataclasses import dataclass, field
from typing import ClassVar

from microagg.bound.paper_pricing import PAPER_PRICINGS, SOLVING_PRICINGS, PaperPricing
from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stages import Construct
from microagg.control.stopping import StoppedError
from microagg.lp.dual_stabilisation import DualStabilisation
from microagg.lp.incumbent import Incumbent
from microagg.lp.root_relaxation import COLUMN_GENERATION, RootRelaxation
from microagg.lp.rounding_heuristics import ROUNDINGS
from microagg.model.checks import one_of
from microagg.model.errors import InputError
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

CUTS = ("none", "triangle")
PRICINGS = ("auto", "branch-and-bound", "relaxed", *PAPER_PRICINGS)


@dataclass(frozen=True)
class ColumnGeneration:
    """Bound by the linear programme over all groups, of which those of negative reduced cost are generated.

    Every group of k to 2k − 1 records is a column, and the linear programme over all of them bounds the sse. Columns
    enter it only where their reduced cost, by its duals, is negative. An integral solution is the optimum.

    With the pricings "paper", "heuristic", "enumeration" and "ilp" this is the paper's MicroaggregationHeuristicMP.
    Ours is "branch-and-bound", which proves a bound in every round, so that a time limit ends it with what is proved so
    far. Its duals start from the neighbours of each record (see `Neighbours`) and rise by subgradient ascent, before
    the linear programme takes over, with stabilised duals. Where k is large, that is too expensive: "relaxed" uses the
    ascent only, with reduced costs that are relaxed, less so from depth to depth (see `price_roots`). "auto" begins as
    "branch-and-bound" and, where there are too many groups to search, goes on as "relaxed".

    Parameters
    ----------
    pricing
        How columns of negative reduced cost are found: "auto", "branch-and-bound", "relaxed", "paper", "heuristic",
        "enumeration" or "ilp".
    rounding
        What makes partitions of fractional solutions, in every round: "simple", "tree", "both" or "none".
    first
        Construct the partitions whose groups are the first columns, besides those of the incumbent.
    cuts
        What strengthens the integer programmes of the pricings `paper` and `ilp`: "triangle" inequalities that their
        linear relaxations violate, as section 4.2 of the paper suggests, or "none". The bound is the same.

    References
    ----------
    The column generation paper, sections 4 and 5.
    """

    pricing: str = "auto"
    rounding: str = "none"
    first: tuple[Construct, ...] = field(default=(), metadata=INJECTED)
    cuts: str = "none"
    reference: ClassVar[str] = "column generation paper"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __post_init__(self) -> None:
        one_of("pricing", self.pricing, PRICINGS)
        one_of("rounding", self.rounding, ROUNDINGS)
        if one_of("cuts", self.cuts, CUTS) == "triangle" and self.pricing not in SOLVING_PRICINGS:
            raise InputError(
                f"cuts=triangle needs a pricing by integer programmes, {' or '.join(SOLVING_PRICINGS)}, "
                f"found pricing={self.pricing}"
            )

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        shared = Incumbent.scaled(problem, incumbent, ROUNDINGS[self.rounding])
        if shared is None:
            return LowerBound(0.0, COLUMN_GENERATION), incumbent
        root = RootRelaxation(shared, self.first, run)
        ended_by: str | None
        try:
            ended_by = self._prove(root, run)
        except StoppedError as error:
            ended_by = error.ending
        return LowerBound(max(0.0, root.lower_bound), root.generator.kind, ended_by), shared.best

    def _prove(self, root: RootRelaxation, run: Run) -> str | None:
        """Raise the lower bound of the root; return what ended it before it converged."""
        if self.pricing in PAPER_PRICINGS:
            return self._follow_paper(root, run)
        pricer = root.start_from_neighbours()
        if self.pricing == "relaxed":
            return root.relax(pricer)
        if self.pricing == "branch-and-bound":
            return root.solve(pricer, None)
        return root.solve_or_relax(pricer)

    def _follow_paper(self, root: RootRelaxation, run: Run) -> str | None:
        root.add_first_columns()
        triangles = self.cuts == "triangle"
        pricing = PaperPricing(root.problem, root.incumbent.scale, self.pricing, run, root.tick, triangles)
        ended_by = root.generator.converge(pricing, COLUMN_GENERATION, DualStabilisation(0.0))
        return "heuristic pricing" if self.pricing == "heuristic" else ended_by
