"""Local search: moves and swaps of records between neighbouring groups."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition

_MAX_NEIGHBOURS = 30
_GROUPS_IN_REACH = 4  # of k records: how far the neighbour lists reach


@dataclass(frozen=True)
class Descent:
    """Local search: records moved and swapped between neighbouring groups, groups dissolved or formed anew.

    Ours. A queue holds the groups to examine; of all moves and swaps between a group and those of its records' nearest
    neighbours, the one that gains most is made, and both groups are queued again. A group without such a change is
    dissolved into its neighbours, or records that it and its neighbours can spare form a new one, if that gains. No
    group grows beyond 2k − 1, so merging is dissolving, and splitting is forming a new group.
    O(n·n_neighbours·(d + k)) for a first pass, only its neighbourhood for a change; the neighbour lists come first.
    """

    reference: ClassVar[str] = "microagg"
    weighted: ClassVar[bool] = True

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        progress = RoundProgress("descent", partition.problem, run)
        try:
            near = neighbour_lists(partition, progress)
            return run_descent(partition, near, progress, keep_partial=True)
        except StoppedError:
            return partition


def neighbour_lists(partition: Partition, progress: RoundProgress, *, short: bool = False) -> IntArray:
    """List records near each one, of shape (n, n_neighbours), that reach the groups around its own.

    Half of a list are its nearest records, the other half a sample of those that follow, by distance. Short lists reach
    half as far, and some of the nearest may be missing.
    """
    from microagg.kernels.geometry.approximate_neighbours import neighbours_near

    n, k = partition.problem.n, partition.problem.k
    progress.report(0, partition.sse)
    length = min(_MAX_NEIGHBOURS, 3 + k if short else 10 + 3 * k // 2)
    n_groups = _GROUPS_IN_REACH // 2 if short else _GROUPS_IN_REACH
    reach = min(n - 1, max(length, n_groups * k))
    n_nearest = length // 2
    sampled = np.linspace(n_nearest, max(length, reach) - 1, length - n_nearest)
    ranks = np.concatenate([np.arange(n_nearest), np.unique(sampled.astype(np.int64))])
    in_parallel = progress.run.workers.map
    tick = progress.ticker(0, partition.sse)
    near = neighbours_near(partition.problem.X, reach, tick, in_parallel, rough=short)
    return np.ascontiguousarray(near[:, ranks[ranks < reach]])


def run_descent(
    partition: Partition, near: IntArray, progress: RoundProgress | None = None, *, keep_partial: bool = False
) -> Partition:
    """Change neighbouring groups until no change gains.

    Parameters
    ----------
    partition
        The partition to start from.
    near
        From `neighbour_lists`.
    progress
        The progress to report and check; None: no limit ends the descent.
    keep_partial
        Whether a descent that the run ends returns what it has reached; else it raises `StoppedError`.
    """
    from microagg.kernels.moves.ruin_recreate import descend_from_start, start_annealing
    from microagg.kernels.tick import steps_per_tick

    problem = partition.problem
    X, k = problem.X, problem.k
    state = start_annealing(X, near, partition.labels, k, weights=problem.weights)
    n_visits = steps_per_tick(near.shape[1] * k * (X.shape[1] + k) + 1)  # of groups, between two reports
    try:
        while not descend_from_start(state, k, n_visits):
            if progress is not None:
                progress.report(0, float(state.sses[1]))
    except StoppedError:
        if not keep_partial:
            raise
    return min(partition, Partition(problem, state.best), key=lambda partition: partition.sse)
