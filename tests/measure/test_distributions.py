"""Distributions of numbers: quantiles and histograms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_utility as naive
from microagg.measure.distributions import bins_of, counts_in, distribution_of, empty_distribution, quantiles
from microagg.measure.moments import Moments
from microagg.model.assessment import QUANTILE_LEVELS

NUMBERS = st.lists(st.integers(-50, 50).map(lambda number: number / 4), min_size=1, max_size=40)


@given(NUMBERS, st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=5))
def test_quantiles_are_those_of_the_oracle(numbers: list[float], levels: list[float]) -> None:
    found = quantiles(np.sort(numbers), np.array(levels))
    assert found.tolist() == pytest.approx([naive.quantile(numbers, level) for level in levels])
    within = np.clip(levels, 0.0, 1.0)
    assert found.tolist() == pytest.approx(np.quantile(numbers, within).tolist())


def test_quantiles_by_hand() -> None:
    ordered = np.array([1.0, 2.0, 4.0, 8.0])
    assert quantiles(ordered, np.array([0.0, 0.5, 0.9, 1.0])).tolist() == pytest.approx([1.0, 3.0, 6.8, 8.0])


@given(NUMBERS)
def test_histograms_are_those_of_numpy(numbers: list[float]) -> None:
    ordered = np.sort(numbers)
    bins = bins_of(ordered)
    assert counts_in(bins, ordered) == tuple(np.histogram(ordered, bins)[0].tolist())


def test_bins_of_few_and_of_many_numbers() -> None:
    assert bins_of(np.array([0.0, 10.0])).tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    assert len(bins_of(np.arange(1000.0))) == 1 + 20
    assert len(bins_of(np.arange(100_000.0))) == 1 + 30
    assert bins_of(np.array([3.0, 3.0])).tolist() == [2.5, 3.5]
    low, high = bins_of(np.full(2, 1e18)).tolist()
    assert low < 1e18 < high


def test_values_beyond_the_bins_count_at_the_ends() -> None:
    assert counts_in(np.array([0.0, 1.0, 2.0]), np.array([-5.0, 0.5, 1.0, 2.0, 9.0])) == (2, 3)


@given(NUMBERS, st.data())
def test_counts_of_parts_add_up(numbers: list[float], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(numbers)))
    bins = bins_of(np.sort(numbers))
    parts = [counts_in(bins, np.sort(part)) for part in (numbers[:cut], numbers[cut:])]
    assert tuple(map(sum, zip(*parts, strict=True))) == counts_in(bins, np.sort(numbers))


def test_distribution_by_hand() -> None:
    numbers = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    found = distribution_of(Moments.of(numbers), numbers, n_missing=2)
    assert (found.count, found.n_missing, found.mean, found.variance) == (5, 2, 2.0, 2.5)
    assert (found.skewness, found.zero_share) == (0.0, 20.0)
    assert found.quantiles == pytest.approx([4 * level for level in QUANTILE_LEVELS])
    assert found.counts == (1, 1, 1, 1, 1)
    assert "2.0" not in repr(found), "no value of the data is shown"


def test_distribution_of_nothing() -> None:
    found = empty_distribution(3)
    assert (found.count, found.n_missing, found.mean, found.quantiles, found.counts) == (0, 3, None, (), ())
