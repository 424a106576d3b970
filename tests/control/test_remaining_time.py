"""The remaining time follows from the speed of late, and is not shown before it means something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.control.remaining_time import RemainingTime


def test_it_follows_from_the_share_done() -> None:
    remaining = RemainingTime(1000.0)
    remaining.report(0.0, 1000.0)
    assert remaining.left(1000.0) is None
    remaining.report(0.25, 1030.0)
    assert remaining.left(1030.0) == pytest.approx(90.0)
    assert remaining.left(1040.0) == pytest.approx(80.0)
    assert remaining.left(2000.0) == 0.0


@given(st.floats(0.1, 1000.0), st.lists(st.floats(0.05, 30.0), min_size=1, max_size=50))
def test_a_steady_speed_is_recognised_whenever_it_is_reported(total: float, pauses: list[float]) -> None:
    remaining = RemainingTime(0.0)
    remaining.report(0.0, 0.0)
    now = 0.0
    for pause in pauses:
        if now + pause >= total:
            break
        now += pause
        remaining.report(now / total, now)
    left = remaining.left(now)
    assert left is None or left == pytest.approx(total - now)
    assert (left is None) == (now < 1.0 or now / total < 0.02)


@pytest.mark.parametrize(("done", "seconds", "known"), [(0.0199, 1.0, False), (0.02, 1.0, True), (0.5, 0.99, False)])
def test_it_is_not_estimated_too_early(done: float, seconds: float, known: bool) -> None:
    remaining = RemainingTime(0.0)
    remaining.report(0.0, 0.0)
    remaining.report(done, seconds)
    assert (remaining.left(seconds) is not None) == known


def test_what_a_checkpoint_brings_is_not_counted_as_speed() -> None:
    remaining = RemainingTime(0.0)
    remaining.report(0.9, 0.0)
    remaining.report(0.91, 10.0)
    assert remaining.left(10.0) == pytest.approx(90.0)


def test_the_speed_of_late_counts_most() -> None:
    remaining = RemainingTime(0.0)
    remaining.report(0.0, 0.0)
    remaining.report(0.5, 10.0)
    for step in range(1, 31):
        remaining.report(0.5 + step * 0.001, 10.0 + step)
    left = remaining.left(40.0)
    assert left is not None
    assert left > 0.47 / (0.53 / 40)  # longer than by the speed of the whole phase


def test_a_share_that_falls_begins_anew_and_an_unknown_one_is_not_estimated() -> None:
    remaining = RemainingTime(0.0)
    remaining.report(0.0, 0.0)
    remaining.report(0.9, 100.0)
    remaining.report(0.1, 101.0)
    assert remaining.left(101.0) is None
    remaining.report(0.2, 111.0)
    assert remaining.left(111.0) == pytest.approx(80.0)
    remaining.report(None, 112.0)
    assert remaining.left(112.0) is None


def test_a_report_without_news_changes_nothing() -> None:
    remaining = RemainingTime(0.0)
    remaining.report(0.0, 0.0)
    remaining.report(0.5, 10.0)
    remaining.report(0.5, 15.0)
    assert remaining.left(15.0) == pytest.approx(5.0)
