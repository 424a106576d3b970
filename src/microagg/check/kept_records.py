"""Records of the original that a plan keeps, counted anew from the original alone."""

import numpy as np

from microagg.model.arrays import BoolArray, IntArray
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.table import Table


def records_to_keep(original: Table, plan: Plan) -> IntArray:
    """Return the records that a plan releases, ascending: all, unless it leaves some out for what they lack.

    Parameters
    ----------
    original
        The original, in which values that stand for a missing one are missing.
    plan
        The plan, its columns named.
    """
    kept = np.arange(original.n_records)
    policy = plan.missing_policy
    if policy.missing == "drop":
        kept = kept[~_lacking(original, plan)]
    while policy.small_strata == "suppress":
        large = _in_large_parts(original.in_order(kept), plan)
        if large.all():
            break
        kept = kept[large]
    return kept


def _lacking(original: Table, plan: Plan) -> BoolArray:
    """Return which records lack a protected value."""
    lacking = np.zeros(original.n_records, dtype=np.bool_)
    for one in plan.sets:
        for name in one.columns or ():
            lacking |= original.missing_codes(name) > 0
    return lacking


def _in_large_parts(original: Table, plan: Plan) -> BoolArray:
    """Return which records are in parts that are large enough for every column set.

    A part has at least k records, or units. Where records that lack different cells are grouped, it also has k of them
    with a value in each column in which it has any.
    """
    roles = plan.roles
    units = None if roles.unit is None else original.codes(roles.unit)
    large = np.ones(original.n_records, dtype=np.bool_)
    for one in plan.sets:
        parts = np.zeros(original.n_records, dtype=np.int64)
        for name in roles.strata:
            parts = divided(parts, original.codes(name))
        if plan.missing_policy.missing == "pattern":
            for name in one.columns or ():
                parts = divided(parts, original.missing_codes(name))
        large &= count_in_classes(parts, units)[parts] >= one.k
        if plan.missing_policy.missing in ("available", "fill"):
            for name in one.columns or ():
                having = _count_having(parts, original.missing_codes(name) == 0, units)
                large &= ((having == 0) | (having >= one.k))[parts]
    return large


def _count_having(parts: IntArray, present: BoolArray, units: IntArray | None) -> IntArray:
    """Count the records of each part that have a value, or their distinct units."""
    having = np.zeros(parts.max(initial=-1) + 1, dtype=np.int64)
    counts = count_in_classes(parts[present], None if units is None else units[present])
    having[: len(counts)] = counts
    return having


def count_in_classes(classes: IntArray, units: IntArray | None) -> IntArray:
    """Count the records of each class, or its distinct units.

    Parameters
    ----------
    classes
        Class of each record, of shape (n,), counted from 0.
    units
        Unit of each record, of shape (n,); None to count records.
    """
    if units is None:
        return np.bincount(classes).astype(np.int64)
    of_distinct = np.unique(pair_codes(classes, units), return_index=True)[1]
    return np.bincount(classes[of_distinct], minlength=classes.max(initial=-1) + 1).astype(np.int64)


def divided(parts: IntArray, codes: IntArray) -> IntArray:
    """Divide parts by the codes of their records."""
    return np.unique(pair_codes(parts, codes), return_inverse=True)[1].astype(np.int64)
