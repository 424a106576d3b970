"""Years and dates by the name and the values of a column."""

from typing import Any

import pytest

from reasons import reason


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("YEAR", [96, 96, 96]),
        ("birth_year", [1950, 2001, 1987]),
        ("SURVYEAR", [1999, 2001, 2000]),
        ("month", [1, 12, 7]),
        ("MON", [199601, 199612, 199607]),
        ("Day", [366, 1, 17]),
        ("date", [35431, 35400, 35999]),
        ("dob", [19870412, 19990130, 19550101]),
        ("x", [20000101, 20240229, 19991231, 20010615, 20000501, 20070707]),
        ("x", [200001, 202412, 199912, 200106, 200005, 200707]),
        ("x", [1987, 2001, 1955, 2010, 1999, 1980]),
        ("x", [1987.0, 2001.0, 1955.0, 2010.0, 1999.0, 1980.0]),
    ],
)
def test_years_and_dates(name: str, values: Any) -> None:
    assert reason(values, name).startswith("may be a year or a date")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("income_year", [25000, 31000, 18500]),
        ("years_of_schooling", [12, 9, 17]),
        ("month_rent", [450, 1200, 13]),
        ("birth_weight", [2900, 3650, 4100]),
        ("x", [1950, 2010, 2050, 1980, 1900, 2100]),  # round, as amounts are
        ("x", [1987, 2001, 1955, 2010, 1999]),
        ("x", [1987, 2001, 1955, 2010, 1999, 2101]),
        ("x", [1987.5, 2001.0, 1955.0, 2010.0, 1999.0, 1980.0]),
        ("x", [20000101, 20240230, 19991231, 20010615, 20000501, 20070707]),
        ("x", [20000101, 20241329, 19991231, 20010615, 20000501, 20070707]),
        ("x", [200001, 202413, 199912, 200106, 200005, 200707]),
    ],
)
def test_neither_years_nor_dates(name: str, values: Any) -> None:
    assert reason(values, name) == "plain"
