"""What single columns look like, of every kind."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from files import write_bytes
from microagg import read
from microagg.doubt.appearance import Appearance, appearance


def _look(values: Any, name: str = "x") -> Appearance:
    return appearance(read(pl.DataFrame({name: values}, strict=False)), name)


def _aspects(values: Any, name: str = "x") -> list[str]:
    return [look.aspect for look in _look(values, name).looks]


AMOUNTS = [1203.5, 870.0, 4410.0, 990.0, 1515.0, 2030.5, 1777.0, 3100.0, 650.0, 1120.0]


@pytest.mark.parametrize(
    ("name", "values", "aspects"),
    [
        ("income", AMOUNTS, []),
        ("person_id", list(range(10)), ["identifier"]),
        ("hid", [i // 3 for i in range(60)], ["identifier", "unit"]),
        ("weight", [1.5, 2.5, 3.5], ["weight"]),
        ("sex", [1, 2] * 10, ["code"]),
        ("roof", [1, 2, 9] * 10, ["code", "sentinel"]),
        ("kind", [1, 2, 3, 97] * 10, ["sentinel", "code"]),
        ("income", [*AMOUNTS, 99999], ["sentinel"]),
        ("year", [2001, 2003] * 10, ["date"]),
        ("income", [*AMOUNTS, 0, 0, 0, 0], ["structural zeros"]),
        ("turnover", list(np.exp(np.linspace(-2, 12, 300))), ["skewed"]),
        ("income", [500.5] * 99 + [3.0], ["nearly constant"]),
        ("income", [*AMOUNTS, float("inf")], ["infinite"]),
        ("born", [date(1970, 1, day) for day in range(1, 9)], ["date"]),
        ("seen", [datetime(1970, 1, day) for day in range(1, 9)], ["date"]),
        ("employed", [True, False, True], ["category"]),
        ("town", ["Ulm", "Bonn", "Ulm"], ["category"]),
        ("town", ["Ulm"] * 5, ["category", "nearly constant"]),
        ("surname", ["Doe", "Roe"] * 10, ["identifier"]),
        ("surname", [f"Doe{i // 2}" for i in range(60)], ["identifier", "unit"]),
        ("ref", [f"r{i}" for i in range(10)], ["identifier"]),
        ("remark", [f"case {i} was seen at home" for i in range(10)], ["free text"]),
        ("town", [None, None], ["nearly constant"]),
        ("", [1, 2, 3], ["identifier"]),
        ("w", AMOUNTS, ["weight"]),
        ("household", [7, 3, 5, 7, 1, 3, 9], ["identifier", "unit"]),
        ("occupation", [(37 * i) % 101 for i in range(100)], ["code"]),
        ("occupation", AMOUNTS, []),
        ("children", [(37 * i) % 101 for i in range(100)], []),
    ],
)
def test_aspects(name: str, values: list[Any], aspects: list[str]) -> None:
    assert _aspects(values, name) == aspects


def test_text_that_is_nearly_always_different_is_no_unit() -> None:
    assert _aspects([f"r{i % 92}" for i in range(100)]) == ["identifier"]


def test_mixed_columns(tmp_path: Path) -> None:
    table = read(write_bytes(tmp_path / "in.csv", "who;amount\na;12%\nb;17%\nc;13%\n"))
    looked = appearance(table, "amount")
    assert looked.values.kind == "mixed"
    assert [look.aspect for look in looked.looks] == ["mixed"]
    assert "12" not in looked.looks[0].reason


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([3, 1, 2], 1, 3),
        ([3.5, None, 1.5], 1.5, 3.5),
        ([date(2001, 5, 3), date(1999, 1, 1), None], "1999-01-01", "2001-05-03"),
        ([datetime(2001, 5, 3, 12, 30), datetime(2002, 5, 3)], "2001-05-03T12:30", "2002-05-03"),
        ([True, False], None, None),
        (["b", "a"], None, None),
        ([None, None], None, None),
    ],
)
def test_range(values: list[Any], low: Any, high: Any) -> None:
    summary = _look(values).values
    assert (summary.low, summary.high) == (low, high)


def test_values_are_counted() -> None:
    summary = _look(["b", "a", None, "b", "c", None]).values
    assert (summary.kind, summary.n_distinct, summary.n_missing) == ("text", 3, 2)
    assert summary.frequent == ("b", "a", "c")


def test_the_most_frequent_values_of_few_are_listed() -> None:
    assert _look([5, 7, 7, 7, 5, 1]).values.frequent == ("7", "5", "1")
    assert _look([0.5, 0.5, 1.25]).values.frequent == ("0.5", "1.25")
    assert _look(list(range(16))).values.frequent == ()
    assert len(_look(list(range(15))).values.frequent) == 5
    assert _look(["a very long category"]).values.frequent == ("a very long…",)
    assert _look([date(2001, 1, 1)]).values.frequent == ()


def test_sentinels_are_numbers_that_a_plan_can_name() -> None:
    assert _look([*AMOUNTS, 99999]).sentinels == (99999,)
    assert _look([*AMOUNTS, -9.0, -8.0]).sentinels == (-9, -8)
    assert _look([1.5, 2.5, 3.5, 99.9]).sentinels == (99.9,)
    assert _look([1, 2, 9] * 10).sentinels == (), "a code of its own"
    assert _look([31, 5, 17, 44, 999], "person_id").sentinels == ()


def test_skewness_is_that_of_the_values_without_sentinels() -> None:
    values = [*np.linspace(1, 20, 60).tolist(), *[9999.0] * 3]
    assert _aspects(values) == ["sentinel"]


def test_integers_beyond_64_bits() -> None:
    import pandas as pd

    looked = appearance(read(pd.DataFrame({"x": [2**70, 2**71, 2**72]})), "x")
    assert [look.aspect for look in looked.looks] == ["identifier"]
    assert looked.values.high == 2**72
