"""Check of k: how many records, or units, share their values in the columns of each set."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microagg.check.agreeing_records import AgreeingRecords
from microagg.check.checked_release import CheckedRelease
from microagg.check.kept_records import count_in_classes
from microagg.check.wording import row_list, where
from microagg.model.arrays import IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.table import Table
from microagg.model.verification import Finding

CHECK = "k-anonymity"


class Anonymity(NamedTuple):
    """The k that a release reaches, and the findings about it."""

    k_reached: int
    findings: list[Finding]


def check_anonymity(checked: CheckedRelease) -> Anonymity:
    """Check k of each column set, and report that of all of them together."""
    units = units_of_records(checked)
    findings = _note_units(checked) if units is None else []
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


def _note_units(checked: CheckedRelease) -> list[Finding]:
    """Remark on units that are named, but not known."""
    name = checked.plan.roles.unit
    if name is None:
        return []
    detail = f"{name!r} is not in the release, and there is no original whose rows correspond: records are counted"
    return [Finding("units", None, detail)]


def _check_set(checked: CheckedRelease, one: ColumnSet, units: IntArray | None) -> Anonymity:
    columns = one.columns or ()
    if checked.missing_is_open:
        return _check_agreeing(checked, one, units)
    strata = strata_of_classes(checked)
    classes = checked.released.patterns((*columns, *strata))
    counts = count_in_classes(classes, units)
    findings = [_class_finding(classes, counts, one.k, _noun(units), where(columns, strata))]
    if checked.strata and not strata:
        findings.append(_note_strata(checked.released, one, checked.strata, units))
    return Anonymity(int(counts.min()), findings)


def _noun(units: IntArray | None) -> str:
    return "records" if units is None else "units"


def _class_finding(classes: IntArray, counts: IntArray, k: int, noun: str, place: str) -> Finding:
    small = counts < k
    if not small.any():
        detail = f"every group has at least {k} {noun}: {len(counts)} of {counts.min()} to {counts.max()} {noun}"
        return Finding(CHECK, True, f"{detail}, {place}")
    rows = np.flatnonzero(small[classes])
    detail = (
        f"{small.sum()} of {len(counts)} groups have fewer than {k} {noun}, the smallest {counts.min()}: "
        f"{len(rows)} records, in {row_list(rows)}, {place}"
    )
    return Finding(CHECK, False, detail)


def _note_strata(released: Table, one: ColumnSet, strata: Sequence[str], units: IntArray | None) -> Finding:
    """Report what is left of k where also the stratum of a record is known: small strata may be merged with others."""
    columns = one.columns or ()
    counts = count_in_classes(released.patterns((*columns, *strata)), units)
    small = int((counts < one.k).sum())
    detail = (
        f"{small} of {len(counts)} groups have fewer than {one.k} {_noun(units)}, {where(columns, strata)}: "
        "the plan merges small strata, so k is counted without them"
    )
    return Finding("k-anonymity within strata", None, detail)


def _check_agreeing(checked: CheckedRelease, one: ColumnSet, units: IntArray | None) -> Anonymity:
    """Check k where a missing cell may stand for any value."""
    columns = one.columns or ()
    agreeing = agreeing_records(checked, columns, units)
    counts = agreeing.fewest(one.k)
    noun = _noun(units)
    place = where(columns, strata_of_classes(checked))
    smallest = int(counts.min())
    rows = np.flatnonzero(counts < one.k)
    if len(rows):
        detail = (
            f"{len(rows)} records, in {row_list(rows)}, or single values of them, agree with fewer than {one.k} "
            f"{noun} wherever both have values, the fewest {smallest}, {place}"
        )
        return Anonymity(smallest, [Finding(CHECK, False, detail)])
    detail = (
        f"every record agrees with at least {one.k} {noun} wherever both have values, and each of its values is that "
        f"of at least {one.k} {noun}, {place}"
    )
    return Anonymity(smallest, [Finding(CHECK, True, detail)])


def _together(checked: CheckedRelease, units: IntArray | None) -> Finding:
    """Report the k that all column sets reach together."""
    columns = checked.protected
    if checked.missing_is_open:
        smallest = int(agreeing_records(checked, columns, units).fewest(1).min())
    else:
        classes = checked.released.patterns((*columns, *strata_of_classes(checked)))
        smallest = int(count_in_classes(classes, units).min())
    detail = (
        f"k reached is {smallest} on the columns of all {len(checked.sets)} column sets together: each is k-anonymous "
        "on its own only"
    )
    return Finding("column sets together", None, detail)
