"""Doubts about columns that may not be meant to be averaged: identifiers, weights, codes, dates, sentinels."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.date_rules import date_by_name, date_by_values
from microagg.doubt.identifier_rules import (
    beyond_floats,
    identifier_by_order,
    identifier_by_values,
    identifier_of_panel,
)
from microagg.doubt.name_rules import code_by_name, identifier_by_name, is_quantity, weight_by_name
from microagg.doubt.sentinel_rules import code_by_values, sentinel_by_values
from microagg.model.column import NUMERIC
from microagg.model.errors import Doubt, InputError
from microagg.model.inspection import Aspect, Look
from microagg.model.source_protocol import CodebookSource
from microagg.model.table import Table
from microagg.source.object_columns import kind_of_objects

__all__ = ["alike", "doubts", "first_look", "is_row_number", "looks_of_numbers"]

# Beginnings of the advice in messages of sources; the selection of columns gives a better one.
_ADVICE = re.compile(r"[;:] (?:mend|correct|fix|convert|say|set|pass|give|use|choose|tell|state|specify) ")
_ROW_NUMBER_NAMES = re.compile(r"|__index_level_\d+__")  # names that R and pandas give to row numbers

_MAX_NAMES = 6  # of columns about which the same is said

_RULES: tuple[tuple[Aspect, Callable[[ColumnProfile], str | None]], ...] = (
    ("identifier", identifier_by_name),
    ("weight", weight_by_name),
    ("code", code_by_name),
    ("identifier", identifier_of_panel),
    ("date", date_by_name),
    ("identifier", beyond_floats),
    ("date", date_by_values),
    ("identifier", identifier_by_order),
    ("identifier", identifier_by_values),
    ("code", code_by_values),
    ("sentinel", sentinel_by_values),
)
"""Rules in order; the first that applies gives the reason."""

_OF_QUANTITIES = (identifier_by_name, weight_by_name, sentinel_by_values)
"""Rules for ages, years and the like, of which there may be few, in any order."""


def doubts(table: Table, names: Sequence[str]) -> tuple[Doubt, ...]:
    """Return the doubts about columns that may not be meant to be averaged.

    Parameters
    ----------
    table
        The user's table.
    names
        The columns to look at; only those of numbers, and those that may hold numbers, are doubtful.

    Returns
    -------
    tuple of Doubt
        One for each doubtful column, in the order of `names`; its reason completes "column 'x' …" and shows no value
        but a sentinel. O(n log n) a column.
    """
    found = ((name, _reason(table, name)) for name in names)
    return tuple(Doubt(name, reason) for name, reason in found if reason is not None)


def alike(found: Iterable[Doubt]) -> list[tuple[str, str]]:
    """Return the columns that share a reason, in words that begin a sentence, and the reason, which ends it."""
    names: dict[str, list[str]] = {}
    for name, reason in found:
        names.setdefault(reason, []).append(name)
    return [
        (f"column {listed[0]!r}" if len(listed) == 1 else f"each of {_cut(listed)}", reason)
        for reason, listed in names.items()
    ]


def _cut(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMES
    shown = ", ".join(map(repr, names[:_MAX_NAMES]))
    return f"the columns {shown} and {more} more" if more > 0 else f"the columns {shown}"


def is_row_number(table: Table, name: str) -> bool:
    """Check whether a column is the row number that R and pandas write: by its name, and rising or without gaps."""
    if not _ROW_NUMBER_NAMES.fullmatch(name) or table.kind(name) not in NUMERIC:
        return False
    profile = ColumnProfile.of(table.column(name))
    if not profile.integral or len(profile.values) < table.n_records:
        return False
    return profile.increasing or profile.enumerates


def _reason(table: Table, name: str) -> str | None:
    kind = table.kind(name)
    if kind == "mixed":
        return _why_mixed(table, name)
    if kind == "category" and not isinstance(table.source, CodebookSource):
        categories = table.column(name).categories or ()
        read_as_numbers = kind_of_objects(list(categories)) in (*NUMERIC, "mixed")
        return "holds categories that are numbers, and may be codes or amounts" if read_as_numbers else None
    if kind not in NUMERIC:
        return None
    return next((look.reason for look in looks_of_numbers(table, name)), None)


def looks_of_numbers(table: Table, name: str) -> Iterator[Look]:
    """Yield what a column of numbers looks like instead of amounts; the first look is the doubt about it.

    Parameters
    ----------
    table
        The user's table.
    name
        A column of numbers.
    """
    if _ROW_NUMBER_NAMES.fullmatch(name) and not is_row_number(table, name):
        yield Look("identifier", "has a name that row numbers have, but does not count the rows")
    if isinstance(table.source, CodebookSource) and (doubt := table.source.code_doubt(name)) is not None:
        yield Look("code", doubt)
    in_order = table.source.may_hold_identifiers
    if (first := first_look(ColumnProfile.of(table.column(name)), in_order=in_order)) is not None:
        yield first


def first_look(profile: ColumnProfile, *, in_order: bool = True) -> Look | None:
    """Return what a column of numbers looks like, by the first rule that applies.

    Parameters
    ----------
    profile
        Its name and values.
    in_order
        Whether numbers in order may be identifiers: not those of an array.

    Returns
    -------
    Look or None
        What it may be instead of an amount, and why.
    """
    quantity = is_quantity(profile)
    rules = [each for each in _RULES if (not quantity or each[1] in _OF_QUANTITIES)]
    looks = ((aspect, rule(profile)) for aspect, rule in rules if in_order or rule is not identifier_by_order)
    return next((Look(aspect, reason) for aspect, reason in looks if reason is not None), None)


def _why_mixed(table: Table, name: str) -> str:
    """Return what keeps a column from being one of numbers: the source names row and value."""
    try:
        table.numbers(name)
    except InputError as refused:
        return _ADVICE.split(str(refused).removeprefix(f"column {name!r} "))[0]
    hint = " (decimal='.' or decimal=',' may resolve it)" if table.source.file_kind == "CSV" else ""
    return f"may or may not hold numbers{hint}"
