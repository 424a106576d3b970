"""Check of the protected values against the original: what is missing, as the plan says, and that totals are kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from microagg.check.anonymity_check import strata_of_classes, units_of_records
from microagg.check.checked_release import CheckedRelease
from microagg.check.kept_records import count_in_classes
from microagg.check.row_tally import RowTally
from microagg.check.value_key import value_key
from microagg.column_comparison import same_declared_marks
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column import NUMERIC
from microagg.model.column_set import ColumnSet
from microagg.model.names import listing, quantity
from microagg.model.table import Table
from microagg.model.verification import Finding

_TOTAL_TOLERANCE = 1e-9  # relative to the sum of the sizes of all contributions, in numbers of double precision


@dataclass(frozen=True)
class MissingTally:
    """Missing values of a protected column; those of two parts can be merged.

    Parameters
    ----------
    name
        Name of the column.
    n_missing
        Number of cells that were missing before.
    differing
        Records that lack the value in one table only, although the plan does not say so.
    has_other_marks
        Whether missing values are marked otherwise than before.
    n_imputed, n_suppressed
        Number of cells that the plan fills in, and that it blanks.
    """

    name: str
    n_missing: int
    differing: RowTally
    has_other_marks: bool
    n_imputed: int = 0
    n_suppressed: int = 0

    def merged(self, other: "MissingTally") -> "MissingTally":
        """Return the tally of both parts together."""
        return MissingTally(
            self.name,
            self.n_missing + other.n_missing,
            self.differing.merged(other.differing),
            self.has_other_marks or other.has_other_marks,
            self.n_imputed + other.n_imputed,
            self.n_suppressed + other.n_suppressed,
        )


@dataclass(frozen=True)
class TotalTally:
    """Total of a protected column before and after; those of two parts can be merged.

    Parameters
    ----------
    name
        Name of the column.
    is_mean
        Whether means of groups are released, which keep the total.
    before, after
        The totals.
    scale
        Sum of the sizes of all contributions.
    tolerance
        By how much the totals may differ, relative to the scale.
    """

    name: str
    is_mean: bool
    before: float
    after: float
    scale: float
    tolerance: float

    def merged(self, other: "TotalTally") -> "TotalTally":
        """Return the totals of both parts together."""
        return replace(
            self,
            before=self.before + other.before,
            after=self.after + other.after,
            scale=self.scale + other.scale,
        )

    @property
    def is_kept(self) -> bool:
        """Whether the total is kept, but for rounding."""
        return abs(self.after - self.before) <= self.tolerance * self.scale


def check_values(checked: CheckedRelease) -> list[Finding]:
    """Check missing values and totals of the protected columns, as far as the original is known."""
    original = checked.original
    if original is None:
        return []
    findings = []
    if checked.counterpart is not None:
        findings.append(missing_finding(tally_missing(checked, checked.counterpart)))
    policy = checked.plan.missing_policy
    is_whole = original.n_records == checked.released.n_records and not (
        policy.missing in ("fill", "blank") or (policy.missing == "pattern" and policy.small_strata == "merge")
    )
    if is_whole or checked.counterpart is not None:
        tallies = tally_totals(checked, checked.counterpart or original)
        findings += total_findings(tallies, is_weighted=checked.plan.roles.weight is not None)
    return findings


def tally_missing(checked: CheckedRelease, before: Table) -> list[MissingTally]:
    """Count the cells of each protected column that are missing, and in which rows that is otherwise than before."""
    return [_tally_missing(checked, before, name) for name in checked.protected]


def _tally_missing(checked: CheckedRelease, before: Table, name: str) -> MissingTally:
    """Compare which cells are missing; where whole classes are filled or blanked, find those that should not be."""
    old = before.missing_codes(name) > 0
    new = checked.released.missing_codes(name) > 0
    imputed = old & ~new
    suppressed = new & ~old
    policy = checked.plan.missing_policy
    if policy.missing == "fill":
        differing = suppressed | (imputed & (_having(checked, name, ~old) < _least(checked, name)))
    elif policy.missing == "blank" or (policy.missing == "pattern" and policy.small_strata == "merge"):
        differing = imputed | (suppressed & (_having(checked, name, old) == 0))
    else:
        differing = imputed | suppressed
        has_other_marks = not differing.any() and bool(old.any()) and not _same_marks(before, checked.released, name)
        return MissingTally(name, int(old.sum()), checked.tally(np.flatnonzero(differing)), has_other_marks)
    rows = checked.tally(np.flatnonzero(differing))
    return MissingTally(name, int(old.sum()), rows, False, int(imputed.sum()), int(suppressed.sum()))


def _having(checked: CheckedRelease, name: str, cells: BoolArray) -> IntArray:
    """Count, for each record, the records or units of its class that have one of some cells of a column."""
    one = next(one for one in checked.sets if name in (one.columns or ()))
    classes = checked.released.patterns((*(one.columns or ()), *strata_of_classes(checked)))
    units = units_of_records(checked)
    counts = count_in_classes(classes[cells], None if units is None else units[cells])
    having = np.zeros(classes.max(initial=-1) + 1, dtype=np.int64)
    having[: len(counts)] = counts
    return having[classes]


def _least(checked: CheckedRelease, name: str) -> int:
    """Return over how many cells a value of a column must be, at least."""
    return next(one.k for one in checked.sets if name in (one.columns or ()))


def missing_finding(tallies: Sequence[MissingTally]) -> Finding:
    """Return what is to be said of missing values: that the same cells are missing, and marked as they were."""
    faults = []
    for tally in tallies:
        if tally.differing.count:
            faults.append(f"{tally.name!r} lacks other values than before, in {tally.differing.text}")
        elif tally.has_other_marks:
            faults.append(f"{tally.name!r} marks missing values otherwise than before")
    if faults:
        return Finding("missing values", False, "; ".join(faults))
    n_missing = quantity(sum(tally.n_missing for tally in tallies), "cell")
    n_imputed = sum(tally.n_imputed for tally in tallies)
    n_suppressed = sum(tally.n_suppressed for tally in tallies)
    if not n_imputed and not n_suppressed:
        return Finding("missing values", True, f"as they were: {n_missing} of the protected columns")
    done = (
        f"imputed: {n_imputed}, with the values of their groups"
        if n_imputed
        else f"suppressed: {quantity(n_suppressed, 'cell')} that other records of their groups lacked"
    )
    return Finding("missing values", True, f"{n_missing} of the protected columns were missing; {done}")


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


def tally_totals(checked: CheckedRelease, before: Table) -> list[TotalTally]:
    """Return the totals of those protected columns that hold numbers."""
    tallies = (_total(checked, one, before, name) for one in checked.sets for name in one.columns or ())
    return [tally for tally in tallies if tally is not None]


def total_findings(tallies: Sequence[TotalTally], *, is_weighted: bool) -> list[Finding]:
    """Return what is to be said of totals: columns of means must keep them; others are remarked on."""
    kept = [tally.name for tally in tallies if tally.is_kept]
    moved = [tally.name for tally in tallies if not tally.is_kept and tally.is_mean]
    expected = [tally.name for tally in tallies if not tally.is_kept and not tally.is_mean]
    check = "weighted totals" if is_weighted else "totals"
    findings = []
    if moved:
        findings.append(Finding(check, False, f"not kept, although group means keep them: {listing(moved)}"))
    if kept:
        findings.append(Finding(check, True, f"kept: {listing(kept)}"))
    if expected:
        findings.append(Finding(check, None, f"not kept, as values are rounded or no means: {listing(expected)}"))
    return findings


def _is_mean(checked: CheckedRelease, one: ColumnSet, before: Table, name: str) -> bool:
    """Check whether the released values of a column are the means of groups, not rounded to whole numbers."""
    treatment = one.treatment
    kind = before.kind(name)
    if treatment.aggregate_of(name, treatment.level(name, kind)) != "mean":
        return False
    return not (treatment.keep_integers and checked.facts_of(before, name).is_whole)


def _total(checked: CheckedRelease, one: ColumnSet, before: Table, name: str) -> TotalTally | None:
    """Return the total of a column over the cells that both tables have; None where it holds no numbers."""
    released = checked.released
    if before.kind(name) not in NUMERIC or released.kind(name) not in NUMERIC:
        return None
    weight = checked.plan.roles.weight
    if weight is not None and weight not in released.names:
        return None
    common = np.ones(1, dtype=np.bool_)
    if before.n_records == released.n_records and checked.counterpart is not None:
        common = (before.missing_codes(name) == 0) & (released.missing_codes(name) == 0)
    old = _contributions(before, name, weight) * common
    new = _contributions(released, name, weight) * common
    tolerance = max(_TOTAL_TOLERANCE, _precision(before, name), _precision(released, name))
    is_mean = _is_mean(checked, one, before, name)
    return TotalTally(name, is_mean, float(old.sum()), float(new.sum()), float(np.abs(old).sum()), tolerance)


def _precision(table: Table, name: str) -> float:
    """Return by how much, relatively, storing a number in a column may change it."""
    dtype = table.column(name).values.dtype
    return float(np.finfo(dtype).eps) if dtype.kind == "f" else 0.0


def _contributions(table: Table, name: str, weight: str | None) -> FloatArray:
    numbers = np.nan_to_num(table.numbers(name), nan=0.0)
    return numbers if weight is None else numbers * table.numbers(weight)
