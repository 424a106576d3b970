"""One column of a table: numbers, dates, or codes with categories, and what is missing of it."""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray, FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.errors import InputError

Kind = Literal["integer", "number", "boolean", "date", "datetime", "category", "text", "mixed"]
"""What a column holds. "mixed" may or may not be numbers; "category" has given categories, "text" any."""

NUMERIC = ("integer", "number")
CODED = ("category", "text", "mixed")

EXACT = 2**53
"""Floats hold every integer below."""

_LARGEST = 1e150  # squares of larger numbers overflow, those of smaller than its inverse vanish
_TYPES = {"integer": "iuO", "number": "f", "boolean": "b", "date": "M", "datetime": "M"}  # numpy's kinds


@dataclass(frozen=True, eq=False)
class Column(ReadOnlyArrays):
    """The values of one column.

    Parameters
    ----------
    name
        The column's name.
    kind
        What it holds.
    values
        Of shape (n,): integers (Python's own where 64 bits do not hold them), floats, booleans or datetime64, in UTC
        where there are time zones; codes where the kind has categories.
    categories
        What each code stands for, where there are codes.
    missing
        Which values are missing, of shape (n,); None: none is. What `values` holds there means nothing.
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any] = field(repr=False)
    categories: tuple[Any, ...] | None = field(default=None, repr=False)
    missing: BoolArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        values = np.asarray(self.values)
        expected = "iu" if self.kind in CODED else _TYPES[self.kind]
        if values.ndim != 1 or values.dtype.kind not in expected:
            raise ValueError(f"column {self.name!r} of {self.kind}: found values of {values.dtype}, {values.shape}")
        if (self.categories is not None) != (self.kind in CODED):
            raise ValueError(f"column {self.name!r} of {self.kind}: categories go with codes, and only with them")
        if self.missing is not None and (self.missing.shape != values.shape or self.missing.dtype != np.bool_):
            raise ValueError(f"column {self.name!r}: expected a mask of {len(values)} booleans")
        if self.categories is not None:
            codes = values if self.missing is None else values[~self.missing]
            if len(codes) and not 0 <= codes.min() <= codes.max() < len(self.categories):
                raise ValueError(f"column {self.name!r}: a code has no category")
        for name in ("values", "missing"):
            array = getattr(self, name)
            if array is not None:
                array = np.array(array) if np.asarray(array).flags.writeable else np.asarray(array)
                read_only(array)
                object.__setattr__(self, name, array)

    @classmethod
    def of_numbers(cls, name: str, numbers: npt.NDArray[Any]) -> "Column":
        """Make a column of integers or floats, NaN where one is missing."""
        if np.issubdtype(numbers.dtype, np.integer):
            return cls(name, "integer", numbers)
        missing = np.isnan(numbers)
        return cls(name, "number", numbers, missing=missing if missing.any() else None)

    @classmethod
    def of_objects(cls, name: str, objects: Iterable[Any], kind: Kind = "text") -> "Column":
        """Make a column of codes, one for each distinct object in the order in which they come; None is missing."""
        listed = list(objects)
        missing = np.array([value is None for value in listed], dtype=np.bool_)
        present = [value for value in listed if value is not None]
        codes = np.zeros(len(listed), dtype=np.int64)
        codes[~missing] = number_distinct(present)
        firsts = np.unique(codes[~missing], return_index=True)[1].tolist()
        categories = tuple(present[first] for first in firsts)
        return cls(name, kind, codes, categories, missing if missing.any() else None)

    def __len__(self) -> int:
        """Count the values, missing ones too."""
        return len(self.values)

    def __repr__(self) -> str:
        missing = f", {int(self.missing.sum())} missing" if self.missing is not None else ""
        return f"Column({self.name!r}, {self.kind}, {len(self)} values{missing})"

    def numbers(self) -> FloatArray:
        """Give the numbers as floats, NaN where one is missing."""
        if self.kind not in (*NUMERIC, "boolean"):
            raise InputError(f"column {self.name!r} is of kind {self.kind}: it has no numbers")
        python = self.values.dtype == object
        numbers = floats(self.values.tolist()) if python else self.values.astype(np.float64)
        if self.missing is not None:
            numbers[self.missing] = np.nan
        return numbers

    def codes(self) -> IntArray:
        """Give each distinct value a number; a missing value counts as a value of its own."""
        codes = np.unique(self.values, return_inverse=True)[1].astype(np.int64)
        if self.missing is not None:
            codes[self.missing] = codes.max(initial=0) + 1
        return codes

    def objects(self) -> list[Any]:
        """Give the values as Python's objects, None where one is missing."""
        values = _listed(self.values)
        if self.categories is not None:
            values = [self.categories[code] if 0 <= code < len(self.categories) else None for code in values]
        if self.missing is None:
            return values
        return [None if gone else value for value, gone in zip(values, self.missing.tolist(), strict=True)]

    def in_order(self, order: IntArray) -> "Column":
        """Give the same values in another order."""
        missing = None if self.missing is None else self.missing[order]
        return Column(self.name, self.kind, self.values[order], self.categories, missing)


def floats(numbers: Sequence[Any]) -> FloatArray:
    """Turn numbers of any type into floats: NaN for None, infinite where one is too large."""
    return np.array([math.nan if number is None else _float(number) for number in numbers], dtype=np.float64)


def _float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _listed(values: npt.NDArray[Any]) -> list[Any]:
    """Turn an array into Python's objects; Python has no nanoseconds, they stay numpy's where they are needed."""
    if values.dtype.kind != "M" or np.datetime_data(values.dtype)[0] in ("D", "h", "m", "s", "ms", "us"):
        return list(values.tolist())
    rounded = values.astype("datetime64[us]")
    exact = bool(np.array_equal(rounded.astype(values.dtype), values, equal_nan=True))
    return list(rounded.tolist()) if exact else list(values)


def checked_numbers(numbers: FloatArray, name: str, of: str = "") -> FloatArray:
    """Give numbers that can be squared; refuse missing and infinite ones, saying how many and where."""
    column = f"column {name!r}{of}"
    for what, bad in (("missing", np.isnan(numbers)), ("infinite", np.isinf(numbers))):
        if bad.any():
            count, rows = int(bad.sum()), np.flatnonzero(bad)[:3] + 1
            where = f"row{'s' * (count > 1)} {', '.join(map(str, rows))}{', …' * (count > len(rows))}"
            raise InputError(
                f"{column} has {count} {what} value{'s' * (count > 1)} ({where}): "
                "remove or fill in these records, or leave the column out"
            )
    spread = np.ptp(numbers) if len(numbers) else 0.0
    if len(numbers) and (np.abs(numbers).max() > _LARGEST or 0 < spread < 1 / _LARGEST):
        raise InputError(f"{column} has numbers too large or too close together to be squared: rescale it")
    return numbers


def number_distinct(keys: Iterable[Any]) -> IntArray:
    """Give each distinct key a number, in the order in which they come; lists go by what is in them."""
    seen: dict[Hashable, int] = {}
    numbered = []
    for key in keys:
        try:
            numbered.append(seen.setdefault(key, len(seen)))
        except TypeError:
            items = key.tolist() if hasattr(key, "tolist") else key.to_list() if hasattr(key, "to_list") else key
            numbered.append(seen.setdefault(("not hashable", repr(items)), len(seen)))
    return np.array(numbered, dtype=np.int64)
