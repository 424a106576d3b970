"""Check of the released values: what stands for each group is computed anew from its original values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from microagg.check.anonymity_check import agreeing_records, strata_of_classes
from microagg.check.checked_column import CheckedColumn
from microagg.check.checked_release import CheckedRelease
from microagg.check.class_values import ClassValues, set_texts
from microagg.check.comparable_numbers import normalised_set
from microagg.check.row_tally import NO_ROWS, RowTally
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.column import NUMERIC
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError
from microagg.model.table import Table
from microagg.model.verification import Finding

CHECK = "group values"
_PHRASES = {
    "mean": "the mean",
    "median": "a median",
    "trimmed": "a trimmed mean",
    "mode": "a most frequent one",
    "medoid": "one",
    "set": "the set",
}
_CHECKS: dict[str, Callable[[ClassValues], BoolArray]] = {
    "mean": ClassValues.are_means,
    "median": ClassValues.are_medians,
    "mode": ClassValues.are_modes,
    "medoid": ClassValues.occur,
}


@dataclass(frozen=True)
class GroupValueTally:
    """What was found out about the released values of a protected column; the tallies of two parts can be merged.

    Parameters
    ----------
    name
        Name of the column.
    word
        How the values of a group are aggregated.
    n_groups
        Number of classes of records that share a released value.
    n_unsound
        Number of those that do not have what should stand for them.
    unsound
        Their records.
    n_broken
        Number of those that have no whole number, although integers are kept.
    broken
        Their records.
    n_unsure
        Number of classes of which less is checked, as they may be several groups.
    keeps_total
        Whether whole means are rounded so that the total is kept, if they are to be.
    lacks_order
        Whether nothing is checked, as the order of the categories is not known.
    is_readable
        Whether the values are of the kind that they have in the original.
    """

    name: str
    word: str
    n_groups: int = 0
    n_unsound: int = 0
    unsound: RowTally = NO_ROWS
    n_broken: int = 0
    broken: RowTally = NO_ROWS
    n_unsure: int = 0
    keeps_total: bool = True
    lacks_order: bool = False
    is_readable: bool = True

    def merged(self, other: "GroupValueTally") -> "GroupValueTally":
        """Return the tally of both parts together; no class is in both."""
        return GroupValueTally(
            self.name,
            self.word,
            self.n_groups + other.n_groups,
            self.n_unsound + other.n_unsound,
            self.unsound.merged(other.unsound),
            self.n_broken + other.n_broken,
            self.broken.merged(other.broken),
            self.n_unsure + other.n_unsure,
            self.keeps_total and other.keeps_total,
            self.lacks_order or other.lacks_order,
            self.is_readable and other.is_readable,
        )

    @property
    def has_values(self) -> bool:
        """Whether there is any value to be checked."""
        return self.n_groups > 0 or self.lacks_order or not self.is_readable

    def findings(self) -> list[Finding]:
        """Return what is to be said of the column, besides that its values are sound."""
        if self.lacks_order:
            return [Finding(CHECK, None, f"{self.name!r} is not checked: the order of its categories is not known")]
        if not self.is_readable:
            detail = f"{self.name!r} does not hold values of the kind that it has in the original"
            return [Finding(CHECK, False, detail)]
        if self.n_unsound:
            return [self._failure(self.n_unsound, self.unsound, f"{_PHRASES[self.word]} of the original values")]
        if self.n_broken:
            return [self._failure(self.n_broken, self.broken, "a whole number, although the plan keeps integers,")]
        if not self.keeps_total:
            return [Finding(CHECK, False, f"the means of {self.name!r} are not rounded so that its total is kept")]
        return self._notes()

    def _failure(self, n_groups: int, rows: RowTally, expected: str) -> Finding:
        detail = (
            f"{self.name!r} is not {expected} in {n_groups} of {self.n_groups} groups: {rows.count} records, in "
            f"{rows.text}"
        )
        return Finding(CHECK, False, detail)

    def _notes(self) -> list[Finding]:
        """Say of which values less is checked than the plan promises."""
        if self.word == "medoid":
            detail = f"{self.name!r} is checked only to be one of the original values of each group, not which"
            return [Finding(CHECK, None, detail)]
        if self.n_unsure:
            detail = (
                f"{self.name!r} is checked only to lie in the range of the original values in {self.n_unsure} of "
                f"{self.n_groups} groups, which may be several with equal values"
            )
            return [Finding(CHECK, None, detail)]
        return []


def check_group_values(checked: CheckedRelease) -> list[Finding]:
    """Check the released values of each class of equal ones against its original values, where rows correspond."""
    if checked.counterpart is None:
        return []
    sets = [tally_group_values(checked, checked.counterpart, one) for one in checked.sets]
    return group_value_findings([tally for tallies in sets for tally in tallies])


def tally_group_values(
    checked: CheckedRelease, before: Table, one: ColumnSet, names: Sequence[str] | None = None
) -> list[GroupValueTally]:
    """Check the released values of some columns of a set, or of all, against the records before, row by row."""
    classes = _classes(checked, one)
    chosen = one.columns or () if names is None else names
    return [_tally_column(CheckedColumn(checked, before, one, name, classes)) for name in chosen]


def group_value_findings(tallies: Sequence[GroupValueTally]) -> list[Finding]:
    """Return what is to be said of the released values of all columns."""
    findings: list[Finding] = []
    sound = []
    for tally in tallies:
        if not tally.has_values:
            continue
        found = tally.findings()
        findings += found
        if not tally.lacks_order and all(finding.passed is None for finding in found):
            sound.append(f"{tally.name!r} ({tally.word})")
    if sound:
        findings.insert(0, Finding(CHECK, True, f"as the original values of each group give them: {', '.join(sound)}"))
    return findings


def _classes(checked: CheckedRelease, one: ColumnSet) -> IntArray:
    """Return the class of each record: those that share their released values, or may share them."""
    columns = one.columns or ()
    if not checked.missing_is_open:
        return checked.released.patterns((*columns, *strata_of_classes(checked)))
    classes = np.zeros(checked.released.n_records, dtype=np.int64)
    for number, records in enumerate(agreeing_records(checked, columns, None).classes()):
        classes[records] = number
    return classes


class _Verdict(NamedTuple):
    """Which classes have what should stand for them."""

    sound: BoolArray
    n_unsure: int = 0  # classes of which less is checked, as they may be several groups


def _tally_column(column: CheckedColumn) -> GroupValueTally:
    empty = GroupValueTally(column.name, column.word)
    if not column.rows.any():
        return empty
    if column.lacks_order:
        return replace(empty, lacks_order=True)
    try:
        verdict = _verdict(column)
    except InputError:
        return replace(empty, is_readable=False)
    is_whole = column.values().are_whole() if column.keeps_integers else np.ones_like(verdict.sound)
    return GroupValueTally(
        column.name,
        column.word,
        n_groups=len(verdict.sound),
        n_unsound=int((~verdict.sound).sum()),
        unsound=_rows_of(column, ~verdict.sound),
        n_broken=int((~is_whole).sum()),
        broken=_rows_of(column, ~is_whole),
        n_unsure=verdict.n_unsure,
        keeps_total=not column.rounds_to_total or column.values().keep_total(),
    )


def _rows_of(column: CheckedColumn, chosen: BoolArray) -> RowTally:
    """Return the records of some classes."""
    return column.checked.tally(np.flatnonzero(column.rows)[chosen[column.classes]])


def _verdict(column: CheckedColumn) -> _Verdict:
    if column.word == "set":
        return _Verdict(_are_sets(column))
    values = column.values()
    with np.errstate(invalid="ignore", over="ignore"):  # what is infinite is not sound
        check = _CHECKS.get(column.word)
        verdict = _trimmed(column, values) if check is None else _Verdict(check(values))
        if column.is_middle_category:
            verdict = _Verdict(verdict.sound & values.occur())
    return verdict


def _trimmed(column: CheckedColumn, values: ClassValues) -> _Verdict:
    """Check trimmed means exactly in classes that are one group, as they have fewer than 2k records."""
    one_group = np.bincount(column.classes, weights=column.record_counts) < 2 * column.one.k
    if column.checked.missing_is_open:
        one_group[:] = False  # fewer than k records of a group may have a value
    sound = values.are_within_range() & (values.are_trimmed_means() | ~one_group)
    return _Verdict(sound, int((~one_group).sum()))


def _are_sets(column: CheckedColumn) -> BoolArray:
    """Return whether each class has the set of its original categories; those of numbers are compared as numbers."""
    rows = np.flatnonzero(column.rows)
    originals = column.before.column(column.name).objects()
    expected = set_texts(column.classes, [originals[row] for row in rows])
    released = column.after.values(column.name)
    firsts = rows[np.unique(column.classes, return_index=True)[1]]
    numeric = column.before.kind(column.name) in NUMERIC
    read: Callable[[str], object] = normalised_set if numeric else str.strip
    pairs = zip(expected, firsts, strict=True)
    return np.array([read(text) == read(str(released[row])) for text, row in pairs], dtype=np.bool_)
