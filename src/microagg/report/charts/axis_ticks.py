"""Ticks of the axis of a chart, at round numbers or at round dates."""

import math
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from microagg.report.shown_text import date_text, number_text

_ROUND = (1.0, 2.0, 5.0, 10.0)
_SLACK = 1e-9  # of a step: rounding may not lose the last tick
_DAYS_A_MONTH = 30.4
_MONTHS = (1, 3, 6, 12)
_YEARS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_EPOCH = date(1970, 1, 1)
_FIRST_DAY = (date.min - _EPOCH).days
_LAST_DAY = (date.max - _EPOCH).days


class Tick(NamedTuple):
    """Place on an axis, and what is written there."""

    value: float
    label: str


def ticks(low: float, high: float, n: int, unit: str | None = None) -> list[Tick]:
    """Return about n ticks between two numbers.

    Parameters
    ----------
    low, high
        The first and the last number on the axis.
    n
        Number of ticks to aim at.
    unit
        Of dates, the unit of the numbers, which are days since 1970.

    Returns
    -------
    list of Tick
        In ascending order, none of them outside the axis.
    """
    if unit is not None and low >= _FIRST_DAY and high <= _LAST_DAY:
        return _date_ticks(low, high, n)
    return [Tick(value, number_text(value, 4)) for value in round_numbers(low, high, n)]


def round_numbers(low: float, high: float, n: int) -> list[float]:
    """Return about n round numbers from low to high."""
    step = round_up((high - low) / n)
    if not step or low + step == low or high - step == high:
        return [low]
    first = math.ceil(low / step - _SLACK)
    last = math.floor(high / step + _SLACK)
    return [number * step for number in range(first, last + 1)]


def round_up(number: float) -> float:
    """Return the least of 1, 2, 5, 10, 20, … times a power of ten that is not below a number; 0 for one below 0."""
    if number <= 0 or not math.isfinite(number):
        return 0.0
    power = math.floor(math.log10(number))
    leading = number / 10.0**power
    factor = next(each for each in _ROUND if leading <= each * (1 + _SLACK))
    return factor * 10.0**power if power >= 0 else factor / 10.0**-power


def _date_ticks(low: float, high: float, n: int) -> list[Tick]:
    months = (high - low) / _DAYS_A_MONTH / n
    if months > 0.5:
        return _month_ticks(low, high, _month_step(months))
    if (high - low) / n >= 1:
        step = math.ceil((high - low) / n)
        return [Tick(day, date_text(day)) for day in range(math.ceil(low), math.floor(high) + 1, step)]
    return [Tick(value, date_text(value)) for value in round_numbers(low, high, max(1, n // 2))]


def _month_step(months: float) -> int:
    """Return the months between two ticks."""
    steps = [*_MONTHS, *(12 * years for years in _YEARS[1:])]
    return next((step for step in steps if months <= step), steps[-1])


def _month_ticks(low: float, high: float, step: int) -> list[Tick]:
    """Return ticks at the first days of months, or of years."""
    first = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=math.ceil(low))
    found = []
    month = -(-(12 * first.year + first.month - 1) // step) * step
    while month // 12 <= date.max.year:
        day = (date(month // 12, month % 12 + 1, 1) - _EPOCH).days
        if day > high:
            break
        if day >= low:
            found.append(Tick(day, str(month // 12) if step % 12 == 0 else f"{month // 12}-{month % 12 + 1:02}"))
        month += step
    return found
