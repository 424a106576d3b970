"""Columns of Python objects: their kind, by the types of all of their values."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray
from microagg.model.column import Column, Kind, floats
from microagg.source.number_like_text import mostly_numbers, texts_of

_PANDAS_MISSING = ("NaTType", "NAType")  # compared by name, so that pandas need not be installed


def is_number(value: object) -> bool:
    """Check whether a Python object is a number that can be averaged."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool | np.bool_)


def is_missing(value: object) -> bool:
    """Check whether a Python object stands for a missing value."""
    if value is None or type(value).__name__ in _PANDAS_MISSING:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def shows_as_float(value: Decimal | None) -> bool:
    """Check whether a float shows the same digits as a decimal number, if that is there."""
    return value is None or Decimal(repr(float(value))) == value


def kind_of_objects(values: Sequence[Any]) -> Kind:
    """Return the kind of a column of Python objects, None for missing ones; numeric only if all are numbers."""
    present = [value for value in values if value is not None]
    one_of_each_type = {type(value): value for value in present}.values()
    kinds = {_kind_of_object(value) for value in one_of_each_type}
    if kinds == {"integer", "number"}:
        return "number"
    if len(kinds) == 1 and (kind := kinds.pop()) != "text":
        return "text" if kind == "datetime" and any(value.tzinfo for value in present) else kind
    others = [value for value in present if not is_number(value)]
    return "mixed" if mostly_numbers(len(present) - len(others), texts_of(others)) else "text"


def column_of_objects(name: str, values: Sequence[Any], kind: Kind) -> Column:
    """Return a column of this kind from Python objects, None for missing ones."""
    if kind == "number":
        return Column.of_numbers(name, floats(values))
    if kind not in ("integer", "boolean", "date", "datetime"):
        return Column.of_objects(name, values, kind)
    missing = np.array([value is None for value in values], dtype=np.bool_)
    array = integers(values, missing) if kind == "integer" else _booleans_or_dates(values, kind)
    return Column(name, kind, array, missing=missing if missing.any() else None)


def integers(values: Sequence[Any], missing: BoolArray) -> npt.NDArray[Any]:
    """Return an array of integers, of Python's own if they exceed 64 bits; 0 where one is missing."""
    filled = [0 if absent else int(value) for value, absent in zip(values, missing.tolist(), strict=True)]
    try:
        return np.array(filled, dtype=np.int64)
    except OverflowError:
        return np.array(filled, dtype=object)


def _kind_of_object(value: object) -> Kind:
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, Integral):
        return "integer"
    if is_number(value):
        return "number"
    if isinstance(value, datetime):
        return "datetime"
    return "date" if isinstance(value, date) else "text"


def _booleans_or_dates(values: Sequence[Any], kind: Kind) -> npt.NDArray[Any]:
    if kind == "boolean":
        return np.array([value is not None and bool(value) for value in values], dtype=np.bool_)
    unit = "D" if kind == "date" else "us"
    return np.array([np.datetime64("NaT") if value is None else value for value in values], dtype=f"datetime64[{unit}]")


def objects_over(column: Column, before: Sequence[Any], as_read: BoolArray | None) -> list[Any]:
    """Return a column as Python objects, with some values as they were before."""
    new = column.objects()
    if as_read is None:
        return new
    return [old if kept else value for value, old, kept in zip(new, before, as_read.tolist(), strict=True)]
