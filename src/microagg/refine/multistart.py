"""Refining from several starts at once."""

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from itertools import islice
from threading import Event
from typing import Protocol

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
        self._n_starts = n_starts
        self._run = run
        self._progress = RoundProgress(stage, incumbent.problem, run)

    def refine_batch(self, starts: Iterable[Start]) -> bool:
        """Refine from each start of a batch; return whether all were done, or the run ended them."""
        waiting = iter(starts)
        running = _RunningStarts(self._progress)
        try:
            while self._submit(waiting, running):
                for number, partition in running.finished():
                    self._offer(number, partition)
        except StoppedError:
            for number, partition in running.called_off():
                self._offer(number, partition)
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

    def _offer(self, number: int, partition: Partition) -> None:
        """Keep the partition of a start if it is better than the best, or as good and of an earlier start."""
        self._n_finished += 1
        if (partition.sse, number) < (self.best.sse, self._best_number):
            self.best = partition
            self._best_number = number


class _RunningStarts:
    """Starts of a batch that are under way in the workers."""

    def __init__(self, progress: RoundProgress) -> None:
        self._run = progress.run
        self._called_off = Event()
        self._start_progress = _StartProgress(progress, self._called_off)
        self._numbers: dict[Future[Partition], int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def submit(self, number: int, start: Start) -> None:
        """Begin with a start."""
        self._numbers[self._run.workers.submit(start, self._start_progress)] = number

    def finished(self) -> Iterator[tuple[int, Partition]]:
        """Wait for a moment, and yield the starts that have finished: their numbers and partitions."""
        done, _ = wait(self._numbers, _REPORT_INTERVAL, FIRST_COMPLETED)
        for future in done:
            number = self._numbers.pop(future)
            yield number, future.result()

    def call_off(self) -> None:
        """Let all starts end at their next report."""
        self._called_off.set()

    def called_off(self) -> Iterator[tuple[int, Partition]]:
        """Call all starts off, and yield what they have found, except those that ended while a kernel was compiled."""
        self.call_off()
        for future, number in self._numbers.items():
            with suppress(StoppedError):
                yield number, future.result()


class _StartProgress(RoundProgress):
    """Progress of the starts in worker threads: it is checked and logged but not reported, and ends when called off."""

    def __init__(self, progress: RoundProgress, called_off: Event) -> None:
        super().__init__(progress.stage, progress.problem, progress.run)
        self._called_off = called_off

    def report(self, iteration: int, sse: float, done: float | None = None) -> None:
        """Check the limits; raise `StoppedError` if the run must end or the starts are called off."""
        if self._called_off.is_set():
            raise StoppedError("cancelled")
        self.run.check_round(iteration, sse)
