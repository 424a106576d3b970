"""Progress of a command, shown on the terminal while it works."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from microagg.control.run import Run
from microagg.terminal import INTERRUPTION, ProgressBars


@contextmanager
def running(options: Namespace, **run_options: Any) -> Iterator[Run]:
    """Show the progress of a run; raise, after it, an interruption that came meanwhile."""
    with shown(options) as bars, bars.of_run(**run_options) as run:
        yield run


@contextmanager
def shown(options: Namespace) -> Iterator[ProgressBars]:
    """Show progress; raise, after it, an interruption that came meanwhile."""
    with ProgressBars(options.quiet) as bars:
        yield bars
    INTERRUPTION.check()
