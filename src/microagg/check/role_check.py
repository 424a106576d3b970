"""Check of the columns that are not protected: gone, renumbered, or as they came."""

from collections.abc import Sequence

import numpy as np

from microagg.check.checked_release import CheckedRelease
from microagg.check.row_tally import RowTally
from microagg.column_comparison import comparable, same_records, unchanged
from microagg.model.arrays import IntArray
from microagg.model.names import listing, quantity
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.verification import Finding

_BEYOND_CHANCE = 8  # of random numbers, as many stay in place, or all of as many in order, once in 40 000 times


def check_roles(checked: CheckedRelease) -> list[Finding]:
    """Check the columns besides the protected ones, as far as the original is known."""
    plan = checked.plan
    findings = check_gone(plan, (*checked.released.names, *checked.released.index_names))
    original = checked.original
    if original is None:
        return findings
    findings += check_names(plan, original.names, checked.released.names)
    findings += [_check_renumbered(checked, original, name) for name in checked.plan.roles.renumber]
    if original.n_records == checked.released.n_records or checked.counterpart is not None:
        findings += _check_untouched(checked, checked.counterpart or original)
    return findings


def check_gone(plan: Plan, released: Sequence[str]) -> list[Finding]:
    """Check that identifiers and dropped columns are not among the columns of the release."""
    findings = []
    for check, names in (("identifiers", plan.roles.identifiers), ("dropped columns", plan.drop)):
        left = [name for name in names if name in released]
        if left:
            findings.append(Finding(check, False, f"still in the release: {listing(left)}"))
        elif names:
            findings.append(Finding(check, True, f"left out of the release: {listing(names)}"))
    return findings


def check_names(plan: Plan, original: Sequence[str], released: Sequence[str]) -> list[Finding]:
    """Check that the release has the columns of the original that the plan keeps, and no others."""
    findings = []
    gone = {*plan.roles.identifiers, *plan.drop}
    lost = [name for name in original if name not in released and name not in gone]
    added = [name for name in released if name not in original]
    if lost:
        findings.append(Finding("columns", False, f"not in the release, although the plan keeps them: {listing(lost)}"))
    if added:
        findings.append(Finding("columns", False, f"in the release, but not in the original: {listing(added)}"))
    return findings


def _check_renumbered(checked: CheckedRelease, original: Table, name: str) -> Finding:
    """Check that a renumbered identifier tells the same records apart, and nothing of its old values."""
    check = "renumbered identifiers"
    if name not in checked.released.names:
        return Finding(check, False, f"{name!r} is not in the release, although the plan keeps it under new numbers")
    if checked.counterpart is None:
        return _compare_sizes(checked.released, original, name)
    old = checked.counterpart.codes(name)
    new = checked.released.codes(name)
    n_pairs = len(np.unique(pair_codes(old, new)))
    if not n_pairs == len(np.unique(old)) == len(np.unique(new)):
        detail = f"{name!r} does not tell the same records apart: equal ones must be those that were equal before"
        return Finding(check, False, detail)
    firsts = np.unique(old, return_index=True)[1]
    return _check_unrelated(checked.counterpart, checked.released, name, firsts)


def _compare_sizes(released: Table, original: Table, name: str) -> Finding:
    """Compare what is left to compare where rows do not correspond: how often numbers occur."""
    check = "renumbered identifiers"
    old, new = (np.sort(np.unique(table.codes(name), return_counts=True)[1]) for table in (original, released))
    if original.n_records == released.n_records and not np.array_equal(old, new):
        return Finding(check, False, f"{name!r} does not have as many records of each number as before")
    return Finding(check, None, f"{name!r} is not compared row by row, as the rows do not correspond")


def _check_unrelated(before: Table, after: Table, name: str, firsts: IntArray) -> Finding:
    """Check that new numbers neither are the old ones nor follow their order, beyond what chance brings about."""
    check = "renumbered identifiers"
    old = comparable(before.in_order(firsts), name)
    new = comparable(after.in_order(firsts), name)
    both = list(zip(old, new, strict=True))
    kept = [row for row, pair in zip(firsts, both, strict=True) if pair[0] is not None and pair[0] == pair[1]]
    if len(kept) >= _BEYOND_CHANCE:
        rows = RowTally.of(np.array(kept)).text
        return Finding(check, False, f"{name!r} has {quantity(len(kept), 'number')} as before, the first in {rows}")
    if _in_same_order([pair for pair in both if None not in pair]):
        return Finding(check, False, f"the new numbers of {name!r} follow the order of the old ones")
    return Finding(check, True, f"{name!r} tells the same {len(firsts)} apart, under other numbers")


def _in_same_order(pairs: Sequence[tuple[object, object]]) -> bool:
    """Check whether numbers rise, or fall, with what they stand for."""
    if len(pairs) < _BEYOND_CHANCE:
        return False
    old_order = sorted(range(len(pairs)), key=lambda place: _sortable(pairs[place][0]))
    new_order = sorted(range(len(pairs)), key=lambda place: _sortable(pairs[place][1]))
    return new_order in (old_order, old_order[::-1])


def _sortable(value: object) -> tuple[bool, object]:
    """Return a key that sorts numbers before texts."""
    return isinstance(value, str), value


def _check_untouched(checked: CheckedRelease, before: Table) -> list[Finding]:
    """Check the columns that are released unchanged: row by row, or as whole records in any order."""
    names = checked.untouched
    if not names:
        return []
    after = checked.released
    if checked.counterpart is None:
        return [reordered_finding(names, is_same=same_records(before, after, names))]
    changed = [name for name in names if not unchanged(before, after, name)]
    if changed:
        return [untouched_finding(names, changed)]
    rewritten = [name for name in names if _is_text(before, after) and not _same_fields(before, after, name)]
    findings = [untouched_finding(names, changed)]
    if rewritten:
        findings.append(Finding("untouched columns", None, f"the same, but written otherwise: {listing(rewritten)}"))
    return findings


def untouched_finding(names: Sequence[str], changed: Sequence[str]) -> Finding:
    """Return what is to be said of columns that are compared row by row."""
    if changed:
        return Finding("untouched columns", False, f"changed: {listing(changed)}")
    return Finding("untouched columns", True, f"unchanged: {listing(names)}")


def reordered_finding(names: Sequence[str], *, is_same: bool) -> Finding:
    """Return what is to be said of columns that are compared as whole records in any order."""
    if is_same:
        return Finding("untouched columns", True, f"the same records, in another order: {listing(names)}")
    return Finding("untouched columns", False, f"not the same records as before, in any order: {listing(names)}")


def _same_fields(before: Table, after: Table, name: str) -> bool:
    return all(old == new for old, new in zip(before.each_value(name), after.each_value(name), strict=True))


def _is_text(before: Table, after: Table) -> bool:
    """Check whether both are text files: then what is not changed must be the same to the letter."""
    return before.source.file_kind == after.source.file_kind == "CSV"
