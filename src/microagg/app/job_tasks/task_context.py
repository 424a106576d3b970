"""Context of a task: its job, the events that it tells, and what a stop does at the moment."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from microagg.app.event_writer import EventWriter
from microagg.app.job import Event, Job
from microagg.app.same_file import same_file
from microagg.control.loss_note import LossNote
from microagg.control.remaining_time import RemainingTime
from microagg.control.run import Run

Figures = dict[str, float | None]


class TaskContext:
    """What a task needs to know, and whom it tells how far it is.

    Parameters
    ----------
    job
        The job.
    events
        Where events are written.

    Attributes
    ----------
    history : list of dict
        Loss and bound over time, as far as phases told them: `elapsed`, `loss`, `bound`.
    state : str
        State of the events that are told.
    known_as : dict of str to str
        Names that the user knows, by the paths from which files were read.
    """

    def __init__(self, job: Job, events: EventWriter) -> None:
        self.job = job
        self.history: list[Figures] = []
        self.state = "working"
        self.known_as: dict[str, str] = {}
        self._events = events
        self._stage = ""
        self._remaining = RemainingTime(time.monotonic())
        self._on_stop: Callable[[], object] = self._give_up
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """Folder of the results."""
        return self.job.folder

    @property
    def elapsed(self) -> float:
        """Seconds since the job was begun."""
        return self._events.elapsed

    def option(self, name: str, otherwise: Any = None) -> Any:
        """Return an option of the job, or something else where it is not given."""
        return self.job.options.get(name, otherwise)

    @contextmanager
    def file(self, option: str = "source") -> Iterator[Path]:
        """Yield where a file of the job is read, in a `with` block: the one that its page has opened, and no other.

        Parameters
        ----------
        option
            The option that names it. That with "_mark" after it tells what the file was when it was opened; without
            one, any file at the path is read.

        Yields
        ------
        Path
            The path; it leads to the file as long as the process lives.

        Raises
        ------
        ReadError
            If the file is another one than was opened, or becomes one in the block.
        """
        path = Path(self.option(option))
        mark = self.option(f"{option}_mark")
        if mark is None:
            yield path
            return
        name = self.option("name" if option == "source" else f"{option}_name") or path.name
        with same_file(path, mark, name, self.folder) as readable:
            self.known_as[str(readable)] = name
            yield readable

    def tell(self, state: str, **fields: Any) -> None:
        """Tell that the job is in a state."""
        self.state = state
        self._events.write(Event(state, **fields))

    def progress(self, stage: str, done: float | None, note: str = "") -> None:
        """Tell how far a phase is: the progress callback of runs."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage = stage
            self._remaining = RemainingTime(now)
        self._remaining.report(done, now)
        loss = note.loss if isinstance(note, LossNote) else None
        bound = note.bound if isinstance(note, LossNote) else None
        if loss is not None:
            self._remember(loss, bound)
        left = self._remaining.left(now)
        self._events.write(Event(self.state, stage, done, str(note), left, loss=loss, bound=bound))

    def stop(self) -> None:
        """Do what a stop means at the moment; called from another thread."""
        with self._lock:
            self._on_stop()

    @contextmanager
    def cancelling(self, run: Run) -> Iterator[Run]:
        """Let a stop cancel a run, in a `with` block: its best so far is its result.

        Parameters
        ----------
        run
            The run.

        Yields
        ------
        Run
            The run.
        """
        with self._stopping_by(run.cancel):
            yield run

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Let a stop change nothing, in a `with` block: what is under way is finished in a moment.

        Yields
        ------
        None
            Nothing.
        """
        with self._stopping_by(lambda: None):
            yield

    @contextmanager
    def _stopping_by(self, action: Callable[[], object]) -> Iterator[None]:
        with self._lock:
            before = self._on_stop
            self._on_stop = action
        try:
            yield
        finally:
            with self._lock:
                self._on_stop = before

    def _give_up(self) -> None:
        """End the process, as there is no result to keep."""
        self._events.write(Event("cancelled", sentence="The work was stopped before there was any result."))
        os._exit(0)

    def _remember(self, loss: float, bound: float | None) -> None:
        """Remember the loss, if it or the bound has changed."""
        figures: Figures = {"loss": loss, "bound": bound}
        last = self.history[-1] if self.history else {}
        if any(last.get(name) != value for name, value in figures.items()):
            self.history.append({"elapsed": round(self._events.elapsed, 3), **figures})
