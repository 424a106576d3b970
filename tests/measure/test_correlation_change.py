"""Change of correlations and eigenvalues."""

import math

import numpy as np
import pytest

from microagg.measure.correlation_change import (
    correlation_change,
    correlation_difference,
    covariance_difference,
    eigenvalue_difference,
)
from microagg.measure.pair_moments import PairMoments

BOTH = np.array([True, True])
SQUARE = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
LINE = np.array([[1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [-1.0, -1.0]])


def _scaled(records: np.ndarray) -> PairMoments:
    return PairMoments.of(records / math.sqrt(4 / 3))


def test_change_by_hand() -> None:
    before = _scaled(SQUARE)
    after = _scaled(LINE)
    change = correlation_change(("x", "y"), before, after)
    assert change.before.ravel().tolist() == pytest.approx([1.0, 0.0, 0.0, 1.0])
    assert change.after.ravel().tolist() == pytest.approx([1.0, 1.0, 1.0, 1.0])
    assert change.eigenvalues_before.tolist() == pytest.approx([1.0, 1.0])
    assert change.eigenvalues_after.tolist() == pytest.approx([2.0, 0.0], abs=1e-12)
    assert correlation_difference(change) == pytest.approx(1.0)
    assert covariance_difference(before, after, BOTH) == pytest.approx(100.0)
    assert list(eigenvalue_difference(change)) == [pytest.approx(2.0), 0]
    assert not change.before.flags.writeable
    assert "1." not in repr(change)


def test_eigenvalues_of_zero_are_left_out() -> None:
    change = correlation_change(("x", "y"), _scaled(LINE), _scaled(SQUARE))
    assert list(eigenvalue_difference(change)) == [pytest.approx(0.5), 1]


def test_constant_columns_have_no_correlation() -> None:
    constant = np.column_stack([SQUARE, np.zeros(4)])
    change = correlation_change(("x", "y", "c"), PairMoments.of(constant), PairMoments.of(constant))
    assert np.isnan(change.before[2]).all()
    assert change.eigenvalues_before.tolist() == pytest.approx([1.0, 1.0, np.nan], nan_ok=True)
    assert (correlation_difference(change), eigenvalue_difference(change)) == (0.0, (0.0, 0))
    varying = np.array([True, True, False])
    assert covariance_difference(PairMoments.of(constant), PairMoments.of(constant), varying) == 0.0
    alone = PairMoments.of(np.zeros((3, 2)))
    nothing = correlation_change(("x", "y"), alone, alone)
    assert (correlation_difference(nothing), eigenvalue_difference(nothing)) == (None, (None, 0))
    assert covariance_difference(alone, alone, np.array([False, False])) is None


def test_column_that_becomes_constant_counts_as_uncorrelated() -> None:
    gone = LINE * [1.0, 0.0]
    change = correlation_change(("x", "y"), _scaled(LINE), _scaled(gone))
    assert correlation_difference(change) == pytest.approx(1.0)
    assert change.eigenvalues_after.tolist() == pytest.approx([1.0, 1.0])
