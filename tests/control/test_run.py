"""The run on its own: limits, clock, cancelling, children, pickling."""

import pickle
import time
from typing import Any

import pytest

from microagg import InputError, Run
from microagg.control.run import run_of
from microagg.control.stopping import StoppedError
from microagg.model.limits import Limits

Clock = list[float]


@pytest.fixture(name="clock")
def _clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still until a test sets it."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_run_counts_rounds() -> None:
    assert not Run().ends(10**9, 1.0)
    assert Run(iterations=0).ends(0, 1.0)
    assert not Run(iterations=2).ends(1, 1.0)
    run = Run(iterations=2)
    assert run.ends(2, 1.0)
    assert run.log.ended_by == "iterations"


def test_run_counts_seconds_from_its_beginning(clock: Clock) -> None:
    run = Run(time_limit=1000.0)
    clock[0] += 5000.0
    with run.under_way(Limits()):
        assert run.elapsed == 0.0
        clock[0] += 999.9
        run.check()
        assert run.time_left == pytest.approx(0.1)
        clock[0] += 0.1
        assert run.time_left == 0.0
        with pytest.raises(StoppedError) as stopped:
            run.check()
    assert stopped.value.ending == run.log.ended_by == "time_limit"


def test_time_of_reading_does_not_count(clock: Clock) -> None:
    run = Run(time_limit=10.0)
    with run.under_way(Limits()):
        clock[0] += 60.0
        run.start_clock()
        assert run.time_left == 10.0


def test_run_ends_at_its_gap() -> None:
    assert not Run(target_gap=0.1).ends(0, 10.1, lower_bound=9.0)
    assert Run(target_gap=0.1).ends(0, 10.0, lower_bound=9.0)
    assert Run(target_gap=0.1).ends(0, 0.0)
    assert not Run().ends(0, 9.0, lower_bound=9.0)


@pytest.mark.parametrize("ending", ["cancelled", "iterations", "target_gap"])
def test_check_round_raises_what_ended_the_round(ending: str) -> None:
    run = Run(iterations=3 if ending == "iterations" else None, target_gap=0.1)
    if ending == "cancelled":
        run.cancel()
    with pytest.raises(StoppedError, match=ending):
        run.check_round(3, 10.0, 9.0 if ending == "target_gap" else 0.0)
    assert run.log.ended_by == ending


def test_log_keeps_falling_sse_only(clock: Clock) -> None:
    run = Run()
    run.start_clock()
    for iteration, sse in enumerate([5.0, 5.0, 6.0, 4.0]):
        clock[0] += 1.0
        run.check_round(iteration, sse)
    assert run.log.steps == [(1.0, 0, 5.0), (4.0, 3, 4.0)]
    assert run.log.iterations == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"time_limit": 0}, "time_limit must be a positive number, found 0"),
        ({"time_limit": -1.0}, "time_limit must be"),
        ({"time_limit": "1"}, "time_limit must be"),
        ({"iterations": -1}, "iterations must be at least 0"),
        ({"iterations": 1.5}, "iterations must be"),
        ({"iterations": True}, "iterations must be"),
        ({"target_gap": 0}, "target_gap must be"),
        ({"target_gap": "1%"}, "target_gap must be"),
        ({"target_gap": 1.0}, "target_gap must be a share below 1"),
        ({"time_limit": float("inf")}, "time_limit must be a positive number"),
        ({"time_limit": float("nan")}, "time_limit must be a positive number"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"workers": 1.5}, "workers must be a whole number"),
        ({"progress": "loud"}, "progress must be a function"),
    ],
)
def test_run_refuses_nonsense(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Run(**arguments)


def test_children_share_clock_and_cancel_flag(clock: Clock) -> None:
    run = Run(time_limit=10.0)
    with run.under_way(Limits()):
        clock[0] += 4.0
        child = run.child(Limits(time_limit=5.0), own_log=True)
        assert (child.elapsed, child.time_left) == (4.0, 1.0)
        assert child.workers is run.workers
        assert run.child(Limits()).log is run.log
        run.cancel()
        with pytest.raises(StoppedError):
            child.check()
        assert (child.log.ended_by, run.log.ended_by) == ("cancelled", None)


def test_silent_children_report_nothing() -> None:
    stages: list[str] = []
    run = Run(progress=lambda stage, done, note="": stages.append(stage))
    run.child(Limits()).report("shown")
    run.child(Limits(), silent=True).report("silent")
    assert stages == ["shown"]


def test_pickled_run_has_the_time_that_is_left(clock: Clock) -> None:
    run = Run(time_limit=10.0, iterations=3, workers=2)
    with run.under_way(Limits()):
        clock[0] += 4.0
        copy = pickle.loads(pickle.dumps(run))
        clock[0] += 60.0
        late = pickle.loads(pickle.dumps(run))
    assert copy.limits == Limits(6.0, 3)
    assert copy.workers.count == 2
    assert not copy.cancelled
    assert late.limits.time_limit < 1e-6
    run.cancel()
    assert pickle.loads(pickle.dumps(run)).cancelled


def test_repr_tells_the_state() -> None:
    run = Run(iterations=1, workers=2)
    assert "workers=2, not begun" in repr(run)
    with run.under_way(Limits()):
        assert "begun)" in repr(run)
        assert "not begun" not in repr(run)
    run.cancel()
    assert "cancelled" in repr(run)


def test_run_of_takes_a_run_or_a_progress() -> None:
    run = Run()
    assert run_of(run, None) is run
    stages: list[str] = []
    run_of(None, lambda stage, done, note="": stages.append(stage)).report("one")
    assert stages == ["one"]
    with pytest.raises(InputError, match="progress and run are both given"):
        run_of(run, lambda *report: None)
    with pytest.raises(InputError, match=r"run must be a microagg\.Run"):
        run_of(5, None)  # type: ignore[arg-type]
