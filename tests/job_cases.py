"""Jobs in child processes, for tests of what carries them out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from microagg.app.job import Event, Job
from microagg.app.job_process import JobProcess
from microagg.app.job_queue import JobQueue
from patience import PATIENCE
from task_runs import PLAIN_PLAN, job_folder, plain_frame, written


@asynccontextmanager
async def opened_queue(at_once: int = 1, **options: Any) -> AsyncIterator[JobQueue]:
    """Open a queue, and close it after the block."""
    queue = JobQueue(at_once, warm_up=False, **options)
    await queue.start()
    try:
        yield queue
    finally:
        await queue.close()


async def followed(process: JobProcess, after: int = 0) -> list[Event]:
    """Return the events of a job, when it is over."""

    async def follow() -> list[Event]:
        return [event async for event in process.follow(after)]

    return await asyncio.wait_for(follow(), PATIENCE)


async def until(process: JobProcess, state: str, stage: str = "") -> Event:
    """Wait for an event of a state and a stage."""

    async def follow() -> Event:
        async for event in process.follow():
            if event.state == state and event.stage.startswith(stage):
                return event
        raise AssertionError(f"over without {state} {stage}: {process.last}")

    return await asyncio.wait_for(follow(), PATIENCE)


def inspection(folder: Path, number: int = 0) -> Job:
    """Return a job that takes a moment."""
    source = written(plain_frame(), folder / f"people{number}.csv")
    return Job("inspect", job_folder(folder, f"inspect{number}"), {"source": str(source), "name": source.name})


def long_run(folder: Path, number: int = 0) -> Job:
    """Return a run that takes longer than any test, unless it is stopped."""
    source = written(plain_frame(2000), folder / f"large{number}.csv")
    plan = f"{PLAIN_PLAN.replace('quick', 'thorough')}time_limit = 3600\n"
    options = {"source": str(source), "name": source.name, "plan": plan.replace('effort = "thorough"\n', "")}
    return Job("protect", job_folder(folder, f"run{number}"), options)
