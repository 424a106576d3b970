"""Group records with missing cells: by the cells that are there, or so that few must be blanked."""

from functools import partial

import numpy as np
from numpy.random import Generator, default_rng

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stages import Refine
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.methods import Pipeline
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import Solution
from microagg.refine.descent import Descent, neighbour_lists
from microagg.run_pipeline import refined_by, run_pipeline

_MAX_ROUNDS = 20
_DONORS = 5  # records whose mean stands in for a missing cell at first
_CELLS_PER_BLOCK = 20_000_000  # of distances that are computed at once


def solve_available(chosen: Pipeline, problem: Problem, random_state: int, run: Run) -> Solution:
    """Solve a problem with missing cells: distances and centroids are over the cells that are there.

    Where a cell that one member of a group lacks is blank for all, the pipeline groups records as points to which it is
    added whether they lack a cell, so that those that lack the same are near. Then records move and are swapped while
    the loss falls: squares of the cells that are left, and the prices of those that are blanked.

    Else each missing cell is first filled in with the mean of the nearest records that have it, by distances over the
    cells that both have, scaled up to all columns. The pipeline groups the filled records. Then the cells are filled in
    with the centroids of their groups and the groups descend, in turns, until the loss over the cells that are there
    falls no more: filled in so, a missing cell loses nothing, so each turn lowers that loss [1].

    Parameters
    ----------
    chosen
        The pipeline.
    problem
        The problem, with missing cells.
    random_state
        The same number gives the same groups.
    run
        The run.

    Returns
    -------
    Solution
        Groups of the problem itself; nothing is proved of them.

    References
    ----------
    [1] Chi, Chi & Baraniuk (2016), k-POD: a method for k-means clustering of missing data, The American Statistician
        70(1).
    """
    assert problem.missing is not None
    if problem.prices is None:
        filled = problem.filled(fill_by_neighbours(problem.X, problem.missing, partial(run.tick, "fill in")))
    else:
        filled = problem.with_gaps()
    solution = run_pipeline(chosen, filled, random_state, run)
    best = Partition(problem, solution.labels)
    if problem.prices is not None:
        best = _descend(best, Partition(filled, solution.labels), run)
    for _ in range(_MAX_ROUNDS if problem.prices is None else 0):
        better = refine_available(best, Descent(), default_rng(random_state), run)
        if better is best:
            break
        best = better
    return Solution(
        best,
        solution.method,
        iterations=solution.iterations,
        starts=solution.starts,
        ended_by=solution.ended_by,
        fallback_share=solution.fallback_share,
        random_state=solution.random_state,
    )


def refine_available(partition: Partition, refine: Refine, rng: Generator, run: Run) -> Partition:
    """Refine groups of records that may have missing cells, which are filled in with the centroids of their groups.

    Where they are blank for whole groups, the records are refined as points that tell which cells they lack.

    Parameters
    ----------
    partition
        The groups.
    refine
        The refiner; it meets no missing cell.
    rng, run
        Its random generator and its run.

    Returns
    -------
    Partition
        Better groups of the same problem, or `partition` itself.
    """
    problem = partition.problem
    if problem.missing is None:
        return refined_by(refine, partition, rng, run)
    if problem.prices is None:
        filled = problem.filled(np.where(problem.missing, partition.centroids[partition.labels], problem.X))
    else:
        filled = problem.with_gaps()
    refined = refined_by(refine, Partition(filled, partition.labels), rng, run)
    better = Partition(problem, refined.labels)
    return better if better.sse < partition.sse else partition


def _descend(best: Partition, points: Partition, run: Run) -> Partition:
    """Let records move and be swapped between groups that are near as points, while the loss falls."""
    from microagg.kernels.moves.blank_descent import blanking_groups, descend_blanks

    problem = best.problem
    assert problem.missing is not None
    assert problem.prices is not None
    means, variances = problem.prices
    X = np.where(problem.missing, 0.0, problem.X - means)
    weights = np.ones(problem.n) if problem.weights is None else problem.weights
    prices = np.where(problem.missing, 0.0, np.maximum(variances, np.square(X))) * weights[:, None]
    progress = RoundProgress("blank", problem, run)
    groups = blanking_groups(X, problem.missing, weights, prices, best.labels)
    try:
        near = neighbour_lists(points, progress)
        step = steps_per_tick(near.shape[1] * problem.k * problem.d)
        for _ in range(_MAX_ROUNDS):
            n_changes = 0
            for start in range(0, problem.n, step):
                progress.report(0, float(groups.losses.sum()))
                stop = min(problem.n, start + step)
                n_changes += descend_blanks(X, problem.missing, weights, prices, near, problem.k, groups, start, stop)
            if not n_changes:
                break
    except StoppedError:
        pass
    return min(best, Partition(problem, groups.labels), key=lambda one: one.sse)


def fill_by_neighbours(X: FloatArray, missing: BoolArray, tick: Tick = no_tick) -> FloatArray:
    """Fill in missing cells with the mean of the nearest records that have them; O(n²·d) where many have gaps.

    The distance of two records is over the cells that both have, scaled up to all columns. A cell for which there is
    no such record gets the mean of its column; so do those that are left when the tick ends the work.
    """
    n, d = X.shape
    present = ~missing
    values = np.where(missing, 0.0, X)
    means = np.divide(values.sum(axis=0), np.maximum(1, present.sum(axis=0)))
    filled = np.where(missing, means, X)
    squares = np.square(values)
    incomplete = np.flatnonzero(missing.any(axis=1))
    n_done = 0
    for block in _blocks(incomplete, n):
        try:
            tick(n_done / len(incomplete))
        except StoppedError:
            break
        n_done += len(block)
        common = present[block].astype(np.float64) @ present.T.astype(np.float64)
        distances = squares[block] @ present.T + present[block] @ squares.T - 2 * values[block] @ values.T
        scaled = np.where(common > 0, distances * d / np.maximum(common, 1), np.inf)
        scaled[np.arange(len(block)), block] = np.inf
        for j in np.flatnonzero(missing[block].any(axis=0)):
            lacking = np.flatnonzero(missing[block, j])
            filled[block[lacking], j] = _donated(scaled[lacking], X[:, j], present[:, j], means[j])
    return filled


def _blocks(records: IntArray, n: int) -> list[IntArray]:
    size = max(1, _CELLS_PER_BLOCK // n)
    return [records[first : first + size] for first in range(0, len(records), size)]


def _donated(distances: FloatArray, column: FloatArray, present: BoolArray, otherwise: float) -> FloatArray:
    """Return, for each row of distances, the mean of the nearest records that have a value in a column."""
    donors = np.flatnonzero(present)
    if not len(donors):
        return np.full(len(distances), otherwise)
    near = _nearest(distances[:, donors])
    known = np.isfinite(np.take_along_axis(distances[:, donors], near, axis=1))
    sums = np.where(known, column[donors[near]], 0.0).sum(axis=1)
    counts = known.sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), otherwise)


def _nearest(distances: FloatArray) -> IntArray:
    """Return the places of the smallest distances of each row, in order, ties by the lowest place."""
    if distances.shape[1] <= _DONORS:
        return np.argsort(distances, axis=1, kind="stable")
    borders = np.partition(distances, _DONORS - 1, axis=1)[:, _DONORS - 1]
    nearest = np.empty((len(distances), _DONORS), dtype=np.int64)
    for row, border in enumerate(borders.tolist()):
        places = np.flatnonzero(distances[row] <= border)  # more than wanted, where some tie with the last
        nearest[row] = places[np.argsort(distances[row, places], kind="stable")[:_DONORS]]
    return nearest
