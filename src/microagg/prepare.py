"""Turn a table into a problem: which columns, on which scale."""

from collections.abc import Hashable, Sequence

import numpy as np

from microagg.arrays import FloatArray
from microagg.errors import InputError
from microagg.problem import Problem
from microagg.table import EXACT, Table

_LARGEST = 1e150  # squares of larger numbers overflow


def prepare(table: Table, k: int, columns: Sequence[Hashable] | None = None, *, standardise: bool = True) -> Problem:
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
    if not isinstance(standardise, bool):
        raise InputError(f"standardise must be True or False, found {standardise!r}")
    names = table.select(columns)
    if not table.n_records:
        raise InputError("the table has no records: there is nothing to protect")
    X = np.empty((table.n_records, len(names)))
    for j, name in enumerate(names):
        X[:, j] = _scaled(_checked(table, name), standardise)
    return Problem(X, k)


def _checked(table: Table, name: str) -> FloatArray:
    values = table.numbers(name)
    for what, bad in (("missing", np.isnan(values)), ("infinite", np.isinf(values))):
        if bad.any():
            rows = np.flatnonzero(bad)[:3] + 1
            where = "row" if bad.sum() == 1 else "rows"
            more = ", …" if bad.sum() > len(rows) else ""
            raise InputError(
                f"column {name!r} has {bad.sum()} {what} value{'s' if bad.sum() > 1 else ''} "
                f"({where} {', '.join(map(str, rows))}{more}): remove or fill in these records, or leave the column out"
            )
    if np.abs(values).max() > _LARGEST:
        raise InputError(f"column {name!r} has numbers beyond ±{_LARGEST:g}, whose squares overflow: rescale it first")
    if table.kind(name) == "integer" and np.abs(values).max() > EXACT:
        raise InputError(f"column {name!r} has integers beyond 2^53, which arithmetic would damage: leave it out")
    return values


def _scaled(values: FloatArray, standardise: bool) -> FloatArray:
    """Centre a column, and give it variance 1 if asked to: nothing is lost at mean/sd = 1e9."""
    if values.min() == values.max():
        return np.zeros_like(values)
    centred: FloatArray = values - values.mean()
    centred -= centred.mean()  # what rounding left of the mean
    if standardise:
        centred /= np.abs(centred).max()  # squares of tiny numbers would vanish
        centred /= np.sqrt(np.mean(centred**2))
    return centred
