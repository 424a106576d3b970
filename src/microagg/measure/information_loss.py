"""Measure the information loss of a release, and the k that it reaches."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from microagg.column_comparison import changed, is_constant, reordered
from microagg.divide import kept_records
from microagg.encode import checked_column, fit_encoding
from microagg.model.arrays import FloatArray
from microagg.model.column import NUMERIC, Column
from microagg.model.column_encoding import ColumnEncoding
from microagg.model.column_values import distinct_values
from microagg.model.encoding import Encoding, percent_lost
from microagg.model.errors import InputError
from microagg.model.measures import CategoryMeasures, ColumnMeasures, Measures
from microagg.model.plan import Plan
from microagg.model.row_slices import row_slices
from microagg.model.statistics import Statistics
from microagg.model.table import Table
from microagg.model.treatment import Treatment
from microagg.model.treatment_options import checked_option
from microagg.model.usable_values import refuse_missing
from microagg.read import read
from microagg.select import refuse_doubtful_header, select

_MICROSECONDS_A_DAY = 24 * 60 * 60 * 10**6


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
        has changed, and their entropy.

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
        return _measure_by_plan(original, released, plan)
    before = read(original)
    after = read(released)
    _check_counts(before, after)
    names = _changed_columns(before, after) if columns is None else select(before, columns)
    for name in names:
        after.check_name(name)
    _check_order(before, after, names)
    treatment = replace(
        Treatment.plain(standardise),
        nominal=checked_option("nominal", nominal) or (),
        ordinal=checked_option("ordinal", ordinal) or (),
    )
    encoding = fit_encoding(before, names, treatment, " of the original")
    return measure_tables(before, after, encoding)


def _measure_by_plan(original: Any, released: Any, plan: Plan) -> Measures:
    """Measure all protected columns of a plan together."""
    marks = plan.missing_policy.missing_values
    names = tuple(name for one in plan.sets for name in one.columns or ())
    if not names:
        raise InputError("the plan names no columns: measure by the plan of the release, release.plan, which does")
    before = read(original, plan.reading).with_missing_values(marks)
    records = kept_records(before, plan)
    before = before if len(records) == before.n_records else before.in_order(records)
    after = read(released)
    after = after.with_missing_values({name: values for name, values in marks.named if name in after.names})
    for name in names:
        after.check_name(name)
    _check_order(before, after, names)
    return measure_tables(before, after, fit_encoding(before, names, plan.codes, " of the original"))


def measure_tables(original: Table, released: Table, encoding: Encoding) -> Measures:
    """Measure tables that are already read, in the columns of an encoding; records correspond by their place."""
    _check_counts(original, released)
    columns = []
    lost = []
    for encoded in encoding.columns:
        before = checked_column(original, encoded.name, encoded.level, " of the original", may_miss=True)
        after = checked_column(released, encoded.name, encoded.level, " of the release", may_miss=True)
        _check_missing(before, after)
        columns.append(_measure_column(encoded, before, after))
        lost.append((encoded.lost(encoded.read(before), encoded.read(after)), encoded.total))
    sizes = np.bincount(released.patterns(encoding.names))
    return Measures(
        n_records=original.n_records,
        k_reached=int(sizes.min()),
        n_patterns=len(sizes),
        information_loss=percent_lost(lost),
        columns=tuple(columns),
    )


def _check_missing(before: Column, after: Column) -> None:
    """Refuse columns of which a value is missing in one table only."""
    gone = np.zeros(len(before), dtype=np.bool_) if before.missing is None else before.missing
    gone_after = np.zeros(len(after), dtype=np.bool_) if after.missing is None else after.missing
    refuse_missing(gone & ~gone_after, before.name, " of the original")
    refuse_missing(gone_after & ~gone, before.name, " of the release")


def _check_counts(original: Table, released: Table) -> None:
    if original.n_records != released.n_records:
        raise InputError(
            f"the original has {original.n_records} records, the release {released.n_records}: "
            "they can only be compared row by row"
        )
    if not original.n_records:
        raise InputError("the original has no records: there is nothing to measure")


def _check_order(before: Table, after: Table, names: Sequence[str]) -> None:
    """Refuse tables whose other columns show that the records are in another order."""
    others = [name for name in before.names if name in after.names and name not in names]
    moved = reordered(before, after, others)
    if moved and not _any_in_place(before, after, [name for name in others if name not in moved]):
        raise InputError(
            f"the records of the release are in another order: column {moved[0]!r} holds the same values in other "
            "rows; put them in the order of the original first, as they are compared row by row"
        )


def _any_in_place(before: Table, after: Table, names: Sequence[str]) -> bool:
    """Check whether some column that is not constant has its values where they were: then no record has moved."""
    return any(not is_constant(before, name) and not changed(before, after, [name]) for name in names)


def _changed_columns(before: Table, after: Table) -> tuple[str, ...]:
    """Return the numeric columns that the release has changed; all of them where it has changed none."""
    for table in (before, after):
        refuse_doubtful_header(table)
    numeric = [name for name in before.names if before.kind(name) in NUMERIC and name in after.names]
    if not numeric:
        raise InputError("the two tables share no column of numbers: there is nothing to measure")
    return tuple(changed(before, after, numeric) or numeric)


def _measure_column(encoding: ColumnEncoding, before: Column, after: Column) -> ColumnMeasures | CategoryMeasures:
    if encoding.level == "date":
        return _measure_numbers(before.name, _days(before), _days(after), "days since 1970-01-01")
    if encoding.level == "number":
        return _measure_numbers(before.name, before.numbers(), after.numbers())
    return _measure_categories(encoding, before, after)


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


def _measure_categories(encoding: ColumnEncoding, before: Column, after: Column) -> CategoryMeasures:
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
        information_loss=100.0 * encoding.lost(old, new) / encoding.total if encoding.total else None,
    )


def _entropy(column: Column) -> float:
    """Return the Shannon entropy of a column's distribution, in bits."""
    codes, _ = distinct_values(column)
    counts = np.sort(np.bincount(codes[codes >= 0]))  # sums of floats depend on the order, which a file may not keep
    shares = counts[counts > 0] / max(1, counts.sum())
    return max(0.0, float(-(shares * np.log2(shares)).sum()))


def _days(column: Column) -> FloatArray:
    """Return dates as days since 1970, NaN where one is missing."""
    days = column.values.astype("datetime64[us]").astype(np.int64) / _MICROSECONDS_A_DAY
    if column.missing is not None:
        days[column.missing] = np.nan
    return np.asarray(days)
