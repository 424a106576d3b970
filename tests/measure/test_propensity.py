"""Propensity score: closed forms, the oracle, and what is said where there is no score."""

import sys

import numpy as np
import pytest

import naive_utility as naive
from microagg.measure import propensity
from microagg.measure.compared_columns import ComparedCategories, ComparedColumns, ComparedNumbers
from microagg.measure.propensity import MAX_TERMS, RECORDS_PER_TERM, measure_propensity


def _categories(before: list[int], after: list[int]) -> ComparedColumns:
    column = ComparedCategories("c", np.array(before), np.array(after), ("a", "b"))
    return ComparedColumns((), (column,), 0.0)


def _numbers(before: np.ndarray, after: np.ndarray) -> ComparedColumns:
    columns = [
        ComparedNumbers(str(place), np.ascontiguousarray(old), np.ascontiguousarray(new))
        for place, (old, new) in enumerate(zip(before.T, after.T, strict=True))
    ]
    return ComparedColumns(tuple(columns), (), 0.0)


def test_two_categories_by_hand() -> None:
    """Of the records with "b", 2 of 8 are released: p = ¼ for them, and 8/12 for the others."""
    found = measure_propensity(_categories([0] * 4 + [1] * 6, [0] * 8 + [1] * 2), 10)
    expected = (8 * (1 / 4) ** 2 + 12 * (2 / 3 - 1 / 2) ** 2) / 20
    assert found.pmse == pytest.approx(expected, rel=1e-6)
    assert found.ratio == pytest.approx(expected / (1 * (1 / 4) / 20), rel=1e-6)
    assert found.note == ""


def test_same_tables_cannot_be_told_apart() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    found = measure_propensity(_numbers(X, X), 60)
    assert found.pmse == pytest.approx(0.0, abs=1e-12)
    assert found.ratio == pytest.approx(0.0, abs=1e-9)


def test_model_is_that_of_the_oracle() -> None:
    """Squares and products, too: two columns have five terms, as there are 200 records of both tables."""
    rng = np.random.default_rng(1)
    before = rng.normal(size=(100, 2))
    after = np.column_stack([1.3 * before[:, 0], before[:, 1] + 0.5 * rng.normal(size=100)])
    Z = np.vstack([before, after])
    terms = np.column_stack([Z, Z**2, Z[:, 0] * Z[:, 1]])
    p = naive.maximum_likelihood(terms, [0] * 100 + [1] * 100)
    found = measure_propensity(_numbers(before, after), 100)
    assert found.pmse == pytest.approx(float(np.mean((p - 0.5) ** 2)), rel=1e-5)
    assert found.ratio == pytest.approx(float(np.mean((p - 0.5) ** 2)) / (5 / 4 / 200), rel=1e-5)


def test_two_samples_of_one_population_have_a_ratio_of_about_one() -> None:
    """Of 40 pairs of samples with five terms, the mean of the ratio has a standard error of √(2/5/40) = 0.1."""
    rng = np.random.default_rng(5)
    pairs = [(rng.normal(size=(300, 2)), rng.normal(size=(300, 2))) for _ in range(40)]
    ratios = [measure_propensity(_numbers(one, other), 300).ratio for one, other in pairs]
    assert np.mean([ratio or 0.0 for ratio in ratios]) == pytest.approx(1.0, abs=0.3)


def test_tables_that_are_apart_are_told_apart_completely() -> None:
    before = np.linspace(0.0, 1.0, 30)[:, None]
    found = measure_propensity(_numbers(before, before + 10.0), 30)
    assert found.pmse == pytest.approx(0.25, abs=1e-3)


def test_dependent_terms_and_constant_columns_are_no_parameters() -> None:
    rng = np.random.default_rng(2)
    before = rng.normal(size=(40, 1))
    after = before * 1.5
    one = measure_propensity(_numbers(before, after), 40)
    doubled = [np.column_stack([X, 2.0 * X, np.full(40, 7.0)]) for X in (before, after)]
    found = measure_propensity(_numbers(*doubled), 40)
    assert found.pmse == pytest.approx(one.pmse, rel=1e-5)
    assert found.ratio == pytest.approx(one.ratio, rel=1e-5)


def test_missing_values_are_at_the_mean() -> None:
    before = np.array([[1.0], [2.0], [np.nan], [4.0], [5.0]] * 4)
    found = measure_propensity(_numbers(before, before), 20)
    assert found.pmse == pytest.approx(0.0, abs=1e-12)


def test_why_there_is_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    few = np.ones((4, 1))
    assert measure_propensity(_numbers(few, few), 4) == (None, None, "there are fewer than 5 records")
    constant = np.ones((10, 1))
    assert measure_propensity(_numbers(constant, constant), 10) == (None, None, "no column varies")
    X = np.arange(10.0)[:, None]
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    note = "it needs scikit-learn: pip install 'microagg[sklearn]'"
    assert measure_propensity(_numbers(X, X), 10) == (None, None, note)


def test_large_tables_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propensity, "MAX_RECORDS", 10)
    X = np.random.default_rng(3).normal(size=(35, 1))
    found = measure_propensity(_numbers(X, -X), 35)
    rows = np.array([0, 3, 7, 10, 14, 17, 21, 24, 28, 31])
    alone = measure_propensity(_numbers(X[rows], -X[rows]), 10)
    assert (found.pmse, found.ratio) == (alone.pmse, alone.ratio)
    assert found.note == "of a sample of 10 of the 35 records"


def test_number_of_terms_is_limited() -> None:
    effects = propensity._MainEffects(np.random.default_rng(4).normal(size=(50, 15)), (True,) * 15)
    assert propensity._terms(effects, 100).shape == (50, 100)
    assert propensity._terms(effects, 5).shape == (50, 5)
    assert propensity._terms(effects, 1000).shape == (50, 15 + 15 + 105)
    assert (MAX_TERMS, RECORDS_PER_TERM) == (100, 10)
