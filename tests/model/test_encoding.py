"""How columns become coordinates: the one definition of standardised loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg.model.arrays import FloatArray
from microagg.model.encoding import Axis, Encoding, Statistics

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


def test_representations_show_no_value() -> None:
    assert repr(Statistics.of(np.array([2.0, 4.0]))) == "Statistics(count=2)"
    assert repr(Axis("x", 2.0, 1.0, 2.0)) == "Axis(name='x')"


def test_axes_shift_and_scale() -> None:
    numbers = np.array([2.0, 4.0, 8.0])
    assert Axis("x", 2.0, 2.0, 0.0).apply(numbers).tolist() == [0.0, 1.0, 3.0]
    assert Axis("x", 2.0, 1.0, 0.0).apply(numbers).tolist() == [0.0, 2.0, 6.0]
    assert Axis("x", 2.0, 0.0, 0.0).apply(numbers).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("standardise", [True, False])
def test_encoding_is_fitted_to_statistics(standardise: bool) -> None:
    numbers = [np.array([2.0, 4.0, 9.0]), np.array([5.0, 5.0, 5.0])]
    encoding = Encoding.fit(["x", "c"], [Statistics.of(column) for column in numbers], standardise)
    assert encoding.names == ("x", "c")
    assert encoding.standardise is standardise
    x, c = encoding.axes
    assert (x.shift, x.scale, x.squares) == (2.0, (26.0 / 3) ** 0.5 if standardise else 1.0, 26.0)
    assert (c.shift, c.scale, c.squares) == (5.0, 0.0, 0.0)
    points = encoding.apply(numbers)
    assert points.shape == (3, 2)
    np.testing.assert_array_equal(points[:, 0], (numbers[0] - 2.0) / x.scale)
    assert points[:, 1].tolist() == [0.0] * 3


def test_encoding_needs_as_many_statistics_as_names() -> None:
    with pytest.raises(ValueError, match="zip"):
        Encoding.fit(["x", "y"], [Statistics.of(np.ones(3))], True)


def test_loss_by_hand() -> None:
    before = [np.array([0.0, 2.0, 10.0, 12.0]), np.array([5.0] * 4)]
    after = [np.array([1.0, 1.0, 11.0, 11.0]), np.array([6.0] * 4)]
    statistics = [Statistics.of(column) for column in before]
    for standardise in (True, False):
        encoding = Encoding.fit(["x", "c"], statistics, standardise)
        assert encoding.loss(before, after) == pytest.approx(100 * 4 / 104)  # a constant column carries no weight
        assert encoding.loss(before, before) == 0.0
    constant = Encoding.fit(["c"], statistics[1:], True)
    assert constant.loss(before[1:], after[1:]) == 0.0
    with pytest.raises(ValueError, match="zip"):
        constant.loss(before, after)


def test_loss_weighs_standardised_columns_alike() -> None:
    before = [np.array([0.0, 2.0]), np.array([0.0, 20.0])]
    after = [np.array([1.0, 1.0]), np.array([0.0, 20.0])]
    statistics = [Statistics.of(column) for column in before]
    assert Encoding.fit("xy", statistics, True).loss(before, after) == pytest.approx(50.0)
    assert Encoding.fit("xy", statistics, False).loss(before, after) == pytest.approx(100 * 2 / 202)
