"""Appearance of a column: its values in short, and everything that the rules recognise in it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from microagg.doubt import first_look, is_row_number, looks_of_numbers
from microagg.doubt.column_profile import ColumnProfile
from microagg.doubt.distribution_rules import nearly_constant, skewed, structural_zeros
from microagg.doubt.identifier_rules import unit_by_values
from microagg.doubt.name_rules import is_quantity
from microagg.doubt.sentinel_rules import find_sentinels, has_few_values, sentinel_among_codes, without_sentinels
from microagg.doubt.text_rules import free_text, identifies_by_name, identifying_text, missing_marks
from microagg.model.column import CODED, NUMERIC, Column
from microagg.model.inspection import Aspect, Look, ValueSummary
from microagg.model.names import quantity
from microagg.model.source_protocol import CodebookSource, Source
from microagg.model.table import Table

_MAX_CODES = 15  # different numbers: the most frequent of no more are listed
_MAX_CATEGORIES = 60  # different categories
_MAX_LISTED = 5
_MAX_TEXT = 12  # characters of a listed value


class Appearance(NamedTuple):
    """What a column looks like.

    Parameters
    ----------
    name
        Name of the column.
    values
        Kind, number and range of its values.
    looks
        What the rules recognise in it.
    sentinels
        Numbers that may stand for missing values.
    label
        What it is, in words, if the file says it.
    """

    name: str
    values: ValueSummary
    looks: tuple[Look, ...]
    sentinels: tuple[float | str, ...] = ()
    label: str | None = None

    def has(self, *aspects: Aspect) -> bool:
        """Check whether the column has one of some aspects."""
        return any(look.aspect in aspects for look in self.looks)


def appearance(table: Table, name: str) -> Appearance:
    """Return what a column looks like. O(n log n).

    Parameters
    ----------
    table
        The user's table.
    name
        Name of the column.

    Returns
    -------
    Appearance
        Its values in short, and everything that was recognised.
    """
    found = _appearance(table, name)
    return found._replace(label=table.source.label(name)) if isinstance(table.source, CodebookSource) else found


def _appearance(table: Table, name: str) -> Appearance:
    column = table.column(name)
    profile = ColumnProfile.of(column)
    values = _value_summary(column, profile, table.source)
    if not len(profile.values):
        return Appearance(name, values, (Look("nearly constant", "is empty: no record has a value"),))
    if column.kind in NUMERIC:
        row_number = is_row_number(table, name)
        found = [Look("identifier", "counts the rows")] if row_number else list(looks_of_numbers(table, name))
        sentinels = _sentinels(profile)
        looks = found if row_number else _with_others(profile, found, bool(sentinels))
        n_infinite = len(column) - values.n_missing - len(profile.values)
        infinite = [Look("infinite", f"has {quantity(n_infinite, 'infinite value')}")] if n_infinite else []
        return Appearance(name, values, (*infinite, *looks), sentinels)
    marks = missing_marks(table, name)
    shown = ", ".join(map(repr, marks))
    marked = [Look("sentinel", f"has what may stand for a missing value: {shown}")] if marks else []
    return Appearance(name, values, (*_other_looks(column, profile), *marked), marks)


def _sentinels(profile: ColumnProfile) -> tuple[float, ...]:
    first = first_look(profile)
    if first is not None and first.aspect != "sentinel":
        return ()
    found = find_sentinels(profile)[0]
    return tuple(int(value) if value == int(value) else value for value in found)


def _with_others(profile: ColumnProfile, looks: list[Look], has_sentinels: bool) -> list[Look]:
    """Return what a column of numbers looks like, also besides what it is."""
    others = without_sentinels(profile) if has_sentinels else profile
    if has_sentinels and has_few_values(others) and not is_quantity(profile):
        n_distinct = len(others.distinct)
        looks = [*looks, Look("code", f"looks like a code: whole numbers with only {n_distinct} other values")]
    return [*looks, *_looks_by_values(others, {look.aspect for look in looks})]


def _looks_by_values(profile: ColumnProfile, aspects: set[Aspect]) -> Iterator[Look]:
    """Yield what the values of a column tell besides what it is."""
    rules: list[tuple[Aspect, str | None]] = []
    if "identifier" in aspects:
        rules.append(("unit", unit_by_values(profile)))
    else:
        rules.append(("nearly constant", nearly_constant(profile)))
    if "code" in aspects:
        rules.append(("sentinel", None if "sentinel" in aspects else sentinel_among_codes(profile)))
    if not aspects & {"identifier", "weight", "code", "date"}:
        rules.append(("structural zeros", structural_zeros(profile)))
        rules.append(("skewed", skewed(profile)))
    return (Look(aspect, reason) for aspect, reason in rules if reason is not None)


def _other_looks(column: Column, profile: ColumnProfile) -> Iterator[Look]:
    """Yield what a column looks like that does not hold numbers."""
    n_distinct = len(profile.distinct)
    if column.kind == "mixed":
        yield Look("mixed", "may or may not hold numbers: some of its fields read as numbers, others do not")
    elif column.kind in ("date", "datetime"):
        yield Look("date", f"holds {column.kind}s")
    elif column.kind == "boolean":
        yield Look("category", f"holds truth values, {n_distinct} different ones")
    elif (text := free_text(column, profile)) is not None:
        yield Look("free text", text)
    elif (identifying := identifying_text(profile)) is not None:
        yield Look("identifier", identifying)
        if identifies_by_name(profile) and (unit := unit_by_values(profile)) is not None:
            yield Look("unit", unit)
    else:
        yield Look("category", f"holds categories: {quantity(n_distinct, 'different value')}")
    if (constant := nearly_constant(profile)) is not None:
        yield Look("nearly constant", constant)


def _value_summary(column: Column, profile: ColumnProfile, source: Source) -> ValueSummary:
    n_missing = 0 if column.missing is None else int(column.missing.sum())
    low = high = None
    if column.kind not in (*CODED, "boolean") and len(profile.values):
        low = _plain(profile.distinct[0])
        high = _plain(profile.distinct[-1])
    return ValueSummary(column.kind, len(profile.distinct), n_missing, low, high, _frequent(column, profile, source))


def _plain(value: Any) -> float | str:
    """Return a number, or a date in ISO format, as JSON can hold it."""
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value, unit="auto"))
    number = value.item() if isinstance(value, np.generic) else value
    return number if isinstance(number, int) else float(number)


def _frequent(column: Column, profile: ColumnProfile, source: Source) -> tuple[str, ...]:
    """Return the most frequent values of a column that has few, and is no column of dates."""
    most = _MAX_CATEGORIES if column.kind in CODED else _MAX_CODES
    if column.kind in ("date", "datetime") or len(profile.distinct) > most:
        return ()
    first = np.argsort(-profile.counts, kind="stable")[:_MAX_LISTED]
    texts = [_text(column, profile.distinct[index], source) for index in first]
    return tuple(text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…" for text in texts)


def _text(column: Column, value: Any, source: Source) -> str:
    if column.categories is not None:
        category = column.categories[int(value)]
        label = source.value_label(column.name, category) if isinstance(source, CodebookSource) else None
        return str(category) if label is None else f"{category} {label}"
    return f"{value:g}" if isinstance(value, np.floating) else str(value)
