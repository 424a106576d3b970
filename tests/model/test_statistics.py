"""Statistics of numbers, and the scales that they make."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg.model.arrays import FloatArray
from microagg.model.statistics import Statistics, spread_of

columns = hnp.arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 1e6).map(lambda number: round(number, 4)))


@given(columns)
def test_statistics_are_those_of_numpy(values: FloatArray) -> None:
    statistics = Statistics.of(values)
    scale = 1e-9 * (1 + np.abs(values).max())
    assert (statistics.count, statistics.lowest, statistics.highest) == (len(values), values.min(), values.max())
    assert statistics.mean == pytest.approx(values.mean(), abs=scale)
    assert statistics.deviation == pytest.approx(values.std(), abs=scale)
    assert abs(statistics.shift) == (0.0 if values.min() <= 0.0 <= values.max() else np.abs(values).min())


@given(columns, columns)
def test_statistics_of_parts_merge(one: FloatArray, other: FloatArray) -> None:
    merged = Statistics.of(one).merged(Statistics.of(other))
    together = Statistics.of(np.concatenate([one, other]))
    scale = 1e-9 * (1 + np.abs(np.concatenate([one, other])).max())
    assert (merged.count, merged.lowest, merged.highest) == (together.count, together.lowest, together.highest)
    assert merged.mean == pytest.approx(together.mean, abs=scale)
    assert merged.squares == pytest.approx(together.squares, rel=1e-9, abs=scale)


def test_nothing_is_lost_far_from_zero() -> None:
    values = np.array([1e9, 1e9 + 1, 1e9 + 2])
    assert Statistics.of(values).deviation == np.arange(3.0).std()
    assert Statistics.of(-values).deviation == np.arange(3.0).std()
    assert Statistics.of(np.array([1e17, 1.0, 2.0, 4.0])).lowest == 1.0


def test_statistics_of_equal_numbers_are_exact() -> None:
    assert Statistics.of(np.array([0.1] * 7)) == Statistics(7, 0.1, 0.1, 0.1, 0.0)
    assert Statistics.of(np.array([-3.0])) == Statistics(1, -3.0, -3.0, -3.0, 0.0)


def test_statistics_by_hand() -> None:
    statistics = Statistics.of(np.array([2.0, 4.0, 9.0]))
    assert statistics == Statistics(3, 2.0, 9.0, 5.0, 26.0)
    assert statistics.shift == 2.0
    assert Statistics.of(np.array([-2.0, -4.0])).shift == -2.0
    assert Statistics.of(np.array([-2.0, 4.0])).shift == 0.0
    assert statistics.deviation == (26.0 / 3) ** 0.5
    assert Statistics(2, 0.0, 2.0, 1.0, 2.0).merged(Statistics(1, 7.0, 7.0, 7.0, 0.0)) == Statistics(
        3, 0.0, 7.0, 3.0, 26.0
    )


def test_spreads_by_hand() -> None:
    numbers = np.array([1.0, 2.0, 4.0, 8.0, 100.0])
    assert spread_of(numbers, "mad") == (1.4826 * 3.0, "mad")
    assert spread_of(numbers, "iqr") == pytest.approx((6.0 / 1.349, "iqr"))
    assert spread_of(numbers, "range") == (99.0, "range")
    assert spread_of(numbers, "deviation") == (Statistics.of(numbers).deviation, "deviation")


@pytest.mark.parametrize(
    ("numbers", "mad", "iqr"),
    [
        ([0.0, 0.0, 0.0, 1.0, 2.0], "iqr", "iqr"),
        ([0.0, 0.0, 0.0, 0.0, 9.0], "deviation", "deviation"),
        ([0.0, 1.0, 2.0], "mad", "iqr"),
    ],
)
def test_a_scale_of_zero_is_replaced_by_the_next(numbers: list[float], mad: str, iqr: str) -> None:
    array = np.array(numbers)
    assert (spread_of(array, "mad")[1], spread_of(array, "iqr")[1]) == (mad, iqr)
    assert spread_of(array, "mad")[0] > 0
    assert spread_of(array, "iqr")[0] > 0


def test_equal_numbers_have_no_spread() -> None:
    for word in ("deviation", "mad", "iqr", "range"):
        assert spread_of(np.ones(3), word)[0] == 0.0
