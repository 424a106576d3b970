"""Compare columns of two tables, whatever each was read from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import zip_longest
from typing import Any

import numpy as np

from microagg.model import row_slices
from microagg.model.arrays import IntArray
from microagg.model.column import NUMERIC
from microagg.model.table import Table
from microagg.model.value_batches import in_batches

_HASH_FACTOR = 1_000_003  # odd: a hash of several columns depends on each, and on their order


def comparable(table: Table, name: str) -> list[Any]:
    """Return a column as values that can be compared between files of all kinds: numbers exactly, the rest as text."""
    return [value for batch in _comparable_batches(table, name) for value in batch]


def _comparable_batches(table: Table, name: str) -> Iterator[list[Any]]:
    numeric = table.kind(name) in NUMERIC
    for batch in in_batches(table.each_value(name)):
        yield comparables(batch, numeric)


def comparables(values: Iterable[Any], numeric: bool) -> list[Any]:
    """Return values as they can be compared between files of all kinds: numbers exactly, the rest as text."""
    texts = [None if value is None else str(value).strip() for value in values]
    return [_number(text) for text in texts] if numeric else texts


def _number(text: str | None) -> Decimal | str | None:
    """Return a number exactly; in a column of numbers a comma can only be the decimal sign."""
    if text is None:
        return None
    try:
        number = Decimal(text.replace(",", "."))
    except InvalidOperation:  # a mark of a missing value
        return text
    return number if number.is_finite() else text


def unchanged(before: Table, after: Table, name: str) -> bool:
    """Check whether a column holds the same values in the same rows.

    Parameters
    ----------
    before, after
        The two tables.
    name
        Name of the column.
    """
    numeric = [table.kind(name) in NUMERIC for table in (before, after)]
    both = zip_longest(*(in_batches(table.each_value(name)) for table in (before, after)), fillvalue=[])
    for old, new in both:
        same = old == new and numeric[0] == numeric[1]  # as they were read: the usual case, and quick
        if not same and comparables(old, numeric[0]) != comparables(new, numeric[1]):
            return False
    return True


def same_records(before: Table, after: Table, names: Sequence[str]) -> bool:
    """Check whether two tables hold the same records in some columns, in any order.

    Parameters
    ----------
    before, after
        The two tables.
    names
        Names of the columns. Of large tables, their values are compared by hashes of 64 bits.
    """
    if before.n_records != after.n_records:
        return False
    if before.n_records <= row_slices.ROWS_PER_SLICE:
        one, other = (
            Counter(zip(*(comparable(table, name) for name in names), strict=True)) for table in (before, after)
        )
        return one == other
    if len(names) == 1 and _differ_as_numbers(before, after, names[0]):
        return False
    return np.array_equal(np.sort(_hashes(before, names)), np.sort(_hashes(after, names)))


def _differ_as_numbers(before: Table, after: Table, name: str) -> bool:
    """Check whether two columns of numbers hold other ones, which is quick; not whether they hold the same exactly."""
    if not all(table.kind(name) in NUMERIC for table in (before, after)):
        return False
    old, new = (np.sort(table.numbers(name)) for table in (before, after))
    return not np.array_equal(old, new, equal_nan=True)


def _hashes(table: Table, names: Sequence[str]) -> IntArray:
    """Return a hash of the values of each record, of shape (n,): equal numbers have equal ones, whatever their type."""
    hashes = np.zeros(table.n_records, dtype=np.int64)
    for name in names:
        values = (hash(value) for batch in _comparable_batches(table, name) for value in batch)
        hashes *= _HASH_FACTOR
        hashes += np.fromiter(values, dtype=np.int64, count=table.n_records)
    return hashes


def identifying_columns(table: Table, protected: Sequence[str]) -> tuple[str, ...]:
    """Return the columns besides the protected ones that differ in every record."""
    n = table.n_records
    others = [name for name in table.names if name not in protected]
    return tuple(name for name in others if n > 1 and len(np.unique(table.codes(name))) == n)


def changed(before: Table, after: Table, names: Sequence[str]) -> list[str]:
    """Return the columns that hold other values after than before, and not only in another order."""
    return [name for name in names if not unchanged(before, after, name) and not same_records(before, after, [name])]


def reordered(before: Table, after: Table, names: Sequence[str]) -> list[str]:
    """Return the columns that hold the same values in other rows."""
    return [name for name in names if not unchanged(before, after, name) and same_records(before, after, [name])]


def is_constant(table: Table, name: str) -> bool:
    """Check whether a column has one value in all records."""
    return len(np.unique(table.codes(name))) <= 1
