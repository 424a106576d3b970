"""Compare columns of two tables, whatever each was read from."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from microagg.model.column import NUMERIC
from microagg.model.table import Table


def comparable(table: Table, name: str) -> list[Any]:
    """Return a column as values that can be compared between files of all kinds: numbers exactly, the rest as text."""
    texts = [None if value is None else str(value).strip() for value in table.values(name)]
    if table.kind(name) not in NUMERIC:
        return texts
    return [_number(text) for text in texts]


def _number(text: str | None) -> Decimal | str | None:
    """Return a number exactly; in a column of numbers a comma can only be the decimal sign."""
    if text is None:
        return None
    try:
        number = Decimal(text.replace(",", "."))
    except InvalidOperation:  # a mark of a missing value
        return text
    return number if number.is_finite() else text


def identifying_columns(table: Table, protected: Sequence[str]) -> tuple[str, ...]:
    """Return the columns besides the protected ones that differ in every record."""
    n = table.n_records
    others = [name for name in table.names if name not in protected]
    return tuple(name for name in others if n > 1 and len(np.unique(table.codes(name))) == n)


def changed(before: Table, after: Table, names: Sequence[str]) -> list[str]:
    """Return the columns that hold other values after than before, and not only in another order."""
    return [name for name in names if Counter(comparable(before, name)) != Counter(comparable(after, name))]


def reordered(before: Table, after: Table, names: Sequence[str]) -> list[str]:
    """Return the columns that hold the same values in other rows."""
    found = []
    for name in names:
        old = comparable(before, name)
        new = comparable(after, name)
        if old != new and Counter(old) == Counter(new):
            found.append(name)
    return found
