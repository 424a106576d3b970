"""Options of a column set that may name columns, checked and frozen."""

from collections.abc import Iterable, Mapping
from typing import Any

from microagg.model.by_column import ByColumn
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

_WORDS = {"scale": SCALES, "transform": TRANSFORMS, "aggregate": AGGREGATES}


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
    if name == "nominal" or (name == "ordinal" and not isinstance(value, Mapping)):
        return column_names(name, value)
    if not isinstance(value, Mapping):
        return _checked_value(name, name, value)
    return ByColumn({column: _checked_value(name, f"{name} of column {column!r}", one) for column, one in value.items()})


def restricted(option: Any, names: Iterable[str]) -> Any:
    """Return the part of an option that concerns some columns; None where nothing is left of it."""
    kept = frozenset(names)
    if isinstance(option, Mapping):
        return ByColumn({name: value for name, value in option.items() if name in kept}) or None
    if isinstance(option, tuple):
        return tuple(name for name in option if name in kept) or None
    return option


def named_in(option: Any) -> tuple[str, ...]:
    """Return the columns that an option names."""
    return tuple(option) if isinstance(option, Mapping | tuple) else ()


def _checked_value(option: str, what: str, value: Any) -> Any:
    if option == "ordinal":
        return _checked_order(what, value)
    if option == "scale" and not isinstance(value, str):
        try:
            return positive_number(what, value)
        except InputError:
            words = ", ".join(SCALES)
            raise InputError(f"{what} must be one of {words}, or a positive number, found {value!r}") from None
    return one_of(what, value, _WORDS[option])


def _checked_order(what: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(f"{what} must be a list of its categories in order, found {value!r}")
    order = tuple(value)
    if len(set(order)) < len(order):
        raise InputError(f"{what} names a category twice: name each once, in order")
    return order
