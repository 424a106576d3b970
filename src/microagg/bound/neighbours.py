"""A cheap bound for any number of records: what the nearest neighbours of each one cost it."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress
from microagg.solution import LowerBound
from microagg.stop import Stop

_LINKS = 3  # neighbours of each record, for each record that a group may have
_STEPS = 300
_PATIENCE = 10  # steps without gain after which they get shorter
_LONGEST, _SHORTEST = 1.0, 1e-2  # share of the way to the incumbent that a step aims at


@dataclass(frozen=True)
class Neighbours:
    """Bound what is lost by the nearest neighbours of each record, which share the burden of each pair as is best.

    A group of m loses the sum of ½d²(a, b)/m over its ordered pairs of records. So a record costs at least the least,
    over m = k … 2k − 1, of its m − 1 smallest ½d², divided by m. A number added to ½d²(a, b) and taken from ½d²(b, a)
    changes no group; the best such numbers, for the pairs of neighbours only, are approached by subgradient ascent.
    O(n·neighbours) memory, O(n²·d) time for finding the neighbours, O(n·neighbours·k) for each of some hundred steps.
    """

    reference: ClassVar[str] = "microagg"

    def __call__(
        self, problem: Problem, incumbent: Partition, stop: Stop, progress: Progress
    ) -> tuple[LowerBound, Partition]:
        """Prove the bound; the incumbent says how long the steps should be."""
        from microagg.kernels.half_squares import half_squares, link
        from microagg.kernels.neighbours import neighbours

        n, d, k, X = problem.n, problem.d, problem.k, problem.X
        links = link(X, neighbours(X, min(n - 1, _LINKS * (2 * k - 1)), partial(progress, "bound")))
        shifts = np.zeros(len(links.halves) // 2)
        slope, proved, best, step, idle = np.empty_like(shifts), -np.inf, shifts, _LONGEST, 0
        for number in range(_STEPS):
            total = half_squares(links, shifts, k, slope)
            idle += 1
            if total > proved:
                proved, best, idle = total, shifts, 0
            elif idle > _PATIENCE:
                shifts, step, idle = best, step / 2, 0
                total = half_squares(links, shifts, k, slope)
            length = float(slope @ slope)
            progress("bound", number / _STEPS, f"at least {100 * proved / problem.sst if problem.sst else 0.0:.4f} %")
            if step < _SHORTEST or length == 0.0 or stop(0, incumbent.sse):
                break
            shifts = shifts + slope * (step * max(0.0, incumbent.sse - total) / length)
        rounding = np.finfo(np.float64).eps * (n + d + 2 * k) * (proved + 2 * float(np.abs(best).sum()))
        return LowerBound(max(0.0, proved - rounding), "neighbours"), incumbent
