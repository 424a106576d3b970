"""Regressions fitted to the original and to the release."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import naive_utility as naive
from measured_tables import compared, group_means, labour_force
from microagg import InputError, Run
from microagg.measure.regression import compare_regression, interval_overlap
from microagg.measure.regression_formula import parse_formula
from microagg.model import row_slices
from microagg.model.assessment import RegressionComparison


def _compare(
    before: pl.DataFrame,
    after: pl.DataFrame,
    formula: str,
    names: tuple[str, ...],
    weights: np.ndarray | None = None,
    **codes: object,
) -> RegressionComparison:
    return compare_regression(compared(before, after, names, None, **codes), parse_formula(formula), weights, Run())


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ((0.0, 4.0), (0.0, 4.0), 100.0),
        ((0.0, 4.0), (2.0, 6.0), 50.0),
        ((0.0, 4.0), (1.0, 3.0), 75.0),
        ((0.0, 2.0), (3.0, 7.0), -37.5),
        ((1.0, 1.0), (1.0, 1.0), 100.0),
        ((1.0, 1.0), (0.0, 2.0), 50.0),
        ((1.0, 1.0), (2.0, 4.0), -25.0),
    ],
)
def test_overlap_by_hand(one: tuple[float, float], other: tuple[float, float], overlap: float) -> None:
    assert interval_overlap(one, other) == pytest.approx(overlap)
    assert interval_overlap(other, one) == pytest.approx(overlap)


def test_regression_by_hand() -> None:
    before = pl.DataFrame({"x": [-1.0, 0.0, 1.0], "y": [-2.0, 3.0, 2.0]})
    after = pl.DataFrame({"x": [-1.0, 0.0, 1.0], "y": [-1.0, 1.0, 3.0]})
    found = _compare(before, after, "y ~ x", ("y",))
    intercept, slope = found.coefficients
    assert (intercept.name, slope.name, found.note) == ("(intercept)", "x", "")
    assert [intercept.before, slope.before] == pytest.approx([1.0, 2.0])
    assert [intercept.after, slope.after] == pytest.approx([1.0, 2.0])
    assert slope.interval_before == pytest.approx((2 - 12.7062047364 * 3**0.5, 2 + 12.7062047364 * 3**0.5))
    assert slope.interval_after == pytest.approx((2.0, 2.0), abs=1e-6)
    assert [found.r_squared_before, found.r_squared_after] == pytest.approx([8 / 14, 1.0])


@pytest.mark.parametrize("weighted", [False, True])
def test_coefficients_are_those_of_the_oracle(weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_slices, "ROWS_PER_SLICE", 17)
    before = labour_force()
    after = group_means(before)
    weights = before["weight"].to_numpy() if weighted else None
    found = _compare(
        before, after, "income ~ age + sex + region + assets", ("income", "assets"), weights, nominal=["sex"]
    )
    names = [one.name for one in found.coefficients]
    assert names == ["(intercept)", "age", "sex=2", "region=south", "region=west", "assets"]
    for frame, side in ((before, "before"), (after, "after")):
        dummies = [frame["sex"] == 2, frame["region"] == "south", frame["region"] == "west"]
        X = np.column_stack([frame["age"], *dummies, frame["assets"]]).astype(float)
        ones = np.ones(len(frame)) if weights is None else weights
        expected = naive.regression(X, frame["income"].to_numpy(), ones)
        estimates = [getattr(one, side) for one in found.coefficients]
        np.testing.assert_allclose(estimates, expected.coefficients, rtol=1e-8)
        intervals = [getattr(one, f"interval_{side}") for one in found.coefficients]
        np.testing.assert_allclose([high - low for low, high in intervals], 2 * expected.errors, rtol=1e-8)
        assert getattr(found, f"r_squared_{side}") == pytest.approx(expected.r_squared)


def test_records_with_missing_values_are_left_out_of_both() -> None:
    before = pl.DataFrame(
        {
            "x": [0.0, 1.0, 2.0, 3.0, 9.0, 4.0],
            "y": [0.0, 1.0, 2.0, 4.0, None, 1.0],
            "z": [1.0, None, 2.0, 1.0, 1.0, 5.0],
        }
    )
    after = before.with_columns(y=pl.Series([0.5, 0.5, 3.0, 3.0, None, 1.0]))
    found = _compare(before, after, "y ~ x + z", ("y",))
    complete = before["y"].is_not_null() & before["z"].is_not_null()
    alone = _compare(before.filter(complete), after.filter(complete), "y ~ x + z", ("y",))
    assert [one.before for one in found.coefficients] == pytest.approx([one.before for one in alone.coefficients])
    assert [one.overlap for one in found.coefficients] == pytest.approx([one.overlap for one in alone.coefficients])
    assert len(found.coefficients) == 3


def test_dates_are_days() -> None:
    days = [date(2020, 1, 1) + timedelta(days=number) for number in (0, 10, 20, 40)]
    before = pl.DataFrame({"day": days, "y": [1.0, 2.0, 3.0, 5.0]})
    found = _compare(before, before, "y ~ day", ("y",))
    assert found.coefficients[1].before == pytest.approx(0.1)
    assert _compare(before, before, "day ~ y", ("y",)).coefficients[1].before == pytest.approx(10.0)


def test_what_cannot_be_estimated_from_both_is_said() -> None:
    before = pl.DataFrame({"c": ["a", "a", "b", "b", "c", "c"], "y": [1.0, 2.0, 3.0, 5.0, 8.0, 9.0]})
    after = before.with_columns(c=pl.Series(["b", "b", "b", "c", "c", "c"]))
    found = _compare(before, after, "y ~ c", ("c",))
    assert [one.name for one in found.coefficients] == ["(intercept)", "c=c"], "b is the first that both have"
    assert found.note.startswith("not compared: 'c=a', which cannot be estimated from both tables")
    assert found.coefficients[0].before == pytest.approx(4.0)
    dependent = pl.DataFrame({"x": [0.0, 1.0, 2.0, 4.0], "z": [1.0, 3.0, 5.0, 9.0], "y": [1.0, 0.0, 2.0, 3.0]})
    note = _compare(dependent, dependent, "y ~ x + z", ("y",)).note
    assert note.startswith("not compared: 'z', which cannot")


def test_what_is_no_regression_is_refused() -> None:
    frame = pl.DataFrame({"c": ["a", "b", "a"], "x": [1.0, 2.0, 4.0], "y": [0.0, 1.0, 3.0]})
    with pytest.raises(InputError, match="the response of the regression 'c ~ x' must be a column of numbers or dates"):
        _compare(frame, frame, "c ~ x", ("x",))
    message = r"the regression 'y ~ x \+ c' has 3 coefficients, and only 3 records have all values: name fewer terms"
    with pytest.raises(InputError, match=message):
        _compare(frame, frame, "y ~ x + c", ("x",))
    many = pl.DataFrame({"c": [f"c{number}" for number in range(201)], "x": np.arange(201.0)})
    with pytest.raises(InputError, match="column 'c' of the regression 'x ~ c' has 201 categories, more than the 200"):
        _compare(many, many, "x ~ c", ("x",))
    dates = frame.with_columns(d=pl.Series([date(2020, 1, day) for day in (1, 2, 3)]))
    with pytest.raises(InputError, match="column 'd' holds dates in the original, and text in the release"):
        _compare(dates, dates.with_columns(d=pl.lit("x")), "y ~ d", ("x",))
