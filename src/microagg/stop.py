"""Say when a refiner or a bound must stop, and remember how far it came."""

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from microagg.checks import positive_number, whole_number
from microagg.solution import Step

log = logging.getLogger("microagg")
Ending = Literal["time_limit", "iterations", "target_gap", "interruption", "effort", "tolerance"]


class StoppedError(Exception):
    """Leave a round that is not finished."""


def processors() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Heard:
    """Hold what the refiners have told."""

    steps: list[Step] = field(default_factory=list)
    iterations: int = 0
    ended_by: Ending | None = None


@dataclass(frozen=True)
class Stop:
    """Hold the limits that the user set; none of them set: stop when nothing improves.

    Parameters
    ----------
    time_limit
        Seconds from the making of this object. Runs that end by it are not reproducible.
    iterations
        How many rounds each refiner may do, from each of its starts if it has several.
    target_gap
        The gap to the lower bound that is small enough. Of several starts at once, any may be the first to reach it.
    lower_bound
        What is proved of the sse so far, by whoever runs the stages.
    """

    time_limit: float | None = None
    iterations: int | None = None
    target_gap: float | None = None
    lower_bound: float = 0.0
    started: float = field(default_factory=time.monotonic)
    heard: Heard = field(default_factory=Heard, compare=False)
    interrupted: threading.Event = field(default_factory=threading.Event, compare=False)

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            object.__setattr__(self, "time_limit", positive_number("time_limit", self.time_limit))
        if self.iterations is not None:
            object.__setattr__(self, "iterations", whole_number("iterations", self.iterations, at_least=0))
        if self.target_gap is not None:
            object.__setattr__(self, "target_gap", positive_number("target_gap", self.target_gap))

    @property
    def given(self) -> tuple[str, ...]:
        """Name the limits that were set."""
        return tuple(name for name in ("time_limit", "iterations", "target_gap") if getattr(self, name) is not None)

    @property
    def elapsed(self) -> float:
        """How many seconds ago this object was made."""
        return time.monotonic() - self.started

    @property
    def time_left(self) -> float | None:
        """How many seconds are left; None where there is no limit."""
        return None if self.time_limit is None else max(0.0, self.time_limit - self.elapsed)

    def before_bound(self) -> "Stop":
        """Limit refiners that a bound follows: to half of the time, and not by a gap that nobody knows yet."""
        half = None if self.time_limit is None else self.time_limit / 2
        return replace(self, time_limit=half, target_gap=None)

    def for_bound(self) -> "Stop":
        """Limit a bound: not by iterations, and it tells how far it came on its own."""
        return replace(self, iterations=None, heard=Heard())

    def proved(self, lower_bound: float) -> "Stop":
        """Say what is proved by now."""
        return replace(self, lower_bound=lower_bound)

    def __call__(self, iteration: int, sse: float) -> bool:
        """Say whether to stop before the round of this number, counting from 0, with so much lost."""
        self.note(iteration, sse)
        ending = self._ending(iteration, sse)
        if ending is not None:
            self.end(ending)
        return ending is not None

    def note(self, iteration: int, sse: float) -> None:
        """Remember how far the work is."""
        heard = self.heard
        if not heard.steps or sse < heard.steps[-1].sse:
            heard.steps.append(Step(self.elapsed, iteration, sse))
        heard.iterations = max(heard.iterations, iteration)

    def end(self, ending: Ending) -> None:
        """Remember for what reason a stage was left."""
        self.heard.ended_by = ending

    def _ending(self, iteration: int, sse: float) -> Ending | None:
        if self.interrupted.is_set():
            return "interruption"
        if self.iterations is not None and iteration >= self.iterations:
            return "iterations"
        if self.target_gap is not None and sse - self.lower_bound <= self.target_gap * sse:
            return "target_gap"
        return "time_limit" if self.time_left == 0.0 else None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take a first Ctrl-C as a wish to stop with the best so far; a second one is an interruption as ever."""
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(before):
            yield  # only the main thread hears signals, and only where somebody listens
            return

        def hear(number: int, frame: object) -> None:
            self.interrupted.set()
            signal.signal(signal.SIGINT, before)
            log.warning("interrupted: ending with the best so far; once more to give it up")

        signal.signal(signal.SIGINT, hear)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
