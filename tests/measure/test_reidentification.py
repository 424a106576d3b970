"""Expected re-identification: prosecutor, journalist and marketer by hand."""

import polars as pl
import pytest
from hypothesis import given

from microagg import InputError, Plan
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.reidentification import measure_reidentification
from microagg.measure.released_classes import ReleasedClasses
from microagg.model.figure import Figure
from risk_tables import Drawn, compared, numbers, releases

BEFORE = pl.DataFrame({"x": [1.0, 2.0, 3.0, 7.0, 9.0], "w": [10.0, 20.0, 30.0, 4.0, 1.0]})
AFTER = BEFORE.with_columns(x=pl.Series([2.0, 2.0, 2.0, 8.0, 8.0]))


def _figures(tables: ComparedTables, fraction: float | None = None) -> list[Figure]:
    return measure_reidentification(tables, ReleasedClasses.of(tables), fraction)


def test_risks_by_hand() -> None:
    """Classes of three and two: the person at most risk is one of two; two of five records are picked right."""
    prosecutor, journalist, marketer = _figures(compared(BEFORE, AFTER, ["x"]))
    assert (prosecutor.name, prosecutor.value) == ("reidentification_prosecutor", 50.0)
    assert (journalist.name, journalist.value) == ("reidentification_journalist", None)
    assert journalist.note == "neither a sampling fraction nor a column of weights is given"
    assert (marketer.name, marketer.value) == ("reidentification_marketer", 40.0)
    assert prosecutor.note == marketer.note == ""


def test_journalist_with_a_sampling_fraction() -> None:
    """One in twenty: the class of two stands for forty."""
    journalist = _figures(compared(BEFORE, AFTER, ["x"]), 0.05)[1]
    assert journalist.value == pytest.approx(2.5)
    assert journalist.note.endswith("divided by the sampling fraction, 0.05")


def test_journalist_with_weights() -> None:
    """The class of 4 + 1 is smaller than that of 10 + 20 + 30."""
    tables = compared(BEFORE, AFTER, ["x"], plan=Plan(k=2, columns=["x"], weight="w"))
    journalist = _figures(tables)[1]
    assert journalist.value == pytest.approx(20.0)
    assert journalist.note.endswith("the sum of the weights of its records, in 'w'")
    assert _figures(tables, 0.5)[1].value == pytest.approx(25.0)


def test_population_has_the_released_records_at_least() -> None:
    light = BEFORE.with_columns(w=pl.lit(0.25))
    tables = compared(light, light, ["x"], plan=Plan(k=2, columns=["x"], weight="w"))
    assert _figures(tables)[1].value == 100.0


@pytest.mark.parametrize("fraction", [0, -0.5, 1.01, 5, float("nan"), True, "0.1"])
def test_fractions_that_cannot_be_are_refused(fraction: float) -> None:
    with pytest.raises(InputError, match="sampling_fraction must be"):
        _figures(numbers([1.0, 2.0], [1.5, 1.5]), fraction)


def test_whole_population_is_a_fraction_too() -> None:
    assert [one.value for one in _figures(numbers([1.0, 2.0], [1.5, 1.5]), 1)] == [50.0] * 3


def test_weights_that_cannot_be_are_refused() -> None:
    bad = BEFORE.with_columns(w=pl.Series([1.0, 2.0, 0.0, 1.0, 1.0]))
    with pytest.raises(InputError, match="weight 'w' must be a positive number in every record, found 0 in row 3"):
        _figures(compared(bad, bad, ["x"], plan=Plan(k=2, columns=["x"], weight="w")))


def test_units_hide_each_other_not_their_own_records() -> None:
    """The class of 2 has three records of houses 1 and 2, that of 8 two records of house 3 alone."""
    before = BEFORE.with_columns(house=pl.Series([1, 1, 2, 3, 3]))
    after = AFTER.with_columns(house=before["house"])
    plan = Plan(k=1, columns=["x"], unit="house", weight="w", allow_k1=True)
    prosecutor, journalist, marketer = _figures(compared(before, after, ["x"], plan=plan))
    assert prosecutor.value == 100.0
    assert marketer.value == pytest.approx(100 * (3 / 2 + 2) / 5)
    assert prosecutor.note == marketer.note == "units are counted, not records"
    assert journalist.value == pytest.approx(100 / 2.5)
    assert journalist.note.endswith("of the weights of its units, each the mean of its records', in 'w'")
    by_fraction = _figures(compared(before, after, ["x"], plan=plan), 0.1)[1]
    assert by_fraction.value == pytest.approx(10.0)
    assert by_fraction.note.endswith("as its units divided by the sampling fraction, 0.1")


def test_every_record_its_own_unit_changes_nothing() -> None:
    before = BEFORE.with_columns(person=pl.Series([1, 2, 3, 4, 5]))
    after = AFTER.with_columns(person=before["person"])
    plan = Plan(k=2, columns=["x"], weight="w")
    with_units = Plan(k=2, columns=["x"], weight="w", unit="person")
    values = [[one.value for one in _figures(compared(before, after, ["x"], plan=each))] for each in (plan, with_units)]
    assert values[0] == values[1] == [50.0, 20.0, 40.0]


def test_several_column_sets_are_taken_together() -> None:
    frame = pl.DataFrame({"x": [1, 1, 2, 2], "y": [1, 2, 1, 2]})
    plan = Plan(k=2, sets=[{"columns": ["x"]}, {"columns": ["y"]}])
    prosecutor, _, marketer = _figures(compared(frame, frame, ["x", "y"], plan=plan))
    assert (prosecutor.value, marketer.value) == (100.0, 100.0)
    assert prosecutor.note == marketer.note == "the columns of all column sets are taken together"


@given(releases())
def test_risks_are_those_of_the_classes(drawn: Drawn) -> None:
    rows = drawn.after.rows()
    sizes = [rows.count(row) for row in rows]
    prosecutor, _, marketer = _figures(drawn.tables)
    assert prosecutor.value == pytest.approx(100 / min(sizes))
    assert marketer.value == pytest.approx(100 * sum(1 / size for size in sizes) / len(sizes))
