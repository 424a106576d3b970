"""Annealing runs: simulated annealing by ruin and recreate, several runs side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from microagg.control.workers import Workers
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.refine.recombine import VisitedGroups

if TYPE_CHECKING:
    from microagg.kernels.moves.ruin_recreate import AnnealingState

_WORK_PER_SLICE = 2e6  # trials·k²·(d + k) of all runs between two checks of the limits: a fraction of a second
_REMEMBERED_PER_GROUP = 6  # groups that each run remembers, for each group of a partition


@dataclass(frozen=True)
class AnnealingSchedule:
    """Trials and temperature of annealing runs.

    Parameters
    ----------
    n_trials
        The number of trials of each run.
    temperature
        The initial temperature, as a share of the sse of a record; it falls linearly to 0 at the last trial.
    regroup
        Whether the descent within a trial dissolves groups and forms new ones.
    """

    n_trials: int
    temperature: float
    regroup: bool


class AnnealingRuns:
    """Several annealing runs, all of which have done the same number of trials.

    Parameters
    ----------
    starts
        The partition from which each run starts.
    near
        From `neighbour_lists`.
    schedule
        The schedule of all runs.
    rngs
        The random generator of each run.
    workers
        The threads that share the runs.
    """

    def __init__(
        self,
        starts: Sequence[Partition],
        near: IntArray,
        schedule: AnnealingSchedule,
        rngs: Sequence[Generator],
        workers: Workers,
    ) -> None:
        self.problem: Problem = starts[0].problem
        self.n_done = 0  # trials of each run
        self._near = near
        self._schedule = schedule
        self._rngs = rngs
        self._workers = workers
        self._states = workers.map(self._start, starts)

    @property
    def finished(self) -> bool:
        """Whether all trials are done."""
        return self.n_done >= self._schedule.n_trials

    def advance(self, max_trials: int | None) -> int:
        """Do a slice of the trials of each run; return how many.

        Parameters
        ----------
        max_trials
            The number of trials that are allowed at most; None: no limit.
        """
        first = self.n_done
        last = min(first + self._trials_per_slice(), self._schedule.n_trials)
        if max_trials is not None:
            last = min(last, first + max_trials)
        self._workers.map(lambda number: self._anneal(number, first, last), range(len(self._states)))
        self.n_done = last
        return last - first

    def best_so_far(self) -> tuple[float, int]:
        """Return the least sse of any run, but for rounding, and the number of groups that this run has now."""
        best = min(self._states, key=lambda state: float(state.sses[1]))
        return max(0.0, float(best.sses[1])), int(np.count_nonzero(best.work.sizes))

    def best_partitions(self) -> list[Partition]:
        """Return the best partition of each run."""
        return [Partition(self.problem, state.best) for state in self._states]

    def remembered_groups(self) -> VisitedGroups:
        """Return the groups that the runs remember."""
        pools = [_remembered(state) for state in self._states]
        return VisitedGroups(*(np.concatenate(arrays) for arrays in zip(*pools, strict=True)))

    def _start(self, partition: Partition) -> "AnnealingState":
        from microagg.kernels.moves.ruin_recreate import descend_from_start, start_annealing

        X, k = self.problem.X, self.problem.k
        n_remembered = _REMEMBERED_PER_GROUP * (len(X) // k)
        state = start_annealing(X, self._near, partition.labels, k, n_remembered, self.problem.weights)
        descend_from_start(state, k)
        return state

    def _trials_per_slice(self) -> int:
        k, d = self.problem.k, self.problem.d
        return 1 + int(_WORK_PER_SLICE / (len(self._states) * k**2 * (d + k)))

    def _anneal(self, number: int, first: int, last: int) -> None:
        """Do the trials first … last − 1 of a run."""
        from microagg.kernels.moves.local_descent import NO_LIMIT
        from microagg.kernels.moves.ruin_recreate import TrialRange, run_trials

        schedule = self._schedule
        trials = TrialRange(first, last, schedule.n_trials, schedule.temperature, 0, self.problem.n)
        run_trials(self._states[number], self.problem.k, self._rngs[number], trials, schedule.regroup, NO_LIMIT)


def _remembered(state: "AnnealingState") -> VisitedGroups:
    """Return the groups that a run remembers."""
    memory = state.memory
    n_remembered = min(int(memory.n_met[0]), len(memory.sizes))
    return VisitedGroups(
        memory.members[:n_remembered],
        memory.sizes[:n_remembered],
        memory.sses[:n_remembered],
        memory.hashes[:n_remembered],
    )
