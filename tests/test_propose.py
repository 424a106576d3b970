"""Roles that are proposed by what columns look like."""

from datetime import date
from typing import Any

import polars as pl
import pytest

from microagg import Inspection, inspect

AMOUNTS = [1203.5, 870.0, 4410.0, 990.0, 1515.0, 2030.5, 1777.0, 3100.0, 650.0, 1120.0] * 6
HOUSEHOLDS = [i // 3 for i in range(60)]
CODES = [1, 2] * 30


def _inspect(**columns: Any) -> Inspection:
    return inspect(pl.DataFrame(columns, strict=False))


def _role(name: str, values: Any) -> tuple[str, bool, bool]:
    """Return the role of a single column, whether it is nominal, and whether something is asked."""
    proposal = _inspect(**{name: values}).columns[0].proposal
    return proposal.role, proposal.nominal, proposal.question is not None


@pytest.mark.parametrize(
    ("name", "values", "role", "nominal", "asked"),
    [
        ("person_id", list(range(60)), "identifier", False, False),
        ("hid", HOUSEHOLDS, "unit", False, False),
        ("surname", [f"Doe{i}" for i in range(60)], "identifier", False, False),
        ("weight", AMOUNTS, "weight", False, False),
        ("weight", [0.0, *AMOUNTS], "unchanged", False, True),
        ("weight", [None, *AMOUNTS], "unchanged", False, True),
        ("sex", CODES, "quasi-identifier", True, False),
        ("town", ["Ulm", "Bonn"] * 30, "quasi-identifier", True, False),
        ("employed", [True, False] * 30, "quasi-identifier", True, False),
        ("age", [31, 5, 17, 44, 23, 38, 61, 72, 9, 50], "quasi-identifier", False, False),
        ("birth_date", [date(1970, 1, 1), date(1980, 3, 2)], "quasi-identifier", False, False),
        ("interview", [date(1970, 1, 1), date(1980, 3, 2)], "unchanged", False, True),
        ("month", [1, 12] * 30, "unchanged", False, True),
        ("year", [1996] * 60, "unchanged", False, False),
        ("income", AMOUNTS, "amount", False, False),
        ("income", [*AMOUNTS, float("inf")], "unchanged", False, True),
        ("flag", [1] * 199 + [2], "unchanged", True, True),
        ("remark", [f"case {i} was seen at home" for i in range(10)], "dropped", False, False),
        ("postcode", [i % 200 for i in range(400)], "quasi-identifier", True, False),
        ("postcode", [i % 201 for i in range(402)], "dropped", True, False),
    ],
)
def test_role_of_a_single_column(name: str, values: Any, role: str, nominal: bool, asked: bool) -> None:
    assert _role(name, values) == (role, nominal, asked)


def test_one_unit_is_left_the_one_with_most_records_each() -> None:
    inspection = _inspect(pid=[i // 2 for i in range(60)], hid=HOUSEHOLDS, surname=[f"Doe{i // 3}" for i in range(60)])
    assert inspection.having_role("unit") == ("hid",)
    assert inspection.having_role("identifier") == ("pid", "surname")


def test_a_name_is_the_unit_where_there_is_no_number() -> None:
    assert _inspect(surname=[f"Doe{i // 3}" for i in range(60)]).having_role("unit") == ("surname",)


def test_one_weight_is_left_the_first() -> None:
    inspection = _inspect(weight=AMOUNTS, wt2=AMOUNTS)
    assert inspection.having_role("weight") == ("weight",)
    assert inspection.columns[1].proposal.question == "is this the weight of a record, and not 'weight'?"


def test_twelve_quasi_identifiers_are_proposed_together() -> None:
    columns = {"sex": CODES, **{f"q{letter}": CODES for letter in "abcdefghijk"}}
    assert len(_inspect(**columns).having_role("quasi-identifier")) == 12


def test_of_more_only_those_that_others_often_know() -> None:
    columns = {"sex": CODES, **{f"q{letter}": CODES for letter in "abcdefghijkl"}}
    inspection = _inspect(**columns)
    assert inspection.having_role("quasi-identifier") == ("sex",)
    questions = {column.proposal.question for column in inspection.columns[1:]}
    assert questions == {"can others know it of the people or enterprises in the file?"}
    assert all(column.proposal.nominal for column in inspection.columns)
