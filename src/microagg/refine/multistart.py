"""Refining from several starts at once."""

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from itertools import islice
from threading import Event
from typing import NamedTuple, Protocol

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition

_REPORT_INTERVAL = 0.2  # seconds


class Start(Protocol):
    """Refinement from one start."""

    def __call__(self, progress: RoundProgress) -> Partition:
        """Refine, and return the best partition found, also where `progress` ends it by `StoppedError`."""


def initial_sse(base: Partition, labels: IntArray) -> float:
    """Return the sse that a start counts for before its first round: sst where its labels need not be legal."""
    return base.sse if labels is base.labels else base.problem.sst


class MultiStart:
    """Best partition of several starts, as many of them at once as there are workers.

    It does not depend on which start finishes first: of partitions with the same sse, that of the earliest start is the
    best, and the first incumbent before all. Only where the run ends the starts does it depend on how far each has
    come.

    Parameters
    ----------
    stage
        The name under which the refiner is reported.
    incumbent
        The partition to improve.
    n_starts
        The number of starts of all batches.
    run
        The run whose workers share the starts.
    """

    def __init__(self, stage: str, incumbent: Partition, n_starts: int, run: Run) -> None:
        self.best = incumbent
        self._best_number = -1
        self._n_submitted = 0
        self._n_finished = 0
        self._n_iterations = 0
        self._n_starts = n_starts
        self._run = run
        self._progress = RoundProgress(stage, incumbent.problem, run)
        run.log.starts = max(run.log.starts, n_starts)

    def refine_batch(self, starts: Iterable[Start]) -> bool:
        """Refine from each start of a batch; return whether all were done, or the run ended them."""
        waiting = iter(starts)
        running = _RunningStarts(self._progress)
        try:
            while self._submit(waiting, running):
                for finished in running.finished():
                    self._offer(finished)
        except StoppedError:
            for finished in running.called_off():
                self._offer(finished)
            return False
        finally:
            running.call_off()
        return True

    def _submit(self, waiting: Iterator[Start], running: "_RunningStarts") -> bool:
        """Report how many starts are done and submit others to idle workers; return whether any is running."""
        self._progress.report(0, self.best.sse, self._n_finished / self._n_starts)
        for start in islice(waiting, self._run.workers.count - len(running)):
            running.submit(self._n_submitted, start)
            self._n_submitted += 1
        return len(running) > 0

    def _offer(self, finished: "_FinishedStart") -> None:
        """Keep the partition of a start if it is better than the best, or as good and of an earlier start."""
        number, partition, n_iterations = finished
        self._n_finished += 1
        self._n_iterations += n_iterations
        if (partition.sse, number) < (self.best.sse, self._best_number):
            self.best = partition
            self._best_number = number
        self._run.log_step(self._n_iterations, self.best.sse)


class _FinishedStart(NamedTuple):
    """What came of one start."""

    number: int
    partition: Partition
    n_iterations: int


class _RunningStarts:
    """Starts of a batch that are under way in the workers."""

    def __init__(self, progress: RoundProgress) -> None:
        self._progress = progress
        self._called_off = Event()
        self._running: dict[Future[Partition], _StartProgress] = {}

    def __len__(self) -> int:
        return len(self._running)

    def submit(self, number: int, start: Start) -> None:
        """Begin with a start."""
        own_progress = _StartProgress(self._progress, number, self._called_off)
        self._running[self._progress.run.workers.submit(start, own_progress)] = own_progress

    def finished(self) -> Iterator[_FinishedStart]:
        """Wait for a moment, and yield the starts that have finished."""
        done, _ = wait(self._running, _REPORT_INTERVAL, FIRST_COMPLETED)
        for future in done:
            progress = self._running.pop(future)
            yield _FinishedStart(progress.number, future.result(), progress.n_iterations)

    def call_off(self) -> None:
        """Let all starts end at their next report."""
        self._called_off.set()

    def called_off(self) -> Iterator[_FinishedStart]:
        """Call all starts off, and yield what they have found, except those that ended while a kernel was compiled."""
        self.call_off()
        for future, progress in self._running.items():
            with suppress(StoppedError):
                partition = future.result()
                yield _FinishedStart(progress.number, partition, progress.n_iterations)


class _StartProgress(RoundProgress):
    """Progress of a start in a worker thread: it is checked and logged but not reported, and ends when called off."""

    def __init__(self, progress: RoundProgress, number: int, called_off: Event) -> None:
        super().__init__(progress.stage, progress.problem, progress.run)
        self.number = number
        self.n_iterations = 0
        self._called_off = called_off

    def report(self, iteration: int, sse: float, done: float | None = None) -> None:
        """Check the limits; raise `StoppedError` if the run must end or the starts are called off."""
        self.n_iterations = iteration
        if self._called_off.is_set():
            raise StoppedError("cancelled")
        self.run.check_round(iteration, sse)

    def finish(self, iteration: int, sse: float) -> None:
        """Log the sse reached, and note how many rounds there were."""
        self.n_iterations = iteration
        super().finish(iteration, sse)
