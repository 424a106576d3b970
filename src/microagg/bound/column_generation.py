"""Bound by column generation: the best choice of parts of groups, of all groups that there are."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from microagg.arrays import FloatArray
from microagg.bound.ascent import Ascent
from microagg.bound.by_size import BY_SIZE, BySize
from microagg.bound.neighbours import bounds_note, share
from microagg.bound.pricing import PAYING, BranchAndBound, Priced, TooDearError
from microagg.bound.rounding import ROUNDINGS
from microagg.checks import one_of
from microagg.errors import MethodError
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress
from microagg.set_partitioning import Columns, Master, Vertex
from microagg.solution import LowerBound
from microagg.stop import Stop, StoppedError, processors

First = Callable[[Problem, Stop, Progress], Partition]
"""Makes a partition whose groups are the first columns."""

PRICINGS = ("auto", "branch-and-bound", "relaxed", *BY_SIZE)
_KIND = "column generation"
_LOOKS = 100_000  # sets of records that are looked at for a root, unless the user asks for all
_CLOSE = 1e-9  # of the sse: a gap that is none
_WHOLE = 1e-6  # a part that is none, or all
_BATCH = 4000  # columns that enter at once
_MANY = 30  # columns for each record, more than which are not kept
_SMOOTH, _LESS = 0.9, 0.1  # share of the duals that proved most so far in those that are priced; and how it falls
_FEW = 0.25  # columns for each record: fewer new ones are a sign that smoothing is no longer needed
_STEPS, _RELAXED = 20, 60  # of the ascent before columns are chosen, and at each depth where they never are
_FIRST, _LONGER = 0.05, 0.1  # their first step, in shares of the duals
_SHRUNK, _STILL = 0.03, 0.1  # see `Ascent`: the last step, in shares of the first, and a slope that is hardly one
_LEAST_UNIT = 0.01  # of the average dual
_DEPTHS = 2  # without a limit of time
_MOST_LOOKS = 10_000_000  # as `_LOOKS`, where groups are relaxed: seconds for a root
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
        Make the first columns, besides those of the incumbent.

    References
    ----------
    [1] The column generation paper, sections 4 and 5.
    """

    pricing: str = "auto"
    rounding: str = "none"
    first: tuple[First, ...] = field(default=(), metadata={"handed in": True})
    reference: ClassVar[str] = "column generation paper"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __post_init__(self) -> None:
        one_of("pricing", self.pricing, PRICINGS)
        one_of("rounding", self.rounding, ROUNDINGS)

    def __call__(
        self, problem: Problem, incumbent: Partition, stop: Stop, progress: Progress
    ) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        scale = incumbent.n_groups / incumbent.sse if incumbent.sse else np.inf
        if problem.k == 1 or problem.sst == 0.0 or not np.isfinite(scale):
            return LowerBound(0.0, _KIND), incumbent
        if problem.n > _MOST_RECORDS:
            raise MethodError(
                f"column generation keeps the distances of at most {_MOST_RECORDS} records, found {problem.n}: "
                "bound=True, with another method, bounds any number"
            )
        generation = _Generation(self, problem, incumbent, scale, stop, progress)
        with ThreadPoolExecutor(processors()) as threads:
            try:
                ended_by = (generation.follow if self.pricing in BY_SIZE else generation.prove)(threads)
            except StoppedError:
                ended_by = stop.heard.ended_by
        return LowerBound(max(0.0, generation.proved / scale), generation.kind, ended_by), generation.best


class _Generation:
    """Hold the master, the best partition, and what is proved; squares are scaled so that a group loses about one."""

    def __init__(
        self,
        settings: ColumnGeneration,
        problem: Problem,
        incumbent: Partition,
        scale: float,
        stop: Stop,
        progress: Progress,
    ) -> None:
        self.settings, self.problem, self.best, self.scale = settings, problem, incumbent, scale
        self.stop, self.progress, self.kind = stop, progress, _KIND
        columns = Columns.of(incumbent)
        self.master = Master(columns._replace(sses=scale * columns.sses))
        self.centre, self.proved, self.rounds = np.zeros(problem.n), 0.0, 0

    def begin(self) -> None:
        """Make the first columns."""
        for first in self.settings.first:
            partition = first(self.problem, self.stop, self.progress)
            columns = Columns.of(partition)
            self.master.add(columns._replace(sses=self.scale * columns.sses))
            self.best = min(self.best, partition, key=_sse)
            self.hear()

    def follow(self, threads: ThreadPoolExecutor) -> str | None:
        """Follow the paper; say what ended that before its own end."""
        self.begin()
        price = BySize(self.problem, self.scale, self.settings.pricing, self.stop, threads)
        ended_by = self.choose(lambda duals: price(duals, self.hear), 0.0)
        return "heuristic pricing" if self.settings.pricing == "heuristic" else ended_by

    def prove(self, threads: ThreadPoolExecutor) -> str | None:
        """Begin from what the neighbours of each record prove; say what ended that before its own end."""
        from microagg.kernels.pricing import NO_END

        shares = share(self.problem, self.best, self.stop, self.progress)
        self.centre = self.scale * shares.least
        self.proved, self.kind = float(self.centre.sum()) - self.scale * shares.rounding, "neighbours"
        self.hear()
        price, pricing = BranchAndBound(self.problem, self.scale, shares.split, threads), self.settings.pricing
        if pricing != "relaxed":
            try:
                return self.converge(price, NO_END if pricing == "branch-and-bound" else _LOOKS)
            except TooDearError:
                pass
        return self.deepen(price)

    def converge(self, price: BranchAndBound, most: int) -> str | None:
        """Climb, then choose columns until no other one pays."""
        from microagg.kernels.pricing import EXACT

        self.climb(price, EXACT, most, Ascent(self.units, _STEPS, _FIRST, _SHRUNK * _FIRST, _STILL))
        self.begin()
        return self.choose(lambda duals: price(duals, EXACT, most, self.hear), _SMOOTH)

    def deepen(self, price: BranchAndBound) -> str:
        """Climb from depth to depth, as far as that is not too dear; without a limit of time, two of them."""
        with suppress(TooDearError):
            for depth in range(1, 1 + _DEPTHS if self.stop.time_limit is None else 2 * self.problem.k - 3):
                length = _LONGER / depth
                ascent = Ascent(self.units, _RELAXED, length, _SHRUNK * length, _STILL)
                self.climb(price, depth, _MOST_LOOKS, ascent)
        return "effort"

    @property
    def units(self) -> FloatArray:
        """What the steps of each dual are measured in: itself, but for records that cost next to nothing."""
        units: FloatArray = np.maximum(self.centre, _LEAST_UNIT * self.centre.mean())
        return units

    def climb(self, price: BranchAndBound, depth: int, most: int, ascent: Ascent) -> None:
        """Change the duals step by step: records that no column covers are worth more, those of several less."""
        from microagg.kernels.pricing import EXACT

        duals = self.centre
        for _ in range(ascent.steps):
            kind = _KIND if depth == EXACT else f"{_KIND}, relaxed to depth {depth}"
            priced = self.improve(lambda duals: price(duals, depth, most, self.hear), duals, kind)
            if depth == EXACT:
                self.take(priced.columns, duals)
            duals = duals + ascent(1.0 - priced.cover.astype(np.float64))

    def choose(self, price: Callable[[FloatArray], Priced], most: float) -> str | None:
        """Choose parts of columns, price, and add columns, until nothing is left to gain.

        Say what ended that before its own end.
        """
        smooth = most
        while True:
            vertex = self.master.solve(self.stop.time_left)
            self.hear()
            if vertex is None:
                return "time_limit" if self.stop.time_limit is not None else "tolerance"
            self.meet(vertex)
            self.forget(vertex)
            if vertex.sse - self.proved <= _CLOSE * vertex.sse:
                return None
            proved = self.proved
            priced = self.improve(price, smooth * self.centre + (1 - smooth) * vertex.duals, _KIND)
            new = self.take(priced.columns, vertex.duals)
            if not new and not smooth:
                return None if np.isfinite(priced.bound) else "tolerance"
            few = self.proved > proved or new < _FEW * self.problem.n
            smooth = round(max(0.0, smooth - _LESS), 9) if few else most

    def improve(self, price: Callable[[FloatArray], Priced], duals: FloatArray, kind: str) -> Priced:
        """Price with some duals, and keep what they prove."""
        self.rounds += 1
        priced = price(duals)
        if priced.bound > self.proved:
            self.proved, self.centre, self.kind = priced.bound, duals, kind
        return priced

    def take(self, found: Columns, duals: FloatArray) -> int:
        """Add those columns that pay most, and say how many are new."""
        costs = found.reduced_costs(duals)
        paying = np.flatnonzero(costs < -PAYING)
        return self.master.add(found.only(paying[np.argsort(costs[paying], kind="stable")[:_BATCH]]))

    def forget(self, vertex: Vertex) -> None:
        """Where there are too many columns, keep those only that are chosen or pay most."""
        costs = self.master.columns.reduced_costs(vertex.duals)
        many = _MANY * self.problem.n
        if len(costs) > many:
            self.master.keep(np.union1d(np.flatnonzero(vertex.parts), np.argsort(costs, kind="stable")[: many // 2]))

    def meet(self, vertex: Vertex) -> None:
        """Keep a choice of whole columns, if it is the best so far; make whole ones of parts."""
        chosen = np.flatnonzero(vertex.parts > 1 - _WHOLE)
        found = []
        if vertex.parts[chosen].sum() > vertex.parts.sum() - _WHOLE:  # [1] 5 (b)
            found = [Partition(self.problem, self.master.columns.labels(chosen))]
        if not found or found[0].sse >= self.best.sse:  # [1] 5 (c)
            for rounded in ROUNDINGS[self.settings.rounding]:
                found += rounded(self.problem, self.master.columns, vertex.parts)
        self.best = min([self.best, *found], key=_sse)

    def hear(self) -> None:
        """Say how far the work is, and leave it when told to."""
        note = bounds_note(self.problem, self.best, self.proved / self.scale)
        self.progress("bound", None, f"round {self.rounds}, {len(self.master.columns.sses)} columns, {note}")
        if self.stop.proved(self.proved / self.scale)(0, self.best.sse):
            raise StoppedError


def _sse(partition: Partition) -> float:
    return partition.sse
