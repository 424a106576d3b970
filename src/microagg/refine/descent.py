"""Descend: change neighbouring groups while that gains."""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.run import Run, StoppedError
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition
from microagg.refine.multistart import Hear, tick

_MOST_NEIGHBOURS, _REACH = 30, 4


@dataclass(frozen=True)
class Descent:
    """Move records to neighbouring groups, let them change places, dissolve and distil groups, while that gains.

    Ours. Groups wait to be looked at; of all changes between a group and those of its records' nearest neighbours, the
    one that gains most is made, and both groups wait again. A group from which no record wants to move is dissolved
    into its neighbours, or records that it and its neighbours can spare are distilled into a new one, if that gains. No
    group grows beyond 2k − 1: merging is dissolving, splitting is distilling. O(n·neighbours·(d + k)) for a first pass,
    only its neighbourhood for a change, and O(n²·d) for finding the neighbours.
    """

    reference: ClassVar[str] = "microagg"

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        hear = partial(tick, "descent", partition.problem, run)
        try:
            return descended(partition, neighbourhood(partition, hear), hear, whole=False)
        except StoppedError:
            return partition


def neighbourhood(partition: Partition, hear: Hear) -> IntArray:
    """Find records near each one, of shape (n, neighbours): enough to reach the groups around its own.

    These are its nearest, and some of those that follow, out to a few groups' worth of records.
    """
    from microagg.kernels.geometry.neighbour_lists import neighbours

    n, k = partition.problem.n, partition.problem.k
    hear(partition.sse, 0, None)
    count = min(_MOST_NEIGHBOURS, 10 + 3 * k // 2)
    reach = min(n - 1, max(count, _REACH * k))
    ranks = np.unique(np.linspace(count // 2, max(count, reach) - 1, count - count // 2).astype(np.int64))
    ranks = np.concatenate([np.arange(count // 2), ranks])
    near = neighbours(partition.problem.X, reach, partial(hear, partition.sse, 0))
    return np.ascontiguousarray(near[:, ranks[ranks < reach]])


def descended(partition: Partition, near: IntArray, hear: Hear, whole: bool = True) -> Partition:
    """Change neighbouring groups while that gains.

    Parameters
    ----------
    near
        From `neighbourhood`.
    hear
        May raise `StoppedError` to end it.
    whole
        Whether that error is let through; else the descent gives what it has come to.
    """
    from microagg.kernels.moves.local_descent import descend
    from microagg.kernels.moves.working_partition import draft, sse_of
    from microagg.kernels.tick import steps_per_tick

    X, k = partition.problem.X, partition.problem.k
    groups = draft(X, near, partition.labels, k)
    looks = steps_per_tick(near.shape[1] * k * (X.shape[1] + k) + 1)
    with suppress(*() if whole else (StoppedError,)):
        while not descend(groups, k, True, looks):
            hear(sse_of(groups), 0, None)
    return min(partition, Partition(partition.problem, groups.labels), key=lambda partition: partition.sse)
