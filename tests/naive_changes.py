"""Slow and obvious versions of what a change report counts."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from microagg.model.change_report import CellChanges


def cell_changes(before: Sequence[str | None], after: Sequence[str | None], *, numeric: bool) -> CellChanges:
    """Count the cells of two columns of fields that differ, one after another; None is an empty field."""
    altered = to_missing = from_missing = rewritten = 0
    for old, new in zip(before, after, strict=True):
        if old is None or new is None:
            to_missing += old is not None
            from_missing += new is not None
        elif _value(old, numeric) != _value(new, numeric):
            altered += 1
        elif old != new:
            rewritten += 1
    return CellChanges(altered, to_missing, from_missing, rewritten)


def _value(field: str, numeric: bool) -> object:
    if not numeric:
        return field.strip()
    try:
        return Decimal(field.strip())
    except InvalidOperation:
        return field.strip()
