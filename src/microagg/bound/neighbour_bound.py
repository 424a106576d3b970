"""A cheap bound for any number of records: what the nearest neighbours of each one cost it."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from microagg.control.progress import floor_percent
from microagg.control.run import Run
from microagg.control.stopping import Ending, StoppedError
from microagg.lp.group_pricing import Split
from microagg.lp.subgradient_ascent import Ascent
from microagg.model.arrays import FloatArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

_LINKS = 8  # neighbours of each record, for each record that a group may have
_MOST_LINKS = 20_000_000  # of all records: a gigabyte, and a second a step
_STEPS = 300
_FIRST, _LAST, _STILL = 0.3, 0.003, 1e-2  # see `Ascent`; in shares of half the squared distance


class Shares(NamedTuple):
    """Hold what is proved of each record."""

    least: FloatArray  # (n,) what it costs at the least: the records of any group together cost no less
    rounding: float  # at most this is lost in adding up
    split: Split  # of the squares between neighbours
    ended_by: Ending | None


@dataclass(frozen=True)
class Neighbours:
    """Bound what is lost by the nearest neighbours of each record, which share the burden of each pair as is best.

    A group of m loses the sum of ½d²(a, b)/m over its ordered pairs of records. So a record costs at least the least,
    over m = k … 2k − 1, of its m − 1 smallest ½d², divided by m. A number added to ½d²(a, b) and taken from ½d²(b, a)
    changes no group; the best such numbers, for the pairs of neighbours only, are approached by subgradient ascent.
    O(n·neighbours) memory, O(n²·d) time for finding the neighbours, O(n·neighbours·k) for each of some hundred steps.
    """

    reference: ClassVar[str] = "microagg"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        shares = share(problem, incumbent, run)
        proved = max(0.0, float(shares.least.sum()) - shares.rounding)
        return LowerBound(proved, "neighbours", shares.ended_by), incumbent


def share(problem: Problem, incumbent: Partition, run: Run) -> Shares:
    """Find what each record costs at the least."""
    sharing = _Sharing(problem, incumbent, run)
    ended_by: Ending | None = None
    try:
        sharing.climb()
    except StoppedError as error:
        ended_by = error.ending
    return sharing.shares(ended_by)


class _Sharing:
    """What is proved of each record so far, and the split of squares that proves it."""

    def __init__(self, problem: Problem, incumbent: Partition, run: Run) -> None:
        self.problem, self.incumbent, self.run = problem, incumbent, run
        nobody = np.empty(0, dtype=np.int64)
        self.split = Split(nobody, nobody, np.empty(0))
        self.least = np.zeros(problem.n)
        self.proved = 0.0

    def climb(self) -> None:
        """Link neighbours, and shift what each of two bears of their square while that proves more."""
        from microagg.kernels.geometry.neighbour_lists import neighbours
        from microagg.kernels.pricing.neighbour_costs import ends, half_squares, link

        n, k, X = self.problem.n, self.problem.k, self.problem.X
        count = min(n - 1, max(2 * k - 2, min(_LINKS * (2 * k - 1), _MOST_LINKS // n)))
        links = link(X, neighbours(X, count, self.look))
        one, other = ends(links)
        shifts = np.zeros(len(links.halves) // 2)
        slope, units, now = np.empty_like(shifts), np.empty_like(shifts), np.empty(n)
        units[links.edges] = links.halves
        ascent = Ascent(units, _STEPS, _FIRST, _LAST, _STILL)
        for number in range(_STEPS + 1):
            total = half_squares(links, shifts, k, slope, now)
            if number == 0 or total > self.proved:
                self.proved, self.least, self.split = total, now.copy(), Split(one, other, shifts)
            self.say(number)
            shifts = shifts + ascent(slope)

    def look(self, done: float) -> None:
        """Say how far the looking for neighbours is, and leave it when told to."""
        self.run.report("bound", done, "looking for neighbours")
        self.run.check_round(0, self.incumbent.sse)

    def say(self, number: int) -> None:
        """Say how far the ascent is, and leave it when told to."""
        note = bounds_note(self.problem, self.incumbent, self.proved)
        self.run.report("bound", number / _STEPS, f"neighbours, {note}")
        self.run.check_round(0, self.incumbent.sse, self.proved)

    def shares(self, ended_by: Ending | None) -> Shares:
        """Say what is proved."""
        n, d, k = self.problem.n, self.problem.d, self.problem.k
        large = self.proved + 2 * float(np.abs(self.split.more).sum())
        rounding = np.finfo(np.float64).eps * (n + d + 2 * k) * large
        return Shares(self.least, rounding, self.split, ended_by)


def bounds_note(problem: Problem, best: Partition, proved: float) -> str:
    """Say how much is lost, how much must be, and what lies between."""
    percent = 100 / problem.sst if problem.sst else 0.0
    gap = 1 - max(0.0, proved) / best.sse if best.sse else 0.0
    return f"loss {best.information_loss:.4f} %, bound {floor_percent(percent * max(0.0, proved))}, gap {gap:.2%}"
