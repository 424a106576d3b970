"""Checks of values at their edges."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from microagg import InputError
from microagg.model.checks import flag, one_of, positive_number, whole_number


def _refused(check: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        check("x", *arguments, **options)
    return str(caught.value)


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_whole_number_is_an_int(value: Any) -> None:
    number = whole_number("x", value, at_least=3)
    assert number == 3
    assert type(number) is int


def test_whole_number_has_a_least_value() -> None:
    assert whole_number("x", 0, at_least=0) == 0
    assert _refused(whole_number, 2, at_least=3) == "x must be at least 3, found 2"
    assert _refused(whole_number, -1, at_least=0) == "x must be at least 0, found -1"


@pytest.mark.parametrize("value", [3.0, "3", None, True, False, np.float64(3), [3], Fraction(7, 2)])
def test_anything_else_is_no_whole_number(value: Any) -> None:
    assert _refused(whole_number, value, at_least=0) == f"x must be a whole number, found {value!r}"


@pytest.mark.parametrize("value", [1, 2.5, np.float32(0.5), 5e-324, 1.7e308, Fraction(1, 3)])
def test_positive_number_is_a_float(value: Any) -> None:
    number = positive_number("x", value)
    assert number == float(value)
    assert type(number) is float


@pytest.mark.parametrize("value", [0, 0.0, -1, -1e-300, math.inf, math.nan, "1", None, True, 10**400, 1j])
def test_anything_else_is_no_positive_number(value: Any) -> None:
    assert _refused(positive_number, value) == f"x must be a positive number, found {value!r}"


def test_flags_are_true_or_false() -> None:
    assert flag("x", True) is True
    assert flag("x", False) is False
    for value in (1, 0, None, "yes", np.True_):
        assert _refused(flag, value) == f"x must be True or False, found {value!r}"


def test_one_of_some_words() -> None:
    assert one_of("x", "b", ("a", "b")) == "b"
    assert one_of("x", "b", {"a": 1, "b": 2}) == "b"
    for value in ("c", "A", 1, None):
        assert _refused(one_of, value, ("a", "b")) == f"x must be one of a, b, found {value!r}"
