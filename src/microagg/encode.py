"""Encode columns of a table as the points of a problem."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microagg.control.mapped_arrays import MappedArrays
from microagg.model.arrays import BoolArray, FloatArray, read_only
from microagg.model.column import CODED, Column
from microagg.model.column_encoding import fit_column
from microagg.model.column_values import number_of_categories
from microagg.model.encoding import Encoding
from microagg.model.errors import InputError, ReadError
from microagg.model.names import listing
from microagg.model.problem import Problem
from microagg.model.table import Table
from microagg.model.treatment import Level, Treatment
from microagg.model.treatment_options import named_in
from microagg.model.usable_values import checked_numbers, refuse_inexact_integers, refuse_missing, refuse_names


class EncodedTable(NamedTuple):
    """Records as points, and the cells that are missing.

    Parameters
    ----------
    encoding
        How the columns become coordinates.
    X
        The points, of shape (n, d); mean coordinates where a value is missing.
    missing
        Which coordinates are missing, of shape (n, d); None if none is.
    """

    encoding: Encoding
    X: FloatArray
    missing: BoolArray | None


def encode(
    table: Table,
    names: Sequence[str],
    k: int,
    treatment: Treatment | None = None,
    arrays: MappedArrays | None = None,
) -> tuple[Encoding, Problem]:
    """State the problem of grouping a table's records by some columns, none of which has missing values.

    Parameters
    ----------
    table
        The table.
    names
        The columns.
    k
        Smallest group allowed.
    treatment
        How the columns are scaled and transformed, and which of them hold codes; None: numbers are scaled to variance
        1, so that all weigh alike. Constant columns carry no weight in any case.
    arrays
        Where the points are kept; None: in memory.

    Returns
    -------
    encoding : Encoding
        How the columns become coordinates.
    problem : Problem
        The records as points.

    Raises
    ------
    InputError
        If a value is missing, or a column cannot be treated so.
    """
    encoded = encode_table(table, names, treatment, arrays, may_miss=False)
    return encoded.encoding, Problem(encoded.X, k)


def encode_table(
    table: Table,
    names: Sequence[str],
    treatment: Treatment | None = None,
    arrays: MappedArrays | None = None,
    *,
    may_miss: bool,
) -> EncodedTable:
    """Encode columns of a table.

    Parameters
    ----------
    table, names, treatment, arrays
        As in `encode`.
    may_miss
        Whether values may be missing: these count neither in the scales nor in the total squares.

    Returns
    -------
    EncodedTable
        The records as points.

    Raises
    ------
    InputError
        If a value is missing that may not, or a column cannot be treated so.
    """
    levels = levels_of(table, names, treatment)
    treatment = Treatment() if treatment is None else treatment
    treatment.check(levels)
    fitted = []
    numbers = []
    for name, level in levels.items():  # beside their numbers, only one column is in memory
        column = checked_column(table, name, level, may_miss=may_miss)
        _refuse_names(column)
        fitted.append(fit_column(column, treatment))
        values = fitted[-1].read(column)
        numbers.append(values if arrays is None else arrays.copy(values))
    encoding = Encoding(tuple(fitted), treatment)
    X, missing = encoding.coordinates(numbers, np.empty if arrays is None else arrays.empty)
    read_only(X)
    if missing is not None:
        read_only(missing)
    return EncodedTable(encoding, X, missing)


def fit_encoding(table: Table, names: Sequence[str], treatment: Treatment | None = None, of: str = "") -> Encoding:
    """Return the encoding of columns, which may have missing values, fitted to the others."""
    levels = levels_of(table, names, treatment)
    treatment = Treatment() if treatment is None else treatment
    treatment.check(levels)
    columns = (checked_column(table, name, level, of, may_miss=True) for name, level in levels.items())
    return Encoding(tuple(fit_column(column, treatment) for column in columns), treatment)


def levels_of(table: Table, names: Sequence[str], treatment: Treatment | None = None) -> dict[str, Level]:
    """Return the level of measurement of columns: what the treatment says of them, else what their kinds tell."""
    treatment = Treatment() if treatment is None else treatment
    for name in (*treatment.nominal, *named_in(treatment.ordinal)):
        table.check_name(name)
    return {name: treatment.level(name, table.kind(name)) for name in names}


def checked_column(table: Table, name: str, level: Level, of: str = "", *, may_miss: bool = False) -> Column:
    """Return a column as it is treated: as numbers that arithmetic does not damage, as dates or as categories.

    Parameters
    ----------
    table
        The table.
    name
        Name of the column.
    level
        Its level of measurement.
    of
        Which table it is, for messages: " of the release".
    may_miss
        Whether values may be missing.

    Raises
    ------
    InputError
        If there are no records, or the column has values that cannot be used: missing, infinite or too large ones.
    """
    if not table.n_records:
        raise InputError(f"the table has no records, only the columns {listing(table.names)}")
    column = _number_column(table, name, of, may_miss) if level == "number" else table.column(name)
    if column.missing is not None and not may_miss:
        refuse_missing(column.missing, name, of)
    return column


def _refuse_names(column: Column) -> None:
    """Refuse text that differs in every record."""
    if column.kind in CODED:
        n_present = len(column) if column.missing is None else int((~column.missing).sum())
        refuse_names(number_of_categories(column), n_present, column.name, column.kind)


def _number_column(table: Table, name: str, of: str, may_miss: bool) -> Column:
    """Return a column of numbers; refuse those that arithmetic would damage."""
    kind = table.kind(name)
    try:
        numbers = table.numbers(name)
    except ReadError as error:
        raise ReadError(f"{error}; or treat it as categories, as in nominal=[{name!r}]") from None
    present = checked_numbers(numbers, name, of, may_miss=may_miss)
    if kind == "integer" and len(present):
        refuse_inexact_integers(float(present.min()), float(present.max()), name, of)
    read_only(numbers)  # made for this call, or never written to: a column need not copy them
    return Column.of_numbers(name, numbers)
