"""Codes and sentinels by the values of a column."""

from typing import Any

import polars as pl
import pytest

from reasons import reason


def test_few_whole_numbers_are_codes() -> None:
    assert reason([1, 2, 2, 1, 1, 2, 1, 2]) == "looks like a code: whole numbers with only 2 different values"
    assert reason([1, 2, 2, 1, 1, 2, 1]) == "plain"
    assert reason([4] * 20) == "plain"
    assert reason([1.5, 2.5, 2.5, 1.5, 1.5, 2.5, 1.5, 2.5]) == "plain"
    assert reason([3 * value for value in range(15)] * 4).endswith("with only 15 different values")
    assert reason([3 * value for value in range(16)] * 4) == "plain"


@pytest.mark.parametrize(
    ("sentinels", "why"),
    [
        ([999], "a sentinel for a missing value: 999, far from all others"),
        ([999, 999], "a sentinel for a missing value: 999, far from all others"),
        ([999.0], "a sentinel for a missing value: 999, far from all others"),
        ([99.9], "a sentinel for a missing value: 99.9, far from all others"),
        ([97, 99, 98], "sentinels for a missing value: 97, 98, 99, far from all others"),
        ([99, 9999], "sentinels for a missing value: 99, 9999, far from all others"),
        ([-1], "a sentinel for a missing value: -1, the only negative value"),
        ([-9.0], "a sentinel for a missing value: -9, the only negative value"),
        ([-8, -9], "sentinels for a missing value: -9, -8, the only negative values"),
        ([-5, -4, -999], "a sentinel for a missing value: -999, far from all others"),
    ],
)
def test_sentinels(sentinels: Any, why: str) -> None:
    ages = [31, 5, 17, 44, 23, 38, *sentinels]
    assert reason(pl.Series(ages, strict=False), "age") == f"has what may be {why}"
    assert reason([float(age) for age in ages], "age") == f"has what may be {why}"


@pytest.mark.parametrize(
    "values",
    [
        [31, 5, 17, 44, 23, 38, 998.5],
        [31, 5, 17, 44, 23, 38, 63],
        [31, 5, 17, 44, 23, 96, 99],  # not far from 96
        [31, 5, 17, 44, 23, 38, 999, 5000],  # not the largest
        [31, 5, 999],  # nothing can be told of two others
        [31, 5, 17, 44, 23, -1, -3],
        [-1, -7, -8],
    ],
)
def test_no_sentinels(values: Any) -> None:
    assert reason(values, "age") == "plain"


def test_far_is_more_than_half_of_the_range_of_the_others() -> None:
    assert reason([1, 67, 40, 23, 99]) == "plain"  # 32 of 66
    assert "99, far from" in reason([1, 66, 40, 23, 99])  # 33 of 65


def test_piled_up_sentinel() -> None:
    ages = [*range(18, 95), *range(17, 95), 20, 17]
    assert "99, far more often" in reason([*ages, *[99] * 10], "age")
    assert reason([*ages, *[99] * 9], "age") == "plain"  # 94 occurs twice
    many = [2.5 * age for age in range(600)]
    assert "1499, far more often" not in reason([*many, *[1499] * 6])
    assert "9999, far more often" in reason([*(8498.5 + value for value in many), *[9999] * 7])
    assert reason([*(8498.5 + value for value in many), *[9999] * 5]) == "plain"  # less than 1 %


def test_one_digit_among_codes_is_no_sentinel_but_two_digits_are() -> None:
    assert reason([1, 2, 3, 9] * 4).startswith("looks like a code")
    assert reason([1, 2, 3, 99] * 4) == "has what may be a sentinel for a missing value: 99, far from all others"
    assert reason([1, 2, 3, 9]) == "has what may be a sentinel for a missing value: 9, far from all others"
