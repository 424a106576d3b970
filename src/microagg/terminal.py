"""The terminal: one line of progress, notices above it, and what Ctrl-C means."""

import logging
import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn


class Notices(logging.Handler):
    """Show what the library has to say, above the progress line if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print it."""
        print(record.getMessage(), file=sys.stderr)


class Interruption:
    """Remember Ctrl-C and a polite kill: raised in foreign clean-up code, the exception would be lost."""

    came = False
    outcome = "nothing was written"

    def listen(self) -> None:
        """Begin to hear them."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._hear)

    def _hear(self, number: int, frame: object) -> NoReturn:
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


class ProgressLine:
    """Show one line on a terminal, and nothing elsewhere."""

    def __init__(self) -> None:
        columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[note]}")
        console = Console(stderr=True)
        self._line = Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty())
        self._task = self._line.add_task("starting", total=None, note="")

    def __enter__(self) -> "ProgressLine":
        self._line.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._line.disable:
            self._line.stop()

    def __call__(self, stage: str, done: float | None, note: str = "") -> None:
        """Show news."""
        INTERRUPTION.check()
        total = None if done is None else 1.0
        self._line.update(self._task, description=stage, total=total, completed=done or 0.0, note=note)
