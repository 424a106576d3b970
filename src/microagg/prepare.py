"""Turn a table into a problem: which columns, on which scale."""

from collections.abc import Hashable, Iterable

import numpy as np

from microagg.arrays import FloatArray, read_only
from microagg.checks import flag
from microagg.errors import InputError
from microagg.problem import Problem
from microagg.table import Table, checked_numbers, listing

_EXACT = 2.0**53  # floats hold every integer below


def prepare(table: Table, k: int, columns: Iterable[Hashable] | None = None, *, standardise: bool = True) -> Problem:
    """State the problem of grouping a table's records by some of its columns.

    Parameters
    ----------
    table
        The records.
    k
        The smallest group allowed.
    columns
        Which columns; None: every numeric one.
    standardise
        Whether each column is scaled to variance 1, so that all weigh alike. Constant columns carry no
        weight either way.
    """
    flag("standardise", standardise)
    names = table.select(columns)
    if not table.n_records:
        raise InputError(f"the table has no records, only the columns {listing(table.names)}")
    X = np.empty((table.n_records, len(names)))
    for j, name in enumerate(names):
        X[:, j] = _scaled(_exact(table, name), standardise)
    read_only(X)
    return Problem(X, k)


def _exact(table: Table, name: str) -> FloatArray:
    values = checked_numbers(table, name)
    if table.kind(name) == "integer" and np.abs(values).max() >= _EXACT:
        raise InputError(f"column {name!r} has integers beyond 2^53, which arithmetic would damage: leave it out")
    return values


def _scaled(values: FloatArray, standardise: bool) -> FloatArray:
    """Shift a column to zero, and give it variance 1 if asked to.

    It is shifted by its value nearest to zero, or not at all if it has both signs: so no number grows, and none
    loses digits that it had. Nothing is lost at mean/sd = 1e9, nor beside an outlier of 1e17.
    """
    lowest, highest = values.min(), values.max()
    if lowest == highest:
        return np.zeros_like(values)
    shifted: FloatArray = values - np.clip(0.0, lowest, highest)
    return shifted / shifted.std() if standardise else shifted
