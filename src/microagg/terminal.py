"""The terminal: one line of progress, notices above it, and what Ctrl-C means."""

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

_SHORT = 0.02  # share of a stage, less of which does not tell how long the rest takes


class Notices(logging.Handler):
    """Handler that shows what the library has to say, above the progress line if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print it."""
        print(record.getMessage(), file=sys.stderr)


class Interruption:
    """Ctrl-C and SIGTERM, remembered: an exception raised inside foreign clean-up code would be lost.

    The first Ctrl-C while a run is solving cancels it, and the best so far is released; any other is an interruption.
    """

    came = False
    outcome = "nothing was written"
    run: Run | None = None

    def listen(self) -> None:
        """Begin to hear them."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._hear)

    def _hear(self, number: int, frame: object) -> None:
        if number == signal.SIGINT and self.run is not None and not self.run.cancelled:
            self.run.cancel()
            print("cancelled: ending with the best so far; once more to give it up", file=sys.stderr)
            return
        self.came = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise what came."""
        if self.came:
            raise KeyboardInterrupt

    def ignore(self) -> None:
        """Hear them no more."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def leave(self) -> NoReturn:
        """Say what was done, and end the process."""
        while True:
            with suppress(KeyboardInterrupt):  # polars raises one of its own, and Python's comes after it
                self.ignore()
                print(f"interrupted: {self.outcome}", file=sys.stderr, flush=True)
                os._exit(130)  # sys.exit would end by the signal if it came while foreign code ran `exec`


NOTICES = Notices()
INTERRUPTION = Interruption()


class _Clock(ProgressColumn):
    """The time since the start, which goes on from stage to stage, and the time that is left where it is known."""

    def __init__(self, line: "ProgressLine") -> None:
        super().__init__()
        self._line = line

    def render(self, task: Task) -> Text:
        """Write it."""
        now = time.monotonic()
        left = self._line.time_left(now)
        remaining = "" if left is None else f", about {_duration(left)} left"
        return Text(f"{_duration(now - self._line.started)}{remaining}")


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}"


class ProgressLine:
    """One line on a terminal that shows how far a run is; nothing elsewhere, nor where nothing is to be shown.

    Parameters
    ----------
    quiet
        Whether nothing is to be shown.
    """

    def __init__(self, quiet: bool = False) -> None:
        columns = TextColumn("{task.description}"), BarColumn(), _Clock(self), TextColumn("{task.fields[note]}")
        shown = sys.stderr.isatty() and not quiet
        self._line = Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)
        self._task = self._line.add_task("starting", total=None, note="")
        self._stage = ""
        self._stage_began = 0.0
        self._done: float | None = None
        self._told = 0.0
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
        """Show news."""
        INTERRUPTION.check()
        INTERRUPTION.run = self.run
        now = time.monotonic()
        if stage != self._stage:
            self._stage = stage
            self._stage_began = now
        self._done = done
        self._told = now
        total = None if done is None else 1.0
        completed = min(done or 0.0, 0.999)  # what is complete stops rich's clock
        self._line.update(self._task, description=stage, total=total, completed=completed, note=note)

    def time_left(self, now: float) -> float | None:
        """Say how many seconds are left of the stage, by what it took so far, but no more than the run allows."""
        limit = None if self.run is None else self.run.time_left
        done = self._done
        if done is None or done < _SHORT:
            return limit
        left = (self._told - self._stage_began) * (1 - done) / done - (now - self._told)
        left = max(0.0, left)
        return left if limit is None else min(left, limit)
