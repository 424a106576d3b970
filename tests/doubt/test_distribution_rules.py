"""Constant columns, structural zeros and skewness."""

from typing import Any

import numpy as np
import pytest

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.distribution_rules import nearly_constant, skewed, structural_zeros


def _profile(values: Any) -> ColumnProfile:
    return ColumnProfile.of_values("x", np.asarray(values))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([7] * 5, "is constant: all its values are the same"),
        ([7] * 99 + [8], "is nearly constant: 99.0 % of its values are the same"),
        ([7] * 98 + [8, 9], None),
        ([1, 2, 3], None),
        ([], None),
    ],
)
def test_nearly_constant(values: list[int], reason: str | None) -> None:
    assert nearly_constant(_profile(values)) == reason


AMOUNTS = [100.0 + 7 * i for i in range(90)]


def test_structural_zeros_are_a_tenth_of_the_records_at_least() -> None:
    assert structural_zeros(_profile([*AMOUNTS, *[0.0] * 10])) == (
        "has structural zeros: 10 % of its values are exactly 0, the others far from it"
    )
    assert structural_zeros(_profile([*AMOUNTS, *[0.0] * 9])) is None
    assert structural_zeros(_profile([0, 0, 0])) is None
    assert structural_zeros(_profile([1, 2, 3])) is None
    assert structural_zeros(_profile(np.array([], dtype=float))) is None


def test_zeros_of_a_count_are_not_structural() -> None:
    counts = np.random.default_rng(0).poisson(2.0, 1000)
    assert structural_zeros(_profile(counts)) is None
    assert structural_zeros(_profile([*[0] * 30, *[1] * 10])) is not None, "three times as often is enough"
    assert structural_zeros(_profile([*[0] * 29, *[1] * 10])) is None


def test_zeros_that_a_distribution_reaches_are_not_structural() -> None:
    near = [0.001 * i for i in range(1, 4)]
    assert structural_zeros(_profile([*AMOUNTS, *[0.0] * 15, *near])) is not None
    assert structural_zeros(_profile([*AMOUNTS, *[0.0] * 14, *near])) is None
    losses = [-value for value in AMOUNTS]
    assert structural_zeros(_profile([*losses, *[0.0] * 20])) is not None


def test_skewed_to_the_right_tells_what_the_largest_hold() -> None:
    values = np.exp(np.linspace(-2, 12, 300))
    share = 100 * np.sort(values)[-3:].sum() / values.sum()
    expected = f"is skewed to the right: the largest 3 of 300 values hold {share:.0f} % of the total"
    assert skewed(_profile(values)) == expected


def test_skewness_is_told_where_there_is_no_total() -> None:
    values = np.exp(np.linspace(-2, 12, 300))
    reason = skewed(_profile(-values))
    assert reason is not None
    assert reason.startswith("is skewed to the left: skewness -")
    with_losses = skewed(_profile([-5.0, *values]))
    assert with_losses is not None
    assert with_losses.startswith("is skewed to the right: skewness ")


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(0, 1, 300),
        np.random.default_rng(0).normal(size=300),
        np.exp(np.linspace(-2, 12, 29)),
        np.zeros(100),
        [0.0] * 299 + [1.0],
    ],
)
def test_not_skewed(values: Any) -> None:
    assert skewed(_profile(values)) is None


def test_thirty_values_may_be_skewed() -> None:
    assert skewed(_profile(np.exp(np.linspace(-2, 12, 30)))) is not None


def test_skewness_of_huge_numbers_does_not_overflow() -> None:
    assert skewed(_profile(1e200 * np.exp(np.linspace(-2, 12, 300)))) is not None
