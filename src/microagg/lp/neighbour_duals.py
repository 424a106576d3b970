"""Feasible duals from the nearest neighbours of each record, and the lower bound that they prove."""

from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.control.stopping import Ending, StoppedError
from microagg.lp.incumbent import bounds_note
from microagg.lp.pricing_distances import DistanceSplit
from microagg.lp.split_ascent import N_STEPS, SplitAscent
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem

_NEIGHBOURS_PER_MEMBER = 8  # neighbours of each record, for each record that a group may have
_MAX_LINKS = 20_000_000  # of all records, where each has enough of them for the largest group
BLOCK_SIZE = 2**13  # records whose squared distances are split together: beyond, in blocks


class NeighbourDuals(NamedTuple):
    """Duals of the records for which no group has a negative reduced cost: their sum is a lower bound."""

    values: FloatArray  # (n,)
    rounding_error: float  # of the sum, at most
    split: DistanceSplit  # of the squared distances of neighbours, which proves it
    lists: IntArray  # (n, n_neighbours) the neighbours of each record, nearest first; (n, 0) where not found in time
    ended_by: Ending | None


def neighbour_duals(problem: Problem, incumbent: Partition, run: Run, block_size: int = BLOCK_SIZE) -> NeighbourDuals:
    """Compute what each record contributes to the sse at least, by subgradient ascent: see `Neighbours`.

    Parameters
    ----------
    block_size
        Records whose squared distances are split together. The blocks change the bound, but not its validity.
    """
    lists = np.empty((problem.n, 0), dtype=np.int64)
    values = np.zeros(problem.n)
    try:
        lists = _nearest(problem, incumbent, run)
    except StoppedError as error:
        return _duals(problem, [], values, lists, error.ending)
    blocks = _blocks(problem.X, block_size)
    ascents = [SplitAscent(problem.X, problem.k, block, lists[block]) for block in blocks]
    ended_by = _climb(ascents[0], incumbent, run) if len(ascents) == 1 else _climb_in_parallel(ascents, run)
    for ascent in ascents:
        values[ascent.records] = ascent.values
    return _duals(problem, ascents, values, lists, ended_by)


def _nearest(problem: Problem, incumbent: Partition, run: Run) -> IntArray:
    """Find the nearest neighbours of all records: exactly, as a bound must not miss one."""
    from microagg.kernels.geometry.neighbour_lists import neighbours

    def tick(done: float | None = None) -> None:
        run.report("bound", done, "looking for neighbours")
        run.check_round(0, incumbent.sse)

    n, k = problem.n, problem.k
    n_neighbours = max(2 * k - 2, min(_NEIGHBOURS_PER_MEMBER * (2 * k - 1), _MAX_LINKS // n))
    return neighbours(problem.X, min(n - 1, n_neighbours), tick, run.workers.map)


def _blocks(X: FloatArray, block_size: int) -> list[IntArray]:
    """Divide the records into blocks of records that are near each other."""
    from microagg.kernels.geometry.record_boxes import split_order

    order = split_order(X, block_size)
    return [order[first : first + block_size] for first in range(0, len(X), block_size)]


def _climb(ascent: SplitAscent, incumbent: Partition, run: Run) -> Ending | None:
    """Split the squared distances of all records; return what ended it early."""

    def tick(step: int) -> None:
        note = bounds_note(incumbent, ascent.lower_bound)
        run.report("bound", step / N_STEPS, f"neighbours, {note}")
        run.check_round(0, incumbent.sse, ascent.lower_bound)

    try:
        ascent.climb(tick)
    except StoppedError as error:
        return error.ending
    return None


def _climb_in_parallel(ascents: list[SplitAscent], run: Run) -> Ending | None:
    """Split the squared distances within each block; return what ended it early."""

    def climb(ascent: SplitAscent) -> Ending | None:
        try:
            ascent.climb(lambda step: run.check())
        except StoppedError as error:
            return error.ending
        return None

    def report(n_done: int) -> None:
        run.report("bound", n_done / len(ascents), "neighbours")

    endings = [ending for ending in run.workers.map(climb, ascents, report) if ending is not None]
    return endings[0] if endings else None


def _duals(
    problem: Problem, ascents: list[SplitAscent], values: FloatArray, lists: IntArray, ended_by: Ending | None
) -> NeighbourDuals:
    """Return the duals, with a bound on the rounding error of their sum: see `bound/README.md`."""
    splits = [DistanceSplit.even(), *(ascent.split for ascent in ascents)]
    split = DistanceSplit(*(np.concatenate(field) for field in zip(*splits, strict=True)))
    lower_bound = sum(ascent.lower_bound for ascent in ascents)
    magnitude = lower_bound + 2 * float(np.abs(split.excess).sum())
    rounding_error = np.finfo(np.float64).eps * (problem.n + problem.d + 2 * problem.k) * magnitude
    return NeighbourDuals(values, rounding_error, split, lists, ended_by)
