"""Check of the released values: what stands for each group is computed anew from its original values."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from microagg.check.anonymity_check import agreeing_records, strata_of_classes
from microagg.check.checked_column import CheckedColumn
from microagg.check.checked_release import CheckedRelease
from microagg.check.class_values import ClassValues, set_texts
from microagg.check.comparable_numbers import normalised_set
from microagg.check.wording import row_list
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.column import NUMERIC
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError
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


def check_group_values(checked: CheckedRelease) -> list[Finding]:
    """Check the released values of each class of equal ones against its original values, where rows correspond."""
    if checked.counterpart is None:
        return []
    findings: list[Finding] = []
    sound = []
    for one in checked.sets:
        classes = _classes(checked, one)
        for name in one.columns or ():
            column = CheckedColumn(checked, checked.counterpart, one, name, classes)
            if not column.rows.any():
                continue
            found = _check_column(column)
            findings += found
            if not column.lacks_order and all(finding.passed is None for finding in found):
                sound.append(f"{name!r} ({column.word})")
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


def _check_column(column: CheckedColumn) -> list[Finding]:
    """Return what is to be said of a column, besides that its values are sound."""
    name = column.name
    if column.lacks_order:
        return [Finding(CHECK, None, f"{name!r} is not checked: the order of its categories is not known")]
    try:
        verdict = _verdict(column)
    except InputError:
        return [Finding(CHECK, False, f"{name!r} does not hold values of the kind that it has in the original")]
    if not verdict.sound.all():
        return [_failure(column, verdict.sound, f"{_PHRASES[column.word]} of the original values")]
    if column.keeps_integers and not column.values().are_whole().all():
        return [_failure(column, column.values().are_whole(), "a whole number, although the plan keeps integers,")]
    if column.rounds_to_total and not column.values().keep_total():
        return [Finding(CHECK, False, f"the means of {name!r} are not rounded so that its total is kept")]
    return _notes(column, verdict)


def _failure(column: CheckedColumn, sound: BoolArray, expected: str) -> Finding:
    rows = np.flatnonzero(column.rows)[~sound[column.classes]]
    detail = (
        f"{column.name!r} is not {expected} in {(~sound).sum()} of {len(sound)} groups: {len(rows)} records, in "
        f"{row_list(rows)}"
    )
    return Finding(CHECK, False, detail)


def _notes(column: CheckedColumn, verdict: _Verdict) -> list[Finding]:
    """Say of which values less is checked than the plan promises."""
    if column.word == "medoid":
        detail = f"{column.name!r} is checked only to be one of the original values of each group, not which"
        return [Finding(CHECK, None, detail)]
    if verdict.n_unsure:
        detail = (
            f"{column.name!r} is checked only to lie in the range of the original values in {verdict.n_unsure} of "
            f"{len(verdict.sound)} groups, which may be several with equal values"
        )
        return [Finding(CHECK, None, detail)]
    return []


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
    one_group = np.bincount(column.classes) < 2 * column.one.k
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
