"""Least squares: the oracle, dependent terms, and normal equations of any parts merged."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive_utility as naive
from microagg.measure.least_squares import NormalEquations, fit

ROW = st.tuples(st.integers(-5, 5), st.integers(-5, 5), st.integers(-9, 9), st.sampled_from([1.0, 2.0, 5.0]))


def _equations(rows: np.ndarray, weighted: bool) -> NormalEquations:
    terms = np.column_stack([np.ones(len(rows)), rows[:, :2]])
    return NormalEquations.of(terms, rows[:, 2], rows[:, 3] if weighted else None)


@given(st.lists(ROW, min_size=4, max_size=20), st.booleans(), st.data())
def test_fit_is_that_of_the_oracle(rows: list[tuple[float, ...]], weighted: bool, data: st.DataObject) -> None:
    table = np.array(rows, dtype=np.float64)
    assume(np.linalg.matrix_rank(np.column_stack([np.ones(len(table)), table[:, :2]])) == 3)
    cut = data.draw(st.integers(0, len(rows)))
    equations = _equations(table[:cut], weighted).merged(_equations(table[cut:], weighted))
    np.testing.assert_array_equal(equations.products, _equations(table, weighted).products)
    fitted = fit(equations)
    assert fitted is not None
    weights = table[:, 3] if weighted else np.ones(len(table))
    expected = naive.regression(table[:, :2], table[:, 2], weights)
    assert fitted.kept.all()
    np.testing.assert_allclose(fitted.coefficients, expected.coefficients, atol=1e-8)
    errors = fitted.half_width * np.sqrt(np.diag(fitted.covariances))
    np.testing.assert_allclose(errors, expected.errors, atol=1e-5, rtol=1e-6)
    if len(set(table[:, 2])) > 1:
        assert fitted.r_squared == pytest.approx(expected.r_squared, abs=1e-8)


def test_fit_by_hand() -> None:
    """y = 1 + 2x with residuals −1, 2, −1: they sum to 0 and are orthogonal to x."""
    x = np.array([-1.0, 0.0, 1.0])
    y = 1.0 + 2.0 * x + np.array([-1.0, 2.0, -1.0])
    fitted = fit(NormalEquations.of(np.column_stack([np.ones(3), x]), y))
    assert fitted is not None
    assert fitted.coefficients.tolist() == pytest.approx([1.0, 2.0])
    assert np.diag(fitted.covariances).tolist() == pytest.approx([6 / 3, 6 / 2])
    assert fitted.half_width == pytest.approx(12.7062047364)
    assert fitted.r_squared == pytest.approx(8 / 14)


def test_dependent_terms_are_left_out() -> None:
    x = np.array([0.0, 1.0, 2.0, 4.0])
    terms = np.column_stack([np.ones(4), x, 2.0 * x - 1.0, np.zeros(4)])
    fitted = fit(NormalEquations.of(terms, np.array([1.0, 0.0, 3.0, 2.0])))
    assert fitted is not None
    assert fitted.kept.tolist() == [True, True, False, False]
    assert fitted.coefficients[2:].tolist() == [0.0, 0.0]
    assert not fitted.covariances[2:].any()
    alone = fit(NormalEquations.of(terms[:, :2], np.array([1.0, 0.0, 3.0, 2.0])))
    assert alone is not None
    np.testing.assert_allclose(fitted.coefficients[:2], alone.coefficients)


def test_too_few_records_have_no_fit() -> None:
    terms = np.array([[1.0, 0.0], [1.0, 1.0]])
    assert fit(NormalEquations.of(terms, np.array([1.0, 2.0]))) is None
    assert fit(NormalEquations.of(terms[:0], np.zeros(0))) is None


def test_constant_response_explains_nothing() -> None:
    terms = np.column_stack([np.ones(4), np.arange(4.0)])
    fitted = fit(NormalEquations.of(terms, np.full(4, 0.3)))
    assert fitted is not None
    assert fitted.r_squared == 0.0
