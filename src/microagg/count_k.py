"""Count the k that a release reaches, on the released table itself."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray, IntArray
from microagg.model.errors import VerificationError
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.table import Table


class CountedK(NamedTuple):
    """What an auditor counts in a release.

    Parameters
    ----------
    k_reached
        Fewest records, or units, that share their released values.
    n_below_k
        Number of records that share them with fewer than k − 1 others.
    """

    k_reached: int
    n_below_k: int


def count_k(
    plan: Plan, original: Table, released: Table, names: Sequence[str], k: int, patterns: IntArray | None = None
) -> CountedK:
    """Count how many records, or units, share their values in some columns; a missing value is a value of its own.

    Within strata, unless small ones may be merged.

    Parameters
    ----------
    plan
        The plan.
    original, released
        The tables before and after.
    names
        The columns: those of a column set, or of all.
    k
        Number that is asked for.
    patterns
        What `released.patterns` gives for the columns, where it is known.

    Returns
    -------
    CountedK
        The smallest number, and how many records share their values with too few.
    """
    units = None if plan.roles.unit is None else original.codes(plan.roles.unit)
    classes = released.patterns(names) if patterns is None else patterns
    if plan.roles.strata and plan.missing_policy.small_strata != "merge":
        classes = np.unique(pair_codes(classes, original.patterns(plan.roles.strata)), return_inverse=True)[1]
    counts = _count(classes, units)
    sizes = counts if units is None else _count(classes, None)
    return CountedK(int(counts.min()), int(sizes[counts < k].sum()))


def count_if_missing_agrees(
    plan: Plan, original: Table, released: Table, names: Sequence[str], labels: IntArray
) -> int | None:
    """Count the k that is reached if a missing cell may be any value; None where the plan does not promise that.

    Parameters
    ----------
    plan, original, released, names
        As in `count_k`.
    labels
        Group of each record.
    """
    if plan.missing_policy.mixed_cells != "kept":
        return None
    units = None if plan.roles.unit is None else original.codes(plan.roles.unit)
    return count_in_groups(released, names, labels, units)


def count_in_groups(released: Table, names: Sequence[str], labels: IntArray, units: IntArray | None) -> int:
    """Count the records or units of each group, and those that have a value in a column, where any has one.

    Parameters
    ----------
    released
        The table after.
    names
        The protected columns.
    labels
        Group of each record.
    units
        Unit of each record; None: records are counted.

    Returns
    -------
    int
        The smallest number.

    Raises
    ------
    VerificationError
        If the records of a group do not have the same value in a column: a defect of this package.
    """
    smallest = int(_count(labels, units).min())
    for name in names:
        present = released.missing_codes(name) == 0
        _check_equal(released.codes(name), labels, present)
        if present.any():
            smallest = min(smallest, int(_count(labels[present], None if units is None else units[present]).min()))
    return smallest


def _check_equal(codes: IntArray, labels: IntArray, present: BoolArray) -> None:
    pairs = np.unique(pair_codes(labels[present], codes[present]))
    groups = np.unique(labels[present])
    if len(pairs) > len(groups):
        raise VerificationError("records of one group have different values: nothing is released")


def _count(classes: IntArray, units: IntArray | None) -> IntArray:
    """Count the records, or the distinct units, of each class that occurs."""
    if units is None:
        return np.unique(classes, return_counts=True)[1].astype(np.int64)
    pairs = np.unique(pair_codes(classes, units), return_index=True)[1]
    return np.unique(classes[pairs], return_counts=True)[1].astype(np.int64)
