"""Roles that are proposed by what columns look like."""

from datetime import date
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import Inspection, inspect
from microagg.doubt.appearance import Appearance
from microagg.model.inspection import Aspect, Look, ValueSummary
from microagg.propose import KNOWN, propose

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
        ("weight", [0.0, *AMOUNTS], "dropped", False, True),
        ("weight", [None, *AMOUNTS], "dropped", False, True),
        ("sex", CODES, "quasi-identifier", True, False),
        ("town", ["Ulm", "Bonn"] * 30, "quasi-identifier", True, False),
        ("employed", [True, False] * 30, "quasi-identifier", True, True),
        ("age", [31, 5, 17, 44, 23, 38, 61, 72, 9, 50], "quasi-identifier", False, False),
        ("birth_date", [date(1970, 1, 1), date(1980, 3, 2)], "quasi-identifier", False, False),
        ("interview", [date(1970, 1, 1), date(1980, 3, 2)], "quasi-identifier", False, True),
        ("month", [1, 12] * 30, "quasi-identifier", True, True),
        ("year", [1996, 1999] * 30, "quasi-identifier", False, True),
        ("date", [19961231, 19970101, 19970615] * 20, "quasi-identifier", True, True),
        ("year", [1996] * 60, "unchanged", False, False),
        ("income", AMOUNTS, "amount", False, True),
        ("income", [*AMOUNTS, float("inf")], "dropped", False, True),
        ("flag", [1] * 199 + [2], "quasi-identifier", True, True),
        ("x", [1] * 200, "unchanged", False, False),
        ("x", [1] * 199 + [None], "amount", False, True),
        ("flag", [None] * 200, "unchanged", True, False),
        ("x", list(range(60)), "identifier", False, True),
        ("fcode", [1000 + 37 * (i // 3) for i in range(180)], "unit", False, True),
        ("remark", [f"case {i} was seen at home" for i in range(10)], "dropped", False, True),
        ("postcode", [i % 200 for i in range(400)], "quasi-identifier", True, False),
        ("postcode", [i % 201 for i in range(402)], "dropped", True, True),
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
    assert inspection.columns[1].proposal.question == (
        "is this the weight of a record, and not 'weight'? until that is known it is left out"
    )
    assert inspection.having_role("dropped") == ("wt2",)


def test_households_are_the_unit_before_anything_that_repeats_more() -> None:
    inspection = _inspect(serial=[i // 2 for i in range(60)], hhid=HOUSEHOLDS, pernum=[1, 2, 3] * 20)
    assert inspection.having_role("unit") == ("hhid",)
    assert inspection.having_role("identifier") == ("serial", "pernum")


def test_however_many_there_are_none_is_left_unchanged() -> None:
    columns = {"sex": CODES, **{f"q{letter}": CODES for letter in "abcdefghijklmnopqrstuvwxyz"}, "income": AMOUNTS}
    inspection = _inspect(**columns)
    assert inspection.having_role("unchanged") == ()
    assert len(inspection.having_role("quasi-identifier")) == 27
    questions = {column.proposal.question for column in inspection.columns}
    assert questions == {None, KNOWN}, "what others evidently know is not asked about"


@given(
    st.lists(st.sampled_from(["free text", "identifier", "mixed", "infinite", "weight", "code", "date", "sentinel"]))
)
def test_only_constants_are_released_as_they_came_without_a_role(aspects: list[Aspect]) -> None:
    values = ValueSummary("integer", 7, 1, 1, 7)
    column = Appearance("x", values, tuple(Look(aspect, "looks like it") for aspect in aspects))
    assert propose([column])["x"].role != "unchanged"
