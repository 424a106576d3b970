"""Every phase has its bar, which stays when the phase took a while; without a terminal there are a few lines."""

import io
import time
from collections.abc import Iterator

import pytest
from rich.console import Console

from microagg import Run
from microagg.model.limits import Limits
from microagg.terminal import INTERRUPTION, ProgressBars
from microagg.terminal.progress_bars import _duration


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test can set."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def bars(clock: list[float]) -> Iterator[ProgressBars]:
    yield ProgressBars(console=Console(force_terminal=True, width=80, file=io.StringIO()))
    INTERRUPTION.run = None


def _screen(bars: ProgressBars, width: int = 80) -> list[str]:
    """Return the lines that a terminal shows."""
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(bars._bars.get_renderable())
    return console.export_text().splitlines()


def test_each_phase_has_a_bar_in_order(bars: ProgressBars, clock: list[float]) -> None:
    bars("read", None)
    clock[0] += 3.0
    bars("divide", 0.0)
    clock[0] += 5.0
    bars("blocks, round 1 of 3", 0.0)
    clock[0] += 30.0
    bars("blocks, round 1 of 3", 0.25, "loss 6.1234 %")
    bar = "━" * 20
    assert [line.rstrip() for line in _screen(bars)] == [
        f"read                 {bar} 0:03",
        f"divide               {bar} 0:05",
        "blocks, round 1 of 3 ━━━━━                0:30, about 1:30 left loss 6.1234 %",
    ]


def test_a_long_note_is_cut_and_does_not_wrap(bars: ProgressBars, clock: list[float]) -> None:
    bars("blocks, round 10 of 30", 0.0)
    clock[0] += 3700.0
    bars("blocks, round 10 of 30", 0.25, "loss 6.1234 %, and much more that nobody has room for")
    (line,) = _screen(bars)
    assert len(line) <= 80
    assert "about 3:05:00 left" in line
    assert line.rstrip().endswith("…")


def test_phases_that_took_no_time_disappear(bars: ProgressBars, clock: list[float]) -> None:
    bars("read", None)
    clock[0] += 0.9
    bars("encode", 0.5)
    assert [line.split()[0] for line in _screen(bars)] == ["encode"]
    clock[0] += 1.0
    bars("divide", 0.5)
    assert [line.split()[0] for line in _screen(bars)] == ["encode", "divide"]


def test_phases_that_take_turns_have_one_bar_each(bars: ProgressBars, clock: list[float]) -> None:
    for _ in range(3):
        for stage in ("search", "recombine"):
            bars(stage, 0.5)
            clock[0] += 2.0
    assert [line.split()[0] for line in _screen(bars)] == ["search", "recombine"]
    assert [line.split()[2] for line in _screen(bars)] == ["0:06", "0:06"]


def test_only_the_last_phases_stay(bars: ProgressBars, clock: list[float]) -> None:
    for number in range(10):
        bars(f"phase {number}", 0.5)
        clock[0] += 2.0
    assert [line.split()[1] for line in _screen(bars)] == ["3", "4", "5", "6", "7", "8", "9"]


def test_a_phase_that_is_complete_goes_on_until_the_next_begins(bars: ProgressBars, clock: list[float]) -> None:
    bars("mdav", 1.0)
    clock[0] += 65.0
    assert "1:05" in _screen(bars)[0]


def test_no_more_time_is_left_than_the_run_allows(bars: ProgressBars, clock: list[float]) -> None:
    bars.run = Run(time_limit=60.0)
    with bars.run.under_way(Limits()):
        bars("search", 0.0)
        clock[0] += 20.0
        assert "0:20, about 0:40 left" in _screen(bars)[0]
        bars("search", 0.1)
        assert "0:20, about 0:40 left" in _screen(bars)[0]


def test_without_a_terminal_there_is_a_line_a_minute(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    bars = ProgressBars(console=Console(file=io.StringIO()))
    with bars:
        bars("read", None)
        for step in range(1, 151):
            clock[0] += 1.0
            bars("blocks, round 1 of 3", step / 200, "loss 6.1 %")
    assert capsys.readouterr().err.splitlines() == [
        "1:00 blocks, round 1 of 3 30%, about 2:20 left of it (loss 6.1 %)",
        "2:00 blocks, round 1 of 3 60%, about 1:20 left of it (loss 6.1 %)",
    ]


def test_without_a_terminal_stages_are_told_where_that_is_wanted(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    bars = ProgressBars(console=Console(file=io.StringIO()), tells_stages=True)
    with bars:
        bars("rows", None)
        clock[0] += 5.0
        bars("rows", 0.5, "1 of 2 tasks")
        bars("sample", None, "100 records")
        clock[0] += 61.0
        bars("sample", 0.5)
    assert capsys.readouterr().err.splitlines() == [
        "0:00 rows",
        "0:05 sample (100 records)",
        "1:06 sample 50%",
    ]


def test_a_share_that_is_not_known_is_not_printed(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    bars = ProgressBars(console=Console(file=io.StringIO()))
    bars("read", None)
    clock[0] += 60.0
    bars("read", None)
    assert capsys.readouterr().err == "1:00 read\n"


def test_quiet_shows_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(force_terminal=True, file=io.StringIO())
    with ProgressBars(quiet=True, console=console) as bars:
        bars("read", None)
        clock[0] += 600.0
        bars("read", None)
    assert capsys.readouterr().err == ""
    assert console.file.getvalue() == ""  # type: ignore[attr-defined]


def test_bars_are_drawn_and_removed_at_the_end() -> None:
    drawn = io.StringIO()
    with ProgressBars(console=Console(force_terminal=True, width=80, file=drawn)) as bars:
        bars("read", None)
        bars("encode", 0.5, "half")
    INTERRUPTION.run = None
    assert "encode" in drawn.getvalue()
    assert drawn.getvalue().endswith("\x1b[1A\x1b[2K")  # up one line, and clear it


def test_durations() -> None:
    assert [_duration(seconds) for seconds in (0.9, 61, 3600 + 62)] == ["0:00", "1:01", "1:01:02"]
