"""Exact sums: those of fractions, whatever the order of the numbers and however they are divided."""

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.model.arrays import FloatArray
from microagg.model.exact_sum import ExactSum, nearest_float, sums_by_code
from microagg.model.row_slices import ROWS_PER_SLICE

finite = st.floats(allow_nan=False, allow_infinity=False)
subnormal = st.floats(-1e-307, 1e-307)
numbers = st.lists(finite | subnormal | st.integers(-9, 9).map(float), max_size=40).map(np.array).map(np.float64)


def fraction_of(values: FloatArray) -> Fraction:
    """Return the sum of floats, one after another."""
    return sum(map(Fraction, values.tolist()), Fraction(0))


@given(numbers)
def test_sums_are_those_of_fractions(values: FloatArray) -> None:
    assert ExactSum.of(values).fraction == fraction_of(values)


@given(st.lists(st.floats(-1e300, 1e300), max_size=40))
def test_values_are_rounded_once(values: list[float]) -> None:
    assert float(ExactSum.of(np.array(values))) == ExactSum.of(np.array(values)).value == math.fsum(values)


@given(numbers, st.randoms(use_true_random=False), st.integers(0, 40))
def test_neither_order_nor_division_matters(values: FloatArray, random: Any, cut: int) -> None:
    shuffled = values[random.sample(range(len(values)), len(values))]
    merged = ExactSum.of(shuffled[cut:]).merged(ExactSum.of(shuffled[:cut]))
    assert merged == ExactSum.of(values)


def test_many_large_mantissas_of_one_exponent_are_exact() -> None:
    values = np.full(2 * ROWS_PER_SLICE + 1, math.nextafter(2.0, 0.0))
    assert ExactSum.of(values).fraction == len(values) * Fraction(math.nextafter(2.0, 0.0))
    assert ExactSum.of(-values).fraction == -ExactSum.of(values).fraction


def test_columns_of_a_matrix_can_be_summed() -> None:
    assert ExactSum.of(np.arange(12.0).reshape(4, 3)[:, 1]).value == 22.0


def test_the_sum_of_nothing_is_zero() -> None:
    assert ExactSum.of(np.array([])) == ExactSum()
    assert ExactSum().value == 0.0


def test_sums_are_small_and_show_no_value() -> None:
    total = ExactSum.of(np.random.default_rng(1).lognormal(size=1000))
    assert len(pickle.dumps(total)) < 500
    assert pickle.loads(pickle.dumps(total)) == total
    assert repr(total) == "ExactSum()"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_only_finite_numbers_have_an_exact_sum(value: float) -> None:
    with pytest.raises(ValueError, match="found NaN or infinity"):
        ExactSum.of(np.array([1.0, value]))
    with pytest.raises(ValueError, match="found NaN or infinity"):
        sums_by_code(np.array([1.0, value]), np.array([0, 1]), 2)


def test_what_floats_do_not_hold_is_infinite() -> None:
    assert ExactSum.of(np.full(2, 1.7e308)).value == math.inf
    assert ExactSum.of(np.full(2, -1.7e308)).value == -math.inf
    assert nearest_float(1, 3) == 1 / 3


@given(numbers, st.data())
def test_sums_by_code_are_those_of_each_code(values: FloatArray, data: st.DataObject) -> None:
    codes = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values))), dtype=np.int64)
    sums = sums_by_code(values, codes, 5)
    assert sums == [ExactSum.of(values[codes == code]) for code in range(5)]
