"""Identifiers by the values of a column."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microagg import read
from microagg.doubt import doubts
from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.identifier_rules import unit_by_values
from reasons import reason


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([3, 1, 2, 6, 5, 4], "looks like an identifier: whole numbers that count the records"),
        ([1000, 1005, 1001, 1002, 1004, 1003], "looks like an identifier: whole numbers that count the records"),
        ([3.0, 1.0, 2.0, 6.0, 5.0, 4.0], "looks like an identifier: whole numbers that count the records"),
        ([3, 5, 18, 31, 400, 7000], "looks like an identifier: whole numbers in order, all different"),
        ([7000, 400, 31, 18, 5, 3], "looks like an identifier: whole numbers in order, all different"),
        ([7, 7, 8, 8, 8, 9], "looks like an identifier: whole numbers that count up, as those of households do"),
        ([2**53 - i for i in (2, 0, 1, 5, 4, 3)], "looks like an identifier: whole numbers that count the records"),
        (
            [301555123, 945551442, 617555098, 212555733, 415555200, 303555411],
            "looks like an identifier: different whole numbers of 9 digits each",
        ),
        ([3, 1, 2, 5, 4], "plain"),  # fewer than six are in order by chance
        ([3, 1, 2, 6, 5, 7], "plain"),  # 4 is not among them
        ([3, 5, 18, 31, 7000, 400], "plain"),
        ([3.5, 5.0, 18.0, 31.0, 400.0, 7000.0], "plain"),
        ([7, 7, 7, 8, 8, 8], "plain"),
        ([7, 7, 8, 8, 8, 10], "plain"),
        ([7, 7, 8, 9, 8, 9], "plain"),
        ([30155512, 94555144, 61755509, 21255573, 41555520, 30355541], "plain"),
        ([301555123, 301555123, 617555098, 212555733, 415555200, 303555411], "plain"),
        ([301555123, 94555144, 617555098, 212555733, 415555200, 303555411], "plain"),
    ],
)
def test_identifier_by_values(values: Any, expected: str) -> None:
    assert reason(values) == expected


def test_integers_that_floats_cannot_hold(tmp_path: Path) -> None:
    beyond = "has integers beyond 2^53, as identifiers do"
    assert reason([5, 2**53 + 1]) == beyond
    assert reason([5, -(2**53) - 1]) == beyond
    assert reason([5, 2**53]) == "plain"
    assert reason([5.0, 2.0**60]) == "plain"
    path = tmp_path / "table.csv"
    path.write_text(f"x,y\n{10**400},1.5\n7,2.5\n")
    assert dict(doubts(read(path), ["x", "y"])) == {"x": beyond}


COUNT = "looks like an identifier: whole numbers that count the records"
IN_ORDER = "looks like an identifier: whole numbers in order, all different"
HOUSEHOLDS = "looks like an identifier: whole numbers that count up, as those of households do"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([30, 31, 50, 70, 80], "plain"),
        ([30, 31, 50, 70, 80, 81], IN_ORDER),
        ([30, 31, 31, 70, 80, 81], "plain"),
        ([81, 80, 70, 50, 31, 30], IN_ORDER),
        ([81, 80, 70, 50, 50, 30], "plain"),
        ([30] * 6, "plain"),
        ([12, 10, 11, 13, 15, 14], COUNT),
        ([12, 10, 11, 13, 15, 16], "plain"),
        ([12, 10, 11, 13, 15, 15], "plain"),
        ([10, 10, 10, 11, 11, 11], "plain"),
        ([10, 10, 10, 11, 11, 12], HOUSEHOLDS),
        ([10, 10, 11, 10, 11, 12], "plain"),
        ([10, 10, 10, 11, 11, 13], "plain"),
        ([-1, -1, 0, 0, 1, 1], HOUSEHOLDS),
    ],
)
def test_orders_and_counts_at_their_edges(values: list[int], expected: str) -> None:
    assert reason(values) == expected
    assert reason([float(value) for value in values]) == expected


@pytest.mark.parametrize(
    ("numbers", "digits"),
    [
        ([100000000, 987654321, 301555123, 617555098, 212555733, 415555200], 9),
        ([1000000000, 9987654321, 3015551230, 6175550980, 2125557330, 4155552000], 10),
        ([99999999, 987654321, 301555123, 617555098, 212555733, 415555200], None),
        ([10000000, 98765432, 30155512, 61755509, 21255573, 41555520], None),
        ([100000000, 100000000, 987654321, 301555123, 617555098, 212555733], None),
    ],
)
def test_long_numbers_of_equal_length(numbers: list[int], digits: int | None) -> None:
    expected = f"looks like an identifier: different whole numbers of {digits} digits each"
    assert reason(numbers) == ("plain" if digits is None else expected)


@pytest.mark.parametrize(
    ("value", "beyond"), [(2**53, False), (2**53 + 1, True), (-(2**53), False), (-(2**53) - 1, True)]
)
def test_integers_beyond_floats_at_their_edge(value: int, beyond: bool) -> None:
    assert (reason([5, value]) == "has integers beyond 2^53, as identifiers do") is beyond
    assert reason(pl.Series([None, None], dtype=pl.Int64)) == "plain"


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
    ("values", "expected"),
    [
        (np.repeat(37 * np.arange(50) + 5, 3), "looks like an identifier: whole numbers, each of exactly 3 records"),
        (np.repeat(37 * np.arange(49) + 5, 3), "plain"),
        (np.append(np.repeat(37 * np.arange(50) + 5, 3), 5), "plain"),
        (np.repeat(37.5 * np.arange(50) + 5, 3), "plain"),
        (
            np.append(np.arange(120) // 2 + 1, 5),
            "looks like an identifier: whole numbers that count up, as those of households do",
        ),
        (np.append(np.arange(98) // 2 + 1, 5), "plain"),
        (np.append(np.arange(118) // 2 + 7, 9), "plain"),
    ],
)
def test_numbers_of_units_in_any_order(values: Any, expected: str) -> None:
    shuffled = np.random.default_rng(0).permutation(values)
    assert reason(shuffled) == expected


def test_unit_by_name_in_a_file_sorted_by_it() -> None:
    assert reason(np.arange(60) // 12 + 1) == "looks like a code: whole numbers with only 5 different values"
