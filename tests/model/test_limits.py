"""Limits, and limits from two places."""

from typing import Any

import pytest

from microagg import InputError, Limits
from microagg.model.limits import NO_TIME_LEFT


def test_limits_are_checked_at_their_edges() -> None:
    assert Limits(5e-324, 0, 5e-324).given == ("time_limit", "iterations", "target_gap")
    assert Limits(target_gap=0.999999).target_gap == 0.999999
    assert Limits() == Limits(None, None, None)
    assert Limits().given == ()
    assert Limits(NO_TIME_LEFT).time_limit == 1e-9
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"time_limit": 0.0}, "time_limit must be a positive number, found 0.0"),
        ({"iterations": -1}, "iterations must be at least 0, found -1"),
        ({"iterations": 1.5}, "iterations must be a whole number, found 1.5"),
        ({"target_gap": 0.0}, "target_gap must be a positive number, found 0.0"),
        ({"target_gap": 1.0}, "target_gap must be a share below 1, such as 0.01, found 1.0"),
        ({"target_gap": 5}, "target_gap must be a share below 1, such as 0.01, found 5.0"),
    )
    for limits, words in wrong:
        with pytest.raises(InputError) as caught:
            Limits(**limits)
        assert str(caught.value) == words


def test_limits_are_plain_numbers() -> None:
    limits = Limits(time_limit=2, iterations=True + 1, target_gap=0.5)
    assert type(limits.time_limit) is float
    assert type(limits.iterations) is int


def test_limits_of_two_places_are_joined() -> None:
    assert Limits(1.0).joined(Limits(iterations=3)) == Limits(1.0, 3)
    assert Limits(iterations=3).joined(Limits(1.0, target_gap=0.5)) == Limits(1.0, 3, 0.5)
    assert Limits(1.0, 0, 0.5).joined(Limits(1.0, 0)) == Limits(1.0, 0, 0.5)
    assert Limits().joined(Limits()) == Limits()
    for one, other, words in (
        (Limits(1.0), Limits(2.0), "time_limit is given twice, as 1.0 and as 2.0: leave one out"),
        (Limits(iterations=0), Limits(iterations=1), "iterations is given twice, as 0 and as 1: leave one out"),
    ):
        with pytest.raises(InputError) as caught:
            one.joined(other)
        assert str(caught.value) == words
