"""Tasks of jobs, carried out in the process of a test, and files for them."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microagg.app.event_writer import EventWriter
from microagg.app.job import Event, Job
from microagg.app.job_tasks.task_context import TaskContext

PLAIN_PLAN = 'k = 4\ncolumns = ["x0", "x1", "x2"]\neffort = "quick"\nrandom_state = 7\n'

MESSY_PLAN = """
k = 3
identifiers = ["person_id"]
strata = ["region"]
weight = "weight"
missing = "pattern"
small_strata = "merge"
random_state = 7

[missing_values]
income = [-9]

[[sets]]
columns = ["age", "sex", "born"]
nominal = ["sex"]
effort = "quick"

[[sets]]
columns = ["income", "hours"]
keep_integers = true
effort = "quick"
"""


class TaskRun:
    """Task that was carried out, with the events that it told.

    Parameters
    ----------
    task
        The function of the task.
    job
        Its job.
    on_event
        Called with the context and the stage before each report of progress.
    """

    def __init__(
        self,
        task: Callable[[TaskContext], None],
        job: Job,
        on_event: Callable[[TaskContext, str], None] = lambda context, stage: None,
    ) -> None:
        self.folder = job.folder
        told = job.folder / "told.jsonl"
        descriptor = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            task(_WatchedContext(job, EventWriter(descriptor), on_event))
        finally:
            os.close(descriptor)
            self.events = [Event.from_line(line) for line in told.read_text().splitlines()]
            told.unlink()

    def json(self, name: str) -> Any:
        """Return the content of a result."""
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    @property
    def last(self) -> Event:
        """The last event."""
        return self.events[-1]


class _WatchedContext(TaskContext):
    """Context that calls a function before each report of progress."""

    def __init__(self, job: Job, events: EventWriter, on_event: Callable[[TaskContext, str], None]) -> None:
        super().__init__(job, events)
        self._on_event = on_event

    def progress(self, stage: str, done: float | None, note: str = "") -> None:
        self._on_event(self, stage)
        super().progress(stage, done, note)


def plain_frame(n_records: int = 200) -> pl.DataFrame:
    """Return three columns of numbers."""
    X = np.random.default_rng(3).normal(size=(n_records, 3)).round(3)
    return pl.DataFrame({f"x{number}": column for number, column in enumerate(X.T)})


def messy_frame(n_records: int = 160) -> pl.DataFrame:
    """Return strata, weights, missing values, categories, dates and an identifier."""
    rng = np.random.default_rng(5)
    age = rng.integers(18, 90, n_records).tolist()
    income = rng.lognormal(8, 1, n_records).round().astype(int).tolist()
    days = rng.integers(0, 20_000, n_records)
    return pl.DataFrame(
        {
            "person_id": range(n_records),
            "region": rng.choice(["North", "South"], n_records).tolist(),
            "weight": rng.uniform(0.5, 3, n_records).round(2),
            "age": [None if number % 20 == 0 else value for number, value in enumerate(age)],
            "sex": rng.choice(["f", "m"], n_records).tolist(),
            "born": (np.datetime64("1950-01-01") + days).astype("datetime64[D]"),
            "income": [-9 if number % 25 == 0 else value for number, value in enumerate(income)],
            "hours": rng.integers(0, 60, n_records),
        }
    )


def written(frame: pl.DataFrame, path: Path) -> Path:
    """Write a frame as the kind of file that its ending names."""
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path)
    return path


def job_folder(parent: Path, name: str = "job") -> Path:
    """Make a folder for the results of a job."""
    folder = parent / name
    folder.mkdir(mode=0o700)
    return folder
