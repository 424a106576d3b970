"""Verify a released table, whichever tool made it."""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from microagg.compare import comparable, identifying_columns, reordered
from microagg.model.arrays import IntArray
from microagg.model.checks import whole_number
from microagg.model.column import NUMERIC
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.table import Table
from microagg.model.verification import Finding, Verification
from microagg.read import read
from microagg.select import select

_MEAN_TOL = 1e-9  # relative to mean and deviation: rounding moves the mean of group means by no more
_MAX_ROWS_SHOWN = 5
_DIGITS = (6, 9, 12, 17)  # significant digits to try until two numbers read differently


def verify(original: Any, released: Any, k: int, columns: Iterable[Hashable] | None) -> Verification:
    """Check that a released table is k-anonymous in some columns, and compare the rest with the original.

    Works on any tool's output: the columns may hold anything, text too. A missing value counts as a
    value of its own.

    Parameters
    ----------
    original
        The table before, for the checks that need it; None to check the release alone.
    released
        The table to be checked: a path, a dataframe or an array.
    k
        Number of records that must share each combination of values.
    columns
        Columns that are to be k-anonymous together. They must be named: a verdict on guessed ones would be worthless.

    Returns
    -------
    Verification
        The verdict, and the findings behind it.

    Raises
    ------
    InputError
        If the release has no records, or if no columns are named.

    Examples
    --------
    >>> import microagg
    >>> microagg.verify(None, [[1.5], [1.5], [8.5]], k=2, columns=[0]).passed
    False
    """
    after = read(released)
    if not after.n_records:
        raise InputError("the release has no records: there is nothing to verify")
    if columns is None:
        raise InputError("name the columns to verify: a verdict on guessed ones would be worthless")
    names = select(after, columns)
    k = whole_number("k", k, at_least=1)
    pattern = after.patterns(names)
    sizes = np.bincount(pattern)
    findings = [_check_anonymity(pattern, sizes, k, listing(names)), *_remark_identifying(after, names)]
    if original is not None:
        findings += _compare(read(original), after, names)
    return Verification(k, int(sizes.min()), names, tuple(findings))


def _check_anonymity(pattern: IntArray, sizes: IntArray, k: int, where: str) -> Finding:
    small = sizes < k
    if not small.any():
        detail = f"every group has at least {k} records: {len(sizes)} of {sizes.min()} to {sizes.max()} records"
        return Finding("k-anonymity", True, f"{detail}, in {where}")
    rows = np.flatnonzero(small[pattern])
    first = ", ".join(str(row + 1) for row in rows[:_MAX_ROWS_SHOWN])
    more = ", …" * (len(rows) > _MAX_ROWS_SHOWN)
    detail = (
        f"{small.sum()} of {len(sizes)} groups have fewer than {k} records, the smallest {sizes.min()}: "
        f"{len(rows)} records, in row{'s' * (len(rows) > 1)} {first}{more}, in {where}"
    )
    return Finding("k-anonymity", False, detail)


def _remark_identifying(after: Table, names: tuple[str, ...]) -> list[Finding]:
    """Remark on columns besides the protected ones that differ in every record."""
    unique = identifying_columns(after, names)
    if not unique:
        return []
    detail = f"different in every record: {listing(unique)}; whoever knows one of these values finds its record"
    return [Finding("identifying columns", None, detail)]


def _compare(before: Table, after: Table, names: tuple[str, ...]) -> list[Finding]:
    fewer = before.n_records - after.n_records
    sound = None if fewer > 0 else fewer == 0  # records may be suppressed, but not invented
    findings = [Finding("records", sound, f"{before.n_records} before, {after.n_records} after")]
    findings += _compare_names(before, after)
    both = [name for name in after.names if name in before.names]
    others = [name for name in both if name not in names]
    if others and not fewer:
        findings.append(_compare_others(before, after, others))
    numeric = [name for name in both if name in names and _has_mean(before, name) and _has_mean(after, name)]
    if numeric:
        findings.append(_compare_means(before, after, numeric))
    return findings


def _compare_names(before: Table, after: Table) -> list[Finding]:
    added = [name for name in after.names if name not in before.names]
    dropped = [name for name in before.names if name not in after.names]
    differences = (("not in the original", added), ("left out of the release", dropped))
    return [Finding("columns", None, f"{what}: {listing(some)}") for what, some in differences if some]


def _compare_others(before: Table, after: Table, names: list[str]) -> Finding:
    """Compare the columns besides the protected ones: unchanged, shuffled, or changed."""
    different = [name for name in names if comparable(before, name) != comparable(after, name)]
    moved = reordered(before, after, different)
    changed = [name for name in different if name not in moved]
    if changed:
        return Finding("other columns", None, f"changed: {listing(changed)}")
    if moved:
        return Finding("other columns", None, f"the same values in another order: {listing(moved)}")
    return Finding("other columns", True, f"unchanged: {listing(names)}")


def _compare_means(before: Table, after: Table, names: list[str]) -> Finding:
    """Compare the means of the protected columns: group means keep them, but for rounding."""
    moved = []
    for name in names:
        old = before.numbers(name)
        new = after.numbers(name)
        difference = new.mean() - old.mean()
        scale = abs(old.mean()) + old.std()
        if not abs(difference) <= _MEAN_TOL * scale:
            moved.append(f"{name!r} from {_distinguishable(old.mean(), new.mean())}")
    if moved:
        return Finding("column means", None, f"moved: {', '.join(moved)}")
    return Finding("column means", True, f"kept: {listing(names)}")


def _distinguishable(old: float, new: float) -> str:
    """Write two numbers with as many digits as it takes to distinguish them."""
    for digits in _DIGITS:
        texts = f"{old:.{digits}g}", f"{new:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return " to ".join(texts)


def _has_mean(table: Table, name: str) -> bool:
    return table.n_records > 0 and table.kind(name) in NUMERIC and bool(np.isfinite(table.numbers(name)).all())
