"""The progress line goes on from stage to stage, and Ctrl-C cancels once and interrupts then."""

import signal
import time
from collections.abc import Iterator

import pytest

from microagg import Run
from microagg.model.limits import Limits
from microagg.terminal import INTERRUPTION, Interruption, ProgressLine, _duration


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test can set."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def line(clock: list[float]) -> Iterator[ProgressLine]:
    yield ProgressLine()
    INTERRUPTION.run = None


def _shown(line: ProgressLine) -> str:
    return str(line._line.columns[2].render(line._line.tasks[0]))  # type: ignore[union-attr]


def test_clock_goes_on_after_a_stage_is_complete(line: ProgressLine, clock: list[float]) -> None:
    line("mdav", 1.0)
    clock[0] += 65.0
    assert _shown(line).startswith("0:01:05")
    line("search", None)
    clock[0] += 5.0
    assert _shown(line) == "0:01:10"


def test_time_left_follows_from_the_share_done(line: ProgressLine, clock: list[float]) -> None:
    line("mdav", 0.0)
    assert "left" not in _shown(line)
    clock[0] += 30.0
    line("mdav", 0.25)
    assert _shown(line) == "0:00:30, about 0:01:30 left"
    clock[0] += 10.0
    assert _shown(line) == "0:00:40, about 0:01:20 left"


@pytest.mark.parametrize(("done", "estimated"), [(0.0199, False), (0.02, True)])
def test_time_left_is_not_estimated_too_early(
    line: ProgressLine, clock: list[float], done: float, estimated: bool
) -> None:
    line("mdav", 0.0)
    clock[0] += 1.0
    line("mdav", done)
    assert ("left" in _shown(line)) == estimated


def test_no_more_time_is_left_than_the_run_allows(line: ProgressLine, clock: list[float]) -> None:
    line.run = Run(time_limit=60.0)
    with line.run.under_way(Limits()):
        line("search", None)
        clock[0] += 20.0
        assert _shown(line) == "0:00:20, about 0:00:40 left"
        line("search", 0.1)
        assert "about 0:00:40 left" in _shown(line)


def test_durations() -> None:
    assert [_duration(seconds) for seconds in (0.9, 61, 3600 + 62)] == ["0:00:00", "0:01:01", "1:01:02"]


def test_first_interrupt_cancels_the_run_and_the_second_interrupts_the_program(
    capsys: pytest.CaptureFixture[str],
) -> None:
    interruption = Interruption()
    interruption.run = Run()
    interruption._handle(signal.SIGINT, None)
    assert interruption.run.cancelled
    assert "cancelled: ending with the best result so far" in capsys.readouterr().err
    interruption.check()
    with pytest.raises(KeyboardInterrupt):
        interruption._handle(signal.SIGINT, None)
    with pytest.raises(KeyboardInterrupt):
        interruption.check()


@pytest.mark.parametrize(("number", "solving"), [(signal.SIGTERM, True), (signal.SIGINT, False)])
def test_other_signals_interrupt_the_program(number: int, solving: bool) -> None:
    interruption = Interruption()
    interruption.run = Run() if solving else None
    with pytest.raises(KeyboardInterrupt):
        interruption._handle(number, None)
    assert interruption.run is None or not interruption.run.cancelled
