"""Verify a released table, whichever tool made it."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from microagg.check import check_plan
from microagg.check.anonymity_check import ClassTally
from microagg.check.plan_check import remark_identifying
from microagg.check.wording import where
from microagg.column_comparison import MATCHED_BY_INDEX, matched_by_index, reordered, unchanged
from microagg.declared_levels import with_declared_levels
from microagg.exposure import expose
from microagg.model.checks import whole_number
from microagg.model.column import NUMERIC
from microagg.model.errors import InputError
from microagg.model.names import listing
from microagg.model.plan import Plan
from microagg.model.reading import Reading
from microagg.model.table import Table
from microagg.model.verification import Finding, Verification
from microagg.read import read
from microagg.select import select
from microagg.source.polars_files import TAB_SUFFIXES
from microagg.verdict import whole_findings

_MEAN_TOL = 1e-9  # relative to mean and deviation: rounding moves the mean of group means by no more
_DIGITS = (6, 9, 12, 17)  # significant digits to try until two numbers read differently


def verify(
    original: Any,
    released: Any,
    k: int | None = None,
    columns: Iterable[Hashable] | None = None,
    *,
    plan: Plan | None = None,
) -> Verification:
    """Check a released table: that it is k-anonymous in some columns, or all that a plan promises.

    Works on any tool's output: the columns may hold anything, text too. A missing value counts as a value of its own,
    unless the plan groups records that lack different cells: then it may stand for any value.

    A note says which k all released columns reach together that others may know, the index of a dataframe among them:
    without a plan, those are all columns. It fails no check.

    By a plan, k is counted for each column set, within strata, and in units where it names one; rules of privacy are
    checked in each class of records that share their protected values; identifiers must be gone. With the original, it
    is also checked that there is no column that the original lacks, that identifiers are renumbered as they should be,
    that missing values and untouched columns are as they were, that totals are kept, and that released values are what
    the original values of their groups give. Records in another order fail, unless the plan shuffles them: then nothing
    is compared row by row.

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
    plan
        The plan of the release, in place of `k` and `columns`; it names the columns, too.

    Returns
    -------
    Verification
        The verdict, and the findings behind it.

    Raises
    ------
    InputError
        If the release has no records, if no columns are named, if a plan is given besides k and columns, or if it asks
        for t-closeness of values whose order is not known.

    Examples
    --------
    >>> import microagg
    >>> microagg.verify(None, [[1.5], [1.5], [8.5]], k=2, columns=[0]).passed
    False
    >>> plan = microagg.Plan(k=2, columns=["0"], confidential=["1"], l_diversity=2)
    >>> microagg.verify(None, [[1.5, 7], [1.5, 3], [8.5, 4], [8.5, 4]], plan=plan).passed
    False
    """
    if plan is not None:
        return _verify_by_plan(original, released, plan, k, columns)
    after = read(released)
    _refuse_empty(after)
    if columns is None:
        raise InputError("name the columns to verify: a verdict on guessed ones would be worthless")
    names = select(after, columns)
    k = whole_number("k", k, at_least=1)
    pattern = after.patterns(names)
    sizes = np.bincount(pattern)
    tally = ClassTally.of(pattern, sizes.astype(np.int64), k)
    exposure = expose(after, Plan(k=k, columns=names, allow_k1=True), classes=[pattern])
    findings = [tally.finding(k, "records", where(names)), *whole_findings(exposure)]
    findings += remark_identifying(after, names)
    if original is not None:
        findings += _compare(read(original), after, names)
    return Verification(k, tally.smallest, names, tuple(findings), exposure)


def read_release(released: Any, reading: Reading, read_table: Callable[..., Table] = read) -> Table:
    """Read a release as its plan reads the original, as far as it is a text file, too.

    Parameters
    ----------
    released
        A path, a dataframe or an array.
    reading
        Format of the original, as far as the plan states it.
    read_table
        Function that reads it: `read`, or one that does so within a memory budget.

    Returns
    -------
    Table
        The release.
    """
    reading = replace(reading, table_name=None)  # which is that of the original
    table = read_table(released)
    if not reading.given or table.source.file_kind != "CSV" or not isinstance(released, str | PathLike):
        return table
    if Path(fspath(released)).suffix.lower() in TAB_SUFFIXES:
        reading = replace(reading, delimiter=None)
    return read_table(released, reading)


def _verify_by_plan(
    original: Any, released: Any, plan: Plan, k: int | None, columns: Iterable[Hashable] | None
) -> Verification:
    if not isinstance(plan, Plan):
        raise InputError(f"plan must be a microagg.Plan, found {plan!r}: read a file by Plan.from_toml")
    if k is not None or columns is not None:
        given = " and ".join(name for name, value in (("k", k), ("columns", columns)) if value is not None)
        raise InputError(f"{given} and a plan are both given: leave one out, as the plan has k and columns of its own")
    after = released if isinstance(released, Table) else read_release(released, plan.reading)
    _refuse_empty(after)
    before = original if original is None or isinstance(original, Table) else read(original, plan.reading)
    return check_plan(before, after, with_declared_levels(plan, after if before is None else before))


def _refuse_empty(after: Table) -> None:
    if not after.n_records:
        raise InputError("the release has no records: there is nothing to verify")


def _compare(before: Table, after: Table, names: tuple[str, ...]) -> list[Finding]:
    fewer = before.n_records - after.n_records
    sound = None if fewer > 0 else fewer == 0  # records may be suppressed, but not invented
    findings = [Finding("records", sound, f"{before.n_records} before, {after.n_records} after")]
    if (matched := matched_by_index(before, after)) is not None:
        before = matched
        findings.append(Finding("order", None, MATCHED_BY_INDEX))
    findings += compare_names(before.names, after.names)
    both = [name for name in after.names if name in before.names]
    others = [name for name in both if name not in names]
    if others and not fewer:
        findings.append(_compare_others(before, after, others))
    numeric = [name for name in both if name in names and _has_mean(before, name) and _has_mean(after, name)]
    if numeric:
        findings.append(_compare_means(before, after, numeric))
    return findings


def compare_names(before: Sequence[str], after: Sequence[str]) -> list[Finding]:
    """Remark on columns that only one of two tables has.

    Parameters
    ----------
    before, after
        Names of the columns of the original and of the release.
    """
    added = [name for name in after if name not in before]
    dropped = [name for name in before if name not in after]
    differences = (("not in the original", added), ("left out of the release", dropped))
    return [Finding("columns", None, f"{what}: {listing(some)}") for what, some in differences if some]


def _compare_others(before: Table, after: Table, names: list[str]) -> Finding:
    """Compare the columns besides the protected ones: unchanged, shuffled, or changed."""
    different = [name for name in names if not unchanged(before, after, name)]
    moved = reordered(before, after, different)
    return others_finding(names, [name for name in different if name not in moved], moved)


def others_finding(names: Sequence[str], changed: Sequence[str], moved: Sequence[str]) -> Finding:
    """Return what is to be said of the columns besides the protected ones.

    Parameters
    ----------
    names
        The columns.
    changed
        Those that hold other values.
    moved
        Those that hold the same values in another order.
    """
    if changed:
        return Finding("other columns", None, f"changed: {listing(changed)}")
    if moved:
        return Finding("other columns", None, f"the same values in another order: {listing(moved)}")
    return Finding("other columns", True, f"unchanged: {listing(names)}")


def _compare_means(before: Table, after: Table, names: list[str]) -> Finding:
    """Compare the means of the protected columns: group means keep them, but for rounding."""
    means = []
    for name in names:
        old = before.numbers(name)
        means.append(ComparedMean(name, float(old.mean()), float(old.std()), float(after.numbers(name).mean())))
    return means_finding(means)


class ComparedMean(NamedTuple):
    """Mean of a column before and after.

    Parameters
    ----------
    name
        Name of the column.
    before, deviation
        Mean and standard deviation before.
    after
        Mean after.
    """

    name: str
    before: float
    deviation: float
    after: float

    @property
    def is_kept(self) -> bool:
        """Whether the mean is the same, but for rounding."""
        return abs(self.after - self.before) <= _MEAN_TOL * (abs(self.before) + self.deviation)


def means_finding(means: Sequence[ComparedMean]) -> Finding:
    """Return what is to be said of the means of the protected columns.

    Parameters
    ----------
    means
        The means of each column.
    """
    moved = [f"{one.name!r} from {_distinguishable(one.before, one.after)}" for one in means if not one.is_kept]
    if moved:
        return Finding("column means", None, f"moved: {', '.join(moved)}")
    return Finding("column means", True, f"kept: {listing([one.name for one in means])}")


def _distinguishable(old: float, new: float) -> str:
    """Write two numbers with as many digits as it takes to distinguish them."""
    for digits in _DIGITS:
        texts = f"{old:.{digits}g}", f"{new:.{digits}g}"
        if texts[0] != texts[1]:
            break
    return " to ".join(texts)


def _has_mean(table: Table, name: str) -> bool:
    return table.n_records > 0 and table.kind(name) in NUMERIC and bool(np.isfinite(table.numbers(name)).all())
