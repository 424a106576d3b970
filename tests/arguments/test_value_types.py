"""Values are parsed, or refused in words."""

import argparse

import pytest

from microagg.arguments.value_types import delimiter, integer, number


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("-1", -1), ("+2", 2), ("007", 7)])
def test_integer(text: str, value: int) -> None:
    assert integer(text) == value


@pytest.mark.parametrize("text", ["", "x", "2.5", "1e3", "1_000", " 3", "³"])
def test_no_integer(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="must be a whole number"):
        integer(text)


def test_number() -> None:
    assert number("1.5") == 1.5
    with pytest.raises(argparse.ArgumentTypeError, match="must be a number, found 'soon'"):
        number("soon")


def test_delimiter() -> None:
    assert [delimiter(text) for text in (r"\t", ";", "\t", "ab")] == ["\t", ";", "\t", "ab"]
