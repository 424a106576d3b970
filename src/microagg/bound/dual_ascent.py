"""Bound for any number of records, by duals that rise from those of the neighbours."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microagg.control.run import Run
from microagg.control.stopping import Ending, StoppedError
from microagg.lp.adam_ascent import AdamAscent
from microagg.lp.incumbent import bounds_note
from microagg.lp.listed_pricing import ListedPricer
from microagg.lp.neighbour_duals import NeighbourDuals, neighbour_duals
from microagg.model.arrays import FloatArray
from microagg.model.checks import whole_number
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

_KIND = "dual ascent"
_MAX_STEPS = 8
_MAX_WORK = 1e8  # steps · n · k²
_FIRST_STEP = 0.06  # in shares of the duals
_LAST_STEP = 0.015
_MIN_GAIN = 0.005  # of the bound: a step that gains less is the last one
_EPSILON = 0.1  # Adam's ε
_MIN_STEP_SCALE = 0.01  # of the average dual


@dataclass(frozen=True)
class DualAscent:
    """Bound by the duals of neighbours, raised by subgradient ascent: every step prices all groups of all records.

    The linear programme of column generation is not solved, and no distances of all pairs are kept: the groups of a
    root are searched among the records of its list of neighbours, and among others only where these may matter. Where
    a root has too many groups, their reduced costs are bounded from below, its dual is lowered by that bound, and rises
    no more. Every step proves a bound over the whole. O(n·n_neighbours) memory.

    Parameters
    ----------
    steps
        How many there are at most; 0: none, which is the bound `Neighbours`. None: as many as n·k² allows.
    """

    steps: int | None = None
    reference: ClassVar[str] = "microagg"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __post_init__(self) -> None:
        if self.steps is not None:
            object.__setattr__(self, "steps", whole_number("steps", self.steps, at_least=0))

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        start = neighbour_duals(problem, incumbent, run)
        lower_bound = max(0.0, float(start.values.sum()) - start.rounding_error)
        bound = LowerBound(lower_bound, "neighbours", start.ended_by)
        n_steps = self._count_steps(problem)
        if start.ended_by is not None or lower_bound == 0.0 or n_steps == 0:
            return bound, incumbent
        return _Ascent(problem, incumbent, run, bound).climb(start, n_steps), incumbent

    def _count_steps(self, problem: Problem) -> int:
        if self.steps is not None:
            return self.steps
        return min(_MAX_STEPS, int(_MAX_WORK / (problem.n * problem.k**2)))


class _Ascent:
    """Best bound so far."""

    def __init__(self, problem: Problem, incumbent: Partition, run: Run, bound: LowerBound) -> None:
        self.problem = problem
        self.incumbent = incumbent
        self.run = run
        self.bound = bound

    def climb(self, start: NeighbourDuals, n_steps: int) -> LowerBound:
        """Raise the lower bound, and return it with what ended the ascent."""
        ended_by: Ending = "effort"
        try:
            self._climb(start, n_steps)
        except StoppedError as error:
            ended_by = error.ending
        return LowerBound(self.bound.sse, self.bound.kind, ended_by)

    def _climb(self, start: NeighbourDuals, n_steps: int) -> None:
        """Raise the duals of records that no group of the bound covers, and lower those of records in several."""
        pricer = ListedPricer(self.problem, start, self.run.workers)
        duals = start.values
        scales = np.maximum(duals, _MIN_STEP_SCALE * duals.mean())
        ascent = AdamAscent(scales, n_steps, _FIRST_STEP, _LAST_STEP, _EPSILON)
        slope: FloatArray = np.ones(self.problem.n)  # of duals for which no reduced cost is negative
        for _ in range(n_steps):
            duals = duals + ascent(slope)
            priced = pricer.price(duals, self._tick)
            is_last = priced.lower_bound < (1 + _MIN_GAIN) * self.bound.sse
            if priced.lower_bound > self.bound.sse:
                self.bound = LowerBound(priced.lower_bound, _KIND)
            self._tick()
            if is_last:
                break
            duals[priced.relaxed] += priced.relaxed_costs
            ascent.scales[priced.relaxed] = 0.0
            slope = 1.0 - priced.cover.astype(np.float64)

    def _tick(self, done: float | None = None) -> None:
        self.run.report("bound", done, bounds_note(self.incumbent, self.bound.sse).after("dual ascent, "))
        self.run.check_round(0, self.incumbent.sse, self.bound.sse)
