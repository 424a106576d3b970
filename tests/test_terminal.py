"""The progress line: its clock goes on, and it tells the time that is left."""

import time

import pytest

from microagg import Run
from microagg.model.limits import Limits
from microagg.terminal import INTERRUPTION, ProgressLine, _duration


@pytest.fixture(name="clock")
def _clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


@pytest.fixture(name="line")
def _line(clock):
    yield ProgressLine()
    INTERRUPTION.run = None


def _shown(line):
    (task,) = line._line.tasks
    return [column.render(task) for column in line._line.columns][2].plain


def test_clock_goes_on_after_a_stage_is_complete(line, clock):
    line("mdav", 1.0)
    clock[0] += 65.0
    assert _shown(line).startswith("0:01:05")
    line("search", None)
    clock[0] += 5.0
    assert _shown(line) == "0:01:10"


def test_time_that_is_left_follows_from_what_is_done(line, clock):
    line("mdav", 0.0)
    assert "left" not in _shown(line)
    clock[0] += 30.0
    line("mdav", 0.25)
    assert _shown(line) == "0:00:30, about 0:01:30 left"
    clock[0] += 10.0
    assert _shown(line) == "0:00:40, about 0:01:20 left"


def test_no_more_time_is_left_than_the_run_allows(line, clock):
    line.run = Run(time_limit=60.0)
    with line.run.under_way(Limits()):
        line("search", None)
        clock[0] += 20.0
        assert _shown(line) == "0:00:20, about 0:00:40 left"
        line("search", 0.1)
        assert "about 0:00:40 left" in _shown(line)


def test_durations():
    assert [_duration(seconds) for seconds in (0.9, 61, 3600 + 62)] == ["0:00:00", "0:01:01", "1:01:02"]
