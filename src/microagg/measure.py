"""Measure what a release lost, and the k that it really reached."""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from microagg.arrays import FloatArray
from microagg.checks import flag
from microagg.errors import InputError
from microagg.read import read
from microagg.release import ColumnMeasures, Measures
from microagg.table import Table, checked_numbers


def measure(
    original: Any, released: Any, columns: Iterable[Hashable] | None = None, *, standardise: bool = True
) -> Measures:
    """Measure a released table against its original, row by row.

    Parameters
    ----------
    original, released
        Paths, dataframes or arrays, with the same records in the same order.
    columns
        Which columns; None: every numeric one of the original.
    standardise
        Whether all columns weigh alike in the information loss.
    """
    flag("standardise", standardise)
    before, after = read(original), read(released)
    return measure_tables(before, after, before.select(columns), standardise)


def measure_tables(original: Table, released: Table, columns: tuple[str, ...], standardise: bool) -> Measures:
    """Measure tables that are already read; records correspond by their place."""
    released.select(columns)
    if original.n_records != released.n_records:
        raise InputError(
            f"the original has {original.n_records} records, the release {released.n_records}: "
            "they can only be compared row by row"
        )
    if not original.n_records:
        raise InputError("the original has no records: there is nothing to measure")
    per_column, losses, totals = [], 0.0, 0.0
    for name in columns:
        before = checked_numbers(original, name, of=" of the original")
        after = checked_numbers(released, name, of=" of the release")
        sse, sst = float(np.square(after - before).sum()), _squares(before)
        per_column.append(
            ColumnMeasures(
                name,
                mean_before=float(before.mean()),
                mean_after=float(after.mean()),
                variance_before=_variance(before),
                variance_after=_variance(after),
                information_loss=100.0 * sse / sst if sst else None,
            )
        )
        if sst:
            losses += sse / sst if standardise else sse
            totals += 1.0 if standardise else sst
    sizes = np.bincount(released.patterns(columns))
    return Measures(
        n_records=original.n_records,
        k_reached=int(sizes.min()),
        n_patterns=len(sizes),
        information_loss=100.0 * losses / totals if totals else 0.0,
        columns=tuple(per_column),
    )


def _squares(values: FloatArray) -> float:
    if values.min() == values.max():
        return 0.0
    return float(np.square(values - values.mean()).sum())


def _variance(values: FloatArray) -> float:
    return _squares(values) / max(1, len(values) - 1)
