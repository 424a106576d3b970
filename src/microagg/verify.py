"""Check a released file, whoever made it."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from microagg.arrays import IntArray
from microagg.checks import whole_number
from microagg.errors import InputError
from microagg.read import read
from microagg.table import Table, listing


@dataclass(frozen=True)
class Finding:
    """Hold the result of one check.

    Parameters
    ----------
    check
        What was checked.
    passed
        Whether it holds; None: a remark that neither passes nor fails.
    detail
        What was found.
    """

    check: str
    passed: bool | None
    detail: str


@dataclass(frozen=True)
class Verification:
    """Hold the verdict on a released table, and every finding behind it."""

    k: int
    k_reached: int
    columns: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Say whether no check failed."""
        return all(finding.passed is not False for finding in self.findings)

    def summary(self) -> str:
        """Say the verdict and every finding, a line each."""
        marks = {True: "pass", False: "FAIL", None: "note"}
        lines = [f"{marks[finding.passed]}  {finding.check}: {finding.detail}" for finding in self.findings]
        return "\n".join(["PASS" if self.passed else "FAIL", *lines])


def verify(original: Any, released: Any, k: int, columns: Iterable[Hashable] | None) -> Verification:
    """Check that a released table is k-anonymous in some columns, and what became of the rest.

    Works on any tool's output: the columns may hold anything, text too. A missing value counts as a
    value of its own.

    Parameters
    ----------
    original
        The table before, for the checks that need it; None: only the release is looked at.
    released
        The table to be checked: a path, a dataframe or an array.
    k
        How many records must share each combination of values.
    columns
        The columns that are to be k-anonymous together. They must be named: a verdict on a guess would be none.
    """
    after = read(released)
    if not after.n_records:
        raise InputError("the release has no records: there is nothing to verify")
    if columns is None:
        raise InputError("name the columns to verify: a verdict on guessed ones would be none")
    names = after.select(columns)
    k = whole_number("k", k, at_least=1)
    pattern = after.patterns(names)
    sizes = np.bincount(pattern)
    findings = [_anonymity(pattern, sizes, k, listing(names))]
    if original is not None:
        findings += _compare(read(original), after, names)
    return Verification(k, int(sizes.min()), names, tuple(findings))


def _anonymity(pattern: IntArray, sizes: IntArray, k: int, where: str) -> Finding:
    small = sizes < k
    if not small.any():
        detail = f"every group has at least {k} records: {len(sizes)} of {sizes.min()} to {sizes.max()} records"
        return Finding("k-anonymity", True, f"{detail}, in {where}")
    rows = np.flatnonzero(small[pattern])
    first = ", ".join(str(row + 1) for row in rows[:5])
    detail = (
        f"{small.sum()} of {len(sizes)} groups have fewer than {k} records, the smallest {sizes.min()}: "
        f"{len(rows)} records, in row{'s' if len(rows) > 1 else ''} {first}{', …' if len(rows) > 5 else ''}, in {where}"
    )
    return Finding("k-anonymity", False, detail)


def _compare(before: Table, after: Table, names: tuple[str, ...]) -> list[Finding]:
    fewer = before.n_records - after.n_records
    sound = None if fewer > 0 else fewer == 0  # records may be suppressed, but not invented
    findings = [Finding("records", sound, f"{before.n_records} before, {after.n_records} after")]
    added = [name for name in after.names if name not in before.names]
    dropped = [name for name in before.names if name not in after.names]
    for what, some in (("not in the original", added), ("left out of the release", dropped)):
        if some:
            findings.append(Finding("columns", None, f"{what}: {listing(some)}"))
    both = [name for name in after.names if name in before.names]
    others = [name for name in both if name not in names]
    if others and not fewer:
        findings.append(_others(before, after, others))
    numeric = [name for name in both if name in names and _averaged(before, name) and _averaged(after, name)]
    if numeric:
        findings.append(_means(before, after, numeric))
    return findings


def _others(before: Table, after: Table, names: list[str]) -> Finding:
    """Look at the columns outside the protected ones: as they came, shuffled, or changed."""
    changed: list[str] = []
    shuffled: list[str] = []
    for name in names:
        old, new = _values(before, name), _values(after, name)
        if old != new:
            (shuffled if Counter(old) == Counter(new) else changed).append(name)
    if changed:
        return Finding("other columns", None, f"changed: {listing(changed)}")
    if shuffled:
        return Finding("other columns", None, f"the same values in another order: {listing(shuffled)}")
    return Finding("other columns", True, f"as they came: {listing(names)}")


def _values(table: Table, name: str) -> list[Decimal | str | None]:
    """Give a column as values that can be compared between files of all kinds: numbers exactly, the rest as text."""
    texts = [None if value is None else str(value).strip() for value in table.values(name)]
    if not _numeric(table, name):
        return list(texts)
    return [
        Decimal(text) if text and re.fullmatch(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", text) else text for text in texts
    ]


def _means(before: Table, after: Table, names: list[str]) -> Finding:
    """Look at the means of the protected columns: group means keep them, rounding moves them a little."""
    moved = []
    for name in names:
        old, new = before.numbers(name), after.numbers(name)
        if not abs(new.mean() - old.mean()) <= 1e-9 * (abs(old.mean()) + old.std()):
            moved.append(f"{name!r} from {old.mean():.6g} to {new.mean():.6g}")
    if moved:
        return Finding("column means", None, f"moved: {', '.join(moved)}")
    return Finding("column means", True, f"kept: {listing(names)}")


def _averaged(table: Table, name: str) -> bool:
    return table.n_records > 0 and _numeric(table, name) and bool(np.isfinite(table.numbers(name)).all())


def _numeric(table: Table, name: str) -> bool:
    return table.kind(name) in ("integer", "number")
