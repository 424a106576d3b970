"""Doubts about the columns of whole tables."""

import os
from pathlib import Path
from typing import Any

import pytest

from microagg import read
from microagg.doubt import doubts
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
