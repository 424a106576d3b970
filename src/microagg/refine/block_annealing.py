"""Annealing inside a block: one slice of a schedule that goes on while the walls between blocks wander."""

from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.limits import Limits
from microagg.model.partition import Partition
from microagg.refine.descent import neighbour_lists

if TYPE_CHECKING:
    from microagg.kernels.moves.ruin_recreate import AnnealingState

_WORK_PER_SLICE = 1e6  # trials·k²·(d + k) between two checks of the run: a fraction of a second
_NEIGHBOURHOOD = 1000  # records close to each other, searched together: what a trial needs is in the cache then
_MAX_PASSES = 4  # over all neighbourhoods, in each round of walls
_MIN_TRIALS = 100  # in a neighbourhood, in each pass


@dataclass(frozen=True)
class BlockAnnealing:
    """Descent, then simulated annealing by ruin and recreate: some of the trials of a long schedule.

    Ours. One annealing run, as in `Search`; the temperature is that of the whole schedule, so that the slices of
    all rounds together cool the records down once. Records are put in an order in which neighbours are near each other
    in memory, and each pass goes from one neighbourhood to the next. The best partition met is returned.

    Parameters
    ----------
    trials_per_record
        The number of trials of the whole schedule, for each record.
    begin, end
        The slice of the schedule, as shares of it.
    temperature
        The temperature at the beginning of the schedule, as a share of the sse of a record.
    short_lists
        Whether the neighbour lists are short: trials are faster, and see fewer groups around.
    """

    trials_per_record: float
    begin: float = 0.0
    end: float = 1.0
    temperature: float = 0.3
    short_lists: bool = False
    reference: ClassVar[str] = "microagg"
    weighted: ClassVar[bool] = True

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""
        from microagg.kernels.geometry.record_leaves import order_by_nearness
        from microagg.kernels.moves.ruin_recreate import descend_from_start, start_annealing

        problem = partition.problem
        progress = RoundProgress("search", problem, run.child(Limits(run.limits.time_limit)))
        try:
            progress.report(0, partition.sse)
            order = order_by_nearness(problem.X, _NEIGHBOURHOOD)
            ordered = Partition(problem.part(order), partition.labels[order])
            near = neighbour_lists(ordered, progress, short=self.short_lists)
        except StoppedError:
            return partition
        weights = ordered.problem.weights
        state = start_annealing(ordered.problem.X, near, ordered.labels, problem.k, weights=weights)
        with suppress(StoppedError):
            descend_from_start(state, problem.k)
            self._anneal(state, rng, progress)
        labels = np.empty_like(state.best)
        labels[order] = state.best
        return min(partition, Partition(problem, labels), key=lambda one: one.sse)

    def _anneal(self, state: "AnnealingState", rng: Generator, progress: RoundProgress) -> None:
        """Do the trials of the slice, neighbourhood by neighbourhood, as long as the run goes on."""
        n = progress.problem.n
        if n < 2 * progress.problem.k:
            return
        n_trials = self.trials_per_record * (self.end - self.begin) * _NEIGHBOURHOOD
        n_passes = min(max(int(n_trials / _MIN_TRIALS), 1), _MAX_PASSES)
        shares = np.linspace(self.begin, self.end, n_passes + 1).tolist()
        for begin, end in pairwise(shares):
            for first in range(0, n, _NEIGHBOURHOOD):
                records = range(first, min(first + _NEIGHBOURHOOD, n))
                length = self.trials_per_record * len(records)
                trials = range(round(begin * length), round(end * length))
                self._anneal_around(state, rng, progress, records, trials)

    def _anneal_around(
        self, state: "AnnealingState", rng: Generator, progress: RoundProgress, records: range, trials: range
    ) -> None:
        """Do some trials that begin with some records, of the schedule of these records."""
        from microagg.kernels.moves.local_descent import NO_LIMIT
        from microagg.kernels.moves.ruin_recreate import TrialRange, run_trials

        k, d = progress.problem.k, progress.problem.d
        length = max(1, round(self.trials_per_record * len(records)))
        step = 1 + int(_WORK_PER_SLICE / (k**2 * (d + k)))
        for first in range(trials.start, trials.stop, step):
            progress.report(0, float(state.sses[1]))
            last = min(first + step, trials.stop)
            some = TrialRange(first, last, length, self.temperature, records.start, records.stop)
            run_trials(state, k, rng, some, False, NO_LIMIT)
