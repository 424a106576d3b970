"""Original and released values of a column as numbers that can be compared, whatever each was read from."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from microagg.check.column_facts import DATES, ColumnFacts
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column import CODED, NUMERIC, Column, number_distinct
from microagg.model.errors import InputError
from microagg.model.table import Table

_PRECISION = 1e-9  # relative: rounding in sums moves a number by no more
_UNITS_IN_LAST_PLACE = 100  # as much, of numbers of fewer digits


class BeforeAfter(NamedTuple):
    """Numbers of some records, before and after."""

    before: FloatArray
    after: FloatArray


def plain_numbers(before: Table, after: Table, name: str, rows: BoolArray) -> BeforeAfter:
    """Return numbers as they are, in the lower of the two precisions.

    Raises
    ------
    InputError
        If a value is no number.
    """
    numbers = [table.numbers(name)[rows] for table in (before, after)]
    types = [dtype for dtype in _float_types(before, after, name) if dtype.itemsize < np.dtype(np.float64).itemsize]
    for dtype in types:
        numbers = [each.astype(dtype).astype(np.float64) for each in numbers]
    return BeforeAfter(*numbers)


def precision(before: Table, after: Table, name: str) -> float:
    """Return by how much computing and writing may move a number, relative to the largest."""
    finest = [_UNITS_IN_LAST_PLACE * float(np.finfo(dtype).eps) for dtype in _float_types(before, after, name)]
    return max(_PRECISION, *finest) if finest else _PRECISION


def instants(before: Table, after: Table, name: str, rows: BoolArray, facts: ColumnFacts) -> BeforeAfter:
    """Return dates or times as numbers of the original column's own unit since its first one, by its facts.

    Raises
    ------
    InputError
        If there are no dates.
    """
    old, new = (table.column(name) for table in (before, after))
    if new.kind not in DATES:
        raise InputError(f"column {name!r} is of kind {new.kind}: expected dates")
    unit: Any = np.timedelta64(1, facts.unit)  # type: ignore[call-overload]
    return BeforeAfter(*((column.values[rows] - facts.first) / unit for column in (old, new)))


def category_numbers(before: Table, after: Table, name: str, rows: BoolArray) -> BeforeAfter:
    """Return a number for each distinct value, the same before and after."""
    old, new = _keys(before, after, name, rows)
    numbered = number_distinct([*old.keys, *new.keys]).astype(np.float64)
    return BeforeAfter(numbered[: len(old.keys)][old.codes], numbered[len(old.keys) :][new.codes])


def category_places(
    before: Table, after: Table, name: str, rows: BoolArray, order: Sequence[Any] | None
) -> BeforeAfter | None:
    """Return the place of each value in the order of the categories, NaN where it is none of them.

    Parameters
    ----------
    before, after
        The two tables.
    name
        Name of the column.
    rows
        Records to read.
    order
        The categories in order; None for their own order.

    Returns
    -------
    BeforeAfter or None
        None where the categories have no order.
    """
    both = _keys(before, after, name, rows)
    column = before.column(name)
    if not order and column.kind in CODED:
        order = column.categories if column.ordered else None
        if order is None:
            return None
    numeric = _has_numbers(before, after, name)
    in_order = [_key(each, numeric) for each in order] if order else sorted(set(both[0].keys))
    place_of = {key: float(place) for place, key in enumerate(in_order)}
    place_of_text = {str(key): place for key, place in place_of.items()}
    places = [[place_of.get(key, place_of_text.get(str(key), np.nan)) for key in some.keys] for some in both]
    old, new = (np.array(some, dtype=np.float64) for some in places)
    return BeforeAfter(old[both[0].codes], new[both[1].codes])


def normalised_set(text: str) -> frozenset[Any]:
    """Return the members of a set of numbers that is written as text."""
    return frozenset(_key(member, True) for member in text.strip("{}").split(", "))


class _Keys(NamedTuple):
    """Values of some records, each by its place in a list of keys: equal values have equal keys."""

    codes: IntArray
    keys: list[Any]


def _keys(before: Table, after: Table, name: str, rows: BoolArray) -> tuple[_Keys, _Keys]:
    """Return the values of both tables so that equal ones are equal."""
    tables = (before, after)
    kinds = [table.kind(name) for table in tables]
    typed = all(kind in DATES for kind in kinds) or all(kind == "boolean" for kind in kinds)
    numeric = _has_numbers(before, after, name)
    found = []
    for table in tables:
        _, firsts, codes = np.unique(table.codes(name)[rows], return_index=True, return_inverse=True)
        examples = table.in_order(np.flatnonzero(rows)[firsts])
        keys = examples.column(name).objects() if typed else [_key(value, numeric) for value in examples.values(name)]
        found.append(_Keys(codes.astype(np.int64), keys))
    return found[0], found[1]


def _has_numbers(before: Table, after: Table, name: str) -> bool:
    """Check whether one of two columns holds numbers: then texts of the other one that are numbers are so, too."""
    categories = [table.column(name).categories or () for table in (before, after) if table.kind(name) == "category"]
    numbers = any(isinstance(category, Number) for of_table in categories for category in of_table)
    return numbers or any(table.kind(name) in NUMERIC for table in (before, after))


def _key(value: Any, numeric: bool) -> Any:
    """Return a value as text, or as a number where it may be one."""
    text = str(int(value)) if numeric and isinstance(value, bool) else str(value).strip()
    if not numeric:
        return text
    try:
        number = Decimal(text.replace(",", "."))
    except InvalidOperation:
        return text
    return number if number.is_finite() else text


def _float_types(before: Table, after: Table, name: str) -> list[np.dtype[Any]]:
    """Return the types of those of two columns that hold floats."""
    columns: list[Column] = [table.column(name) for table in (before, after)]
    return [column.values.dtype for column in columns if column.values.dtype.kind == "f"]
