"""Identifiers by the values of a column."""

from pathlib import Path
from typing import Any

import pytest

from microagg import read
from microagg.doubt import doubts
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
