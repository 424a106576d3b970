"""Check that shuffled records cannot be put back in order."""

from collections.abc import Sequence
from contextlib import suppress
from operator import ge, le

import numpy as np

from microagg.model.arrays import FloatArray
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
        The columns that are released unchanged.

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
    if table.kind(name) in NUMERIC:
        numbers = table.numbers(name)
        return _is_monotonous(numbers[~np.isnan(numbers)])
    present = [value for value in table.each_value(name) if value is not None and value == value]
    with suppress(TypeError):  # values that have no order, or cannot be hashed
        if len(set(present)) >= _MIN_DISTINCT:
            return all(map(le, present, present[1:])) or all(map(ge, present, present[1:]))
    return False


def _is_monotonous(numbers: FloatArray) -> bool:
    """Check whether numbers, enough of them different, never fall or never rise."""
    rising = bool((numbers[1:] >= numbers[:-1]).all())
    falling = bool((numbers[1:] <= numbers[:-1]).all())
    return (rising or falling) and len(np.unique(numbers)) >= _MIN_DISTINCT
