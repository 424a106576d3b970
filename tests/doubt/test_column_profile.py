"""Profiles of columns: words of names, values of every type."""

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from microagg import Column, read
from microagg.doubt import doubts
from microagg.doubt.column_profile import ColumnProfile
from reasons import reason


def test_missing_values_are_not_counted() -> None:
    assert reason([1, 2, None, 1, 1, 2, 1, 2]) == "plain"
    assert reason([1, 2, None, 1, 1, 2, 1, 2, 2]) == "looks like a code: whole numbers with only 2 different values"
    assert "count the records" in reason([3, 1, None, 2, 6, 5, 4])
    assert reason([float("nan"), float("inf"), 2.5]) == "plain"
    assert reason(pl.Series([None, None], dtype=pl.Float64)) == "plain"


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int16, np.uint8, np.int8])
def test_every_type_of_number_is_looked_at(dtype: Any) -> None:
    values = np.array([3, 1, 2, 6, 5, 4], dtype=dtype)
    table = read(pd.DataFrame({"a": values, "b": values**2}))
    assert [doubt.column for doubt in doubts(table, table.names)] == ["a"]


def _profile(values: Any, name: str = "x") -> ColumnProfile:
    return ColumnProfile.of(Column.of_numbers(name, np.array(values)))


@pytest.mark.parametrize(
    ("name", "words", "runs"),
    [
        ("person_id", ("person", "id"), ("person", "id")),
        ("PersonID", ("person", "id"), ("personid",)),
        ("personId", ("person", "id"), ("personid",)),
        ("UTILITYID", ("utilityid",), ("utilityid",)),
        ("UserIDs", ("user", "ids"), ("userids",)),
        ("GDPGrowth", ("gdp", "growth"), ("gdpgrowth",)),
        ("id2_of  größe.x", ("id", "of", "grosse", "x"), ("id", "of", "grosse", "x")),
        ("STRASSE straße", ("strasse", "strasse"), ("strasse", "strasse")),
        ("ménage PoidsFinal", ("menage", "poids", "final"), ("menage", "poidsfinal")),
        ("1_2–", (), ()),
        ("", (), ()),
    ],
)
def test_names_are_split_into_words(name: str, words: tuple[str, ...], runs: tuple[str, ...]) -> None:
    profile = _profile([1.0], name)
    assert (profile.words, profile.runs) == (words, runs)
    assert profile.all_words == {*words, *runs}
    assert profile.last_words == {*words[-1:], *runs[-1:]}


def test_what_a_name_is_about() -> None:
    assert _profile([1.0], "type_of_house").head_words == {"type", "house"}
    assert _profile([1.0], "house_type").head_words == {"type"}
    assert _profile([1.0], "of").head_words == {"of"}
    assert _profile([1.0], "").head_words == set()


def test_values_are_finite_and_in_order() -> None:
    profile = _profile([3.0, np.nan, 1.0, np.inf, 3.0])
    assert profile.values.tolist() == [3.0, 1.0, 3.0]
    assert (profile.distinct.tolist(), profile.counts.tolist()) == ([1.0, 3.0], [1, 2])
    masked = Column("n", "integer", np.array([3, 7, 1]), missing=np.array([False, True, False]))
    assert ColumnProfile.of(masked).values.tolist() == [3, 1]
    assert _profile(np.array([1.5], dtype=np.float16)).values.dtype == np.float64


def test_integral_values() -> None:
    assert _profile([1.0, 2.0]).integral
    assert not _profile([1.0, 2.5]).integral
    assert _profile([1, 2]).integral
    assert _profile([np.nan]).integral


@pytest.mark.parametrize(
    ("values", "increasing", "without_gaps", "enumerates"),
    [
        ([1, 2, 3], True, True, True),
        ([3, 1, 2], False, True, True),
        ([1, 2, 4], True, False, False),
        ([1, 1, 2], False, True, False),
        ([1, 3, 3], False, False, False),
        ([5], True, True, True),
        ([], True, False, False),
    ],
)
def test_order_of_values(values: list[int], increasing: bool, without_gaps: bool, enumerates: bool) -> None:
    profile = _profile(np.array(values, dtype=np.int64))
    assert (profile.increasing, profile.without_gaps, profile.enumerates) == (increasing, without_gaps, enumerates)


def test_ranges_have_their_ends() -> None:
    profile = _profile([1, 5, 3])
    assert profile.within(1, 5)
    assert not profile.within(2, 5)
    assert not profile.within(1, 4)
    assert _profile([4]).within(4, 4)
    assert not _profile(np.array([], dtype=np.int64)).within(0, 9)


def test_profiles_cannot_be_changed_and_are_equal_to_themselves_only() -> None:
    profile = _profile([1.0, 2.0])
    with pytest.raises(FrozenInstanceError):
        profile.values = np.zeros(2)  # type: ignore[misc]
    assert profile == profile
    assert profile != _profile([1.0, 2.0])
