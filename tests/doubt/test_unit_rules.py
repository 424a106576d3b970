"""Identifiers that repeat as those of households and enterprises do."""

import numpy as np
import pytest

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.unit_rules import unit_by_name, unit_by_values


def _unit(values: object) -> str | None:
    return unit_by_values(ColumnProfile.of_values("hid", np.asarray(values)))


def test_units_have_several_records() -> None:
    assert _unit(np.repeat(np.arange(20), 3)) == (
        "repeats, as those of households and enterprises do: 20 values, 3.0 records each"
    )
    assert _unit(np.arange(20)) is None


@pytest.mark.parametrize(("n_units", "n_records", "expected"), [(20, 21, True), (21, 22, False)])
def test_a_value_that_is_repeated_by_mistake_makes_no_unit(n_units: int, n_records: int, expected: bool) -> None:
    values = [*range(n_units), *range(n_records - n_units)]
    assert (_unit(values) is not None) is expected


@pytest.mark.parametrize(("records_each", "expected"), [(200, True), (201, False)])
def test_hundreds_of_records_are_a_class(records_each: int, expected: bool) -> None:
    assert (_unit(np.repeat(np.arange(16), records_each)) is not None) is expected


def test_few_values_are_codes() -> None:
    assert _unit(np.repeat(np.arange(15), 4)) is None
    assert _unit(np.repeat(np.arange(15), 3)) is not None
    assert _unit([1, 1, 2, 2]) is None
    assert _unit([1, 1, 2, 2, 3]) is not None


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("household", [7, 3, 5, 7, 1, 3, 9], True),
        ("HH", [7, 3, 5, 7, 1, 3, 9], True),
        ("household", [7, 3, 5, 8, 1, 2, 9], False),
        ("household", [7.5, 3, 5, 7.5, 1, 3, 9], False),
        ("household_income", [7, 3, 5, 7, 1, 3, 9], False),
    ],
)
def test_units_by_name(name: str, values: list[float], expected: bool) -> None:
    assert (unit_by_name(ColumnProfile.of_values(name, np.asarray(values))) is not None) is expected
