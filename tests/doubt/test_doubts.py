"""Doubts about the columns of whole tables."""

import os
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from files import write_bytes
from microagg import read
from microagg.doubt import doubts, is_row_number
from microagg.model.errors import Doubt
from reasons import reasons


def test_text_is_never_doubtful() -> None:
    assert reasons(name=["a", "b", "c"], flag=[True, False, True]) == {}


@pytest.mark.parametrize(
    ("name", "doubtful"),
    [
        ("tarragona", set()),
        ("census", {"AFNLWGT"}),
        ("eia_full", {"UTILITYID", "YEAR", "MONTH"}),
    ],
)
def test_classic_sets(name: str, doubtful: set[str]) -> None:
    table = _classic(name)
    assert {doubt.column for doubt in doubts(table, table.names)} == doubtful


def test_survey_files() -> None:
    table = _classic("testdata")
    doubtful = {doubt.column for doubt in doubts(table, table.names)}
    assert set(table.names) - doubtful == {"age", "expend", "income", "savings"}
    table = _classic("free1")
    found = dict(doubts(table, table.names))
    assert set(table.names) - set(found) == {"AGE", "INCOME", "ASSETS", "DEBTS"}
    assert "weight" in found["WEIGHT"]
    assert "97" in found["AGEYOUNG"]


def _classic(name: str) -> Any:
    path = Path(os.environ["MICROAGG_DATA"]) / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not to be had")
    return read(path)


def test_doubts_come_in_the_order_of_the_names() -> None:
    table = read(pl.DataFrame({"id": [5, 1, 7], "x": [0.5, 1.5, 7.5], "wt": [1.5, 1.25, 3.5]}))
    weight = Doubt("wt", "looks like a sampling weight, by its name")
    identifier = Doubt("id", "looks like an identifier, by its name")
    assert doubts(table, ["wt", "x", "id"]) == (weight, identifier)
    assert doubts(table, ["x"]) == ()


def test_the_first_rule_that_applies_gives_the_reason() -> None:
    assert "identifier, by its name" in reasons(weight_id=[1, 2, 3])["weight_id"]
    assert "weight, by its name" in reasons(code_weight=[1, 2, 3])["code_weight"]
    assert "code, by its name" in reasons(year_code=[1950, 1960, 1987])["year_code"]
    assert "date, by its name" in reasons(date=[2**53 + 1, 10**17])["date"]
    assert "beyond 2^53" in reasons(x=[2**53 + 1, 2**53 + 2, 2**53 + 3, 2**53 + 4, 2**53 + 5, 2**53 + 6])["x"]
    assert "count the records" in reasons(x=[99, 97, 98, 94, 95, 96])["x"]
    assert reasons(x=[2001, 2002, 2003, 2004, 2005, 2006])["x"] == "may be a year or a date"


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("", [1, 2, 3], True),
        ("", [3, 8, 9], True),
        ("", [2, 1, 3], True),
        ("", [8, 3, 9], False),
        ("", [1, 2, None], False),
        ("", [1.5, 2.5, 3.5], False),
        ("", ["a", "b", "c"], False),
        ("__index_level_0__", [1, 2, 3], True),
        ("__index_level_12__", [1, 2, 3], True),
        ("__index_level__", [1, 2, 3], False),
        ("x__index_level_0__", [1, 2, 3], False),
        ("x", [1, 2, 3], False),
    ],
)
def test_row_numbers(name: str, values: list[Any], expected: bool) -> None:
    table = read(pl.DataFrame({name: values, "y": [0.5, 1.5, 7.5]}))
    assert is_row_number(table, name) is expected


def test_names_of_row_numbers_without_row_numbers_are_doubtful() -> None:
    assert reasons(**{"": [8, 3, 9]}) == {"": "has a name that row numbers have, but does not count the rows"}
    assert reasons(**{"": [3, 8, 9]}) == {}


def test_columns_that_may_hold_numbers_are_doubtful(tmp_path: Path) -> None:
    csv = read(write_bytes(tmp_path / "in.csv", "nace;turnover\n47.11;1234,5\n47.19;2345,6\n"))
    expected = "may or may not hold numbers (decimal='.' or decimal=',' may resolve it)"
    assert dict(doubts(csv, csv.names)) == dict.fromkeys(csv.names, expected)
    frame = read(pd.DataFrame({"c": pd.Categorical([3, 1, 2])}))
    assert dict(doubts(frame, frame.names))["c"].startswith("holds categories that are numbers")
    text = read(write_bytes(tmp_path / "text.csv", "who;amount\na;12%\nb;17%\nc;13%\n"))
    (doubt,) = doubts(text, text.names)
    assert doubt.column == "amount"
    assert doubt.reason.startswith("holds text: row 1 is '12%', which is no number")
    assert "leave it out" not in doubt.reason
