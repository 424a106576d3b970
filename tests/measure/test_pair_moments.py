"""Joint moments of pairs of columns: against the oracle, with missing values, and of any parts merged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_utility as naive
from microagg.control.run import Run
from microagg.measure.pair_moments import PairMoments, pair_moments
from microagg.model import row_slices

CELL = st.one_of(st.integers(-5, 5).map(float), st.integers(-5, 5).map(float), st.none())
ROWS = st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=20)
SUMS = ("counts", "sums", "squares", "products", "cubes", "fourths")


def _array(rows: list[tuple[float | None, ...]]) -> np.ndarray:
    return np.array([[np.nan if cell is None else cell for cell in row] for row in rows])


@given(ROWS)
def test_covariances_and_correlations_are_those_of_the_oracle(rows: list[tuple[float | None, ...]]) -> None:
    found = PairMoments.of(_array(rows))
    columns = list(zip(*rows, strict=True))
    covariances = found.covariances()
    correlations = found.correlations()
    for i, one in enumerate(columns):
        for j, other in enumerate(columns):
            pairs = naive.both(one, other)
            assert found.counts[i, j] == len(pairs)
            if len(pairs) < 2:
                assert np.isnan(covariances[i, j])
                assert np.isnan(correlations[i, j])
                continue
            assert covariances[i, j] == pytest.approx(naive.covariance(one, other), abs=1e-12)
            if all(len({pair[place] for pair in pairs}) > 1 for place in (0, 1)):
                assert correlations[i, j] == pytest.approx(naive.correlation(one, other), abs=1e-12)
            else:
                assert np.isnan(correlations[i, j])


@given(ROWS, st.data())
def test_parts_merge_to_the_moments_of_the_whole(rows: list[tuple[float | None, ...]], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(rows) - 1))
    whole = PairMoments.of(_array(rows))
    parts = [PairMoments.of(_array(part)) for part in (rows[:cut], rows[cut:]) if part]
    merged = parts[0] if len(parts) == 1 else parts[0].merged(parts[1])
    for name in SUMS:
        np.testing.assert_array_equal(getattr(merged, name), getattr(whole, name))  # sums of small whole numbers


def test_higher_moments_by_hand() -> None:
    found = PairMoments.of(np.array([[1.0, 2.0], [-1.0, 3.0]]))
    assert found.cubes.tolist() == [[2.0, 2.0 - 3.0], [8.0 - 27.0, 16.0 + 81.0]]
    assert found.fourths.tolist() == [[2.0, 13.0], [13.0, 97.0]]


def test_columns_are_shifted_and_scaled_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    columns = [rng.normal(1e6, 3.0, 100), rng.normal(-5.0, 0.1, 100)]
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 13)
    found = pair_moments(columns, np.array([1e6, -5.0]), np.array([3.0, 0.1]), Run())
    assert found.counts.tolist() == [[100.0, 100.0], [100.0, 100.0]]
    expected = np.cov(columns) / np.outer([3.0, 0.1], [3.0, 0.1])
    np.testing.assert_allclose(found.covariances(), expected, rtol=1e-9)
    np.testing.assert_allclose(found.correlations(), np.corrcoef(columns), rtol=1e-9)
