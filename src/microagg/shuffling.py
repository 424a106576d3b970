"""Check that shuffled records cannot be put back in order."""

from collections.abc import Sequence
from contextlib import suppress
from operator import ge, le
from typing import Any

from microagg.model.column import NUMERIC
from microagg.model.errors import InputError
from microagg.model.table import Table

_MIN_DISTINCT = 6  # a column of fewer different values is often sorted by chance, or reveals little


def check_shuffling(table: Table, unchanged: Sequence[str]) -> None:
    """Refuse to shuffle where a column that is released unchanged reveals the old order.

    Parameters
    ----------
    table
        The table before anything is done.
    unchanged
        The columns that are released as they came.

    Raises
    ------
    InputError
        If one of them is sorted.
    """
    for name in unchanged:
        if _is_sorted(table, name):
            raise InputError(f"column {name!r} rises or falls all the way, it would undo the shuffling: drop it")


def _is_sorted(table: Table, name: str) -> bool:
    """Check whether a column of enough different values never falls or never rises; missing ones do not count."""
    values: Sequence[Any] = table.numbers(name).tolist() if table.kind(name) in NUMERIC else table.values(name)
    present = [value for value in values if value is not None and value == value]
    with suppress(TypeError):  # values that have no order, or cannot be hashed
        if len(set(present)) >= _MIN_DISTINCT:
            return all(map(le, present, present[1:])) or all(map(ge, present, present[1:]))
    return False
