"""Feasible duals from the nearest neighbours of each record, and the lower bound that they prove."""

from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.control.stopping import Ending, StoppedError
from microagg.lp.adam_ascent import AdamAscent
from microagg.lp.incumbent import bounds_note
from microagg.lp.pricing_distances import DistanceSplit
from microagg.model.arrays import FloatArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_NEIGHBOURS_PER_MEMBER = 8  # neighbours of each record, for each record that a group may have
_MAX_LINKS = 20_000_000  # of all records: a gigabyte, and a second a step
_N_STEPS = 300
_FIRST_STEP = 0.3  # in shares of half the squared distance
_LAST_STEP = 0.003
_EPSILON = 1e-2  # Adam's ε


class NeighbourDuals(NamedTuple):
    """Duals of the records for which no group has a negative reduced cost: their sum is a lower bound."""

    values: FloatArray  # (n,)
    rounding_error: float  # of the sum, at most
    split: DistanceSplit  # of the squared distances of neighbours, which proves it
    ended_by: Ending | None


def neighbour_duals(problem: Problem, incumbent: Partition, run: Run) -> NeighbourDuals:
    """Compute what each record contributes to the sse at least, by subgradient ascent: see `Neighbours`."""
    ascent = _SplitAscent(problem, incumbent, run)
    ended_by: Ending | None = None
    try:
        ascent.climb()
    except StoppedError as error:
        ended_by = error.ending
    return ascent.duals(ended_by)


class _SplitAscent:
    """Best split so far of squared distances between neighbours, and the duals that it proves."""

    def __init__(self, problem: Problem, incumbent: Partition, run: Run) -> None:
        self.problem = problem
        self.incumbent = incumbent
        self.run = run
        self.split = DistanceSplit.even()
        self.values = np.zeros(self.problem.n)
        self.lower_bound = 0.0

    def climb(self) -> None:
        """Link neighbours, and shift the squared distance of each two from the one to the other."""
        from microagg.kernels.geometry.neighbour_lists import neighbours
        from microagg.kernels.pricing.neighbour_costs import link_ends, link_neighbours, neighbour_bound

        n, k, X = self.problem.n, self.problem.k, self.problem.X
        n_neighbours = max(2 * k - 2, min(_NEIGHBOURS_PER_MEMBER * (2 * k - 1), _MAX_LINKS // n))
        near = neighbours(X, min(n - 1, n_neighbours), self._tick_neighbours, self.run.workers.map)
        links = link_neighbours(X, near)
        first, second = link_ends(links)
        shifts = np.zeros(len(links.halves) // 2)
        subgradient = np.empty_like(shifts)
        scales = np.empty_like(shifts)
        scales[links.edges] = links.halves
        values = np.empty(n)
        ascent = AdamAscent(scales, _N_STEPS, _FIRST_STEP, _LAST_STEP, _EPSILON)
        for step in range(_N_STEPS + 1):
            total = neighbour_bound(links, shifts, k, subgradient, values)
            if step == 0 or total > self.lower_bound:
                self.lower_bound = total
                self.values = values.copy()
                self.split = DistanceSplit(first, second, shifts)
            self._tick_ascent(step)
            shifts = shifts + ascent(subgradient)

    def _tick_neighbours(self, done: float | None = None) -> None:
        self.run.report("bound", done, "looking for neighbours")
        self.run.check_round(0, self.incumbent.sse)

    def _tick_ascent(self, step: int) -> None:
        note = bounds_note(self.incumbent, self.lower_bound)
        self.run.report("bound", step / _N_STEPS, f"neighbours, {note}")
        self.run.check_round(0, self.incumbent.sse, self.lower_bound)

    def duals(self, ended_by: Ending | None) -> NeighbourDuals:
        """Return the duals, with a bound on the rounding error of their sum: see `bound/README.md`."""
        n, d, k = self.problem.n, self.problem.d, self.problem.k
        magnitude = self.lower_bound + 2 * float(np.abs(self.split.excess).sum())
        rounding_error = np.finfo(np.float64).eps * (n + d + 2 * k) * magnitude
        return NeighbourDuals(self.values, rounding_error, self.split, ended_by)
