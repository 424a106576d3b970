"""Turn columns of a table into the points of a problem."""

from collections.abc import Sequence

import numpy as np

from microagg.model.arrays import FloatArray, read_only
from microagg.model.checks import flag
from microagg.model.column import EXACT, checked_numbers
from microagg.model.encoding import Encoding, Statistics
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.problem import Problem
from microagg.model.table import Table


def encode(table: Table, names: Sequence[str], k: int, standardise: bool = True) -> tuple[Encoding, Problem]:
    """State the problem of grouping a table's records by some columns.

    Parameters
    ----------
    names
        The columns, all of numbers.
    k
        The smallest group allowed.
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
    columns = numbers_of(table, names)
    encoding = encoding_of(names, columns, standardise)
    X = encoding.apply(columns)
    read_only(X)
    return encoding, Problem(X, k)


def encoding_of(names: Sequence[str], columns: Sequence[FloatArray], standardise: bool = True) -> Encoding:
    """Find out how columns become coordinates, by their numbers."""
    flag("standardise", standardise)
    return Encoding.fit(names, [Statistics.of(column) for column in columns], standardise)


def numbers_of(table: Table, names: Sequence[str], of: str = "") -> list[FloatArray]:
    """Give columns as numbers that arithmetic does not damage; refuse others.

    Parameters
    ----------
    of
        Which table it is, for messages: " of the release".
    """
    if not table.n_records:
        raise InputError(f"the table has no records, only the columns {listing(table.names)}")
    columns = []
    for name in names:
        numbers = checked_numbers(table.numbers(name), name, of)
        if table.kind(name) == "integer" and np.abs(numbers).max() >= EXACT:
            raise InputError(
                f"column {name!r}{of} has integers beyond 2^53, which arithmetic would damage: leave it out"
            )
        columns.append(numbers)
    return columns
