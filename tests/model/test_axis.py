"""Axes shift and scale numbers; transforms keep their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from microagg.model.arrays import FloatArray
from microagg.model.axis import Axis, Logarithm, MidRank

columns = hnp.arrays(np.float64, st.integers(1, 30), elements=st.integers(-9, 9).map(float))


def test_representations_show_no_value() -> None:
    assert repr(Axis("x", 2.0, 1.0, 2.0)) == "Axis(name='x')"
    assert repr(MidRank.of(np.array([4711.0]))) == "MidRank()"


def test_axes_shift_and_scale() -> None:
    numbers = np.array([2.0, 4.0, 8.0])
    assert Axis("x", 2.0, 2.0, 0.0).apply(numbers).tolist() == [0.0, 1.0, 3.0]
    assert Axis("x", 2.0, 1.0, 0.0).apply(numbers).tolist() == [0.0, 2.0, 6.0]
    assert Axis("x", 2.0, 0.0, 0.0).apply(numbers).tolist() == [0.0, 0.0, 0.0]


def test_missing_numbers_are_at_the_mean() -> None:
    axis = Axis.fit("x", np.array([2.0, 4.0, 9.0]))
    coordinates = axis.apply(np.array([2.0, np.nan, 4.0, 9.0]))
    assert coordinates[1] == pytest.approx(coordinates[[0, 2, 3]].mean())
    assert axis.lost(np.array([2.0, np.nan, 4.0]), np.array([2.0, 7.0, np.nan])) == 0.0


@pytest.mark.parametrize("scale", ["deviation", "mad", "iqr", "range", "none", 4.0])
def test_total_squares_are_those_of_the_coordinates(scale: str | float) -> None:
    numbers = np.array([1.0, 2.0, 4.0, 8.0, 100.0])
    axis = Axis.fit("x", numbers, scale)
    coordinates = axis.apply(numbers)
    assert axis.total == pytest.approx(np.square(coordinates - coordinates.mean()).sum())


def test_a_number_counts_squares_as_often() -> None:
    numbers = np.array([1.0, 2.0, 4.0, 8.0])
    assert Axis.fit("x", numbers, 3.0).total == pytest.approx(3 * Axis.fit("x", numbers).total)
    assert Axis.fit("x", numbers, 1.0).scale == Axis.fit("x", numbers).scale


def test_columns_without_two_different_numbers_carry_no_weight() -> None:
    for numbers in (np.array([]), np.array([5.0, 5.0])):
        axis = Axis.fit("x", numbers, "mad")
        assert (axis.scale, axis.total) == (0.0, 0.0)
        assert axis.lost(np.array([5.0]), np.array([7.0])) == 0.0


@given(columns)
def test_mid_ranks_are_means_of_ranks(numbers: FloatArray) -> None:
    ranks = MidRank.of(numbers)(numbers)
    for number, rank in zip(numbers, ranks, strict=True):
        assert rank == (numbers < number).sum() + ((numbers == number).sum() + 1) / 2
    assert ranks.sum() == len(numbers) * (len(numbers) + 1) / 2


def test_numbers_between_get_ranks_between() -> None:
    ranks = MidRank.of(np.array([1.0, 3.0, 3.0, 9.0]))
    assert ranks(np.array([0.0, 2.0, 6.0, 10.0])).tolist() == [1.0, 1.75, 3.25, 4.0]
    assert np.isnan(ranks(np.array([np.nan]))).all()


@given(columns)
def test_the_logarithm_is_odd_and_keeps_the_order(numbers: FloatArray) -> None:
    logarithm = Logarithm()
    np.testing.assert_array_equal(logarithm(-numbers), -logarithm(numbers))
    np.testing.assert_array_equal(np.argsort(logarithm(numbers), kind="stable"), np.argsort(numbers, kind="stable"))
    assert logarithm(np.array([np.e - 1]))[0] == pytest.approx(1.0)
