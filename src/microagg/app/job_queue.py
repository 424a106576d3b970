"""Queue of jobs: one run at a time, short jobs beside it, and a spare child that is ready for the next one."""

import asyncio
import tempfile
from collections import Counter, deque
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from microagg.app.job import Event, Job
from microagg.app.job_child import JobChild
from microagg.app.job_process import JobProcess

_TOO_LONG = (
    "The work on this file took longer than {:.0f} s{}, so the server ended it. Nothing came of it: take a smaller "
    "file, or the command line."
)
_WITHOUT_PAGE = "No page showed this work any more, so the server ended it: begin it again."
_STOPPED_FOR_OTHERS = (
    "This run had worked for more than {:.0f} minutes and others were waiting, so the server stopped it."
)
_LONG = "protect"  # kind of the jobs that wait for each other
_BESIDE = 2  # short jobs at a time
_FAILED_TO_START = (
    "The work could not begin: the system started no process ({reason}). Close other programs, try again."
)


class JobLimits(NamedTuple):
    """Seconds that a job may take from others, and that it may take at all."""

    short: float = 1800.0  # an inspection, an estimate or a check
    short_while_others_wait: float = 120.0
    short_without_page: float = 60.0  # while no page shows it, as after a tab was closed
    run_while_others_wait: float = 1800.0
    grace: float = 300.0  # for what a run does after it was stopped
    between_looks: float = 2.0


_USUAL_LIMITS = JobLimits()


class JobQueue:
    """Jobs that wait, and those that are carried out; to be used in one event loop.

    Parameters
    ----------
    at_once
        Number of runs that are carried out at a time; others wait for their turn.
    beside
        Number of short jobs, such as inspections, that are carried out at a time beside the runs.
    warm_up
        Whether to compile the kernels in the background at the start, unless they have been compiled before.
    rest
        Seconds at the start in which no child is started unless a job needs one: the first page comes sooner.
    memory
        Number of bytes that a job may occupy; None: half of what is free.
    limits
        Times that jobs may take.
    """

    def __init__(
        self,
        at_once: int = 1,
        beside: int = _BESIDE,
        *,
        warm_up: bool = True,
        rest: float = 0.0,
        memory: int | None = None,
        limits: JobLimits = _USUAL_LIMITS,
    ) -> None:
        self._lanes = {True: _Lane(at_once), False: _Lane(beside)}
        self._warms_up = warm_up
        self._rest = rest
        self._memory = memory
        self._limits = limits
        self._spare: JobChild | None = None
        self._starts_spare = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._children: set[JobChild] = set()
        self._is_closed = False

    async def start(self) -> None:
        """Start the spare child and, in another, the compilation of the kernels: now, or after the rest."""
        self._begin(self._keep_fair())
        if self._rest:
            self._begin(self._prepare())
        else:
            await self._prepare()

    def submit(self, job: Job) -> JobProcess:
        """Queue a job; it begins at once, or when its turn comes.

        Parameters
        ----------
        job
            What is to be done.

        Returns
        -------
        JobProcess
            The job, with its events so far.

        Raises
        ------
        RuntimeError
            If the queue is closed.
        """
        if self._is_closed:
            raise RuntimeError("the queue is closed: no job can be queued any more")
        if self._memory is not None:
            job = replace(job, options={**job.options, "memory": self._memory})
        lane = self._lanes[job.kind == _LONG]
        process = JobProcess(job, when_over=lambda: self._advance(lane))
        lane.waiting.append(process)
        self._advance(lane)
        return process

    async def close(self) -> None:
        """End all jobs and all children at once."""
        self._is_closed = True
        for lane in self._lanes.values():
            for process in (*lane.waiting, *lane.working):
                await process.kill()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for child in self._children:
            child.kill()
        for child in self._children:
            await child.ended()
        self._children.clear()

    def _advance(self, lane: "_Lane") -> None:
        """Begin the jobs whose turn has come, and tell the others their place."""
        lane.working = [process for process in lane.working if not process.is_over]
        lane.waiting = deque(_in_turns([process for process in lane.waiting if not process.is_over], lane.working))
        if self._is_closed:
            return
        while lane.waiting and len(lane.working) < lane.at_once:
            process = lane.waiting.popleft()
            lane.working.append(process)
            self._begin(self._carry_out(process))
        for place, process in enumerate(lane.waiting, start=1):
            note = f"place {place} in the queue"
            if process.last.note != note:
                process.tell(Event("queued", note=note))

    async def _keep_fair(self) -> None:
        """End what takes too long: short jobs at once, runs with their best so far and only while others wait."""
        while True:
            await asyncio.sleep(self._limits.between_looks)
            for is_long, lane in self._lanes.items():
                for process in (*lane.waiting, *lane.working):
                    others_wait = any(_owner(one) != _owner(process) for one in lane.waiting)
                    await (self._look_at_run if is_long else self._look_at_short)(process, others_wait)

    async def _look_at_short(self, process: JobProcess, others_wait: bool) -> None:
        limits = self._limits
        limit = limits.short_while_others_wait if others_wait else limits.short
        if process.seconds_at_work > limit:
            await process.kill(_TOO_LONG.format(limit, " while others waited" if others_wait else ""), "failed")
        elif process.seconds_alone > limits.short_without_page:
            await process.kill(_WITHOUT_PAGE)

    async def _look_at_run(self, process: JobProcess, others_wait: bool) -> None:
        limit = self._limits.run_while_others_wait
        if not others_wait or process.seconds_at_work <= limit:
            return
        since = process.seconds_since_stop
        why = _STOPPED_FOR_OTHERS.format(limit / 60)
        if since is None or self._limits.grace < since <= 2 * self._limits.grace:
            await process.stop(why)
        elif since > 2 * self._limits.grace:
            await process.kill(f"{why} It did not end by itself.", "failed")

    async def _prepare(self) -> None:
        await asyncio.sleep(self._rest)
        await self._keep_spare()
        if self._warms_up:
            self._begin(self._warm_up())

    async def _carry_out(self, process: JobProcess) -> None:
        """Carry out a job in a child: the spare one, if there is one."""
        try:
            child = await self._taken_child()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            process.tell(Event("failed", sentence=_FAILED_TO_START.format(reason=reason)))
            return
        if process.is_over:  # stopped while the child was started
            child.kill()
        await process.start(child)
        self._children.discard(child)

    async def _warm_up(self) -> None:
        with suppress(OSError):
            child = await self._new_child()
            await JobProcess(Job("warm_up", Path(tempfile.gettempdir()))).start(child)
            self._children.discard(child)

    async def _taken_child(self) -> JobChild:
        """Return the spare child, or a new one, and start the next spare one."""
        child = self._spare
        self._spare = None
        self._begin(self._keep_spare())
        if child is None or not child.is_alive:
            return await self._new_child()
        return child

    async def _keep_spare(self) -> None:
        """Start a spare child, unless there is one."""
        if self._spare is not None or self._starts_spare or self._is_closed:
            return
        self._starts_spare = True
        try:
            with suppress(OSError):  # then the next job tells that no process can be started
                self._spare = await self._new_child()
        finally:
            self._starts_spare = False

    async def _new_child(self) -> JobChild:
        child = await JobChild.begin()
        self._children.add(child)
        if self._is_closed:
            child.kill()
        return child

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin something beside what is going on, and keep it from being collected."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _in_turns(waiting: list[JobProcess], working: list[JobProcess]) -> list[JobProcess]:
    """Return the jobs that wait so that sessions take turns: first the first one of each, then the second ones."""
    n_before = Counter(_owner(process) for process in working)
    turns = []
    for process in waiting:
        turns.append(n_before[_owner(process)])
        n_before[_owner(process)] += 1
    return [process for _, process in sorted(zip(turns, waiting, strict=True), key=itemgetter(0))]


def _owner(process: JobProcess) -> Path:
    """Return the folder of the session that a job is of."""
    return process.job.folder.parent


class _Lane:
    """Jobs that wait for each other, and how many of them are carried out at a time."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.waiting: deque[JobProcess] = deque()
        self.working: list[JobProcess] = []
