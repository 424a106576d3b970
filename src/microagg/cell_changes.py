"""Count the cells of a column that differ between two tables, row by row."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from microagg.column_comparison import Form, comparables, form_of
from microagg.model.arrays import BoolArray
from microagg.model.change_report import CellChanges
from microagg.model.table import Table
from microagg.model.value_batches import in_batches

_EQUAL = 0
_REWRITTEN = 1  # the same value in another text
_DIFFERENT = 2


def count_cell_changes(before: Table, after: Table, name: str) -> CellChanges:
    """Count the cells of a column that differ in the same row of two tables, whatever each was read from.

    Parameters
    ----------
    before, after
        Two tables with equal numbers of records.
    name
        Name of the column.

    Returns
    -------
    CellChanges
        Numbers of cells, by what has become of them.
    """
    found = np.concatenate([np.empty(0, dtype=np.int8), *_compared(before, after, name)])
    lacked = before.missing_codes(name) > 0
    lacks = after.missing_codes(name) > 0
    return CellChanges(
        altered=_count((found == _DIFFERENT) & ~lacked & ~lacks),
        to_missing=_count(lacks & ~lacked),
        from_missing=_count(lacked & ~lacks),
        rewritten=_count(
            (found == _REWRITTEN) | ((found == _DIFFERENT) | _marked_otherwise(before, after, name)) & lacked & lacks
        ),
    )


def _marked_otherwise(before: Table, after: Table, name: str) -> BoolArray:
    """Return which cells have another code for a missing value, where both tables are of a kind of file with such."""
    old = before.marks(name)
    new = after.marks(name)
    if old is None or new is None or before.source.file_kind != after.source.file_kind:
        return np.zeros(before.n_records, dtype=np.bool_)
    return np.array([one != other for one, other in zip(old, new, strict=True)], dtype=np.bool_)


def _compared(before: Table, after: Table, name: str) -> Iterator[Any]:
    """Yield how the cells of a column compare, some records at a time."""
    forms = [form_of(table, name) for table in (before, after)]
    batches = (in_batches(table.each_value(name)) for table in (before, after))
    for old, new in zip(*batches, strict=True):
        if old == new and forms[0] == forms[1]:  # the usual case, and quick
            yield np.full(len(old), _EQUAL, dtype=np.int8)
        else:
            yield _compared_cells(old, new, *forms)


def _compared_cells(old: list[Any], new: list[Any], before: Form, after: Form) -> Any:
    """Return how the cells of two lists compare: numbers by their values, all others by their texts."""
    if before == after == "number" and _are_floats(old) and _are_floats(new):
        return np.array([_EQUAL if one == other else _DIFFERENT for one, other in zip(old, new, strict=True)], np.int8)
    values = zip(comparables(old, before), comparables(new, after), strict=True)
    equal = [one == other for one, other in values]
    texts = zip(old, new, strict=True)
    rewritten = [isinstance(one, str) and isinstance(other, str) and one != other for one, other in texts]
    return np.where(equal, np.where(rewritten, _REWRITTEN, _EQUAL), _DIFFERENT).astype(np.int8)


def _are_floats(values: list[Any]) -> bool:
    """Check whether all values are Python's own integers and floats, which compare exactly with each other."""
    return {*map(type, values)} <= {int, float, type(None)}


def _count(mask: BoolArray) -> int:
    return int(np.count_nonzero(mask))
