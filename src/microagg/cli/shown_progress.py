"""Progress of a command, shown on the terminal while it works."""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from microagg.control.run import Run
from microagg.terminal import INTERRUPTION, ProgressBars


@contextmanager
def running(options: Namespace, *, tells_stages: bool = False, **run_options: Any) -> Iterator[Run]:
    """Show the progress of a run; raise, after it, an interruption that came meanwhile."""
    with shown(options, tells_stages=tells_stages) as bars, bars.of_run(**run_options) as run:
        yield run


@contextmanager
def shown(options: Namespace, *, tells_stages: bool = False) -> Iterator[ProgressBars]:
    """Show progress; raise, after it, an interruption that came meanwhile."""
    with ProgressBars(options.quiet, tells_stages=tells_stages) as bars:
        yield bars
    INTERRUPTION.check()
