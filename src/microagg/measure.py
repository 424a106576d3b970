"""Measure what a release lost, and the k that it really reached."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from microagg.compare import changed, reordered
from microagg.encode import encoding_of, numbers_of
from microagg.model.arrays import FloatArray
from microagg.model.column import NUMERIC
from microagg.model.encoding import Encoding, Statistics
from microagg.model.errors import InputError
from microagg.model.measures import ColumnMeasures, Measures
from microagg.model.table import Table
from microagg.read import read
from microagg.select import check_header, select


def measure(
    original: Any, released: Any, columns: Iterable[Hashable] | None = None, *, standardise: bool = True
) -> Measures:
    """Measure a released table against its original, row by row.

    Parameters
    ----------
    original, released
        Paths, dataframes or arrays, with the same records in the same order.
    columns
        Which columns; None: every numeric one that the release has changed.
    standardise
        Whether all columns weigh alike in the information loss.

    Raises
    ------
    InputError
        Where the two cannot be compared, as when other columns tell that the records are in another order.

    Examples
    --------
    >>> import microagg
    >>> round(microagg.measure([[0.0], [2.0], [10.0], [12.0]], [[1.0], [1.0], [11.0], [11.0]]).information_loss, 4)
    3.8462
    """
    before = read(original)
    after = read(released)
    _check_counts(before, after)
    names = _changed(before, after) if columns is None else select(before, columns)
    for name in names:
        after.check_name(name)
    others = [name for name in before.names if name in after.names and name not in names]
    moved = reordered(before, after, others)
    if moved and not _in_place(before, after, [name for name in others if name not in moved]):
        raise InputError(
            f"the records of the release are in another order: column {moved[0]!r} holds the same values in other "
            "rows; put them in the order of the original first, as they are compared row by row"
        )
    encoding = encoding_of(names, numbers_of(before, names, " of the original"), standardise)
    return measure_tables(before, after, encoding)


def measure_tables(original: Table, released: Table, encoding: Encoding) -> Measures:
    """Measure tables that are already read, in the columns of an encoding; records correspond by their place."""
    names = encoding.names
    _check_counts(original, released)
    before = numbers_of(original, names, " of the original")
    after = numbers_of(released, names, " of the release")
    sizes = np.bincount(released.patterns(names))
    return Measures(
        n_records=original.n_records,
        k_reached=int(sizes.min()),
        n_patterns=len(sizes),
        information_loss=encoding.loss(before, after),
        columns=tuple(map(_column, names, before, after)),
    )


def _check_counts(original: Table, released: Table) -> None:
    if original.n_records != released.n_records:
        raise InputError(
            f"the original has {original.n_records} records, the release {released.n_records}: "
            "they can only be compared row by row"
        )
    if not original.n_records:
        raise InputError("the original has no records: there is nothing to measure")


def _in_place(before: Table, after: Table, names: Sequence[str]) -> bool:
    """Say whether some column that is not constant has every value where it was: then the records have not moved."""
    return any(len(set(before.values(name))) > 1 and not changed(before, after, [name]) for name in names)


def _changed(before: Table, after: Table) -> tuple[str, ...]:
    """Choose the numeric columns that the release has changed; all of them where it has changed none."""
    for table in (before, after):
        check_header(table)
    numeric = [name for name in before.names if before.kind(name) in NUMERIC and name in after.names]
    if not numeric:
        raise InputError("the two tables share no column of numbers: there is nothing to measure")
    return tuple(changed(before, after, numeric) or numeric)


def _column(name: str, before: FloatArray, after: FloatArray) -> ColumnMeasures:
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
