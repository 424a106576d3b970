"""Measure the information loss of a release, and the k that it reaches."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from microagg.compare import changed, comparable, reordered
from microagg.encode import checked_columns, fit_encoding
from microagg.model.arrays import FloatArray
from microagg.model.column import NUMERIC
from microagg.model.encoding import Encoding, Statistics
from microagg.model.errors import InputError
from microagg.model.measures import ColumnMeasures, Measures
from microagg.model.table import Table
from microagg.read import read
from microagg.select import refuse_doubtful_header, select


def measure(
    original: Any, released: Any, columns: Iterable[Hashable] | None = None, *, standardise: bool = True
) -> Measures:
    """Measure a released table against its original, row by row.

    Parameters
    ----------
    original, released
        Paths, dataframes or arrays, with the same records in the same order.
    columns
        Names of the columns; None for every numeric one that the release has changed.
    standardise
        Whether all columns weigh alike in the information loss.

    Returns
    -------
    Measures
        The information loss, the k reached, and means and variances of each column.

    Raises
    ------
    InputError
        If the two cannot be compared, as when other columns show that the records are in another order.

    Examples
    --------
    >>> import microagg
    >>> measures = microagg.measure([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]])
    >>> round(measures.information_loss, 4), measures.k_reached
    (3.8462, 2)
    """
    before = read(original)
    after = read(released)
    _check_counts(before, after)
    names = _changed_columns(before, after) if columns is None else select(before, columns)
    for name in names:
        after.check_name(name)
    _check_order(before, after, names)
    encoding = fit_encoding(names, checked_columns(before, names, " of the original"), standardise)
    return measure_tables(before, after, encoding)


def measure_tables(original: Table, released: Table, encoding: Encoding) -> Measures:
    """Measure tables that are already read, in the columns of an encoding; records correspond by their place."""
    names = encoding.names
    _check_counts(original, released)
    before = checked_columns(original, names, " of the original")
    after = checked_columns(released, names, " of the release")
    sizes = np.bincount(released.patterns(names))
    return Measures(
        n_records=original.n_records,
        k_reached=int(sizes.min()),
        n_patterns=len(sizes),
        information_loss=encoding.loss(before, after),
        columns=tuple(map(_measure_column, names, before, after)),
    )


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
    return any(len(set(comparable(before, name))) > 1 and not changed(before, after, [name]) for name in names)


def _changed_columns(before: Table, after: Table) -> tuple[str, ...]:
    """Return the numeric columns that the release has changed; all of them where it has changed none."""
    for table in (before, after):
        refuse_doubtful_header(table)
    numeric = [name for name in before.names if before.kind(name) in NUMERIC and name in after.names]
    if not numeric:
        raise InputError("the two tables share no column of numbers: there is nothing to measure")
    return tuple(changed(before, after, numeric) or numeric)


def _measure_column(name: str, before: FloatArray, after: FloatArray) -> ColumnMeasures:
    old = Statistics.of(before)
    new = Statistics.of(after)
    lost = float(np.square(after - before).sum())
    return ColumnMeasures(
        name,
        mean_before=old.mean,
        mean_after=new.mean,
        variance_before=old.squares / max(1, old.count - 1),
        variance_after=new.squares / max(1, new.count - 1),
        information_loss=100.0 * lost / old.squares if old.squares else None,
    )
