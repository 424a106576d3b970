"""Tell numbers that cannot be read as such from real text: a column of them must not be released without a word."""

import re
from collections.abc import Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

from microagg.table import Kind

MISSING = ("", ".", "NA", "N/A", "NaN", "nan", "null", "NULL")
"""What stands for a missing value in a column of numbers."""

THOUSANDS = r"^[+-]?[1-9]\d{0,2}(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d+)?$"
"""A number whose thousands are separated, or that may be one."""


_NUMBER = r"[+-]?(?:(?:[1-9]\d*|0)(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$"


def kind_of_objects(values: Sequence[Any]) -> Kind:
    """Say what a column of Python objects holds: numbers only if it has nothing else, for text is no number."""
    present = [value for value in values if value is not None]
    numbers = sum(is_number(value) for value in present)
    if present and numbers == len(present):
        return "number"
    others = [value.strip() if isinstance(value, str) else "" for value in present if not is_number(value)]
    return "mixed" if mostly_numbers(numbers, others) else "text"


def is_number(value: object) -> bool:
    """Say whether a Python object is a number that can be averaged."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def mostly_numbers(n_numbers: int, others: Sequence[str]) -> bool:
    """Say whether at least half of a column are numbers or, among `others`, texts that look like some."""
    like = n_numbers + sum(
        re.match(_NUMBER, text) is not None or re.match(THOUSANDS, text) is not None for text in others
    )
    return 2 * like >= n_numbers + len(others) and like > 0
