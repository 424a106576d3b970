"""Progress bars: one for each phase of a run, with the time that is left of it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.table import Column
from rich.text import Text

from microagg.control.remaining_time import RemainingTime
from microagg.control.run import Run
from microagg.model.names import shown_on_terminal
from microagg.terminal.interruption import INTERRUPTION

_BAR_WIDTH = 20  # characters: all columns fit into 80
_MIN_SECONDS_SHOWN = 1.0  # that a phase must have taken, for its bar to stay when it is complete
_MAX_COMPLETE_SHOWN = 6  # phases
_SECONDS_BETWEEN_LINES = 60.0  # where there is no terminal


@dataclass
class _Phase:
    """What is known of one phase."""

    name: str
    began: float  # when it was entered last
    remaining: RemainingTime
    spent: float = 0.0  # seconds before that
    done: float | None = None
    task: TaskID | None = None

    def seconds(self, now: float) -> float:
        """Return the seconds that the phase has taken, if it goes on."""
        return self.spent + now - self.began


class ProgressBars:
    """Progress of a run: a bar for each phase if stderr is a terminal, otherwise a line from time to time.

    Parameters
    ----------
    quiet
        Whether to show neither.
    console
        Where to draw; by default on stderr.
    tells_stages
        Whether, without a terminal, there is a line for each phase that begins, too.

    Attributes
    ----------
    run : Run or None
        The run that reports its progress.
    """

    def __init__(self, quiet: bool = False, console: Console | None = None, *, tells_stages: bool = False) -> None:
        columns = (
            TextColumn("{task.description}", table_column=Column(no_wrap=True)),
            BarColumn(bar_width=_BAR_WIDTH),
            _PhaseClock(self),
            TextColumn(
                "{task.fields[note]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
            ),
        )
        console = Console(stderr=True) if console is None else console
        hidden = quiet or not console.is_terminal
        self._bars = Progress(*columns, console=console, transient=True, expand=True, disable=hidden)
        self._prints_lines = hidden and not quiet
        self._tells_stages = tells_stages
        self._phases: dict[str, _Phase] = {}
        self._current: _Phase | None = None
        self._started = time.monotonic()
        self._printed_at = self._started
        self.run: Run | None = None

    def __enter__(self) -> "ProgressBars":
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        INTERRUPTION.run = None
        if not self._bars.disable:
            self._bars.stop()

    @contextmanager
    def of_run(self, **options: Any) -> Iterator[Run]:
        """Make a run that reports here, in a `with` block; meanwhile, the first Ctrl-C cancels it.

        Parameters
        ----------
        **options
            As in `Run`.

        Yields
        ------
        Run
            The run.
        """
        self.run = Run(progress=self, **options)
        try:
            yield self.run
        finally:
            self.run = None
            INTERRUPTION.run = None
        INTERRUPTION.check()

    def __call__(self, stage: str, done: float | None, note: str = "") -> None:
        """Show how far a phase is."""
        INTERRUPTION.check()
        INTERRUPTION.run = self.run
        note = shown_on_terminal(note)
        now = time.monotonic()
        begins = self._current is None or self._current.name != stage
        phase = self._entered(stage, now)
        phase.done = done
        phase.remaining.report(done, now)
        total = None if done is None else 1.0
        self._show(phase, total=total, completed=done or 0.0, note=note, visible=True)
        is_time = now - self._printed_at >= _SECONDS_BETWEEN_LINES or (begins and self._tells_stages)
        if self._prints_lines and is_time:
            self._printed_at = now
            print(self._line(phase, note, now), file=sys.stderr, flush=True)

    def clock_text(self, phase: _Phase, now: float) -> str:
        """Return the time that a phase has taken, and the time that is left of the current one, if known."""
        if phase is not self._current:
            return _duration(phase.spent)
        left = self._time_left(phase, now)
        remaining = "" if left is None else f", about {_duration(round(left))} left"
        return f"{_duration(phase.seconds(now))}{remaining}"

    def _entered(self, name: str, now: float) -> _Phase:
        """Return the phase of a name, as the current one; the one before is complete."""
        current = self._current
        if current is not None and current.name == name:
            return current
        if current is not None:
            self._leave(current, now)
        phase = self._phases.get(name)
        if phase is None:
            phase = _Phase(name, now, RemainingTime(now))
            self._phases[name] = phase
        else:
            phase.remaining = RemainingTime(now)
        phase.began = now
        self._current = phase
        return phase

    def _show(self, phase: _Phase, **fields: Any) -> None:
        """Draw the bar of a phase."""
        if phase.task is None:
            phase.task = self._bars.add_task(phase.name, phase=phase, **fields)
        else:
            self._bars.update(phase.task, **fields)

    def _leave(self, phase: _Phase, now: float) -> None:
        """Show a phase as complete, if it took long enough to be of interest."""
        phase.spent = phase.seconds(now)
        shown = phase.spent >= _MIN_SECONDS_SHOWN
        self._show(phase, total=1.0, completed=1.0, note="", visible=shown)
        complete = [task for task in self._bars.tasks if task.visible and task.finished]
        for task in complete[:-_MAX_COMPLETE_SHOWN]:
            self._bars.update(task.id, visible=False)

    def _time_left(self, phase: _Phase, now: float) -> float | None:
        """Return the seconds left of the current phase, but no more than the run allows."""
        limit = None if self.run is None else self.run.time_left
        left = phase.remaining.left(now)
        if left is None or limit is None:
            return limit if left is None else left
        return min(left, limit)

    def _line(self, phase: _Phase, note: str, now: float) -> str:
        share = "" if phase.done is None else f" {phase.done:.0%}"
        details = f" ({note})" if note else ""
        left = self._time_left(phase, now)
        remaining = "" if left is None else f", about {_duration(round(left))} left of it"
        return f"{_duration(now - self._started)} {phase.name}{share}{remaining}{details}"


class _PhaseClock(ProgressColumn):
    """Time of a phase."""

    def __init__(self, bars: ProgressBars) -> None:
        super().__init__(table_column=Column(no_wrap=True))
        self._all = bars

    def render(self, task: Task) -> Text:
        """Return the text to show."""
        return Text(self._all.clock_text(task.fields["phase"], time.monotonic()))


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
