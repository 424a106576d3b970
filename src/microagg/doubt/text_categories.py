"""Text that is protected as categories although it may be something else: marks of missing values, and dates."""

import re

import numpy as np

from microagg.model.errors import InputError
from microagg.model.table import Table
from microagg.model.treatment import Treatment
from microagg.source.number_like_text import MISSING_MARKS

_MARKS = (*filter(None, MISSING_MARKS), "n/a", "-9", "-99", "?")  # texts that often stand for a missing value

_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](\d{2}|\d{4})")
_MOSTLY = 0.9  # share of the categories that must look like dates


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
