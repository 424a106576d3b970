"""Moments of numbers: by hand, against the oracle, and of any parts merged."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_utility as naive
from microagg.measure.moments import Moments
from microagg.model import row_slices

NUMBERS = st.lists(st.integers(-1000, 1000).map(lambda number: number / 8), min_size=1, max_size=30)


def test_moments_by_hand() -> None:
    moments = Moments.of(np.array([0.0, 0.0, 4.0, 8.0]))
    assert (moments.count, moments.mean) == (4, 3.0)
    assert moments.variance == pytest.approx(44 / 3)
    assert (moments.cubes, moments.fourths, moments.n_zero) == (72.0, 788.0, 2)
    assert moments.skewness == pytest.approx(18 / 11**1.5)
    assert moments.zero_share == 50.0
    assert moments.deviation == pytest.approx(math.sqrt(44 / 3))
    assert moments.variance_of_variance == pytest.approx((788 / 4 - 11**2) / 4)
    assert not moments.is_constant


def test_one_number_and_equal_numbers() -> None:
    one = Moments.of(np.array([7.0]))
    assert (one.variance, one.deviation, one.skewness, one.zero_share) == (None, 0.0, None, 0.0)
    equal = Moments.of(np.full(5, 0.1))
    assert (equal.mean, equal.variance, equal.skewness, equal.is_constant) == (0.1, 0.0, None, True)
    assert equal.variance_of_variance == 0.0


@given(NUMBERS, st.data())
def test_parts_merge_to_the_moments_of_the_whole(numbers: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(numbers)))
    parts = [np.array(part) for part in (numbers[:cut], numbers[cut:]) if part]
    merged = Moments.of(parts[0]) if len(parts) == 1 else Moments.of(parts[0]).merged(Moments.of(parts[1]))
    assert merged.count == len(numbers)
    assert merged.n_zero == numbers.count(0.0)
    assert merged.mean == pytest.approx(naive.mean(numbers), abs=1e-9)
    for power, found in ((2, merged.statistics.squares), (3, merged.cubes), (4, merged.fourths)):
        size = naive.central(numbers, 2) ** (power / 2) * len(numbers)
        assert found == pytest.approx(naive.central(numbers, power) * len(numbers), rel=1e-9, abs=1e-9 * size + 1e-12)


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(0).lognormal(size=1000)
    whole = Moments.of(numbers)
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 7)
    sliced = Moments.of(numbers)
    assert sliced.cubes == pytest.approx(whole.cubes, rel=1e-12)
    assert sliced.fourths == pytest.approx(whole.fourths, rel=1e-12)
    assert sliced.statistics.squares == pytest.approx(whole.statistics.squares, rel=1e-12)


def test_nothing_is_lost_far_from_zero() -> None:
    numbers = np.array([0.0, 1.0, 1.0, 4.0])
    far = Moments.of(numbers + 2.0**30)
    near = Moments.of(numbers)
    assert far.variance == pytest.approx(near.variance)
    assert far.skewness == pytest.approx(near.skewness)
