"""Compare columns of two tables, whatever each was read from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from itertools import chain, zip_longest
from typing import Any, Literal

import numpy as np

from microagg.model import row_slices
from microagg.model.arrays import IntArray
from microagg.model.column import NUMERIC
from microagg.model.errors import InputError
from microagg.model.table import Table
from microagg.model.value_batches import in_batches
from microagg.source.frame import FrameSource

Form = Literal["number", "instant", "text"]
"""Form in which values are compared."""

_BLANK_IS_MISSING = ("CSV", "Stata", "SPSS", "SAS", "Excel")  # files that hold no empty text besides a missing one
_TRUTH_VALUES = {"true": Decimal(1), "false": Decimal(0)}  # which statistical files hold as codes
_HASH_FACTOR = 1_000_003  # odd: a hash of several columns depends on each, and on their order


def comparable(table: Table, name: str) -> list[Any]:
    """Return a column as values that can be compared between files of all kinds: numbers exactly, the rest as text."""
    return [value for batch in _comparable_batches(table, name) for value in batch]


def _comparable_batches(table: Table, name: str, other: Table | None = None) -> Iterator[list[Any]]:
    form = form_of(table, name)
    blank = other is not None and _blank_is_missing(table, other)
    for batch in in_batches(table.each_value(name) if other is None else _each_value(table, name, other)):
        yield comparables(batch, form, blank_is_missing=blank)


def _each_value(table: Table, name: str, other: Table) -> Iterator[Any]:
    """Yield the values of a column; None for a text file's marks of missing ones, if the other is no such file."""
    values = table.each_value(name)
    missing = None
    if table.source.file_kind == "CSV" != other.source.file_kind:
        missing = table.with_missing_values({}).column(name).missing
    if missing is None:
        return values
    return (None if absent else value for value, absent in zip(values, missing, strict=True))


def form_of(table: Table, name: str) -> Form:
    """Return the form in which the values of a column are compared; codes with labels and truth values are numbers."""
    kind = table.kind(name)
    if kind in (*NUMERIC, "boolean"):
        return "number"
    if kind == "category":
        categories = table.column(name).categories or ("",)
        are_numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in categories)
        return "number" if are_numbers else "text"
    return "instant" if kind == "datetime" else "text"


def comparables(values: Iterable[Any], form: Form, *, blank_is_missing: bool = False) -> list[Any]:
    """Return values as they can be compared between files of all kinds: numbers and times exactly, the rest as text."""
    texts = [None if value is None else str(value).strip() for value in values]
    if blank_is_missing:
        texts = [text or None for text in texts]
    if form == "text":
        return texts
    convert = _number if form == "number" else _instant
    return [None if text is None else convert(text) for text in texts]


def _instant(text: str) -> datetime | str:
    """Return a date and time, which may be written with more or fewer zeros."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:  # finer than microseconds, or a mark of a missing value
        return text


def _number(text: str) -> Decimal | str:
    """Return a number exactly; in a column of numbers a comma can only be the decimal sign."""
    truth = _TRUTH_VALUES.get(text.lower())
    if truth is not None:
        return truth
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
    forms = [form_of(table, name) for table in (before, after)]
    blank = _blank_is_missing(before, after)
    pairs = ((before, after), (after, before))
    both = zip_longest(*(in_batches(_each_value(one, name, other)) for one, other in pairs), fillvalue=[])
    for old, new in both:
        if old == new and forms[0] == forms[1]:  # as they were read: the usual case, and quick
            continue
        if comparables(old, forms[0], blank_is_missing=blank) != comparables(new, forms[1], blank_is_missing=blank):
            return False
    return same_declared_marks(before, after, name)


def _blank_is_missing(before: Table, after: Table) -> bool:
    """Check whether one of two tables is of a kind of file that cannot tell an empty text from a missing value."""
    return any(table.source.file_kind in _BLANK_IS_MISSING for table in (before, after))


def same_declared_marks(before: Table, after: Table, name: str) -> bool:
    """Check whether the same codes stand for missing values of a column, where both tables are of files with such.

    Parameters
    ----------
    before, after
        The two tables; files of different kinds cannot have the same codes.
    name
        Name of the column.
    """
    if before.source.file_kind != after.source.file_kind:
        return True
    marks = [table.marks(name) for table in (before, after)]
    return None in marks or marks[0] == marks[1]


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
    pairs = ((before, after), (after, before))
    if before.n_records <= row_slices.ROWS_PER_SLICE:
        first, second = (Counter(_records(one, names, other)) for one, other in pairs)
        return first == second
    if len(names) == 1 and _differ_as_numbers(before, after, names[0]):
        return False
    old, new = (np.sort(_hashes(one, names, other)) for one, other in pairs)
    return np.array_equal(old, new)


def _records(table: Table, names: Sequence[str], other: Table) -> Iterator[tuple[Any, ...]]:
    """Return the records in some columns, as they can be compared with those of another table."""
    batches = (_comparable_batches(table, name, other) for name in names)
    return zip(*map(chain.from_iterable, batches), strict=True)


def _differ_as_numbers(before: Table, after: Table, name: str) -> bool:
    """Check whether two columns of numbers hold other ones, which is quick; not whether they hold the same exactly."""
    if not all(table.kind(name) in NUMERIC for table in (before, after)):
        return False
    old, new = (np.sort(table.numbers(name)) for table in (before, after))
    return not np.array_equal(old, new, equal_nan=True)


def _hashes(table: Table, names: Sequence[str], other: Table) -> IntArray:
    """Return a hash of the values of each record, of shape (n,): equal numbers have equal ones, whatever their type."""
    hashes = np.zeros(table.n_records, dtype=np.int64)
    for name in names:
        values = (hash(value) for batch in _comparable_batches(table, name, other) for value in batch)
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


MATCHED_BY_INDEX = "records are matched by their index, which is in another order in the release"


def _labels(source: FrameSource, order: IntArray | None) -> Any:
    """Return the labels of some records; those that only count the records count them anew, as in a release."""
    if order is None or source.record_labels is None:
        return source.record_labels
    if source.index_names:
        return source.record_labels[order]
    return type(source.frame)(index=range(len(order))).index


def matched_by_index(before: Table, after: Table) -> Table | None:
    """Return the table before with its records in the order of the other, where labels of the same records tell it.

    Labels that occur twice, and labels of other records, tell nothing: then records correspond by their place.

    Returns
    -------
    Table or None
        None where the records correspond by their place.

    Raises
    ------
    InputError
        If the labels of the release only count its records, and so may or may not be those of the original.
    """
    sources = before.source, after.source
    if not isinstance(sources[0], FrameSource) or not isinstance(sources[1], FrameSource):
        return None
    old, new = _labels(sources[0], before.order), _labels(sources[1], after.order)
    if old is None or new is None:
        return None
    if len(old) != len(new) or old.equals(new) or not (old.is_unique and new.is_unique):
        return None
    order = old.get_indexer(new)
    if (order < 0).any():
        return None
    if not sources[1].has_index:
        raise InputError(
            "the original has the same index as the release in another order, but that of the release only counts its "
            "records: put them in the same order, and give both the same index (reset_index(drop=True))"
        )
    return before.in_order(order)


def is_constant(table: Table, name: str) -> bool:
    """Check whether a column has one value in all records."""
    return len(np.unique(table.codes(name))) <= 1
