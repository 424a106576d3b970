"""A cheap bound for any number of records: what the nearest neighbours of each one cost it."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from microagg.arrays import FloatArray
from microagg.bound.ascent import Ascent
from microagg.bound.pricing import Split
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress
from microagg.solution import LowerBound, at_least
from microagg.stop import Stop, StoppedError

_LINKS = 8  # neighbours of each record, for each record that a group may have
_MOST_LINKS = 20_000_000  # of all records: a gigabyte, and a second a step
_STEPS = 300
_FIRST, _LAST, _STILL = 0.3, 0.003, 1e-2  # see `Ascent`; in shares of half the squared distance


class Shares(NamedTuple):
    """Hold what is proved of each record."""

    least: FloatArray  # (n,) what it costs at the least: the records of any group together cost no less
    rounding: float  # at most this is lost in adding up
    split: Split  # of the squares between neighbours
    ended_by: str | None


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

    def __call__(
        self, problem: Problem, incumbent: Partition, stop: Stop, progress: Progress
    ) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        shares = share(problem, incumbent, stop, progress)
        proved = max(0.0, float(shares.least.sum()) - shares.rounding)
        return LowerBound(proved, "neighbours", shares.ended_by), incumbent


def share(problem: Problem, incumbent: Partition, stop: Stop, progress: Progress) -> Shares:
    """Find what each record costs at the least."""
    from microagg.kernels.half_squares import ends, half_squares, link
    from microagg.kernels.neighbours import neighbours

    def tick(done: float) -> None:
        progress("bound", done, "looking for neighbours")
        if stop(0, incumbent.sse):
            raise StoppedError

    n, d, k, X = problem.n, problem.d, problem.k, problem.X
    count = min(n - 1, max(2 * k - 2, min(_LINKS * (2 * k - 1), _MOST_LINKS // n)))
    try:
        near = neighbours(X, count, tick)
    except StoppedError:
        nobody = np.empty(0, dtype=np.int64)
        return Shares(np.zeros(n), 0.0, Split(nobody, nobody, np.empty(0)), stop.heard.ended_by)
    links = link(X, near)
    shifts = np.zeros(len(links.halves) // 2)
    slope, units = np.empty_like(shifts), np.empty_like(shifts)
    units[links.edges] = links.halves
    climb = Ascent(units, _STEPS, _FIRST, _LAST, _STILL)
    least, now, proved, best, ended_by = np.zeros(n), np.empty(n), -np.inf, shifts, None
    for number in range(_STEPS + 1):
        total = half_squares(links, shifts, k, slope, now)
        if total > proved:
            proved, best, least = total, shifts, now.copy()
        progress("bound", number / _STEPS, f"neighbours, {bounds_note(problem, incumbent, proved)}")
        if stop.proved(proved)(0, incumbent.sse):
            ended_by = stop.heard.ended_by
            break
        shifts = shifts + climb(slope)
    rounding = np.finfo(np.float64).eps * (n + d + 2 * k) * (proved + 2 * float(np.abs(best).sum()))
    return Shares(least, rounding, Split(*ends(links), best), ended_by)


def bounds_note(problem: Problem, best: Partition, proved: float) -> str:
    """Say how much is lost, how much must be, and what lies between."""
    percent = 100 / problem.sst if problem.sst else 0.0
    gap = 1 - max(0.0, proved) / best.sse if best.sse else 0.0
    return f"loss {best.information_loss:.4f} %, bound {at_least(percent * max(0.0, proved))}, gap {gap:.2%}"
