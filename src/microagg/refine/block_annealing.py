"""Annealing inside a block: one slice of a schedule that goes on while the walls between blocks wander."""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

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


@dataclass(frozen=True)
class BlockAnnealing:
    """Descent, then simulated annealing by ruin and recreate: some of the trials of a long schedule.

    Ours. One annealing run, as in `Search`; the temperature is that of the whole schedule, so that the slices of
    all rounds together cool the records down once. The best partition met is returned.

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
        from microagg.kernels.moves.ruin_recreate import descend_from_start, start_annealing

        problem = partition.problem
        progress = RoundProgress("search", problem, run.child(Limits(run.limits.time_limit)))
        try:
            near = neighbour_lists(partition, progress, short=self.short_lists)
            state = start_annealing(problem.X, near, partition.labels, problem.k, weights=problem.weights)
        except StoppedError:
            return partition
        with suppress(StoppedError):
            descend_from_start(state, problem.k)
            self._anneal(state, rng, progress)
        return min(partition, Partition(problem, state.best), key=lambda one: one.sse)

    def _anneal(self, state: "AnnealingState", rng: Generator, progress: RoundProgress) -> None:
        """Do the trials of the slice, as long as the run goes on."""
        from microagg.kernels.moves.local_descent import NO_LIMIT
        from microagg.kernels.moves.ruin_recreate import TrialRange, run_trials

        problem = progress.problem
        length = round(self.trials_per_record * problem.n)
        last = round(self.end * length)
        trial = round(self.begin * length)
        step = 1 + int(_WORK_PER_SLICE / (problem.k**2 * (problem.d + problem.k)))
        while trial < last and problem.n >= 2 * problem.k:
            progress.report(0, float(state.sses[1]))
            until = min(trial + step, last)
            run_trials(state, problem.k, rng, TrialRange(trial, until, length, self.temperature), False, NO_LIMIT)
            trial = until
