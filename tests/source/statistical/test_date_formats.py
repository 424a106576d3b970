"""Dates of Stata, SPSS and SAS count from their own origins, in their own units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.model.source_protocol import FileKind
from microagg.source.statistical.date_formats import date_unit


@pytest.mark.parametrize(
    ("kind", "value_format", "number", "expected"),
    [
        ("Stata", "%td", 0, "1960-01-01"),
        ("Stata", "%d", -1, "1959-12-31"),
        ("Stata", "%tdDD/NN/CCYY", 366, "1961-01-01"),
        ("Stata", "%-td", 1, "1960-01-02"),
        ("Stata", "%tc", 1500, "1960-01-01T00:00:01.500000"),
        ("Stata", "%tcDD/NN/CCYY_HH:MM", 60_000, "1960-01-01T00:01:00.000000"),
        ("Stata", "%tC", 0, "1960-01-01T00:00:00.000000"),
        ("SPSS", "DATE11", 86_400, "1582-10-15"),
        ("SPSS", "EDATE10", 12_219_379_200, "1970-01-01"),
        ("SPSS", "ADATE8", 12_219_379_200.5, "1970-01-01T00:00:00.500000"),
        ("SPSS", "DATETIME20", 12_219_379_261.25, "1970-01-01T00:01:01.250000"),
        ("SAS", "DATE9.", 0, "1960-01-01"),
        ("SAS", "YYMMDDN8.", 366, "1961-01-01"),
        ("SAS", "E8601DA", 1, "1960-01-02"),
        ("SAS", "DATETIME20.", 61, "1960-01-01T00:01:01.000000"),
    ],
)
def test_numbers_are_dates(kind: FileKind, value_format: str, number: float, expected: str) -> None:
    unit = date_unit(kind, value_format)
    assert unit is not None
    found = unit.instants(np.array([number, np.nan]))
    assert found is not None
    assert [str(one) for one in found] == [expected, "NaT"]
    assert unit.numbers(found[:1]).tolist() == [number]


@pytest.mark.parametrize(
    ("kind", "value_format"),
    [
        ("Stata", None),
        ("Stata", "%9.0g"),
        ("Stata", "%tm"),
        ("Stata", "%tq"),
        ("Stata", "%ty"),
        ("Stata", "%tcHH:MM:SS"),
        ("Stata", "%tcHh:MM_am"),
        ("SPSS", "F8.2"),
        ("SPSS", "TIME8"),
        ("SPSS", "DTIME"),
        ("SPSS", "WKDAY9"),
        ("SPSS", "DOLLAR10.2"),
        ("SAS", "BEST12."),
        ("SAS", "TIME8."),
        ("SAS", "DOLLAR8.2"),
    ],
)
def test_other_formats_are_no_dates(kind: FileKind, value_format: str | None) -> None:
    assert date_unit(kind, value_format) is None


@pytest.mark.parametrize("number", [1e300, -1e12, np.inf])
def test_numbers_beyond_the_calendar_stay_numbers(number: float) -> None:
    for kind, value_format in (("Stata", "%td"), ("SPSS", "DATE11"), ("SAS", "DATETIME20.")):
        unit = date_unit(kind, value_format)  # type: ignore[arg-type]
        assert unit is not None
        assert unit.instants(np.array([1.0, number])) is None


@given(st.lists(st.integers(-(10**14), 10**14).map(lambda ms: ms / 1000), max_size=20))
def test_seconds_come_back_exactly(seconds: list[float]) -> None:
    unit = date_unit("SPSS", "DATETIME23.3")
    assert unit is not None
    found = unit.instants(np.array(seconds))
    if found is not None:
        assert unit.numbers(found).tolist() == seconds
