"""Options of a column set that may name columns, checked and frozen."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from microagg.model.by_column import ByColumn, by_column
from microagg.model.checks import one_of, positive_number
from microagg.model.errors import InputError
from microagg.model.names import column_names

SCALES = ("deviation", "mad", "iqr", "range", "rank", "none")
TRANSFORMS = ("log", "rank", "none")
AGGREGATES = ("mean", "median", "trimmed", "mode", "medoid", "set")

BY_COLUMN = ("scale", "transform", "nominal", "ordinal", "aggregate")
"""The options that may name columns."""

CODES = ("nominal", "ordinal")
"""Those that tell which columns hold categories."""


def checked_option(name: str, value: Any) -> Any:
    """Return an option of a treatment, its mappings and lists frozen; refuse a value that it cannot have.

    Parameters
    ----------
    name
        One of `BY_COLUMN`.
    value
        What the user passed; None stays None.
    """
    if value is None:
        return None
    if name == "nominal" or (name == "ordinal" and not isinstance(value, Mapping | ByColumn)):
        return column_names(name, value)
    return by_column(name, value, _CHECKS[name])


def restricted(option: Any, names: Iterable[str]) -> Any:
    """Return the part of an option that concerns some columns; None where nothing is left of it."""
    kept = frozenset(names)
    if isinstance(option, ByColumn) and option.for_all is None:
        named = tuple((name, value) for name, value in option.named if name in kept)
        return ByColumn(None, named) if named else None
    if isinstance(option, tuple):
        return tuple(name for name in option if name in kept) or None
    return option


def named_in(option: Any) -> tuple[str, ...]:
    """Return the columns that an option names."""
    if isinstance(option, ByColumn):
        return option.names
    return option if isinstance(option, tuple) else ()


def _scale(option: str, value: object) -> str | float:
    if isinstance(value, str):
        return one_of(option, value, SCALES)
    try:
        return positive_number(option, value)
    except InputError:
        words = ", ".join(SCALES)
        raise InputError(f"{option} must be one of {words}, or a positive number, found {value!r}") from None


def _transform(option: str, value: object) -> str:
    return one_of(option, value, TRANSFORMS)


def _aggregate(option: str, value: object) -> str:
    return one_of(option, value, AGGREGATES)


def _order(option: str, value: object) -> tuple[Any, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(f"{option} must be a list of its categories in order, found {value!r}")
    order = tuple(each.item() if isinstance(each, np.generic) else each for each in value)
    if len(set(order)) < len(order):
        raise InputError(f"{option} has a category twice: name each once, in order")
    return order


_CHECKS: dict[str, Callable[[str, object], Any]] = {
    "scale": _scale,
    "transform": _transform,
    "aggregate": _aggregate,
    "ordinal": _order,
}
