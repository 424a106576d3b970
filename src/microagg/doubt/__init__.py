"""Doubts about columns that may not be meant to be averaged: identifiers, weights, codes, dates, sentinels."""

import re
from collections.abc import Callable, Sequence

from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.date_rules import date_by_name, date_by_values
from microagg.doubt.identifier_rules import beyond_floats, identifier_by_values
from microagg.doubt.name_rules import code_by_name, identifier_by_name, weight_by_name
from microagg.doubt.sentinel_rules import code_by_values, sentinel_by_values
from microagg.model.column import NUMERIC
from microagg.model.errors import Doubt, InputError
from microagg.model.inspection import Aspect, Look
from microagg.model.source_protocol import CodebookSource
from microagg.model.table import Table
from microagg.source.object_columns import kind_of_objects

__all__ = ["doubts", "first_look", "is_row_number"]

# Beginnings of the advice in messages of sources; the selection of columns gives a better one.
_ADVICE = re.compile(r"[;:] (?:mend|correct|fix|convert|say|set|pass|give|use|choose|tell|state|specify) ")
_ROW_NUMBER_NAMES = re.compile(r"|__index_level_\d+__")  # names that R and pandas give to row numbers

_RULES: tuple[tuple[Aspect, Callable[[ColumnProfile], str | None]], ...] = (
    ("identifier", identifier_by_name),
    ("weight", weight_by_name),
    ("code", code_by_name),
    ("date", date_by_name),
    ("identifier", beyond_floats),
    ("date", date_by_values),
    ("identifier", identifier_by_values),
    ("code", code_by_values),
    ("sentinel", sentinel_by_values),
)
"""Rules in order; the first that applies gives the reason."""


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
    if _ROW_NUMBER_NAMES.fullmatch(name) and not is_row_number(table, name):
        return "has a name that row numbers have, but does not count the rows"
    if isinstance(table.source, CodebookSource) and (doubt := table.source.code_doubt(name)) is not None:
        return doubt
    first = first_look(ColumnProfile.of(table.column(name)))
    return None if first is None else first.reason


def first_look(profile: ColumnProfile) -> Look | None:
    """Return what a column of numbers looks like, by the first rule that applies.

    Parameters
    ----------
    profile
        Its name and values.

    Returns
    -------
    Look or None
        What it may be instead of an amount, and why.
    """
    looks = ((aspect, rule(profile)) for aspect, rule in _RULES)
    return next((Look(aspect, reason) for aspect, reason in looks if reason is not None), None)


def _why_mixed(table: Table, name: str) -> str:
    """Return what keeps a column from being one of numbers: the source names row and value."""
    try:
        table.numbers(name)
    except InputError as refused:
        return _ADVICE.split(str(refused).removeprefix(f"column {name!r} "))[0]
    hint = " (decimal='.' or decimal=',' may resolve it)" if table.source.file_kind == "CSV" else ""
    return f"may or may not hold numbers{hint}"
