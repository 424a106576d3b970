"""Rules that recognise names, other identifiers, free text, marks of missing values and dates in columns of text."""

import re

import numpy as np

from microagg.doubt.column_profile import MIN_RECORDS, ColumnProfile
from microagg.doubt.name_rules import identifier_by_name
from microagg.doubt.vocabulary import CONTACTS, NAME_ENDINGS
from microagg.model.column import Column
from microagg.model.errors import InputError
from microagg.model.table import Table
from microagg.model.treatment import Treatment
from microagg.source.number_like_text import MISSING_MARKS

_NEARLY_ALL = 0.9  # of the records, different from each other
_MANY_DIFFERENT = 0.5  # of the records: sentences are seldom repeated
_MIN_WORDS = 4  # a field, on average
_MARKS = (*filter(None, MISSING_MARKS), "n/a", "-9", "-99", "?")  # texts that often stand for a missing value

_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d{2}|\d{4})")
_MOSTLY = 0.9  # share of the categories that must look like dates


def free_text(column: Column, profile: ColumnProfile) -> str | None:
    """Return why a column of text may hold free text."""
    n_words = _words_a_field(column, profile)
    if len(profile.distinct) < _MANY_DIFFERENT * len(profile.values) or n_words < _MIN_WORDS:
        return None
    return f"holds free text, {n_words:.0f} words a field: it may name people"


def identifying_text(profile: ColumnProfile) -> str | None:
    """Return why a column of text may identify records, by its name or its values."""
    if identifier_by_name(profile) is not None:
        return identifier_by_name(profile)
    if is_name(profile):
        return "holds names of people, enterprises or places, by its name"
    if identifies_by_name(profile):
        return "holds addresses or the like, by its name"
    n_distinct = len(profile.distinct)
    if n_distinct < MIN_RECORDS or n_distinct < _NEARLY_ALL * len(profile.values):
        return None
    return (
        "is different in every record" if n_distinct == len(profile.values) else "is different in nearly every record"
    )


def is_name(profile: ColumnProfile) -> bool:
    """Check whether a column of text holds names, by its own name."""
    return any(word.endswith(NAME_ENDINGS) for word in profile.all_words)


def identifies_by_name(profile: ColumnProfile) -> bool:
    """Check whether a column of text may identify people or enterprises, by its name."""
    return is_name(profile) or bool(profile.all_words & CONTACTS) or identifier_by_name(profile) is not None


def _words_a_field(column: Column, profile: ColumnProfile) -> float:
    """Return the mean number of words of the different texts."""
    assert column.categories is not None, "a column of text has categories"
    counts = [len(str(column.categories[code]).split()) for code in profile.distinct.tolist()]
    return sum(counts) / max(1, len(counts))


def missing_marks(table: Table, name: str) -> tuple[str, ...]:
    """Return the categories of a column that may stand for a missing value, and do not yet."""
    column = table.column(name)
    if column.categories is None:
        return ()
    used = set(np.unique(column.values if column.missing is None else column.values[~column.missing]).tolist())
    present = [str(category).strip() for code, category in enumerate(column.categories) if code in used]
    return tuple(mark for mark in _MARKS if mark in present)


def is_guessed_nominal(table: Table, name: str, treatment: Treatment) -> bool:
    """Check whether a column is treated as categories because it is text, and not because the user says so."""
    kind = table.kind(name)
    if kind not in ("text", "category") or name in treatment.nominal:
        return False
    return treatment.level(name, kind) == "nominal"


def refuse_doubtful_text(table: Table, name: str) -> None:
    """Refuse text that is treated as categories on a guess, where it may hold something else.

    Raises
    ------
    InputError
        If a category may stand for a missing value, or if nearly all of them are dates in another form than ISO's.
    """
    if marks := missing_marks(table, name):
        listed = ", ".join(map(repr, marks))
        raise InputError(
            f"column {name!r} has {listed}, which may stand for a missing value: if so, say it, as in "
            f"missing_values={{{name!r}: [{listed}]}}; if not, name the column in nominal"
        )
    categories = [str(category).strip() for category in table.column(name).categories or ()]
    dates = sum(_DATE.fullmatch(category) is not None for category in categories)
    if categories and dates >= _MOSTLY * len(categories):
        raise InputError(
            f"column {name!r} holds dates that are not written as 1980-12-31, and would be treated as categories: "
            "write them so, leave the column out, or name it in nominal if that is meant"
        )
