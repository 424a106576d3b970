"""The run: limits, clock, cancel flag, log, progress and workers of one call."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from microagg.control.checkpoint import Checkpoint, NoCheckpoint
from microagg.control.clock import Clock
from microagg.control.mapped_arrays import MappedArrays
from microagg.control.progress import Progress, ThrottledProgress, silent
from microagg.control.run_log import RunLog
from microagg.control.stopping import Ending, StoppedError
from microagg.control.work_folder import WorkFolder
from microagg.control.workers import NoWorkers, Workers, count_processors
from microagg.kernels.compile_hook import before_compiling
from microagg.model.checks import whole_number
from microagg.model.errors import CancelledError, InputError
from microagg.model.limits import NO_TIME_LEFT, Limits
from microagg.model.memory_budget import memory_budget

_EXPIRED = 1e-9  # seconds: the smallest time limit, of a run whose time is over


class Run:
    """One call of `protect`, `solve` or `certify` while it is under way; another thread may cancel it.

    Parameters
    ----------
    time_limit
        Seconds that solving may take, from its start: constructor, compiling and bound included. The best legal
        groups so far are the result.
    iterations
        The number of rounds that each refiner may do.
    target_gap
        The gap to the lower bound that is small enough, e.g. 0.01.
    progress
        A function that gets progress reports: stage, share done or None, note. It is called in the thread that solves.
    workers
        The number of threads that share the work; None: one for each processor. It changes no result.
    memory
        The memory that the process may occupy, in bytes or as "2G": see `protect_file`. It changes no result.

    Attributes
    ----------
    limits : Limits
        The limits of the work: those above, joined with those of the plan when the work begins.
    memory : int or None
        The memory budget in bytes; None if there is none.
    arrays : MappedArrays or None
        Where arrays of the size of the data are kept, in a run out of core; None: in memory.
    folder : WorkFolder or None
        The folder of the temporary files of a run that writes a file, or works out of core.
    tells_loss : bool
        Whether the loss in a progress report is that of all records, and may be told as a number: see `LossNote`.
    checkpoint : Checkpoint
        Where intermediate results are kept, for a killed run to go on from; by default they are not.

    Raises
    ------
    InputError
        If a limit is no positive number, `progress` is no function, or `memory` no amount of memory.

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
        memory: int | str | None = None,
    ) -> None:
        if not callable(progress):
            raise InputError(f"progress must be a function of stage, share done and note, found {progress!r}")
        count = count_processors() if workers is None else whole_number("workers", workers, at_least=1)
        self.limits = Limits(time_limit, iterations, target_gap)
        self.workers = Workers(count)
        self.memory = None if memory is None else memory_budget(memory)
        self.arrays: MappedArrays | None = None
        self.log = RunLog()
        self.folder: WorkFolder | None = None
        self.checkpoint: Checkpoint = NoCheckpoint()
        self.tells_loss = True
        self._progress = ThrottledProgress(progress)
        self._cancelled = threading.Event()
        self._clock = Clock()

    def __repr__(self) -> str:
        state = "cancelled" if self.cancelled else "begun" if self._clock.started else "not begun"
        return f"Run({self.limits!r}, workers={self.workers.count}, {state})"

    def __getstate__(self) -> dict[str, Any]:
        """Return the limits, with the time that is left: a clock means nothing on another machine."""
        left = None if self.time_left is None else max(self.time_left, _EXPIRED)
        limits = Limits(left, self.limits.iterations, self.limits.target_gap)
        state = {"limits": limits, "workers": self.workers.count, "cancelled": self.cancelled}
        return {**state, "memory": self.memory}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(workers=state["workers"], memory=state["memory"])  # type: ignore[misc]
        self.limits = state["limits"]
        if state["cancelled"]:
            self.cancel()

    def cancel(self) -> None:
        """End the work with the best legal groups so far; from any thread, at any time.

        Examples
        --------
        >>> import microagg
        >>> run = microagg.Run()
        >>> run.cancel()
        >>> run.cancelled
        True
        """
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` has been called."""
        return self._cancelled.is_set()

    @property
    def elapsed(self) -> float:
        """Seconds since the work began; 0 before."""
        return self._clock.elapsed

    @property
    def time_left(self) -> float | None:
        """Seconds until the time limit; None where there is none.

        Examples
        --------
        >>> import microagg
        >>> microagg.Run(time_limit=60).time_left
        60.0
        """
        limit = self.limits.time_limit
        return None if limit is None else max(0.0, limit - self.elapsed)

    @contextmanager
    def under_way(self, limits: Limits) -> Iterator["Run"]:
        """Begin the work in a `with` block, and end the workers after it.

        Parameters
        ----------
        limits
            The limits of the plan, joined with those of this run.

        Yields
        ------
        Run
            This run.

        Raises
        ------
        InputError
            If the run has been used before, or both state the same limit differently.
        CancelledError
            If the run has been cancelled before.
        """
        if self._clock.started:
            raise InputError("this run has been used: make a new one for each call")
        self.limits = self.limits.joined(limits)
        self.start_clock()
        try:
            with self.checked_while_compiling():
                yield self
        finally:
            self.workers.close()

    def start_clock(self) -> None:
        """Count the time from now on: reading the data is not part of solving.

        Raises
        ------
        CancelledError
            If the run has been cancelled: there is no result to keep.
        """
        self._clock.start()
        if self.cancelled:
            raise CancelledError("the run was cancelled before there was any result: nothing is released")

    @contextmanager
    def checked_while_compiling(self) -> Iterator[None]:
        """Check the run, in a `with` block, before each kernel that is compiled.

        Yields
        ------
        None
            Nothing: `StoppedError` comes out of the kernel.
        """
        token = before_compiling.set(self.check)
        try:
            yield
        finally:
            before_compiling.reset(token)

    def child(self, limits: Limits, *, own_log: bool = False, silent: bool = False) -> "Run":
        """Return a run for some of the stages: with the same clock, cancel flag and workers, and other limits.

        Parameters
        ----------
        limits
            The limits of these stages; a time limit counts from the beginning of this run.
        own_log
            Whether these stages have a log of their own.
        silent
            Whether these stages report no progress.

        Returns
        -------
        Run
            The child, which is not begun again.
        """
        run = Run(limits.time_limit, limits.iterations, limits.target_gap)
        run.workers = self.workers
        run.memory = self.memory
        run.arrays = self.arrays
        run.folder = self.folder
        run.checkpoint = self.checkpoint
        run.tells_loss = self.tells_loss
        run._cancelled = self._cancelled
        run._clock = self._clock
        if not own_log:
            run.log = self.log
        if not silent:
            run._progress = self._progress
        return run

    def share(self, n_tasks: float) -> "Run":
        """Return a run for the first of several tasks: with its share of the time left, and a log of its own.

        Parameters
        ----------
        n_tasks
            The number of tasks that are still to be done, if all were like the first.

        Returns
        -------
        Run
            A child of this run.
        """
        left = self.time_left
        until = None if left is None else max(self.elapsed + left / n_tasks, NO_TIME_LEFT)
        return self.child(Limits(until, self.limits.iterations, self.limits.target_gap), own_log=True)

    def task(self, share: float) -> "Run":
        """Return a run for one of many tasks that are done side by side: without threads of its own, and silent.

        Parameters
        ----------
        share
            The share of all the time left that it may take, when it begins.

        Returns
        -------
        Run
            A child of this run with a log of its own.
        """
        left = self.time_left
        until = None if left is None else max(self.elapsed + left * min(1.0, share), NO_TIME_LEFT)
        limits = Limits(until, self.limits.iterations, self.limits.target_gap)
        run = self.child(limits, own_log=True, silent=True)
        run.workers = NoWorkers()
        return run

    def report(self, stage: str, done: float | None = None, note: str = "") -> None:
        """Report the progress of a stage.

        Parameters
        ----------
        stage
            The name of the stage.
        done
            The share that is done, from 0 to 1; None where it is unknown.
        note
            Further details; a `LossNote` where they tell the loss.
        """
        self._progress(stage, done, note if self.tells_loss else str(note))

    def tick(self, stage: str, done: float | None = None, note: str = "") -> None:
        """Report the progress of a stage, and end the stage if the work must end.

        Parameters
        ----------
        stage
            The name of the stage.
        done
            The share that is done, from 0 to 1; None where it is unknown.
        note
            Further details.

        Raises
        ------
        StoppedError
            If the run was cancelled or its time is over.
        """
        self.report(stage, done, note)
        self.check()

    def check(self) -> None:
        """End a stage if the work must end.

        Raises
        ------
        StoppedError
            If the run was cancelled or its time is over.
        """
        ending = self._ending()
        if ending is not None:
            self.stop(ending)

    def check_round(self, iteration: int, sse: float, lower_bound: float = 0.0) -> None:
        """Log the sse that a stage has reached, and end the stage if it must not do another round.

        Parameters
        ----------
        iteration
            The number of the round that comes next, counting from 0.
        sse
            The sse reached.
        lower_bound
            A proved lower bound of the sse.

        Raises
        ------
        StoppedError
            If the run was cancelled, its time or its iterations are over, or the gap is small enough.
        """
        if self.ends(iteration, sse, lower_bound):
            assert self.log.ended_by is not None
            raise StoppedError(self.log.ended_by)

    def ends(self, iteration: int, sse: float, lower_bound: float = 0.0) -> bool:
        """Log the sse that a stage has reached, and what ends it, if anything does.

        Parameters
        ----------
        iteration
            The number of the round that comes next, counting from 0.
        sse
            The sse reached.
        lower_bound
            A proved lower bound of the sse.

        Returns
        -------
        bool
            Whether the stage must end before this round.
        """
        self.log_step(iteration, sse)
        limits = self.limits
        ending = self._ending()
        if ending is None and limits.iterations is not None and iteration >= limits.iterations:
            ending = "iterations"
        if ending is None and limits.target_gap is not None and sse - lower_bound <= limits.target_gap * sse:
            ending = "target_gap"
        if ending is not None:
            self.log.ended_by = ending
        return ending is not None

    def log_step(self, iteration: int, sse: float) -> None:
        """Log the sse that a stage has reached.

        Parameters
        ----------
        iteration
            The number of rounds done.
        sse
            The sse reached.
        """
        self.log.add_step(iteration, sse, self._clock)

    def stop(self, ending: Ending) -> NoReturn:
        """End a stage for a reason of its own.

        Parameters
        ----------
        ending
            The reason.

        Raises
        ------
        StoppedError
            Always.
        """
        self.log.ended_by = ending
        raise StoppedError(ending)

    def _ending(self) -> Ending | None:
        if self.cancelled:
            return "cancelled"
        return "time_limit" if self.time_left == 0.0 else None


def run_of(run: Run | None, progress: Progress | None) -> Run:
    """Return the run that a caller passed, or a new one with the progress callback that it passed.

    Raises
    ------
    InputError
        If `run` is no `Run`, or both are given.
    """
    if run is None:
        return Run(progress=silent if progress is None else progress)
    if not isinstance(run, Run):
        raise InputError(f"run must be a microagg.Run, found {run!r}")
    if progress is not None:
        raise InputError("progress and run are both given: hand the progress in with the run, as in Run(progress=…)")
    return run
