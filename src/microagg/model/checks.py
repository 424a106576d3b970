"""Checks of the values that a user passes in, made once, at the edge."""

import math
from collections.abc import Iterable
from numbers import Integral, Real

from microagg.model.errors import InputError


def whole_number(name: str, value: object, at_least: int) -> int:
    """Return a whole number, numpy's types too, as an int; refuse anything else, and numbers below `at_least`."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InputError(f"{name} must be a whole number, found {value!r}")
    if int(value) < at_least:
        raise InputError(f"{name} must be at least {at_least}, found {value}")
    return int(value)


def group_sizes(k: object, advice: str = "") -> list[int]:
    """Return every k as an int; refuse anything but a list of different whole numbers."""
    if isinstance(k, str) or not isinstance(k, Iterable):
        raise InputError(f"k must be several whole numbers, as in range(3, 11), found {k!r}{advice}")
    sizes = [whole_number("each k", one, at_least=1) for one in k]
    if not sizes:
        raise InputError("k is empty: name at least one smallest group size, as in range(3, 11)")
    for size in sizes:
        if sizes.count(size) > 1:
            raise InputError(f"k = {size} is given {sizes.count(size)} times: name it once")
    return sizes


def positive_number(name: str, value: object) -> float:
    """Return a positive finite number as a float; refuse anything else."""
    try:
        number = float(value) if isinstance(value, Real) else 0.0
    except OverflowError:
        number = 0.0
    if isinstance(value, bool) or not 0 < number < math.inf:
        raise InputError(f"{name} must be a positive number, found {value!r}")
    return number


def flag(name: str, value: object) -> bool:
    """Return True or False; refuse anything else."""
    if not isinstance(value, bool):
        raise InputError(f"{name} must be True or False, found {value!r}")
    return value


def one_of(name: str, value: object, words: Iterable[str]) -> str:
    """Return `value` if it is one of `words`; refuse anything else."""
    if not isinstance(value, str) or value not in words:
        raise InputError(f"{name} must be one of {', '.join(words)}, found {value!r}")
    return value
