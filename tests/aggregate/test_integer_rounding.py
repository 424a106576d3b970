"""Means rounded to whole numbers whose total is nearly kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_aggregates as naive
from microagg.aggregate.integer_rounding import round_to_total

means = st.lists(st.integers(-40, 40).map(lambda eighth: eighth / 8), min_size=1, max_size=8)


@given(means, st.data())
def test_every_mean_goes_to_a_neighbour_and_the_total_nearer(listed: list[float], data: st.DataObject) -> None:
    weights = np.array(data.draw(st.lists(st.integers(3, 6).map(float), min_size=len(listed), max_size=len(listed))))
    array = np.array(listed)
    rounded = round_to_total(array, weights)
    assert (np.abs(rounded - array) < 1).all()
    np.testing.assert_array_equal(rounded, np.rint(rounded))
    error = abs((weights * (rounded - array)).sum())
    assert error <= abs((weights * (np.rint(array) - array)).sum()) + 1e-9
    assert error <= naive.least_error_nearby(listed, weights.tolist(), rounded.tolist()) + 1e-9


@pytest.mark.parametrize("weighted", [False, True])
def test_totals_of_many_groups_are_kept_exactly_or_nearly(weighted: bool) -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(3, 6, 400).astype(np.float64)
    weights = sizes * (rng.uniform(0.5, 2.0, 400) if weighted else 1.0)
    array = np.array([rng.integers(0, 100, int(size)).mean() for size in sizes])
    rounded = round_to_total(array, weights)
    error = abs((weights * (rounded - array)).sum())
    assert error < (1e-3 if weighted else 1e-6)
    assert np.abs(rounded - array).max() < 1
    np.testing.assert_array_equal(round_to_total(array, weights), rounded)


def test_whole_means_stay() -> None:
    assert round_to_total(np.array([3.0, -2.0]), np.array([4.0, 5.0])).tolist() == [3.0, -2.0]
    assert round_to_total(np.array([]), np.array([])).tolist() == []
    assert round_to_total(np.array([0.5, 0.5]), np.array([3.0, 3.0])).sum() == 1.0
