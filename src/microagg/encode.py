"""Encode columns of a table as the points of a problem."""

from collections.abc import Sequence

import numpy as np

from microagg.model.arrays import FloatArray, read_only
from microagg.model.checks import flag
from microagg.model.column import EXACT_INTEGER_LIMIT, checked_numbers
from microagg.model.encoding import Encoding, Statistics
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.problem import Problem
from microagg.model.table import Table


def encode(table: Table, names: Sequence[str], k: int, standardise: bool = True) -> tuple[Encoding, Problem]:
    """State the problem of grouping a table's records by some columns.

    Parameters
    ----------
    table
        The table.
    names
        The columns, all of numbers.
    k
        Smallest group allowed.
    standardise
        Whether each column is scaled to variance 1, so that all weigh alike. Constant columns carry no weight either
        way.

    Returns
    -------
    encoding : Encoding
        How the columns become coordinates.
    problem : Problem
        The records as points.
    """
    columns = checked_columns(table, names)
    encoding = fit_encoding(names, columns, standardise)
    X = encoding.apply(columns)
    read_only(X)
    return encoding, Problem(X, k)


def fit_encoding(names: Sequence[str], columns: Sequence[FloatArray], standardise: bool = True) -> Encoding:
    """Return the encoding of columns, fitted to their numbers."""
    flag("standardise", standardise)
    return Encoding.fit(names, [Statistics.of(column) for column in columns], standardise)


def checked_columns(table: Table, names: Sequence[str], of: str = "") -> list[FloatArray]:
    """Return columns as numbers that arithmetic does not damage; refuse others.

    Parameters
    ----------
    table
        The table.
    names
        The columns.
    of
        Which table it is, for messages: " of the release".

    Raises
    ------
    InputError
        If there are no records, or a column has missing, infinite or too large numbers.
    """
    if not table.n_records:
        raise InputError(f"the table has no records, only the columns {listing(table.names)}")
    columns = []
    for name in names:
        numbers = checked_numbers(table.numbers(name), name, of)
        if table.kind(name) == "integer" and np.abs(numbers).max() >= EXACT_INTEGER_LIMIT:
            raise InputError(
                f"column {name!r}{of} has integers beyond 2^53, which arithmetic would damage: leave it out"
            )
        columns.append(numbers)
    return columns
