"""One column of a table: numbers, dates, or codes with categories, and which values are missing."""

import math
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray, FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.errors import InputError

Kind = Literal["integer", "number", "boolean", "date", "datetime", "category", "text", "mixed"]
"""Kind of values. "mixed" may or may not be numbers; "category" has given categories, "text" any."""

NUMERIC = ("integer", "number")
CODED = ("category", "text", "mixed")

EXACT_INTEGER_LIMIT = 2**53
"""Floats hold every integer below this; 2^53 itself may stand for 2^53 + 1."""

_DTYPE_KINDS = {"integer": "iuO", "number": "f", "boolean": "b", "date": "M", "datetime": "M"}


@dataclass(frozen=True, eq=False, repr=False)
class Column(ReadOnlyArrays):
    """Values of one column.

    Parameters
    ----------
    name
        Name of the column.
    kind
        Kind of its values.
    values
        Of shape (n,): integers (Python's own where 64 bits do not hold them), floats, booleans or datetime64, in UTC
        where there are time zones; codes where the kind has categories.
    categories
        Meaning of each code, where there are codes.
    missing
        Which values are missing, of shape (n,); None if none is. The entries of `values` there have no meaning.
    ordered
        Whether the categories are in an order that means something, as in an ordered categorical of pandas.
    blank
        Which of the missing values are plain blanks, of shape (n,), whatever marked them in the source: their marks
        would tell records of a group apart. None: those that were missing there are marked as they were.

    Raises
    ------
    ValueError
        If values, categories or mask do not go with the kind.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> microagg.Column.of_numbers("income", np.array([310.5, np.nan]))
    Column('income', number, 2 values, 1 missing)
    """

    name: str
    kind: Kind
    values: npt.NDArray[Any]
    categories: tuple[Any, ...] | None = None
    missing: BoolArray | None = None
    ordered: bool = False
    blank: BoolArray | None = None

    def __post_init__(self) -> None:
        values = np.asarray(self.values)
        self._check(values)
        for name in ("values", "missing", "blank"):
            array = getattr(self, name)
            if array is not None:
                array = np.array(array) if np.asarray(array).flags.writeable else np.asarray(array)
                read_only(array)
                object.__setattr__(self, name, array)

    def _check(self, values: npt.NDArray[Any]) -> None:
        expected = "iu" if self.kind in CODED else _DTYPE_KINDS[self.kind]
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

    @classmethod
    def of_numbers(cls, name: str, numbers: npt.NDArray[Any]) -> "Column":
        """Return a column of integers or floats.

        Parameters
        ----------
        name
            Name of the column.
        numbers
            Of shape (n,); NaN where one is missing.

        Returns
        -------
        Column
            Of kind "integer" or "number", by the type of the array.
        """
        if np.issubdtype(numbers.dtype, np.integer):
            return cls(name, "integer", numbers)
        missing = np.isnan(numbers)
        return cls(name, "number", numbers, missing=missing if missing.any() else None)

    @classmethod
    def of_objects(cls, name: str, objects: Iterable[Any], kind: Kind = "text") -> "Column":
        """Return a column of codes, one for each distinct object in the order of first occurrence.

        Parameters
        ----------
        name
            Name of the column.
        objects
            The values; None is missing.
        kind
            One of the kinds that have codes.

        Returns
        -------
        Column
            With the distinct objects as its categories.

        Examples
        --------
        >>> import microagg
        >>> microagg.Column.of_objects("town", ["Ulm", "Bonn", None, "Ulm"]).categories
        ('Ulm', 'Bonn')
        """
        listed = list(objects)
        missing = np.array([value is None for value in listed], dtype=np.bool_)
        present = [value for value in listed if value is not None]
        codes = np.zeros(len(listed), dtype=np.int64)
        codes[~missing] = number_distinct(present)
        firsts = np.unique(codes[~missing], return_index=True)[1].tolist()
        categories = tuple(present[first] for first in firsts)
        return cls(name, kind, codes, categories, missing if missing.any() else None)

    def __len__(self) -> int:
        """Return the number of values, missing ones included."""
        return len(self.values)

    def __repr__(self) -> str:
        missing = f", {int(self.missing.sum())} missing" if self.missing is not None else ""
        return f"Column({self.name!r}, {self.kind}, {len(self)} values{missing})"

    def numbers(self) -> FloatArray:
        """Return the numbers as floats.

        Returns
        -------
        ndarray of shape (n,)
            NaN where a value is missing.

        Raises
        ------
        InputError
            If the column has neither numbers nor booleans.
        """
        if self.kind not in (*NUMERIC, "boolean"):
            raise InputError(f"column {self.name!r} is of kind {self.kind}: it has no numbers")
        python = self.values.dtype == object
        numbers = floats(self.values.tolist()) if python else self.values.astype(np.float64)
        if self.missing is not None:
            numbers[self.missing] = np.nan
        return numbers

    def codes(self) -> IntArray:
        """Return a number for each distinct value; a missing value counts as a value of its own.

        Returns
        -------
        ndarray of shape (n,)
            Equal if and only if the values are.
        """
        codes = np.unique(self.values, return_inverse=True)[1].astype(np.int64)
        if self.missing is not None:
            codes[self.missing] = codes.max(initial=0) + 1
        return codes

    def objects(self) -> list[Any]:
        """Return the values as Python objects.

        Returns
        -------
        list
            None where a value is missing.
        """
        values = _python_objects(self.values)
        if self.categories is not None:
            values = [self.categories[code] if 0 <= code < len(self.categories) else None for code in values]
        if self.missing is None:
            return values
        return [None if gone else value for value, gone in zip(values, self.missing.tolist(), strict=True)]

    def with_missing(self, marks: Iterable[Any]) -> "Column":
        """Return the same column, in which some values stand for a missing one.

        Parameters
        ----------
        marks
            These values; a text is compared with the text of a value.

        Returns
        -------
        Column
            The column with a larger mask, if any value is among them.

        Examples
        --------
        >>> import numpy as np, microagg
        >>> microagg.Column.of_numbers("age", np.array([31, 999, 58])).with_missing([999])
        Column('age', integer, 3 values, 1 missing)
        """
        marks = tuple(marks)
        texts = {mark if isinstance(mark, str) else str(mark) for mark in marks}
        if self.categories is not None:
            numbers: list[Any] = list(numeric_marks(marks))
            meant = [
                str(category).strip() in texts or (isinstance(category, Number) and category in numbers)
                for category in self.categories
            ]
            found = np.array([*meant, False], dtype=np.bool_)[np.clip(self.values, 0, len(meant))]
        elif self.kind in NUMERIC:
            found = np.isin(self.values, numeric_marks(marks))
        else:
            found = np.array([str(value) in texts for value in self.objects()], dtype=np.bool_)
        if not found.any():
            return self
        missing = found if self.missing is None else found | self.missing
        return replace(self, missing=missing)

    def in_order(self, order: IntArray) -> "Column":
        """Return the same values in another order.

        Parameters
        ----------
        order
            Index of the value at each place, of shape (n,).

        Returns
        -------
        Column
            The reordered column.
        """
        missing = None if self.missing is None else self.missing[order]
        blank = None if self.blank is None else self.blank[order]
        return replace(self, values=self.values[order], missing=missing, blank=blank)


def numeric_marks(marks: Iterable[Any]) -> list[float]:
    """Return the numbers among values that stand for a missing one; a text may be a number, too."""
    numbers = []
    for mark in marks:
        with suppress(ValueError):
            numbers.append(float(mark))
    return [number for number in numbers if math.isfinite(number)]


def floats(numbers: Sequence[Any]) -> FloatArray:
    """Return numbers of any type as floats: NaN for None, infinite where one is too large."""
    return np.array([math.nan if number is None else _float(number) for number in numbers], dtype=np.float64)


def _float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _python_objects(values: npt.NDArray[Any]) -> list[Any]:
    """Return an array as Python objects; nanoseconds, which Python lacks, stay numpy's where they are needed."""
    if values.dtype.kind != "M" or np.datetime_data(values.dtype)[0] in ("D", "h", "m", "s", "ms", "us"):
        return list(values.tolist())
    rounded = values.astype("datetime64[us]")
    exact = bool(np.array_equal(rounded.astype(values.dtype), values, equal_nan=True))
    return list(rounded.tolist()) if exact else list(values)


def number_distinct(keys: Iterable[Any]) -> IntArray:
    """Return a number for each distinct key, in the order of first occurrence; lists are compared by their items."""
    seen: dict[Hashable, int] = {}
    numbered = []
    for key in keys:
        try:
            numbered.append(seen.setdefault(key, len(seen)))
        except TypeError:
            items = key.tolist() if hasattr(key, "tolist") else key.to_list() if hasattr(key, "to_list") else key
            numbered.append(seen.setdefault(("not hashable", repr(items)), len(seen)))
    return np.array(numbered, dtype=np.int64)
