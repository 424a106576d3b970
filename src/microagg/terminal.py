"""Terminal of the command line: a progress line, notices above it, and the handling of Ctrl-C."""

import logging
import os
import signal
import sys
import time
from contextlib import suppress
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from microagg.control.run import Run

_MIN_SHARE_FOR_ESTIMATE = 0.02  # of a stage that must be done before the time of the rest is estimated
_EXIT_INTERRUPTED = 130


class Notices(logging.Handler):
    """Log handler that prints the notices of the library, above the progress line if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a notice."""
        print(record.getMessage(), file=sys.stderr)


class Interruption:
    """Handler of Ctrl-C and SIGTERM that remembers them: an exception raised in foreign clean-up code would be lost.

    The first Ctrl-C while a run is solving cancels the run, and its best result is released; any other signal
    interrupts the program.

    Attributes
    ----------
    pending : bool
        Whether the program is to be interrupted.
    outcome : str
        What was written so far, in words.
    run : Run or None
        The run to cancel, while one is solving.
    """

    pending = False
    outcome = "nothing was written"
    run: Run | None = None

    def install(self) -> None:
        """Handle the signals from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._handle)

    def _handle(self, number: int, frame: object) -> None:
        if number == signal.SIGINT and self.run is not None and not self.run.cancelled:
            self.run.cancel()
            print("cancelled: ending with the best result so far; press Ctrl-C again to discard it", file=sys.stderr)
            return
        self.pending = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt if the program is to be interrupted."""
        if self.pending:
            raise KeyboardInterrupt

    def ignore(self) -> None:
        """Ignore the signals from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def exit(self) -> NoReturn:
        """Print what was written, and end the process."""
        while True:
            with suppress(KeyboardInterrupt):  # polars raises one of its own, and Python's comes after it
                self.ignore()
                print(f"interrupted: {self.outcome}", file=sys.stderr, flush=True)
                os._exit(_EXIT_INTERRUPTED)  # after a signal inside `exec` of foreign code, sys.exit would kill by it


NOTICES = Notices()
INTERRUPTION = Interruption()


class _Clock(ProgressColumn):
    """Time since the start of the first stage, and the time that is left, if known."""

    def __init__(self, line: "ProgressLine") -> None:
        super().__init__()
        self._line = line

    def render(self, task: Task) -> Text:
        """Return the text to show."""
        now = time.monotonic()
        left = self._line.time_left(now)
        remaining = "" if left is None else f", about {_duration(left)} left"
        return Text(f"{_duration(now - self._line.started)}{remaining}")


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}"


class ProgressLine:
    """Progress of a run, shown on one line if stderr is a terminal.

    Parameters
    ----------
    quiet
        Whether to show nothing there, either.

    Attributes
    ----------
    started : float
        When the line was made, by the monotonic clock.
    run : Run or None
        The run that reports its progress.
    """

    def __init__(self, quiet: bool = False) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), _Clock(self), TextColumn("{task.fields[note]}"))
        shown = sys.stderr.isatty() and not quiet
        self._line = Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)
        self._task = self._line.add_task("starting", total=None, note="")
        self._stage = ""
        self._stage_started = 0.0
        self._done: float | None = None
        self._reported_at = 0.0
        self.started = time.monotonic()
        self.run: Run | None = None

    def __enter__(self) -> "ProgressLine":
        self._line.start()
        return self

    def __exit__(self, *_: object) -> None:
        INTERRUPTION.run = None
        if not self._line.disable:
            self._line.stop()

    def __call__(self, stage: str, done: float | None, note: str = "") -> None:
        """Show how far a stage is."""
        INTERRUPTION.check()
        INTERRUPTION.run = self.run
        now = time.monotonic()
        if stage != self._stage:
            self._stage = stage
            self._stage_started = now
        self._done = done
        self._reported_at = now
        total = None if done is None else 1.0
        completed = min(done or 0.0, 0.999)  # rich stops its clock for a complete task
        self._line.update(self._task, description=stage, total=total, completed=completed, note=note)

    def time_left(self, now: float) -> float | None:
        """Estimate the seconds left of the stage from those it took so far, but no more than the run allows."""
        limit = None if self.run is None else self.run.time_left
        done = self._done
        if done is None or done < _MIN_SHARE_FOR_ESTIMATE:
            return limit
        left = (self._reported_at - self._stage_started) * (1 - done) / done - (now - self._reported_at)
        left = max(0.0, left)
        return left if limit is None else min(left, limit)
