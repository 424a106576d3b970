"""Feasible duals from the nearest neighbours of each record, and the lower bound that they prove."""

from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.control.stopping import Ending, StoppedError
from microagg.lp.incumbent import bounds_note
from microagg.lp.pricing_distances import DistanceSplit
from microagg.lp.split_ascent import SplitAscent
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_NEIGHBOURS_PER_MEMBER = 8  # neighbours of each record, for each record that a group may have
_MAX_LINKS = 20_000_000  # of all records: two gigabytes


class NeighbourDuals(NamedTuple):
    """Duals of the records for which no group has a negative reduced cost: their sum is a lower bound."""

    values: FloatArray  # (n,)
    rounding_error: float  # of the sum, at most
    split: DistanceSplit  # of the squared distances of neighbours, which proves it
    lists: IntArray  # (n, n_neighbours) the neighbours of each record, nearest first; (n, 0) where not found in time
    ended_by: Ending | None


def neighbour_duals(problem: Problem, incumbent: Partition, run: Run) -> NeighbourDuals:
    """Compute what each record contributes to the sse at least, by subgradient ascent: see `Neighbours`."""
    from microagg.kernels.geometry.record_boxes import make_boxes

    try:
        lists = _nearest(problem, incumbent, run)
    except StoppedError as error:
        nothing = np.empty((problem.n, 0), dtype=np.int64)
        return NeighbourDuals(np.zeros(problem.n), 0.0, DistanceSplit.even(), nothing, error.ending)
    order = make_boxes(problem.X).order  # links between records that are near in memory, too, are faster to follow
    place_of = np.empty_like(order)
    place_of[order] = np.arange(problem.n)
    ascent = SplitAscent(problem.X[order], problem.k, place_of[lists[order]], run.workers)
    ended_by = _climb(ascent, incumbent, run)
    first, second, excess = ascent.split
    split = DistanceSplit(order[first], order[second], excess)
    return NeighbourDuals(ascent.values[place_of], _rounding_error(problem, ascent), split, lists, ended_by)


def _nearest(problem: Problem, incumbent: Partition, run: Run) -> IntArray:
    """Find the nearest neighbours of all records: exactly, as a bound must not miss one."""
    from microagg.kernels.geometry.neighbour_lists import neighbours

    def tick(done: float | None = None) -> None:
        run.report("bound", done, "looking for neighbours")
        run.check_round(0, incumbent.sse)

    n, k = problem.n, problem.k
    n_neighbours = max(2 * k - 2, min(_NEIGHBOURS_PER_MEMBER * (2 * k - 1), _MAX_LINKS // n))
    return neighbours(problem.X, min(n - 1, n_neighbours), tick, run.workers.map)


def _climb(ascent: SplitAscent, incumbent: Partition, run: Run) -> Ending | None:
    """Split the squared distances; return what ended it early."""

    def tick(done: float) -> None:
        run.report("bound", done, bounds_note(incumbent, ascent.lower_bound).after("neighbours, "))
        run.check_round(0, incumbent.sse, ascent.lower_bound)

    try:
        ascent.climb(tick)
    except StoppedError as error:
        return error.ending
    return None


def _rounding_error(problem: Problem, ascent: SplitAscent) -> float:
    """Bound the rounding error of the sum of the duals: see `bound/README.md`."""
    magnitude = ascent.lower_bound + 2 * float(np.abs(ascent.split.excess).sum())
    return float(np.finfo(np.float64).eps * (problem.n + problem.d + 2 * problem.k) * magnitude)
