"""Ticks are at round numbers or dates, within the axis, and about as many as are wanted."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.report.charts.axis_ticks import round_up, ticks

DAYS = "days since 1970-01-01"


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.0, 10.0, ["0", "2", "4", "6", "8", "10"]),
        (-3.0, 4.2, ["−2", "0", "2", "4"]),
        (0.0011, 0.0042, ["0.002", "0.003", "0.004"]),
        (0.0, 48_000.0, ["0", "10\u202f000", "20\u202f000", "30\u202f000", "40\u202f000"]),
        (1e15, 1.5e15, ["1×10¹⁵", "1.1×10¹⁵", "1.2×10¹⁵", "1.3×10¹⁵", "1.4×10¹⁵", "1.5×10¹⁵"]),
    ],
)
def test_numbers(low: float, high: float, labels: list[str]) -> None:
    assert [one.label for one in ticks(low, high, 5)] == labels


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (-3653.0, 10957.0, ["1960", "1970", "1980", "1990", "2000"]),
        (0.0, 1200.0, ["1970", "1971", "1972", "1973"]),
        (0.0, 200.0, ["1970-01", "1970-04", "1970-07"]),
        (10.0, 20.0, ["1970-01-11", "1970-01-13", "1970-01-15", "1970-01-17", "1970-01-19", "1970-01-21"]),
        (0.0, 1.0, ["1970-01-01", "1970-01-01 12:00", "1970-01-02"]),
    ],
)
def test_dates(low: float, high: float, labels: list[str]) -> None:
    assert [one.label for one in ticks(low, high, 5, DAYS)] == labels


def test_dates_that_no_calendar_has_are_numbers() -> None:
    assert ticks(0.0, 1e9, 2, DAYS)[-1].label == "1\u202f000\u202f000\u202f000"


def test_an_axis_of_one_value_has_one_tick() -> None:
    assert [one.value for one in ticks(5.0, 5.0, 5)] == [5.0]
    assert [one.value for one in ticks(1e300, 1e300, 5)] == [1e300]


numbers = st.floats(-1e12, 1e12, allow_nan=False)


@given(numbers, st.floats(1e-6, 1e12), st.integers(1, 12), st.sampled_from([None, DAYS]))
def test_ticks_are_few_ascending_and_within_the_axis(low: float, span: float, n: int, unit: str | None) -> None:
    high = low + span
    found = [one.value for one in ticks(low, high, n, unit)]
    assert found == sorted(set(found))
    assert len(found) <= n + 2
    slack = 1e-6 * max(span, abs(low) * 1e-9)
    assert all(low - slack <= value <= high + slack for value in found)


@given(st.floats(1e-300, 1e300))
def test_rounding_up_takes_at_most_two_and_a_half_times(number: float) -> None:
    rounded = round_up(number)
    assert number <= rounded * (1 + 1e-6)
    assert rounded <= 2.5 * number * (1 + 1e-6)
    leading = rounded / 10.0 ** math.floor(math.log10(rounded) + 1e-9)
    assert any(leading == pytest.approx(each) for each in (1, 2, 5, 10))


@pytest.mark.parametrize("number", [0.0, -3.0, math.inf])
def test_nothing_is_rounded_up_to_nothing(number: float) -> None:
    assert round_up(number) == 0.0
