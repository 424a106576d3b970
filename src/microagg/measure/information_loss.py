"""Measure the information loss of a release, and the k that it reaches."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from microagg.measure.table_accumulator import TableAccumulator
from microagg.measure.table_pairing import pair_by_plan, pair_tables
from microagg.model.arrays import IntArray
from microagg.model.encoding import Encoding
from microagg.model.errors import InputError
from microagg.model.measures import Measures
from microagg.model.plan import Plan
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
    return replace(measure_tables(tables.before, tables.after, tables.encoding), remarks=tables.remarks)


def measure_tables(original: Table, released: Table, encoding: Encoding, patterns: IntArray | None = None) -> Measures:
    """Measure tables that are already read, in the columns of an encoding; records correspond by their place.

    Parameters
    ----------
    original, released
        The tables before and after.
    encoding
        Encoding of the columns.
    patterns
        What `released.patterns` gives for these columns, where it is known.

    Returns
    -------
    Measures
        As of `measure`.
    """
    accumulated = TableAccumulator.of(original, released, encoding)
    sizes = np.bincount(released.patterns(encoding.names) if patterns is None else patterns)
    return accumulated.measures(k_reached=int(sizes.min()), n_patterns=len(sizes))
