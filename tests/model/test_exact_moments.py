"""Exact moments: those of fractions, whatever the order of the numbers and however they are divided."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.exact_moments import ExactMoments
from microagg.model.row_slices import ROWS_PER_SLICE
from microagg.model.statistics import Statistics

finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.lists(finite | st.floats(-1e-307, 1e-307), min_size=1, max_size=30).map(np.array).map(np.float64)
integers = st.lists(st.integers(-(2**62), 2**62) | st.integers(10**15, 10**15 + 99), min_size=1, max_size=30).map(
    lambda listed: np.array(listed, dtype=np.int64)
)


@given(numbers)
def test_moments_are_those_of_fractions(values: FloatArray) -> None:
    moments = ExactMoments.of(values)
    exact = [Fraction(value) for value in values.tolist()]
    assert moments.total == sum(exact)
    assert moments.squares == sum(value**2 for value in exact)
    assert (moments.count, moments.lowest, moments.highest) == (len(values), values.min(), values.max())


@given(st.lists(st.floats(-1e150, 1e150), min_size=1, max_size=30))
def test_statistics_are_rounded_once(values: list[float]) -> None:
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    statistics = ExactMoments.of(np.array(values)).statistics
    assert statistics.mean == float(mean)
    assert statistics.squares == float(sum((value - mean) ** 2 for value in exact))
    assert statistics == Statistics.of(np.array(values))


@given(numbers, st.randoms(use_true_random=False), st.integers(0, 30))
def test_neither_order_nor_division_matters(values: FloatArray, random: Any, cut: int) -> None:
    shuffled = values[random.sample(range(len(values)), len(values))]
    assert ExactMoments.of(shuffled[:cut]).merged(ExactMoments.of(shuffled[cut:])) == ExactMoments.of(values)


def test_many_large_mantissas_of_one_exponent_are_exact() -> None:
    number = float(np.nextafter(2.0, 0.0))
    values = np.full(ROWS_PER_SLICE + 3, number)
    assert ExactMoments.of(values).squares == len(values) * Fraction(number) ** 2
    assert ExactMoments.of(values).statistics == Statistics(len(values), number, number, number, 0.0)


@given(integers)
def test_integers_are_exact_beyond_floats(values: IntArray) -> None:
    moments = ExactMoments.of_integers(values)
    listed = values.tolist()
    assert (moments.total, moments.squares) == (sum(listed), sum(value**2 for value in listed))
    assert (moments.count, moments.lowest, moments.highest) == (len(listed), min(listed), max(listed))


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1])
def test_many_of_the_largest_integers_are_exact(number: int) -> None:
    n = ROWS_PER_SLICE + 3
    moments = ExactMoments.of_integers(np.full(n, number))
    assert moments.total == Fraction(n * number)
    assert moments.squares == Fraction(n * number**2)


@given(integers, st.integers(-(2**62), 2**62))
def test_shifted_moments_are_those_of_shifted_integers(values: IntArray, origin: int) -> None:
    shifted = ExactMoments.of_integers(values).shifted(origin)
    listed = [value - origin for value in values.tolist()]
    assert (shifted.total, shifted.squares) == (sum(listed), sum(value**2 for value in listed))
    assert (shifted.lowest, shifted.highest) == (min(listed), max(listed))


@given(st.lists(st.integers(0, 4), max_size=9))
def test_counted_numbers_are_as_if_listed(counts: list[int]) -> None:
    listed = np.repeat(np.arange(len(counts)), counts)
    assert ExactMoments.of_counted(counts) == ExactMoments.of_integers(listed)


def test_no_number_changes_nothing() -> None:
    some = ExactMoments.of(np.array([-3.0, -2.0]))
    assert (
        ExactMoments.of(np.array([])) == ExactMoments.of_integers(np.array([], dtype=np.int64)) == ExactMoments.empty()
    )
    assert some.merged(ExactMoments.empty()) == ExactMoments.empty().merged(some) == some


def test_both_zeros_are_one_number() -> None:
    assert not np.signbit(ExactMoments.of(np.array([-0.0, -0.0])).lowest)
    assert not np.signbit(ExactMoments.of(np.array([-0.0, -1.0])).highest)


def test_squares_that_floats_do_not_hold_are_infinite() -> None:
    assert ExactMoments.of(np.array([1e200, -1e200])).statistics.squares == np.inf
    assert ExactMoments.of(np.array([1e150, -1e150])).statistics.squares == pytest.approx(2e300)
    assert ExactMoments.of(np.array([1e-150, -1e-150])).statistics.squares == pytest.approx(2e-300)


def test_representations_show_no_value() -> None:
    assert repr(ExactMoments.of(np.array([4711.0]))) == "ExactMoments(count=1)"
