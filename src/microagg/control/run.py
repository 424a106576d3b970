"""What goes on: limits, clock, cancel flag, log, progress and workers of one call."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from microagg.control.progress import Progress, silent
from microagg.control.workers import Workers, processors
from microagg.kernels.compile_hook import before_compiling
from microagg.model.checks import whole_number
from microagg.model.errors import CancelledError, InputError
from microagg.model.history import Step
from microagg.model.limits import Limits

Ending = Literal["time_limit", "iterations", "target_gap", "cancelled", "effort", "tolerance"]

_NO_TIME = 1e-9  # seconds: a limit that is over
_NEWS = 0.05  # seconds between two words on the same stage


class StoppedError(Exception):
    """Raised between two slices of work to leave a stage that must end.

    Parameters
    ----------
    ending
        What ended it.
    """

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending)
        self.ending = ending


@dataclass
class Log:
    """What stages have told: how the loss fell, how many rounds they did, what ended them.

    Parameters
    ----------
    fallback_share
        The share of the records whose groups were made in haste, as the constructor was stopped.
    """

    steps: list[Step] = field(default_factory=list)
    iterations: int = 0
    ended_by: Ending | None = None
    fallback_share: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)


class _News:
    """Progress that is not told more often than anybody can read it."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.stage = ""
        self.told = 0.0

    def __call__(self, stage: str, done: float | None, note: str) -> None:
        now = time.monotonic()
        if stage != self.stage or done == 1.0 or now - self.told >= _NEWS:
            self.stage = stage
            self.told = now
            self.progress(stage, done, note)


class Run:
    """One call of `protect`, `solve` or `certify` while it goes on; another thread may cancel it.

    Parameters
    ----------
    time_limit
        Seconds that solving may take, from its start: constructor, compiling and bound included. The best legal
        groups so far are the result.
    iterations
        How many rounds each refiner may do.
    target_gap
        The gap to the lower bound that is small enough, e.g. 0.01.
    progress
        Is told how far the work is: stage, share done or None, note. From the thread that does the work.
    workers
        How many threads share the work; None: as many as there are processors. The result is the same.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> run = microagg.Run(iterations=100)
    >>> solution = microagg.solve(np.arange(12.0).reshape(6, 2), k=3, run=run)
    >>> solution.n_groups
    2
    """

    def __init__(
        self,
        time_limit: float | None = None,
        iterations: int | None = None,
        target_gap: float | None = None,
        progress: Progress = silent,
        workers: int | None = None,
    ) -> None:
        if not callable(progress):
            raise InputError(f"progress must be a function of stage, share done and note, found {progress!r}")
        count = processors() if workers is None else whole_number("workers", workers, at_least=1)
        self.limits = Limits(time_limit, iterations, target_gap)
        self.workers = Workers(count)
        self.log = Log()
        self._news = _News(progress)
        self._cancelled = threading.Event()
        self._begun: float | None = None

    def __repr__(self) -> str:
        state = "cancelled" if self.cancelled else "begun" if self._begun is not None else "not begun"
        return f"Run({self.limits!r}, workers={self.workers.count}, {state})"

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the limits, with the time that is left: a clock means nothing on another machine."""
        left = None if self.time_left is None else max(self.time_left, _NO_TIME)
        limits = Limits(left, self.limits.iterations, self.limits.target_gap)
        return {"limits": limits, "workers": self.workers.count, "cancelled": self.cancelled}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(workers=state["workers"])  # type: ignore[misc]
        self.limits = state["limits"]
        if state["cancelled"]:
            self.cancel()

    # What the caller does.

    def cancel(self) -> None:
        """End the work with the best legal groups so far; from any thread, at any time."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether the work was asked to end."""
        return self._cancelled.is_set()

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        return 0.0 if self._begun is None else time.monotonic() - self._begun

    @property
    def time_left(self) -> float | None:
        """Seconds that are left; None where there is no limit."""
        limit = self.limits.time_limit
        return None if limit is None else max(0.0, limit - self.elapsed)

    # What the line does.

    @contextmanager
    def under_way(self, limits: Limits) -> Iterator["Run"]:
        """Begin the work, with the limits of a plan besides those of this run; end the workers with it."""
        if self._begun is not None:
            raise InputError("this run has been used: make a new one for each call")
        self.limits = self.limits.joined(limits)
        self.begin()
        try:
            with self.checked_while_compiling():
                yield self
        finally:
            self.workers.close()

    @contextmanager
    def checked_while_compiling(self) -> Iterator[None]:
        """Let this run end what is done in here between any two kernels that are compiled."""
        token = before_compiling.set(self.check)
        try:
            yield
        finally:
            before_compiling.reset(token)

    def begin(self) -> None:
        """Count the time from now on, as reading the data is not solving; refuse where it was cancelled before."""
        self._begun = time.monotonic()
        if self.cancelled:
            raise CancelledError("the run was cancelled before there was any result: nothing is released")

    def part(self, limits: Limits, *, own_log: bool = False, quiet: bool = False) -> "Run":
        """Give a run of some stages of this one: the same clock, cancel flag and workers, other limits.

        Parameters
        ----------
        limits
            Of these stages; a time limit counts from the beginning of this run.
        own_log
            Whether these stages have a log of their own.
        quiet
            Whether nobody is told how far they are.
        """
        run = Run(limits.time_limit, limits.iterations, limits.target_gap)
        run.workers = self.workers
        run._cancelled = self._cancelled
        run._begun = self._begun
        run.log = Log() if own_log else self.log
        run._news = run._news if quiet else self._news
        return run

    # What stages do.

    def tell(self, stage: str, done: float | None = None, note: str = "") -> None:
        """Say how far a stage is."""
        self._news(stage, done, note)

    def tick(self, stage: str, done: float | None = None, note: str = "") -> None:
        """Say how far a stage is, and leave it if the work must end."""
        self.tell(stage, done, note)
        self.check()

    def check(self) -> None:
        """Leave a stage, by `StoppedError`, if it was cancelled or its time is over."""
        ending = self._ending()
        if ending is not None:
            self.stop(ending)

    def check_round(self, iteration: int, sse: float, lower_bound: float = 0.0) -> None:
        """Log how far a stage is; leave it, by `StoppedError`, if it must end before the round of this number."""
        if self.ends(iteration, sse, lower_bound):
            assert self.log.ended_by is not None
            raise StoppedError(self.log.ended_by)

    def ends(self, iteration: int, sse: float, lower_bound: float = 0.0) -> bool:
        """Log how far a stage is; say whether it must end before the round of this number, counting from 0."""
        self.note(iteration, sse)
        limits = self.limits
        ending = self._ending()
        if ending is None and limits.iterations is not None and iteration >= limits.iterations:
            ending = "iterations"
        if ending is None and limits.target_gap is not None and sse - lower_bound <= limits.target_gap * sse:
            ending = "target_gap"
        if ending is not None:
            self.log.ended_by = ending
        return ending is not None

    def note(self, iteration: int, sse: float) -> None:
        """Log how far a stage is."""
        log = self.log
        with log.lock:  # several starts may tell at once
            if not log.steps or sse < log.steps[-1].sse:
                log.steps.append(Step(self.elapsed, iteration, sse))
            log.iterations = max(log.iterations, iteration)

    def stop(self, ending: Ending) -> NoReturn:
        """Leave a stage, by `StoppedError`, for a reason of its own."""
        self.log.ended_by = ending
        raise StoppedError(ending)

    def _ending(self) -> Ending | None:
        if self.cancelled:
            return "cancelled"
        return "time_limit" if self.time_left == 0.0 else None


def run_of(run: Run | None, progress: Progress | None) -> Run:
    """Give the run that a caller has handed in, or a new one that tells its progress."""
    if run is None:
        return Run(progress=silent if progress is None else progress)
    if not isinstance(run, Run):
        raise InputError(f"run must be a microagg.Run, found {run!r}")
    if progress is not None:
        raise InputError("progress and run are both given: hand the progress in with the run, as in Run(progress=…)")
    return run
