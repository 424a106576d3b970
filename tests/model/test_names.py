"""Names in sentences, and names that were meant."""

from typing import Any

import numpy as np
import pytest

from microagg import InputError
from microagg.model.names import column_names, listing, nearest, quantity, suggestion


def test_long_lists_are_shortened() -> None:
    names = [f"x{number}" for number in range(14)]
    assert listing(names[:2]) == "'x0', 'x1'"
    assert listing(names[:12]).endswith("'x10', 'x11'")
    assert listing(names[:13]).endswith("'x11' and 1 more")
    assert listing(names, 13).endswith("'x12' and 1 more")
    assert listing(names[:2], 2) == "'x0', 'x1'"
    assert listing([]) == ""


def test_nouns_are_in_the_plural_unless_there_is_one() -> None:
    assert [quantity(number, "record") for number in (0, 1, 2)] == ["0 records", "1 record", "2 records"]


def test_nearest_name() -> None:
    assert nearest("colums", ["k", "columns"]) == "columns"
    assert nearest("AGE", ["wage", "age"]) == "age"
    assert nearest("Age", ["AGE", "age"]) == "AGE"  # the first of those that differ in capitals only
    assert nearest("zzz", ["k", "columns"]) is None
    assert nearest("abcxx", ["abcde"]) == "abcde"  # three of five letters
    assert nearest("abxxx", ["abcde"]) is None
    assert nearest("x", []) is None


def test_suggestion_or_all_that_is_known() -> None:
    known = [f"option{number:02}" for number in range(31)]
    assert suggestion("optoin07", known) == "did you mean 'option07'?"
    assert suggestion("k", known[:30]).endswith("'option29'")
    assert suggestion("k", known).startswith("known are 'option00', ")
    assert suggestion("k", known).endswith("'option29' and 1 more")


def test_names_may_be_any_iterable() -> None:
    assert column_names("columns", None) is None
    assert column_names("columns", (name for name in ("b", "a"))) == ("b", "a")
    assert column_names("columns", [0, 1]) == ("0", "1")
    assert column_names("columns", np.array(["x"])) == ("x",)
    assert column_names("drop", []) == ()


@pytest.mark.parametrize(
    ("option", "columns", "words"),
    [
        ("drop", "ab", "drop must be a list of names, found 'ab': put it into a list"),
        ("drop", b"ab", "drop must be a list of names, found b'ab': put it into a list"),
        ("columns", 5, "columns must be a list of names, found 5: put it into a list"),
        ("columns", [], "columns is empty: name at least one column, or leave it out to take every numeric one"),
        ("exclude", ["a", "b", "b", "b"], "column 'b' is named 3 times in exclude: name it once"),
        ("exclude", [1, "1"], "column '1' is named 2 times in exclude: name it once"),
    ],
)
def test_what_is_no_list_of_names_is_refused(option: str, columns: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        column_names(option, columns)
    assert str(caught.value) == words
