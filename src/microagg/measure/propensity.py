"""Propensity score: how well a model can tell released records from original ones.

References
----------
Woo, Reiter, Oganian & Karr (2009), Global measures of data utility for microdata masked for disclosure limitation,
Journal of Privacy and Confidentiality 1(1), 111-124.
Snoke, Raab, Nowok, Dibben & Slavkovic (2018), General and specific utility measures for synthetic data, Journal of the
Royal Statistical Society A 181(3), 663-688.
"""

import warnings
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from microagg.measure.compared_columns import MISSING, ComparedCategories, ComparedColumns
from microagg.model.arrays import FloatArray, IntArray

MAX_RECORDS = 50_000
"""Records of each table that the model is fitted to; of more, a systematic sample."""

MAX_TERMS = 100
"""Terms of the model besides the intercept."""

RECORDS_PER_TERM = 10
"""Records, of both tables together, that each term of the model needs."""

_MAX_INDICATORS = 20  # categories of a column that have an indicator of their own
_DEPENDENT = 1e-9  # eigenvalue of the correlations of terms below which a combination of them is constant
_SHARE = 0.5  # of the released records among all
_TOLERANCE = 1e-8  # of the gradient
_ITERATIONS = 1000
_NEEDED = "it needs scikit-learn: pip install 'microagg[sklearn]'"


class Propensity(NamedTuple):
    """What a model of the propensity score finds.

    Parameters
    ----------
    pmse
        Mean of (p − ½)² over the records of both tables, p the probability of being released that the model gives;
        None where there is none.
    ratio
        The same divided by what two independent samples of one population would give: (p − 1)c(1 − c)/N for p
        parameters; None where there is none. Snoke et al. hold the original fixed, as their synthetic records are drawn
        given it, and expect 1 − c of that: their ratio is twice this one.
    note
        What must be known of both.
    """

    pmse: float | None
    ratio: float | None
    note: str


def measure_propensity(columns: ComparedColumns, n_records: int) -> Propensity:
    """Fit a logistic regression that tells released records from original ones.

    Its terms are the columns, standardised (categories as indicators), their squares and their products, in this order,
    as far as the limits of terms allow; those that depend on others are left out.

    Parameters
    ----------
    columns
        The protected columns before and after.
    n_records
        Number of records.

    Returns
    -------
    Propensity
        None in place of numbers where scikit-learn is missing, or there are too few records.
    """
    rows = _sampled_rows(n_records)
    n_stacked = 2 * len(rows)
    n_terms = min(MAX_TERMS, n_stacked // RECORDS_PER_TERM)
    if not n_terms:
        return Propensity(None, None, f"there are fewer than {RECORDS_PER_TERM // 2} records")
    terms = _independent(_terms(_main_effects(columns, rows), n_terms))
    if not terms.shape[1]:
        return Propensity(None, None, "no column varies")
    probabilities = _fitted(terms)
    if probabilities is None:
        return Propensity(None, None, _NEEDED)
    pmse = float(np.square(probabilities - _SHARE).mean())
    by_chance = terms.shape[1] * (1.0 - _SHARE) * _SHARE / n_stacked
    note = "" if len(rows) == n_records else f"of a sample of {len(rows)} of the {n_records} records"
    return Propensity(pmse, pmse / by_chance, note)


def _sampled_rows(n_records: int) -> IntArray:
    """Return all rows, or as many as the model is fitted to at equal distances."""
    if n_records <= MAX_RECORDS:
        return np.arange(n_records)
    return (np.arange(MAX_RECORDS) * n_records) // MAX_RECORDS


class _MainEffects(NamedTuple):
    """Terms that stand for one column each, or for one category, of shape (n, m), and which of them are numbers."""

    values: FloatArray
    are_numbers: tuple[bool, ...]


def _main_effects(columns: ComparedColumns, rows: IntArray) -> _MainEffects:
    """Return the columns of both tables, one above the other, standardised; what is missing is at the mean."""
    numbers = [_standardised(np.concatenate([one.before[rows], one.after[rows]])) for one in columns.numbers]
    indicators = [each for one in columns.categories for each in _indicators(one, rows)]
    values = np.column_stack([*numbers, *indicators])
    return _MainEffects(values, (*(True for _ in numbers), *(False for _ in indicators)))


def _standardised(numbers: FloatArray) -> FloatArray:
    present = numbers[~np.isnan(numbers)]
    if not len(present) or present.min() == present.max():
        return np.zeros(len(numbers))
    shifted = numbers - present.mean()
    return np.asarray(np.nan_to_num(shifted / np.nanstd(shifted)))


def _indicators(column: ComparedCategories, rows: IntArray) -> list[FloatArray]:
    """Return an indicator of each of the more frequent categories but the most frequent one."""
    codes = np.concatenate([column.before[rows], column.after[rows]])
    counts = np.bincount(codes[codes != MISSING], minlength=1)
    frequent = np.argsort(-counts, kind="stable")[1 : _MAX_INDICATORS + 1]
    return [(codes == code).astype(np.float64) for code in frequent if counts[code]]


def _terms(effects: _MainEffects, n_terms: int) -> FloatArray:
    """Return the terms of the model, of shape (n, m): the effects, squares of numbers, products of two effects."""
    values = effects.values
    pairs = [(place, place) for place, is_number in enumerate(effects.are_numbers) if is_number]
    pairs += combinations(range(values.shape[1]), 2)
    chosen: Sequence[tuple[int, int]] = pairs[: max(0, n_terms - values.shape[1])]
    products = [values[:, one] * values[:, other] for one, other in chosen]
    return np.column_stack([values[:, :n_terms], *products])


def _independent(terms: FloatArray) -> FloatArray:
    """Return uncorrelated combinations of terms that span the same space: the model's fit is the same, and stable."""
    centred = terms - terms.mean(axis=0)
    spreads = centred.std(axis=0)
    varying = spreads > 0.0
    centred = centred[:, varying] / spreads[varying]
    values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    kept = values > _DEPENDENT * len(values)
    return np.asarray(centred @ (vectors[:, kept] / np.sqrt(values[kept])))


def _fitted(terms: FloatArray) -> FloatArray | None:
    """Return the probability of being released that the model gives to each record; None without scikit-learn."""
    try:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
    except ModuleNotFoundError:
        return None
    released = np.repeat([0, 1], len(terms) // 2)
    model = LogisticRegression(C=np.inf, tol=_TOLERANCE, max_iter=_ITERATIONS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # where the tables can be told apart completely
        model.fit(terms, released)
    return np.asarray(model.predict_proba(terms)[:, 1])
