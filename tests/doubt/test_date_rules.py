"""Years and dates by the name and the values of a column."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from microagg import read
from microagg.doubt import doubts
from reasons import reason


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("YEAR", [96, 96, 96]),
        ("birth_year", [1950, 2001, 1987]),
        ("SURVYEAR", [1999, 2001, 2000]),
        ("month", [1, 12, 7]),
        ("MON", [199601, 199612, 199607]),
        ("Day", [366, 1, 17]),
        ("date", [35431, 35400, 35999]),
        ("dob", [19870412, 19990130, 19550101]),
        ("x", [20000101, 20240229, 19991231, 20010615, 20000501, 20070707]),
        ("x", [200001, 202412, 199912, 200106, 200005, 200707]),
        ("x", [1987, 2001, 1955, 2010, 1999, 1980]),
        ("x", [1987.0, 2001.0, 1955.0, 2010.0, 1999.0, 1980.0]),
    ],
)
def test_years_and_dates(name: str, values: Any) -> None:
    assert reason(values, name).startswith("may be a year or a date")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("income_year", [25000, 31000, 18500]),
        ("years_of_schooling", [12, 9, 17]),
        ("month_rent", [450, 1200, 13]),
        ("birth_weight", [2900, 3650, 4100]),
        ("x", [1950, 2010, 2050, 1980, 1900, 2100]),  # round, as amounts are
        ("x", [1987, 2001, 1955, 2010, 1999]),
        ("x", [1987, 2001, 1955, 2010, 1999, 2101]),
        ("x", [1987.5, 2001.0, 1955.0, 2010.0, 1999.0, 1980.0]),
        ("x", [20000101, 20240230, 19991231, 20010615, 20000501, 20070707]),
        ("x", [20000101, 20241329, 19991231, 20010615, 20000501, 20070707]),
        ("x", [200001, 202413, 199912, 200106, 200005, 200707]),
    ],
)
def test_neither_years_nor_dates(name: str, values: Any) -> None:
    assert reason(values, name) == "plain"


BY_NAME = "may be a year or a date, by its name"


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("year", 0, 99),
        ("year", 1800, 2200),
        ("myyr", 1800, 2200),
        ("SURVYEAR", 0, 99),
        ("month", 1, 12),
        ("mon", 1, 12),
        ("month", 190001, 210012),
        ("day", 1, 366),
        ("date", 0, 99),
        ("date", 1800, 2200),
    ],
)
def test_names_of_dates_need_plausible_values(name: str, low: int, high: int) -> None:
    middle = [low + 1, high - 1]
    assert reason([*middle, low, high], name) == BY_NAME
    for values in ([*middle, low - 1, high], [*middle, low, high + 1], [*middle, low + 0.5, high]):
        assert reason(values, name) != BY_NAME
    assert reason([*middle, low, high], "amount") != BY_NAME


@pytest.mark.parametrize("word", ["date", "dates", "dob", "birth", "birthday", "birthdate"])
def test_words_for_dates_take_large_numbers(word: str) -> None:
    assert reason([10_000, 10_007, 10_002], f"my_{word}") == BY_NAME
    assert reason([9_999, 10_007, 10_002], f"my_{word}") == "plain"
    assert reason([10_000, 10_007, 10_002], "amount") == "plain"


@pytest.mark.parametrize(
    ("values", "date"),
    [
        ([1900, 1987, 2001, 1955, 2010, 2100], True),
        ([1899, 1987, 2001, 1955, 2010, 2100], False),
        ([1900, 1987, 2001, 1955, 2010, 2101], False),
        ([1900, 1985, 2000, 1955, 2010, 2100], False),  # all of them round
        ([1900, 1985, 2000, 1956, 2010, 2100], True),
        ([1987] * 6, False),  # always the same
        ([1987, 1987, 1987, 1987, 1987, 1988], True),
        ([1987, 1987, 1987, 1987, 1988], False),  # five records
        ([190001, 202412, 199912, 200106, 200005, 210012], True),
        ([190000, 202412, 199912, 200106, 200005, 210012], False),
        ([189912, 202412, 199912, 200106, 200005, 210012], False),
        ([190001, 202412, 199912, 200106, 200005, 210101], False),
        ([190001, 202413, 199912, 200106, 200005, 210012], False),
        ([18000101, 20240229, 19991231, 20010630, 20000501, 22001231], True),
        ([17991231, 20240229, 19991231, 20010630, 20000501, 22001231], False),
        ([18000101, 20240229, 19991231, 20010630, 20000501, 22010101], False),
        ([18000101, 20240230, 19991231, 20010630, 20000501, 22001231], False),
        ([18000101, 20240200, 19991231, 20010630, 20000501, 22001231], False),
        ([18000101, 20240029, 19991231, 20010630, 20000501, 22001231], False),
        ([18000101, 20241301, 19991231, 20010630, 20000501, 22001231], False),
        ([18000101, 20240229, 19991231, 20010631, 20000501, 22001231], False),
    ],
)
def test_dates_by_values_at_their_edges(values: list[int], date: bool) -> None:
    assert (reason(values) == "may be a year or a date") is date
    assert (reason([float(value) for value in values]) == "may be a year or a date") is date
    assert reason([value + 0.5 for value in values]) == "plain"


MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


@pytest.mark.parametrize(("month", "days"), list(enumerate(MONTH_DAYS, start=1)))
def test_every_month_has_its_days(month: int, days: int) -> None:
    others = [20000101, 19991231, 20010630, 20000501, 20070707]
    last = 20040000 + 100 * month + days
    assert reason([*others, last]) == "may be a year or a date"
    assert reason([*others, last + 1]) == "plain"


def test_half_precision_does_not_overflow() -> None:
    table = read(pd.DataFrame({"date": np.array([1900, 1950, 2000, 1987], dtype=np.float16)}))
    assert doubts(table, table.names)[0].reason == BY_NAME
