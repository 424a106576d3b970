"""Check of the protected values against the original: what is missing stays so, and totals are kept."""

from typing import Any, NamedTuple

import numpy as np

from microagg.check.checked_release import CheckedRelease
from microagg.check.value_key import value_key
from microagg.check.wording import row_list
from microagg.column_comparison import same_declared_marks
from microagg.model.arrays import FloatArray
from microagg.model.column import NUMERIC
from microagg.model.column_set import ColumnSet
from microagg.model.names import listing, quantity
from microagg.model.table import Table
from microagg.model.verification import Finding

_TOTAL_TOLERANCE = 1e-9  # relative to the sum of the sizes of all contributions, in numbers of double precision


def check_values(checked: CheckedRelease) -> list[Finding]:
    """Check missing values and totals of the protected columns, as far as the original is known."""
    original = checked.original
    if original is None:
        return []
    findings = [] if checked.counterpart is None else [_check_missing(checked, checked.counterpart)]
    if original.n_records == checked.released.n_records or checked.counterpart is not None:
        findings += _check_totals(checked, checked.counterpart or original)
    return findings


def _check_missing(checked: CheckedRelease, before: Table) -> Finding:
    """Check that the same cells are missing, and marked as they were."""
    faults = []
    n_missing = 0
    for name in checked.protected:
        old = before.missing_codes(name) > 0
        new = checked.released.missing_codes(name) > 0
        n_missing += int(old.sum())
        if not np.array_equal(old, new):
            faults.append(f"{name!r} lacks other values than before, in {row_list(np.flatnonzero(old != new))}")
        elif old.any() and not _same_marks(before, checked.released, name):
            faults.append(f"{name!r} marks missing values otherwise than before")
    if faults:
        return Finding("missing values", False, "; ".join(faults))
    return Finding("missing values", True, f"as they were: {quantity(n_missing, 'cell')} of the protected columns")


def _same_marks(before: Table, after: Table, name: str) -> bool:
    """Check whether missing values are marked as before: to the letter between files of a kind, else by their value."""
    missing = np.flatnonzero(before.missing_codes(name) > 0)
    if not same_declared_marks(before.in_order(missing), after.in_order(missing), name):
        return False
    if before.source.file_kind == after.source.file_kind == "CSV":
        return before.in_order(missing).values(name) == after.in_order(missing).values(name)
    return _marks(before.in_order(missing), name) == _marks(after.in_order(missing), name)


def _marks(table: Table, name: str) -> list[Any]:
    """Return the values that stand for missing ones; None where there is simply none."""
    unmarked = table.with_missing_values({}).missing_codes(name) > 0
    return [None if is_gone else value_key(value) for value, is_gone in zip(table.values(name), unmarked, strict=True)]


class _Total(NamedTuple):
    """Total of a column before and after."""

    name: str
    before: float
    after: float
    scale: float  # sum of the sizes of all contributions
    tolerance: float  # relative to it

    @property
    def is_kept(self) -> bool:
        return abs(self.after - self.before) <= self.tolerance * self.scale


def _check_totals(checked: CheckedRelease, before: Table) -> list[Finding]:
    """Check that columns of means keep their totals; remark on other columns."""
    kept, moved, expected = [], [], []
    for one in checked.sets:
        for name in one.columns or ():
            total = _total(checked, before, name)
            if total is None:
                continue
            if total.is_kept:
                kept.append(name)
            elif _is_mean(one, before, name):
                moved.append(name)
            else:
                expected.append(name)
    check = "totals" if checked.plan.roles.weight is None else "weighted totals"
    findings = []
    if moved:
        findings.append(Finding(check, False, f"not kept, although group means keep them: {listing(moved)}"))
    if kept:
        findings.append(Finding(check, True, f"kept: {listing(kept)}"))
    if expected:
        findings.append(Finding(check, None, f"not kept, as values are rounded or no means: {listing(expected)}"))
    return findings


def _is_mean(one: ColumnSet, before: Table, name: str) -> bool:
    """Check whether the released values of a column are the means of groups, not rounded to whole numbers."""
    treatment = one.treatment
    kind = before.kind(name)
    if treatment.aggregate_of(name, treatment.level(name, kind)) != "mean":
        return False
    return not (treatment.keep_integers and _holds_whole_numbers(before, name))


def _holds_whole_numbers(table: Table, name: str) -> bool:
    """Check whether all values of a column are whole numbers, whatever type it stores them in."""
    numbers = table.numbers(name)
    present = numbers[~np.isnan(numbers)]
    return bool(np.isfinite(present).all() and (present == np.round(present)).all())


def _total(checked: CheckedRelease, before: Table, name: str) -> _Total | None:
    """Return the total of a column over the cells that are there; None where it holds no numbers."""
    released = checked.released
    if before.kind(name) not in NUMERIC or released.kind(name) not in NUMERIC:
        return None
    weight = checked.plan.roles.weight
    if weight is not None and weight not in released.names:
        return None
    old = _contributions(before, name, weight)
    new = _contributions(released, name, weight)
    tolerance = max(_TOTAL_TOLERANCE, _precision(before, name), _precision(released, name))
    return _Total(name, float(old.sum()), float(new.sum()), float(np.abs(old).sum()), tolerance)


def _precision(table: Table, name: str) -> float:
    """Return by how much, relatively, storing a number in a column may change it."""
    dtype = table.column(name).values.dtype
    return float(np.finfo(dtype).eps) if dtype.kind == "f" else 0.0


def _contributions(table: Table, name: str, weight: str | None) -> FloatArray:
    numbers = np.nan_to_num(table.numbers(name), nan=0.0)
    return numbers if weight is None else numbers * table.numbers(weight)
