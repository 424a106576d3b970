"""Measure what the pages of microagg web wait for: a spare worker, and the release after a run is stopped.

Prints the seconds from the start of a worker until it is ready and, at 200 000 records and 10 columns, from the stop to
the release, with the phases between, and from a stop of the assessment to the end.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import polars as pl

from microagg.app.job import Event, Job
from microagg.app.job_child import JobChild
from microagg.app.job_process import JobProcess
from microagg.app.job_queue import JobQueue

N_RECORDS = 200_000
N_COLUMNS = 10
EFFORTS = ("quick", "standard")
SECONDS_BEFORE_STOP = (0.5, 3.0, 10.0)  # after solving has begun
MAX_SECONDS = 2.0


def make_file(folder: Path, n_records: int) -> Path:
    """Write a CSV file of numbers with some structure, in four digits as surveys have them."""
    rng = np.random.default_rng(24)
    centres = rng.normal(size=(40, N_COLUMNS))
    X = centres[rng.integers(len(centres), size=n_records)] + rng.normal(scale=0.4, size=(n_records, N_COLUMNS))
    path = folder / "people.csv"
    pl.DataFrame({f"x{number}": column.round(4) for number, column in enumerate(X.T)}).write_csv(path)
    return path


async def measure_spare() -> float:
    """Return the seconds from the start of a worker until it is ready."""
    began = time.perf_counter()
    child = await JobChild.begin()
    await child.wait_until_ready()
    seconds = time.perf_counter() - began
    child.kill()
    await child.ended()
    return seconds


@asynccontextmanager
async def opened_queue() -> AsyncIterator[JobQueue]:
    """Open a queue of jobs, and end its children after the block."""
    queue = JobQueue(warm_up=False)
    await queue.start()
    try:
        yield queue
    finally:
        await queue.close()


async def stopped_run(source: Path, effort: str, wait: float) -> list[tuple[float, Event]]:
    """Run a job, stop it some seconds after solving has begun, and again when it is released; return its events."""
    plan = f'k = 5\ncolumns = [{", ".join(repr(f"x{number}") for number in range(N_COLUMNS))}]\neffort = "{effort}"\n'
    with tempfile.TemporaryDirectory() as folder:
        job = Job("protect", Path(folder), {"source": str(source), "name": source.name, "plan": plan})
        async with opened_queue() as queue:
            process = queue.submit(job)
            return await _watch(process, wait)


async def _watch(process: JobProcess, wait: float) -> list[tuple[float, Event]]:
    told: list[tuple[float, Event]] = []
    stop: asyncio.Task[None] | None = None
    async for event in process.follow():
        told.append((time.perf_counter(), event))
        if stop is None and event.stage not in ("", "read", "encode"):
            stop = asyncio.create_task(_stop_after(process, wait, told))
        if event.state == "released" and event.stage == "propensity score":
            told.append((time.perf_counter(), Event("stop")))
            await process.stop()
    return told


async def _stop_after(process: JobProcess, wait: float, told: list[tuple[float, Event]]) -> None:
    await asyncio.sleep(wait)
    if process.last.state == "working":
        told.append((time.perf_counter(), Event("stop")))
        await process.stop()


def print_phases(told: list[tuple[float, Event]], label: str) -> None:
    """Print the seconds from the stop to the release and to the end, and the phases of the first."""
    stops = [at for at, event in told if event.state == "stop"]
    released = next((at for at, event in told if event.state == "released"), None)
    if released is None or not stops or stops[0] > released:
        print(f"{label:<24} over before it was stopped: {told[-1][1].state} {told[-1][1].sentence}")
        return
    phases = [(at, event.stage) for at, event in told if stops[0] < at <= released and event.stage]
    ends = [at for at, _ in phases[1:]] + [released]
    parts: dict[str, float] = {}
    for (at, stage), end in zip(phases, ends, strict=True):
        parts[stage] = parts.get(stage, 0.0) + end - at
    seconds = released - stops[0]
    verdict = "" if seconds < MAX_SECONDS else f"  ABOVE {MAX_SECONDS:g} s"
    shown = ", ".join(f"{stage} {spent:.2f}" for stage, spent in parts.items())
    print(f"{label:<24} stop → released {seconds:5.2f} s ({shown}){verdict}")
    if len(stops) > 1:
        print(f"{'':<24} stop of the assessment → done {told[-1][0] - stops[1]:5.2f} s")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=N_RECORDS)
    options = parser.parse_args()
    for _ in range(3):
        print(f"spare worker ready after {asyncio.run(measure_spare()):.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        source = make_file(Path(folder), options.records)
        for effort in EFFORTS:
            for wait in SECONDS_BEFORE_STOP:
                told = asyncio.run(stopped_run(source, effort, wait))
                print_phases(told, f"{effort}, after {wait:g} s")


if __name__ == "__main__":
    main()
