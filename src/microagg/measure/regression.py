"""Compare a regression that is fitted to the original with the same one fitted to the release.

References
----------
Karr, Kohnen, Oganian, Reiter & Sanil (2006), A framework for evaluating the utility of data altered to protect
confidentiality, The American Statistician 60(3), 224-232.
"""

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.least_squares import NormalEquations, fit
from microagg.measure.regression_columns import AFTER, BEFORE, RegressionColumns, read_regression_columns
from microagg.measure.regression_formula import Formula
from microagg.model.arrays import BoolArray, FloatArray
from microagg.model.assessment import Coefficient, RegressionComparison
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.row_slices import row_slices


def compare_regression(
    tables: ComparedTables, formula: Formula, weights: FloatArray | None, run: Run
) -> RegressionComparison:
    """Fit a regression to both tables by least squares, and compare the coefficients.

    Parameters
    ----------
    tables
        The tables. Records that lack any of the columns in either of them are left out.
    formula
        The regression, of columns that both tables have: numbers and dates as they are, categories as indicators,
        without the first.
    weights
        Sampling weights, of shape (n,); None where there are none.
    run
        The run.

    Returns
    -------
    RegressionComparison
        Coefficients with confidence intervals, and the overlap of these.

    Raises
    ------
    InputError
        If a column cannot be used so, or if there are too few records.
    """
    columns = read_regression_columns(tables, formula, run.arrays)
    before = _fitted(columns, BEFORE, formula, weights, run)
    after = _fitted(columns, AFTER, formula, weights, run)
    compared = before.kept & after.kept
    return RegressionComparison(
        formula.text,
        before.r_squared,
        after.r_squared,
        tuple(_coefficient(columns.names[place], place, before, after) for place in np.flatnonzero(compared).tolist()),
        _note(columns.names, compared),
    )


class _Fitted(NamedTuple):
    """Regression in the units of the columns."""

    coefficients: FloatArray  # (p,)
    errors: FloatArray  # (p,) half of the confidence intervals
    kept: BoolArray  # (p,) which coefficients can be estimated
    r_squared: float

    def interval(self, place: int) -> tuple[float, float]:
        """Return the confidence interval of a coefficient."""
        middle = float(self.coefficients[place])
        error = float(self.errors[place])
        return middle - error, middle + error


def _fitted(columns: RegressionColumns, table: int, formula: Formula, weights: FloatArray | None, run: Run) -> _Fitted:
    equations = reduce(NormalEquations.merged, _equations(columns, table, weights, run))
    fitted = fit(equations)
    if fitted is None:
        raise InputError(
            f"the regression {formula.text!r} has {len(columns.names)} coefficients, and only {equations.count} "
            "records have all values: name fewer terms"
        )
    units = columns.in_own_units()
    coefficients = units @ fitted.coefficients
    coefficients[0] += columns.response.shift
    variances = np.einsum("ij,jk,ik->i", units, fitted.covariances, units)
    errors = fitted.half_width * np.sqrt(np.maximum(0.0, variances))
    return _Fitted(coefficients, errors, fitted.kept, fitted.r_squared)


def _equations(
    columns: RegressionColumns, table: int, weights: FloatArray | None, run: Run
) -> Iterator[NormalEquations]:
    """Yield what each slice of the records adds to the normal equations."""
    n = len(columns.present)
    for rows in row_slices(n):
        run.tick("regression", rows.start / n)
        chosen = rows.start + np.flatnonzero(columns.present[rows])
        terms = np.column_stack([np.ones(len(chosen)), *(term.design(table, chosen) for term in columns.terms)])
        response = columns.response.design(table, chosen)[:, 0]
        yield NormalEquations.of(terms, response, None if weights is None else weights[chosen])


def _coefficient(name: str, place: int, before: _Fitted, after: _Fitted) -> Coefficient:
    intervals = before.interval(place), after.interval(place)
    return Coefficient(
        name,
        float(before.coefficients[place]),
        float(after.coefficients[place]),
        *intervals,
        interval_overlap(*intervals),
    )


def interval_overlap(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the mean share of each of two intervals that the other covers.

    Parameters
    ----------
    one, other
        Lower and upper ends.

    Returns
    -------
    float
        In percent; below 0 where they are apart. An interval that is one point is covered wholly or not at all.
    """
    common = min(one[1], other[1]) - max(one[0], other[0])
    shares = [common / (high - low) if high > low else float(common >= 0.0) for low, high in (one, other)]
    return 100.0 * sum(shares) / 2.0


def _note(names: tuple[str, ...], compared: BoolArray) -> str:
    left_out = [name for name, is_compared in zip(names, compared.tolist(), strict=True) if not is_compared]
    if not left_out:
        return ""
    return (
        f"not compared: {listing(left_out)}, which cannot be estimated from both tables, as a category is in one of "
        "them only, or a column depends on others"
    )
