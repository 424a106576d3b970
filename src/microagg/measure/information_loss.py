"""Measure the information loss of a release, and the k that it reaches."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from microagg.encode import checked_column
from microagg.measure.common_cells import CellCounts, CommonColumn, common_column
from microagg.measure.day_numbers import DAYS, days_since_1970
from microagg.measure.table_pairing import check_counts, pair_by_plan, pair_tables
from microagg.model.arrays import FloatArray
from microagg.model.column import Column
from microagg.model.column_encoding import ColumnEncoding
from microagg.model.column_values import distinct_values
from microagg.model.encoding import Encoding, percent_lost
from microagg.model.errors import InputError
from microagg.model.measures import CategoryMeasures, ColumnMeasures, Measures
from microagg.model.plan import Plan
from microagg.model.row_slices import row_slices
from microagg.model.statistics import Statistics
from microagg.model.table import Table


def measure(
    original: Any,
    released: Any,
    columns: Iterable[Hashable] | None = None,
    *,
    plan: Plan | None = None,
    standardise: bool = True,
    nominal: Iterable[Hashable] | None = None,
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None = None,
) -> Measures:
    """Measure a released table against its original, row by row.

    Parameters
    ----------
    original, released
        Paths, dataframes or arrays, with the same records in the same order.
    columns
        Names of the columns; None for every numeric one that the release has changed.
    plan
        The plan of the release, in place of all other options: its columns are measured, what it counts as missing is
        missing, and records that it leaves out are left out of the original.
    standardise
        Whether all columns weigh alike in the information loss.
    nominal, ordinal
        Which of the columns hold codes: see `ColumnSet`. Text, categories and booleans are nominal anyway.

    Returns
    -------
    Measures
        The information loss, the k reached, and means and variances of each column; of categories, the share that
        has changed, and their entropy. Values that one of the tables lacks, as they were suppressed or imputed, are
        counted, and left out of all but k.

    Raises
    ------
    InputError
        If the two cannot be compared, as when other columns show that the records are in another order; or if options
        are given besides a plan.

    Examples
    --------
    >>> import microagg
    >>> measures = microagg.measure([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    >>> round(measures.information_loss, 4), measures.k_reached
    (3.8462, 2)
    """
    if plan is not None:
        if columns is not None or nominal is not None or ordinal is not None or not standardise:
            raise InputError("a plan says which columns are measured, and how: leave the other options out")
        tables = pair_by_plan(original, released, plan)
    else:
        tables = pair_tables(original, released, columns, standardise=standardise, nominal=nominal, ordinal=ordinal)
    return measure_tables(tables.before, tables.after, tables.encoding)


def measure_tables(original: Table, released: Table, encoding: Encoding) -> Measures:
    """Measure tables that are already read, in the columns of an encoding; records correspond by their place."""
    check_counts(original, released)
    columns = []
    lost = []
    cells = []
    for encoded in encoding.columns:
        before = checked_column(original, encoded.name, encoded.level, " of the original", may_miss=True)
        after = checked_column(released, encoded.name, encoded.level, " of the release", may_miss=True)
        common = common_column(before, after)
        cells.append(common.counts)
        squares = _squares(encoded, common)
        lost.append(squares)
        columns.append(_measure_column(encoded, common, squares))
    counts = CellCounts.merged(cells)
    sizes = np.bincount(released.patterns(encoding.names))
    return Measures(
        n_records=original.n_records,
        k_reached=int(sizes.min()),
        n_patterns=len(sizes),
        information_loss=percent_lost(lost),
        columns=tuple(columns),
        n_suppressed=counts.n_suppressed,
        n_imputed=counts.n_imputed,
    )


def _squares(encoding: ColumnEncoding, common: CommonColumn) -> tuple[float, float]:
    """Return the squares that are lost, and all squares, over the cells that both tables have."""
    old = encoding.read(common.before)
    lost = encoding.lost(old, encoding.read(common.after))
    return lost, encoding.total if common.is_whole else encoding.total_of(old)


def _measure_column(
    encoding: ColumnEncoding, common: CommonColumn, squares: tuple[float, float]
) -> ColumnMeasures | CategoryMeasures:
    before = common.before
    after = common.after
    if encoding.level == "date":
        return _measure_numbers(before.name, days_since_1970(before), days_since_1970(after), DAYS)
    if encoding.level == "number":
        return _measure_numbers(before.name, before.numbers(), after.numbers())
    return _measure_categories(encoding, before, after, squares)


def _measure_numbers(name: str, before: FloatArray, after: FloatArray, unit: str | None = None) -> ColumnMeasures:
    present = ~np.isnan(before)
    if not present.any():
        return ColumnMeasures(name, 0.0, 0.0, 0.0, 0.0, None, unit)
    if not present.all():
        before = before[present]
        after = after[present]
    old = Statistics.of(before)
    new = Statistics.of(after)
    lost = sum(float(np.square(after[rows] - before[rows]).sum()) for rows in row_slices(len(before)))
    return ColumnMeasures(
        name,
        mean_before=old.mean,
        mean_after=new.mean,
        variance_before=old.squares / max(1, old.count - 1),
        variance_after=new.squares / max(1, new.count - 1),
        information_loss=100.0 * lost / old.squares if old.squares else None,
        unit=unit,
    )


def _measure_categories(
    encoding: ColumnEncoding, before: Column, after: Column, squares: tuple[float, float]
) -> CategoryMeasures:
    old = encoding.read(before)
    new = encoding.read(after)
    entropy_before = _entropy(before)
    entropy_after = _entropy(after)
    n_present = int((~np.isnan(old)).sum())
    changed = int(((old != new) & ~np.isnan(old)).sum())
    return CategoryMeasures(
        before.name,
        changed=100.0 * changed / max(1, n_present),
        entropy_before=entropy_before,
        entropy_after=entropy_after,
        entropy_loss=100.0 * (1.0 - entropy_after / entropy_before) if entropy_before else None,
        information_loss=100.0 * squares[0] / squares[1] if squares[1] else None,
    )


def _entropy(column: Column) -> float:
    """Return the Shannon entropy of a column's distribution, in bits."""
    codes, _ = distinct_values(column)
    counts = np.sort(np.bincount(codes[codes >= 0]))  # sums of floats depend on the order, which a file may not keep
    shares = counts[counts > 0] / max(1, counts.sum())
    return max(0.0, float(-(shares * np.log2(shares)).sum()))
