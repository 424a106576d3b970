"""Bound by column generation: the best choice of parts of groups, of all groups that there are."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from microagg.bound.neighbour_bound import bounds_note, share
from microagg.bound.paper_pricing import BY_SIZE, BySize
from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stages import Construct
from microagg.control.stopping import StoppedError
from microagg.lp import Master, Vertex
from microagg.lp.column_generator import Generation, least, whole
from microagg.lp.group_columns import Columns, Rows
from microagg.lp.group_pricing import BranchAndBound, Priced, TooDearError
from microagg.lp.rounding import ROUNDINGS
from microagg.lp.subgradient_ascent import Ascent
from microagg.model.arrays import FloatArray
from microagg.model.checks import one_of
from microagg.model.errors import MethodError
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

PRICINGS = ("auto", "branch-and-bound", "relaxed", *BY_SIZE)
COLUMN_GENERATION = "column generation"
LOOKS = 100_000  # sets of records that are looked at for a root, unless the user asks for all
_SMOOTH = 0.9  # share of the duals that proved most so far in those that are priced, at first
_STEPS, _RELAXED = 20, 60  # of the ascent before columns are chosen, and at each depth where they never are
_FIRST, _LONGER = 0.05, 0.1  # their first step, in shares of the duals
_SHRUNK, _STILL = 0.03, 0.1  # see `Ascent`: the last step, in shares of the first, and a slope that is hardly one
_DEPTHS = 2  # without a limit of time
_MOST_LOOKS = 10_000_000  # as `LOOKS`, where groups are relaxed: seconds for a root
_MOST_RECORDS = 20_000  # whose distances are kept, twice: six gigabytes


@dataclass(frozen=True)
class ColumnGeneration:
    """Bound what is lost by the best choice of parts of groups, of which those that pay are found by their prices.

    Every group of k to 2k − 1 records is a column, and the linear programme over all of them bounds the sse. Only those
    that pay enter it; which ones, its duals tell. Where its choice is of whole columns, it is the optimum.

    With the pricings "paper", "heuristic", "enumeration" and "ilp" this is the paper's MicroaggregationHeuristicMP.
    Ours is "branch-and-bound", which proves a bound in every round, so that a limit of time ends it with what is proved
    so far. Its duals start from what the neighbours of each record cost it (`Neighbours`) and climb from there, before
    the linear programme takes over; then they are smoothed: drawn to those that proved most. Where k is large, that is
    too dear: "relaxed" lets the duals climb only, and takes groups for cheaper than they are, less so from depth to
    depth (see `price_roots`). "auto" begins as "branch-and-bound" and, where there are too many groups to look at, goes
    on as "relaxed".

    Parameters
    ----------
    pricing
        How columns that pay are found.
    rounding
        What makes whole groups of parts, in every round: "simple", "tree", "both" or "none".
    first
        Make the partitions whose groups are the first columns, besides those of the incumbent.

    References
    ----------
    [1] The column generation paper, sections 4 and 5.
    """

    pricing: str = "auto"
    rounding: str = "none"
    first: tuple[Construct, ...] = field(default=(), metadata=INJECTED)
    reference: ClassVar[str] = "column generation paper"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __post_init__(self) -> None:
        one_of("pricing", self.pricing, PRICINGS)
        one_of("rounding", self.rounding, ROUNDINGS)

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        scale = incumbent.n_groups / incumbent.sse if incumbent.sse else np.inf
        if problem.k == 1 or problem.sst == 0.0 or not np.isfinite(scale):
            return LowerBound(0.0, COLUMN_GENERATION), incumbent
        root = Root(self, problem, incumbent, scale, run)
        ended_by: str | None
        try:
            ended_by = root.follow() if self.pricing in BY_SIZE else root.prove()
        except StoppedError as error:
            ended_by = error.ending
        generation = root.generation
        return LowerBound(max(0.0, generation.proved / scale), generation.kind, ended_by), root.best


class Root:
    """Prove what the linear programme over all groups proves; hold the best partition, and the columns.

    Parameters
    ----------
    settings
        The pricing, the rounding and the first columns.
    """

    def __init__(
        self, settings: ColumnGeneration, problem: Problem, incumbent: Partition, scale: float, run: Run
    ) -> None:
        if problem.n > _MOST_RECORDS:
            raise MethodError(
                f"column generation keeps the distances of at most {_MOST_RECORDS} records, found {problem.n}: "
                "bound=True, with another method, bounds any number"
            )
        self.settings, self.problem, self.best, self.scale = settings, problem, incumbent, scale
        self.run, self.rounds = run, 0
        self.generation = Generation(Master(Columns.of(incumbent).scaled(scale)), run, self.hear, self.meet)
        self.generation.kind = COLUMN_GENERATION

    def begin(self) -> None:
        """Make the first columns."""
        for first in self.settings.first:
            partition = first(self.problem, np.random.default_rng(0), self.run)
            self.generation.master.add(Columns.of(partition).scaled(self.scale))
            self.best = least(self.best, partition)
            self.hear()

    def follow(self) -> str | None:
        """Follow the paper; say what ended that before its own end."""
        self.begin()
        price = BySize(self.problem, self.scale, self.settings.pricing, self.run)
        ended_by = self.generation.choose(lambda duals, rows: price(duals, self.hear), COLUMN_GENERATION, 0.0)
        return "heuristic pricing" if self.settings.pricing == "heuristic" else ended_by

    def prove(self) -> str | None:
        """Begin from what the neighbours of each record prove; say what ended that before its own end."""
        from microagg.kernels.pricing.branch_and_bound import NO_END

        shares = share(self.problem, self.best, self.run)
        centre = self.scale * shares.least
        self.generation.start(centre, float(centre.sum()) - self.scale * shares.rounding, "neighbours")
        self.hear()
        if shares.ended_by is not None:
            self.run.stop(shares.ended_by)
        price, pricing = BranchAndBound(self.problem, self.scale, shares.split, self.run.workers), self.settings.pricing
        self.price = price
        if pricing != "relaxed":
            try:
                return self.converge(price, NO_END if pricing == "branch-and-bound" else LOOKS)
            except TooDearError:
                pass
        return self.deepen(price)

    def converge(self, price: BranchAndBound, most: int) -> str | None:
        """Climb, then choose columns until no other one pays."""
        from microagg.kernels.pricing.branch_and_bound import EXACT

        def exactly(duals: FloatArray, rows: Rows) -> Priced:
            self.rounds += 1
            return price(duals, rows, EXACT, most, self.hear)

        ascent = Ascent(self.generation.units, _STEPS, _FIRST, _SHRUNK * _FIRST, _STILL)
        self.generation.climb(exactly, ascent, COLUMN_GENERATION, take=True)
        self.begin()
        return self.generation.choose(exactly, COLUMN_GENERATION, _SMOOTH)

    def deepen(self, price: BranchAndBound) -> str:
        """Climb from depth to depth, as far as that is not too dear; without a limit of time, two of them."""
        deepest = _DEPTHS if self.run.limits.time_limit is None else max(_DEPTHS, 2 * self.problem.k - 4)
        with suppress(TooDearError):
            for depth in range(1, 1 + deepest):
                length = _LONGER / depth
                ascent = Ascent(self.generation.units, _RELAXED, length, _SHRUNK * length, _STILL)

                def loosely(duals: FloatArray, rows: Rows, depth: int = depth) -> Priced:
                    self.rounds += 1
                    return price(duals, rows, depth, _MOST_LOOKS, self.hear)

                self.generation.climb(loosely, ascent, f"{COLUMN_GENERATION}, relaxed to depth {depth}", take=False)
        return "effort"

    def meet(self, columns: Columns, vertex: Vertex) -> None:
        """Keep a choice of whole columns, if it is the best so far; make whole ones of parts."""
        chosen, found = whole(vertex), []
        if chosen is not None:  # [1] 5 (b)
            found = [Partition(self.problem, columns.labels(chosen))]
        if not found or found[0].sse >= self.best.sse:  # [1] 5 (c)
            for rounded in ROUNDINGS[self.settings.rounding]:
                found += rounded(self.problem, columns, vertex.parts)
        self.best = least(self.best, *found)

    def hear(self) -> None:
        """Say how far the work is, and leave it when told to."""
        proved = self.generation.proved / self.scale
        note = bounds_note(self.problem, self.best, proved)
        columns = len(self.generation.master.columns.sses)
        self.run.report("bound", None, f"round {self.rounds}, {columns} columns, {note}")
        self.run.check_round(0, self.best.sse, proved)
