"""Probabilistic information loss: by hand, and against the oracle."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive_utility as naive
from microagg.measure.moments import Moments
from microagg.measure.pair_moments import PairMoments
from microagg.measure.probabilistic_loss import (
    correlation_losses,
    covariance_losses,
    lost_percent,
    mean_loss,
    quantile_loss,
    variance_loss,
)

VALUES = st.integers(-20, 20).map(float)
COLUMNS = st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES), min_size=4, max_size=25)


def _standardised(columns: list[list[float]], other: list[list[float]]) -> PairMoments:
    """Return the joint moments of columns, shifted and scaled by those of others."""
    shifts = [naive.mean(one) for one in other]
    scales = [naive.variance(one) ** 0.5 for one in other]
    return PairMoments.of((np.array(columns).T - shifts) / scales)


def test_one_statistic_by_hand() -> None:
    assert lost_percent(0.0, 1.0, 1.0) == 0.0
    assert lost_percent(1e-14, 0.0, 1.0) == 0.0, "rounding"
    assert lost_percent(0.1, 0.0, 1.0) == 100.0
    assert lost_percent(1.959963984540054, 1.0, 1.0) == pytest.approx(95.0)
    assert lost_percent(-2.0, 4.0, 1.0) == pytest.approx(68.2689492137)


def test_mean_by_hand() -> None:
    before = Moments.of(np.array([1.0, 3.0]))
    after = Moments.of(np.array([2.0, 4.0]))
    assert mean_loss(before, after) == pytest.approx(68.2689492137), "s²/n is 1"
    assert mean_loss(before, before) == 0.0


def test_variance_by_hand() -> None:
    numbers = np.array([-2.0, 0.0, 0.0, 2.0])  # μ₂ = 2, μ₄ = 8, so that Var s² = 1 and s² = 8/3
    before = Moments.of(numbers)
    after = Moments.of(numbers * np.sqrt(5 / 8))  # s′² = 5/3
    assert variance_loss(before, after) == pytest.approx(68.2689492137)


@given(COLUMNS)
def test_losses_are_those_of_the_oracle(rows: list[tuple[float, ...]]) -> None:
    first, second, third, fourth = (list(column) for column in zip(*rows, strict=True))
    assume(all(len(set(column)) > 1 for column in (first, second, third, fourth)))
    before = Moments.of(np.array(first))
    after = Moments.of(np.array(third))
    assert mean_loss(before, after) == pytest.approx(naive.mean_loss(first, third), abs=1e-6)
    assert variance_loss(before, after) == pytest.approx(naive.variance_loss(first, third), abs=1e-4)
    assert quantile_loss(np.sort(first), np.sort(third)) == pytest.approx(naive.quantile_loss(first, third), abs=1e-6)
    pairs = (_standardised([first, second], [first, second]), _standardised([third, fourth], [first, second]))
    (covariance,) = covariance_losses(*pairs)
    assert covariance == pytest.approx(naive.covariance_loss((first, second), (third, fourth)), abs=1e-4)
    r = naive.correlation(first, second)
    if 0.05 < abs(r) < 0.95:
        (correlation,) = correlation_losses(*pairs)
        assert correlation == pytest.approx(naive.correlation_loss((first, second), (third, fourth)), abs=1e-4)


def test_error_of_the_correlation_of_normal_data() -> None:
    """The variance of r is (1 − r²)²/n where the moments are those of a normal distribution."""
    r = 0.6
    ones = np.ones((2, 2))
    exact = PairMoments(
        counts=100.0 * ones,
        sums=0.0 * ones,
        squares=100.0 * ones,
        products=100.0 * np.array([[1.0, r], [r, 1.0]]),
        cubes=100.0 * np.array([[3.0, 3.0 * r], [3.0 * r, 3.0]]),
        fourths=100.0 * np.array([[3.0, 1.0 + 2.0 * r**2], [1.0 + 2.0 * r**2, 3.0]]),
    )
    moved = PairMoments(
        exact.counts,
        exact.sums,
        exact.squares,
        100.0 * np.array([[1.0, r + 0.064], [r + 0.064, 1.0]]),  # 0.064 is one standard error
        exact.cubes,
        exact.fourths,
    )
    assert correlation_losses(exact, moved) == pytest.approx([68.2689492137])


def test_column_that_becomes_constant_has_no_correlation_left() -> None:
    rng = np.random.default_rng(0)
    first = rng.normal(size=50)
    before = [first.tolist(), (first + 0.1 * rng.normal(size=50)).tolist()]
    after = [before[0], [0.0] * 50]
    pairs = (_standardised(before, before), _standardised(after, before))
    assert correlation_losses(*pairs) == pytest.approx([100.0])
    assert correlation_losses(pairs[1], pairs[1]) == [], "there was none before, either"
