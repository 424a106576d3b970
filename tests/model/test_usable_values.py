"""Values that cannot be used are named with their count and rows."""

import numpy as np
import pytest

from microagg import InputError
from microagg.model.usable_values import checked_numbers, refuse_missing


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([1.0, np.nan], "column 'x' of it has 1 missing value (row 2): "),
        ([np.nan, 1.0, np.nan], "column 'x' of it has 2 missing values (rows 1, 3): "),
        ([np.nan] * 3, "column 'x' of it has 3 missing values (rows 1, 2, 3): "),
        ([np.nan] * 4, "column 'x' of it has 4 missing values (rows 1, 2, 3, …): "),
        ([1.0, np.inf], "column 'x' of it has 1 infinite value (row 2): "),
        ([-np.inf, 1.0], "column 'x' of it has 1 infinite value (row 1): "),
        ([np.inf, np.nan], "column 'x' of it has 1 missing value (row 2): "),
    ],
)
def test_numbers_that_are_none_are_counted(numbers: list[float], words: str) -> None:
    with pytest.raises(InputError) as caught:
        checked_numbers(np.array(numbers), "x", " of it")
    advice = (
        "choose what protect does about them, as missing='pattern' ('fill', 'blank' and 'drop' keep k, too; "
        "'available' promises less); or fill them in"
    )
    if "infinite" in words:
        advice = "remove or correct these records, or leave the column out"
    assert str(caught.value) == words + advice


@pytest.mark.parametrize(
    ("numbers", "fits"),
    [
        ([1e150, -1e150], True),
        ([1.0, 1.1e150], False),
        ([-1.1e150, 1.0], False),
        ([0.0, 1e-150], True),
        ([0.0, 0.9e-150], False),
        ([5.0, 5.0], True),
        ([0.0, 0.0], True),
        ([], True),
    ],
)
def test_numbers_whose_squares_overflow_or_vanish_are_refused(numbers: list[float], fits: bool) -> None:
    if fits:
        assert checked_numbers(np.array(numbers), "x").tolist() == numbers
        return
    with pytest.raises(InputError) as caught:
        checked_numbers(np.array(numbers), "x")
    assert str(caught.value) == "column 'x' has numbers too large or too close together to be squared: rescale it"


def test_missing_numbers_may_be_left_out() -> None:
    assert checked_numbers(np.array([1.0, np.nan, 3.0]), "x", may_miss=True).tolist() == [1.0, 3.0]
    with pytest.raises(InputError, match=r"1 infinite value \(row 3\)"):
        checked_numbers(np.array([1.0, np.nan, np.inf]), "x", may_miss=True)
    assert checked_numbers(np.array([np.nan]), "x", may_miss=True).tolist() == []


def test_what_is_wrong_can_be_named() -> None:
    refuse_missing(np.zeros(3, dtype=np.bool_), "x")
    with pytest.raises(InputError, match=r"^column 'x' has 2 odd values \(rows 1, 3\): "):
        refuse_missing(np.array([True, False, True]), "x", what="odd")
