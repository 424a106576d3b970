"""Values of a column read as numbers: as they are, as units of time, or as the places of categories."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column import CODED, Column
from microagg.model.errors import InputError

UNKNOWN = -1.0
"""Place of a value that is none of the categories."""

_MISSING = -1


@dataclass(frozen=True)
class PlainNumbers:
    """Numbers as they are."""

    def read(self, column: Column) -> FloatArray:
        """Return the numbers, NaN where one is missing."""
        as_they_are = column.kind == "number" and column.missing is None and column.values.dtype == np.float64
        return column.values if as_they_are else column.numbers()


@dataclass(frozen=True)
class Instants:
    """Dates and times, as numbers of units since an origin.

    Parameters
    ----------
    unit
        numpy's unit of time, such as "D" or "us".
    origin
        First instant, in these units since 1970: floats hold small differences exactly.
    """

    unit: str
    origin: int = field(repr=False)  # an original value

    @classmethod
    def of(cls, column: Column) -> "Instants":
        """Return the unit of a column, and its first instant."""
        unit = np.datetime_data(column.values.dtype)[0]
        units = column.values[_present(column)].astype(f"datetime64[{unit}]").astype(np.int64)
        return cls(unit, int(units.min(initial=np.iinfo(np.int64).max)) if len(units) else 0)

    def read(self, column: Column) -> FloatArray:
        """Return the number of units since the origin, NaN where a value is missing."""
        if column.kind not in ("date", "datetime"):
            raise InputError(f"column {column.name!r} is of kind {column.kind}: expected dates, as in the other table")
        units = column.values.astype(f"datetime64[{self.unit}]").astype(np.int64)
        present = _present(column)
        numbers = np.full(len(column), np.nan)
        numbers[present] = (units[present] - self.origin).astype(np.float64)
        return numbers


@dataclass(frozen=True)
class Categories:
    """Values that are categories, as their places in a list.

    Parameters
    ----------
    values
        The categories.
    complete
        Whether any other value is an error; else its place is `UNKNOWN`.
    """

    values: tuple[Any, ...] = field(repr=False)  # original values
    complete: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def read(self, column: Column) -> FloatArray:
        """Return the place of each value, NaN where it is missing; values of several types are compared as text."""
        codes, found = distinct_values(column)
        place_of = {_key(value): place for place, value in enumerate(self.values)}
        place_of_text = {str(value): place for place, value in enumerate(self.values)}
        places = [place_of.get(_key(value), place_of_text.get(str(value), UNKNOWN)) for value in found]
        if self.complete and UNKNOWN in places:
            raise InputError(
                f"column {column.name!r} has the category {found[places.index(UNKNOWN)]!r}, which its order does not "
                "name: name every category in ordinal"
            )
        return np.array([*places, np.nan], dtype=np.float64)[codes]


def distinct_values(column: Column) -> tuple[IntArray, list[Any]]:
    """Return the distinct values of a column: numbers and dates in order, categories as the column lists them.

    Returns
    -------
    codes : ndarray of shape (n,)
        Place of each value among the distinct ones, −1 where it is missing.
    found : list
        The distinct values that occur, as Python objects.
    """
    present = _present(column)
    codes = np.full(len(column), _MISSING, dtype=np.int64)
    if column.kind in CODED:  # small numbers need no sorting
        counts = np.bincount(column.values[present], minlength=1)
        values = np.flatnonzero(counts)
        codes[present] = (np.cumsum(counts > 0) - 1)[column.values[present]]
    else:
        values, codes[present] = np.unique(column.values[present], return_inverse=True)
    return codes, Column(column.name, column.kind, values, column.categories).objects()


def number_of_categories(column: Column) -> int:
    """Return the number of distinct values of a column."""
    present = column.values[_present(column)]
    if column.kind in CODED:
        return int(np.count_nonzero(np.bincount(present, minlength=1)))
    return len(np.unique(present))


def natural_order(column: Column) -> tuple[Any, ...]:
    """Return the distinct values in order: of numbers, dates, booleans, and categories that a dataframe has ordered."""
    if column.kind in CODED and not column.ordered:
        raise InputError(
            f"column {column.name!r} is of kind {column.kind}, whose categories have no order: give it, as in "
            f"ordinal={{{column.name!r}: [lowest, …, highest]}}"
        )
    if column.kind in CODED:
        return tuple(column.categories or ())
    return tuple(distinct_values(column)[1])


def _present(column: Column) -> Any:
    return slice(None) if column.missing is None else ~column.missing


def _key(value: Any) -> Hashable:
    try:
        hash(value)
    except TypeError:
        return ("not hashable", repr(value))
    key: Hashable = value
    return key
