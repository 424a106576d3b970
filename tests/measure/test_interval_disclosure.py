"""Interval disclosure: by hand, by the definition of sdcMicro, and equal to a slow version."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import naive_risk
from microagg import Run
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.interval_disclosure import measure_intervals
from microagg.model.arrays import FloatArray
from risk_tables import Drawn, compared, deviation, numbers, of, releases
from runs import CancelledAt

NAMES = ("id", "sdid", "sdid_records", "sdid_records_but_one")


def _measured(tables: ComparedTables) -> list[float | None]:
    return [of(measure_intervals(tables, Run()), name) for name in NAMES]


def test_cells_within_five_percent_of_the_released_value() -> None:
    """105 and 95 are within 5 % of 100, 106 is not; nothing but 0 is within 5 % of 0; −20 has intervals, too."""
    tables = numbers([105.0, 95.0, 106.0, 0.0, 0.1, -21.0], [100.0, 100.0, 100.0, 0.0, 0.0, -20.0])
    assert _measured(tables)[0] == pytest.approx(100 * 4 / 6)


def test_cells_within_five_percent_of_the_deviation() -> None:
    """The released deviation is that of −10, −10, 10, 10, √(400/3) = 11.547: half an interval is 0.577."""
    tables = numbers([-10.5, -9.5, 10.6, 9.4], [-10.0, -10.0, 10.0, 10.0])
    assert _measured(tables)[1:] == [50.0, 50.0, None]


def test_records_are_disclosed_by_all_cells_or_by_all_but_one() -> None:
    """Half an interval is 0.577 in each column; the records lie outside in 0, 1, 2 and 3 columns."""
    after = pl.DataFrame({name: [-10.0, -10.0, 10.0, 10.0] for name in "xyz"})
    before = pl.DataFrame(
        {"x": [-10.0, -10.0, 10.0, 15.0], "y": [-10.0, -10.0, 15.0, 15.0], "z": [-9.5, -9.0, 15.0, 15.0]}
    )
    assert _measured(compared(before, after, ["x", "y", "z"]))[1:] == [50.0, 25.0, 50.0]


def test_missing_cells_do_not_count() -> None:
    """The first record has one cell only, the last one none."""
    before = pl.DataFrame({"x": [1.0, 5.0, 9.0, None], "y": [None, 5.0, 9.0, None]})
    after = pl.DataFrame({"x": [1.0, 7.0, 7.0, None], "y": [None, 5.0, 9.0, None]})
    found = _measured(compared(before, after, ["x", "y"]))
    assert found == pytest.approx([60.0, 60.0, 100 / 3, 100.0])


def test_dates_have_deviations_but_no_percentages() -> None:
    before = pl.DataFrame({"d": [date(2000, 1, 1), date(2000, 1, 3), date(2020, 1, 1), date(2020, 1, 3)]})
    after = pl.DataFrame({"d": [date(2000, 1, 2)] * 2 + [date(2020, 1, 2)] * 2})
    assert _measured(compared(before, after, ["d"])) == [None, 100.0, 100.0, None]


def test_categories_have_no_intervals() -> None:
    frame = pl.DataFrame({"c": ["a", "b"]})
    figures = measure_intervals(compared(frame, frame, ["c"]), Run())
    assert [figure.value for figure in figures] == [None] * 4
    assert figures[0].note == "there is no value in a protected column of numbers"
    assert figures[3].note == "there is no value in a protected column of numbers or dates"


@pytest.mark.parametrize("n", [1, 3])
def test_constant_columns_are_disclosed_if_they_stay(n: int) -> None:
    assert _measured(numbers([7.0] * n, [7.0] * n)) == [100.0, 100.0, 100.0, None]
    assert _measured(numbers([7.0] * n, [8.0] * n)) == [0.0, 0.0, 0.0, None]


def test_column_without_any_value() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0], "y": [None, None]}, schema={"x": pl.Float64, "y": pl.Float64})
    assert _measured(compared(frame, frame, ["x", "y"])) == [100.0, 100.0, 100.0, None]


def test_one_column_cannot_be_left_out() -> None:
    """All values of a record but one are none at all."""
    figure = measure_intervals(numbers([1.0, 2.0, 9.0], [5.0, 5.0, 5.0]), Run())[3]
    assert figure.value is None
    assert figure.note == "no record has values in two protected columns of numbers or dates, so that all would count"


def test_records_are_those_of_drisk() -> None:
    """dRisk of sdcMicro: at most one value outside ±5 % of the deviation of the perturbed column; data like free1."""
    rng = np.random.default_rng(3)
    X = np.exp(rng.normal(size=(4000, 4)) @ np.linalg.cholesky(0.5 * np.eye(4) + 0.5).T) * [1, 10, 100, 1000]
    Y = np.empty_like(X)
    for old, new in zip(X.T, Y.T, strict=True):  # individual ranking
        order = np.argsort(old)
        new[order] = old[order].reshape(-1, 200).mean(axis=1).repeat(200)
    frames = [pl.DataFrame(one, schema=list("abcd")) for one in (X, Y)]
    found = _measured(compared(frames[0], frames[1], list("abcd")))
    assert found[3] == pytest.approx(100 * _share_of_drisk(X, Y))
    assert found[2] is not None
    assert found[3] is not None
    assert 0 < found[2] < found[3] < 100


def _share_of_drisk(X: FloatArray, Y: FloatArray) -> float:
    lower = Y - 0.05 * Y.std(axis=0, ddof=1)
    upper = Y + 0.05 * Y.std(axis=0, ddof=1)
    n_outside = ((lower > X) | (upper < X)).sum(axis=1)
    return float((n_outside <= 1).mean())


@given(releases())
def test_shares_are_those_of_the_oracle(drawn: Drawn) -> None:
    columns = [name for name in drawn.names if name != "c"]
    before, after = (frame.select(columns).rows() for frame in (drawn.before, drawn.after))
    widths: list[float | None] = [0.05 * deviation(drawn.after[name]) for name in columns]
    expected = [
        naive_risk.share_within(before, after, [None] * len(columns)),
        naive_risk.share_within(before, after, widths),
        naive_risk.records_within(before, after, widths, 0),
        naive_risk.records_within(before, after, widths, 1) if _any_with_two(before, after) else None,
    ]
    assert _measured(drawn.tables) == pytest.approx(expected)


def _any_with_two(before: list[tuple[object, ...]], after: list[tuple[object, ...]]) -> bool:
    """Check whether some record has two cells in both tables."""
    rows = [zip(old, new, strict=True) for old, new in zip(before, after, strict=True)]
    return any(sum(None not in cell for cell in row) > 1 for row in rows)


def test_progress_is_reported_column_by_column() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0], "y": [1.0, 2.0]})
    run = CancelledAt(10)
    measure_intervals(compared(frame, frame, ["x", "y"]), run)
    assert run.shares == [0.0, 0.5]
