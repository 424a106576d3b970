"""Check of k: how many records, or units, share their values in the columns of each set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from microagg.check.agreeing_records import AgreeingRecords
from microagg.check.checked_release import CheckedRelease
from microagg.check.kept_records import count_in_classes
from microagg.check.row_tally import RowTally
from microagg.check.wording import where
from microagg.model.arrays import IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.table import Table
from microagg.model.verification import Finding, released_values_detail

CHECK = "k-anonymity"
CHECK_OPEN = "k-anonymity if a missing cell may be any value"


class Anonymity(NamedTuple):
    """The k that a release reaches, and the findings about it."""

    k_reached: int
    findings: list[Finding]


@dataclass(frozen=True)
class ClassTally:
    """Numbers of classes of records that share their released values.

    Parameters
    ----------
    n_classes
        Number of classes.
    n_small
        Number of those that are smaller than k.
    smallest, largest
        Sizes of the smallest and of the largest class, in records or units.
    small_rows
        Records of the small ones.
    """

    n_classes: int
    n_small: int
    smallest: int
    largest: int
    small_rows: RowTally

    @classmethod
    def of(cls, classes: IntArray, counts: IntArray, k: int) -> "ClassTally":
        """Return the numbers of classes, from the class of each record and the size of each class."""
        small = counts < k
        rows = RowTally.of(np.flatnonzero(small[classes]))
        return cls(len(counts), int(small.sum()), int(counts.min()), int(counts.max()), rows)

    def finding(self, k: int, noun: str, place: str) -> Finding:
        """Return what is to be said of the classes: whether each has at least k records, or units."""
        if not self.n_small:
            detail = (
                f"every group has at least {k} {noun}: {self.n_classes} of {self.smallest} to {self.largest} {noun}, "
                f"{place}"
            )
            return Finding(CHECK, True, detail)
        detail = (
            f"{self.n_small} of {self.n_classes} groups have fewer than {k} {noun}, the smallest {self.smallest}: "
            f"{self.small_rows.count} records, in {self.small_rows.text}, {place}"
        )
        return Finding(CHECK, False, detail)


def check_anonymity(checked: CheckedRelease) -> Anonymity:
    """Check k of each column set, and report that of all of them together."""
    units = units_of_records(checked)
    findings = [units_finding(checked.plan.roles.unit)] if units is None and checked.plan.roles.unit else []
    counted = [_check_set(checked, one, units) for one in checked.sets]
    for one in counted:
        findings += one.findings
    if len(checked.sets) > 1:
        findings.append(_together(checked, units))
    return Anonymity(min(one.k_reached for one in counted), findings)


def agreeing_records(checked: CheckedRelease, columns: Sequence[str], units: IntArray | None) -> AgreeingRecords:
    """Return which records agree in some columns, wherever both have values, and in their strata."""
    strata = strata_of_classes(checked)
    codes = [checked.released.codes(name) for name in (*columns, *strata)]
    missing = [checked.released.missing_codes(name) > 0 for name in columns]
    present = [~lacking for lacking in missing] + [np.ones(checked.released.n_records, dtype=np.bool_)] * len(strata)
    return AgreeingRecords(codes, present, units)


def strata_of_classes(checked: CheckedRelease) -> tuple[str, ...]:
    """Return the columns of strata within which records are compared: none where small strata may be merged."""
    return () if checked.plan.missing_policy.small_strata == "merge" else checked.strata


def units_of_records(checked: CheckedRelease) -> IntArray | None:
    """Return the unit of each record, by the release or else by the original; None where none is named or known."""
    name = checked.plan.roles.unit
    if name is None:
        return None
    table = checked.released if name in checked.released.names else checked.counterpart
    return None if table is None else table.codes(name)


def units_finding(name: str) -> Finding:
    """Remark on units that are named, but not known."""
    detail = f"{name!r} is not in the release, and there is no original whose rows correspond: records are counted"
    return Finding("units", None, detail)


def _check_set(checked: CheckedRelease, one: ColumnSet, units: IntArray | None) -> Anonymity:
    columns = one.columns or ()
    strata = strata_of_classes(checked)
    classes = checked.released.patterns((*columns, *strata))
    counts = count_in_classes(classes, units)
    tally = ClassTally.of(classes, counts, one.k)
    if checked.missing_is_open:
        findings = _check_agreeing(checked, one, units, tally)
    else:
        findings = [tally.finding(one.k, _noun(units), where(columns, strata))]
    if checked.strata and not strata:
        findings.append(_note_strata(checked.released, one, checked.strata, units))
    return Anonymity(int(counts.min()), findings)


def _noun(units: IntArray | None) -> str:
    return "records" if units is None else "units"


def _note_strata(released: Table, one: ColumnSet, strata: Sequence[str], units: IntArray | None) -> Finding:
    """Report what is left of k where also the stratum of a record is known: small strata may be merged with others."""
    columns = one.columns or ()
    counts = count_in_classes(released.patterns((*columns, *strata)), units)
    small = int((counts < one.k).sum())
    return strata_finding(small, len(counts), one.k, _noun(units), where(columns, strata))


def strata_finding(n_small: int, n_classes: int, k: int, noun: str, place: str) -> Finding:
    """Return what is to be said of classes within strata that may be merged."""
    detail = (
        f"{n_small} of {n_classes} groups have fewer than {k} {noun}, {place}: the plan merges small strata, so k is "
        "counted without them"
    )
    return Finding("k-anonymity within strata", None, detail)


def _check_agreeing(
    checked: CheckedRelease, one: ColumnSet, units: IntArray | None, tally: ClassTally
) -> list[Finding]:
    """Check k where a missing cell may stand for any value, and report it where a missing value is one, too."""
    columns = one.columns or ()
    agreeing = agreeing_records(checked, columns, units)
    counts = agreeing.fewest(one.k)
    noun = _noun(units)
    place = where(columns, strata_of_classes(checked))
    smallest = int(counts.min())
    rows = np.flatnonzero(counts < one.k)
    by_values = released_values_detail(tally.smallest, tally.small_rows.count, smallest, one.k)
    remark = Finding(CHECK, None, f"{by_values}, {place}")
    if len(rows):
        detail = (
            f"{len(rows)} records, in {RowTally.of(rows).text}, or single values of them, agree with fewer than "
            f"{one.k} {noun} wherever both have values, the fewest {smallest}, {place}"
        )
        return [remark, Finding(CHECK_OPEN, False, detail)]
    detail = (
        f"every record agrees with at least {one.k} {noun} wherever both have values, and each of its values is that "
        f"of at least {one.k} {noun}, {place}"
    )
    return [remark, Finding(CHECK_OPEN, True, detail)]


def _together(checked: CheckedRelease, units: IntArray | None) -> Finding:
    """Report the k that all column sets reach together."""
    classes = checked.released.patterns((*checked.protected, *strata_of_classes(checked)))
    smallest = int(count_in_classes(classes, units).min())
    return together_finding(smallest, len(checked.sets))


def together_finding(smallest: int, n_sets: int) -> Finding:
    """Return what is to be said of the k that several column sets reach together."""
    detail = (
        f"k reached is {smallest} on the columns of all {n_sets} column sets together: each is k-anonymous on its own "
        "only"
    )
    return Finding("column sets together", None, detail)
