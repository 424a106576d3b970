"""Count the k that a release reaches, on the released table itself."""

from collections.abc import Sequence

import numpy as np

from microagg.model.arrays import BoolArray, IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.errors import VerificationError
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.solution import Solution
from microagg.model.table import Table


def count_k(
    plan: Plan,
    original: Table,
    released: Table,
    wanted: ColumnSet,
    solution: Solution,
    patterns: IntArray | None = None,
) -> int:
    """Count how many records, or units, share their values in the columns of a set, at least.

    Within strata, unless small ones were merged. A missing value counts as a value of its own; but where distances are
    over the cells that are there, groups are counted, and in each of them the cells that are there.

    Parameters
    ----------
    plan
        The plan.
    original, released
        The tables before and after.
    wanted
        The column set.
    solution
        Its groups.
    patterns
        What `released.patterns` gives for the columns of the set, where it is known.

    Returns
    -------
    int
        The smallest number.
    """
    names = wanted.columns or ()
    units = None if plan.roles.unit is None else original.codes(plan.roles.unit)
    if solution.partition.problem.missing is not None and _is_mixed(plan, solution):
        return count_in_groups(released, names, solution.labels, units)
    strata = () if solution.merged_parts else plan.roles.strata
    classes = released.patterns(names) if patterns is None else patterns
    if strata:
        classes = _combined(classes, original.patterns(strata))
    return int(_count(classes, units).min())


def count_together(plan: Plan, original: Table, released: Table, names: Sequence[str]) -> int:
    """Count how many records, or units, share their values in the columns of all sets, within strata, at least.

    Parameters
    ----------
    plan
        The plan.
    original, released
        The tables before and after.
    names
        All protected columns.

    Returns
    -------
    int
        The smallest number; a missing value counts as a value of its own.
    """
    units = None if plan.roles.unit is None else original.codes(plan.roles.unit)
    classes = released.patterns(names)
    if plan.roles.strata and plan.missing_policy.small_strata != "merge":
        classes = _combined(classes, original.patterns(plan.roles.strata))
    return int(_count(classes, units).min())


def _is_mixed(plan: Plan, solution: Solution) -> bool:
    """Check whether a group may hold records that lack different cells."""
    return plan.missing_policy.missing == "available" or bool(solution.merged_parts)


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


def _combined(one: IntArray, other: IntArray) -> IntArray:
    """Return a number for each pair of codes."""
    return np.unique(pair_codes(one, other), return_inverse=True)[1].astype(np.int64)
