"""Codes and sentinels by the values of a column."""

from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.sentinel_rules import sentinel_among_codes
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


def _sentinels(values: list[float]) -> str:
    """Return what is said of sentinels among values that are neither codes nor in order."""
    found = reason(values)
    return found.removeprefix("has what may be ").replace(" for a missing value", "")


ONE = "a sentinel: "
SEVERAL = "sentinels: "
FAR = ", far from all others"


@pytest.mark.parametrize("value", [99, 97, 98, 999, 997, 998, 77, 777, 88, 8888, 99.9, 999.99])
def test_numbers_that_are_used_as_sentinels(value: float) -> None:
    assert _sentinels([1.5, 3.5, 2.5, value]) == f"{ONE}{value}{FAR}"
    assert _sentinels([-1.5, -3.5, -2.5, -value]) == f"{ONE}{-value}{FAR}"


@pytest.mark.parametrize("value", [96, 7, 8, 87, 78, 89, 9.9, 99.8, 95, 9990, 990])
def test_numbers_that_are_not(value: float) -> None:
    assert reason([1.5, 3.5, 2.5, value]) == "plain"


def test_nine_alone_is_a_sentinel_at_the_upper_end_only() -> None:
    assert _sentinels([1.5, 3.5, 2.5, 9]) == f"{ONE}9{FAR}"
    assert reason([-1.5, -3.5, -2.5, -9]) == "plain"
    assert _sentinels([-1.5, -3.5, -2.5, -10.5, -99]) == f"{ONE}-99{FAR}"


@pytest.mark.parametrize("value", [-1, -2, -7, -8, -9, -97, -99, -999, -77, -88, -99.9])
def test_the_only_negative_value_is_a_sentinel(value: float) -> None:
    assert _sentinels([0.0, 350.5, 200.5, value]) == f"{ONE}{value}, the only negative value"


@pytest.mark.parametrize("value", [-3, -4, -5, -6, -1.5, -96])
def test_other_negative_values_are_none(value: float) -> None:
    assert reason([0.0, 350.5, 200.5, value]) == "plain"


def test_sentinels_need_three_other_values() -> None:
    assert reason([1.5, 2.5, 99]) == "plain"
    assert _sentinels([1.5, 2.5, 3.5, 99]) == f"{ONE}99{FAR}"
    assert reason([0.5, 200.5, -1]) == "plain"
    assert _sentinels([0.5, 200.5, 300.5, -1]) == f"{ONE}-1, the only negative value"


def test_a_column_has_at_most_six_sentinels() -> None:
    others = [0.5, 2.5, 1.5]
    six: list[float] = [77, 88, 97, 98, 99, 777]
    assert _sentinels([*others, *six]) == f"{SEVERAL}77, 88, 97, 98, 99, 777{FAR}"
    assert _sentinels([*others, *six, 888]) == f"{SEVERAL}777, 888{FAR}"
    six = [-1, -2, -7, -8, -9, -97]
    assert _sentinels([*others, *six]) == f"{SEVERAL}-97, -9, -8, -7, -2, -1, the only negative values"
    assert _sentinels([*others, *six, -98]) == f"{SEVERAL}-97, -98{FAR}"


@pytest.mark.parametrize(("value", "far"), [(99, True), (97, False)])
def test_far_is_more_than_half_of_the_range(value: int, far: bool) -> None:
    others = [0.5, 20.5, 64.9]  # half of the range: 32.2
    assert (reason([*others, value]) == "plain") is not far
    assert reason([0.0, 20.5, 66.0, 99.0]) == "plain"  # exactly half


@pytest.mark.parametrize(
    ("records", "times", "next_times", "piled"),
    [
        (60, 5, 1, True),
        (60, 4, 1, False),
        (60, 10, 2, True),
        (60, 9, 2, False),
        (693, 7, 1, True),  # 1 % of 700 are 7
        (694, 7, 1, False),
    ],
)
def test_piles_at_their_edges(records: int, times: int, next_times: int, piled: bool) -> None:
    spread = [float(value) for value in np.linspace(0.25, 95.25, records - next_times)]
    values = [*spread, *[98.5] * next_times, *[99.0] * times]
    expected = "a sentinel: 99, far more often than the value next to it"
    assert (_sentinels(values) == expected) is piled


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([10, 20] * 4, True),
        ([10, 20] * 3 + [10], False),
        ([10] * 8, False),
        ([10 * value for value in range(15)] * 4, True),
        ([10 * value for value in range(16)] * 4, False),
        ([10 * value for value in range(15)] * 3 + [10 * value for value in range(14)], False),
        ([10.5, 20.5] * 4, False),
    ],
)
def test_codes_at_their_edges(values: list[float], code: bool) -> None:
    found = reason(values)
    expected = f"looks like a code: whole numbers with only {len(set(values))} different values"
    assert (found == expected) is code


def test_sentinels_of_two_digits_are_told_of_codes_too() -> None:
    assert reason([1, 2, 3, -9] * 4).startswith("looks like a code")
    assert reason([1, 2, 3, -99] * 4) == "has what may be a sentinel for a missing value: -99, the only negative value"
    assert "97, 99" in reason([1, 2, 3, 97, 99] * 4)


@pytest.mark.parametrize(
    ("codes", "listed"),
    [
        ([1, 2, 9], "9"),
        ([1, 2, 7, 9], "7, 9"),
        ([1, 2, 3, 7], "7"),
        ([0, 1, 97, 98, 99], "97, 98, 99"),
        ([1, 2, 3, 4, 5, 6, 7, 9], "9"),
        ([1, 2, 3, 4, 5, 6, 8], "8"),
    ],
)
def test_codes_for_no_answer_come_after_a_gap(codes: list[int], listed: str) -> None:
    profile = ColumnProfile.of_values("x", np.array(codes))
    assert sentinel_among_codes(profile) == f"has codes that may stand for no answer: {listed}"


@pytest.mark.parametrize("codes", [[1, 2, 3], [7, 8, 9], [1, 9], [5, 6, 7, 8, 9], [1, 2, 6], [1, 2, 10]])
def test_other_codes_are_answers(codes: list[int]) -> None:
    assert sentinel_among_codes(ColumnProfile.of_values("x", np.array(codes))) is None


def test_places_without_a_telling_name_are_codes_in_any_order() -> None:
    places = np.repeat(np.arange(1, 195), 20 + np.arange(194) % 19)
    expected = "looks like a code: 194 whole numbers that count up from 1, none of them rare"
    shuffled = np.random.default_rng(0).permutation(places)
    assert reason(places) == reason(shuffled) == expected
    assert reason(shuffled[shuffled != 100]) == "plain", "a gap"
    assert reason(shuffled + 1) == "plain", "from 2 on"
    ages = np.random.default_rng(1).binomial(90, 0.4, 5000)
    assert reason(np.append(ages, np.arange(1, 91))) == "plain", "the largest are rare"


@given(st.integers(2, 200), st.integers(4, 6), st.integers(0, 3), st.integers(1, 3), st.randoms(use_true_random=False))
def test_codes_are_recognised_whatever_the_order(m: int, times: int, low: int, step: int, random: Random) -> None:
    values = [low + step * code for code in range(m) for _ in range(times)] + [low] * 3
    in_order = reason(values)
    shuffled = [*values]
    random.shuffle(shuffled)
    assert reason(shuffled) == in_order
    assert reason(values[::-1]) == in_order
    if m <= 15:
        assert in_order.startswith("looks like a code"), "and no identifier where the file is sorted by it"
