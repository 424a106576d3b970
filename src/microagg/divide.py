"""Divide records by hard walls, which no group may cross: strata, and patterns of missing values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from microagg.merge_parts import Members, PartTally, merge_small_parts, parts_joined
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.division import Division, Part
from microagg.model.errors import InputError
from microagg.model.exact_sum import sums_by_code
from microagg.model.names import quantity
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.problem import Problem
from microagg.model.table import Table

_MAX_PARTS_SHOWN = 6
_ALL = "all records"
_REMEDY = (
    "choose small_strata='suppress' (--small-strata suppress) to leave their records out, or 'merge' to join each with "
    "the nearest"
)


def kept_records(table: Table, plan: Plan) -> IntArray:
    """Return the records that are released: without those that the plan leaves out for what they lack.

    Parameters
    ----------
    table
        The table.
    plan
        The plan, its columns settled.

    Returns
    -------
    ndarray of shape (any number,)
        Indices of records, ascending.

    Raises
    ------
    InputError
        If none is left.
    """
    kept = np.arange(table.n_records)
    policy = plan.missing_policy
    if policy.missing == "drop":
        complete = np.ones(table.n_records, dtype=np.bool_)
        for name in dict.fromkeys(name for one in plan.sets for name in one.columns or ()):
            complete &= table.missing_codes(name) == 0
        kept = kept[complete]
    if policy.small_strata == "suppress":
        kept = _without_small_parts(table, plan, kept)
    if not len(kept) and table.n_records:
        raise InputError("no record is left: each lacks a protected value, or is in a stratum that is too small")
    return kept


def _without_small_parts(table: Table, plan: Plan, kept: IntArray) -> IntArray:
    """Leave out records of parts that are too small in any column set, again and again, as that makes others small."""
    while True:
        left = table.in_order(kept)
        large = np.ones(len(kept), dtype=np.bool_)
        for one in plan.sets:
            walls = _Walls.of(left, one.columns or (), plan)
            large &= ~walls.small(one.k)[walls.codes]
        if large.all():
            return kept
        kept = kept[large]


def divide(table: Table, names: Sequence[str], plan: Plan, problem: Problem) -> Division:
    """Divide the records of a table by the strata and the missing values of a plan.

    Parameters
    ----------
    table
        The table.
    names
        The columns to be protected together.
    plan
        The plan.
    problem
        The records as points: a part that is too small joins the one whose mean is nearest.

    Returns
    -------
    Division
        Parts of at least k records each, or of k units.

    Raises
    ------
    InputError
        If a part is too small, and the plan does not say what is to be done about it.
    """
    walls = _Walls.of(table, names, plan)
    if plan.missing_policy.small_strata == "merge" and len(walls.names) > 1:
        return replace(walls.merged(problem), order=table.order)
    counts = walls.counts()
    if (counts < problem.k).any():
        raise small_parts_error(walls.names, counts.tolist(), problem.k, "units" if plan.roles.unit else "records")
    return Division(walls.parts(), order=table.order)


def small_parts_error(
    names: Sequence[str], counts: Sequence[int], k: int, what: str, remedy: str | None = None
) -> InputError:
    """Return the error of parts that are too small, where the plan does not say what is to be done about them.

    Parameters
    ----------
    names
        What the records of each part share.
    counts
        Number of records, or of units, of each part.
    k
        Smallest group allowed.
    what
        What is counted: "records" or "units".
    remedy
        What to do, where small parts can be neither merged nor left out; None where they can.
    """
    if len(names) == 1:
        return InputError(f"k = {k} is more than the {counts[0]} {what} there are: choose a smaller k")
    small = [part for part, count in enumerate(counts) if count < k]
    shown = "; ".join(f"{names[part]}: {counts[part]}" for part in small[:_MAX_PARTS_SHOWN])
    more = f"; and {len(small) - _MAX_PARTS_SHOWN} more" * (len(small) > _MAX_PARTS_SHOWN)
    return InputError(
        f"{len(small)} of {quantity(len(names), 'part')} of the records have fewer than k = {k} {what} ({shown}"
        f"{more}): {remedy or _REMEDY}"
    )


@dataclass(frozen=True)
class _Walls:
    """Parts before any is merged: the code of each record's part, its stratum, its unit, and the cells it has."""

    codes: IntArray  # (n,)
    strata: IntArray  # (n,)
    units: IntArray | None  # (n,)
    present: tuple[BoolArray, ...]  # (n,) of each column of which cells are missing, where small parts are no error
    names: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, names: Sequence[str], plan: Plan) -> "_Walls":
        roles = plan.roles
        strata = table.patterns(roles.strata)
        codes = strata
        policy = plan.missing_policy
        lacking = []
        present = []
        for name in names if policy.missing in ("pattern", "fill", "available") else ():
            missing = table.missing_codes(name)
            if not missing.any():
                continue
            lacking.append(name)
            if policy.small_strata != "error" and policy.mixed_cells != "blank":
                present.append(missing == 0)
            if policy.missing == "pattern":
                codes = np.unique(pair_codes(codes, missing), return_inverse=True)[1]
        firsts, codes = _in_order_of_first(codes)
        described = _names(table, roles.strata, lacking if policy.missing == "pattern" else None, firsts)
        units = None if roles.unit is None else table.codes(roles.unit)
        return cls(codes, strata, units, tuple(present), described)

    def counts(self) -> IntArray:
        """Return the number of records, or of distinct units, of each part."""
        return self._counts_among(np.ones(len(self.codes), dtype=np.bool_))

    def _counts_among(self, chosen: BoolArray) -> IntArray:
        """Return the number of records, or of distinct units, of each part among some of the records."""
        codes = self.codes[chosen]
        if self.units is not None:
            codes = codes[np.unique(pair_codes(codes, self.units[chosen]), return_index=True)[1]]
        return np.bincount(codes, minlength=len(self.names)).astype(np.int64)

    def small(self, k: int) -> BoolArray:
        """Return which parts are too small: below k, or with fewer than k cells, but some, of a column."""
        few = self.counts() < k
        for present in self.present:
            cells = self._counts_among(present)
            few |= (cells > 0) & (cells < k)
        return few

    def parts(self) -> tuple[Part, ...]:
        """Return the parts, in the order of their first records."""
        if len(self.names) == 1:
            return (Part(self.names[0], np.arange(len(self.codes))),)
        by_part = np.argsort(self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.names)))[:-1]
        return tuple(map(Part, self.names, map(np.array, np.split(by_part, ends))))

    def merged(self, problem: Problem) -> Division:
        """Return the division in which each small part, the smallest first, has joined the nearest one."""
        parts = self.parts()
        if not self.small(problem.k).any():
            return Division(parts)
        pairs = merge_small_parts(self._tallies(parts, problem), problem.k)
        together: dict[int, list[IntArray]] = {}
        for part, joined in zip(parts, parts_joined(len(parts), pairs).tolist(), strict=True):
            together.setdefault(joined, []).append(part.records)
        left = [Part(self.names[joined], _all_in_order(records)) for joined, records in together.items()]
        left.sort(key=lambda part: int(part.records[0]))
        return Division(tuple(left), tuple((self.names[part], self.names[other]) for part, other in pairs))

    def _tallies(self, parts: Sequence[Part], problem: Problem) -> list[PartTally]:
        """Return what tells of each part whether it is too small, and which one is near."""
        sums = [sums_by_code(problem.X[:, column], self.codes, len(parts)) for column in range(problem.d)]
        return [
            PartTally(
                int(self.strata[part.records[0]]),
                len(part.records),
                of_part,
                self._members(part.records),
                tuple(self._members(part.records[present[part.records]]) for present in self.present),
            )
            for part, of_part in zip(parts, zip(*sums, strict=True), strict=True)
        ]

    def _members(self, records: IntArray) -> Members:
        """Return the number of some records, or their units."""
        return len(records) if self.units is None else np.unique(self.units[records])


def _all_in_order(parts: Sequence[IntArray]) -> IntArray:
    """Return the records of at least one part, ascending."""
    return parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))


def _in_order_of_first(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the first record of each code, and the codes renumbered in that order."""
    _, firsts, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty(len(firsts), dtype=np.int64)
    rank[order] = np.arange(len(firsts))
    return firsts[order], rank[inverse]


def _names(table: Table, strata: Sequence[str], lacking: Sequence[str] | None, firsts: IntArray) -> tuple[str, ...]:
    """Describe what the records of each part share, by the first of them; `lacking` are columns of missing values."""
    words: list[list[str]] = [[] for _ in firsts]
    for name in strata:
        for described, value in zip(words, table.column(name).in_order(firsts).objects(), strict=True):
            described.append(f"{name} = {shown_value(value)}")
    if lacking is not None:
        without = [_lacks(table, name, firsts) for name in lacking]
        for part, described in enumerate(words):
            found = [lacks[part] for lacks in without if part in lacks]
            described.append(f"without {', '.join(found)}" if found else "complete")
    return tuple(", ".join(described) or _ALL for described in words)


def shown_value(value: Any) -> str:
    """Return a value of a stratum as Python writes it; both zeros are the same number.

    Parameters
    ----------
    value
        The value.
    """
    return repr(0.0 if isinstance(value, float) and value == 0 else value)


def _lacks(table: Table, name: str, records: IntArray) -> dict[int, str]:
    """Name a column for those of some records that lack it, by their places, with the mark where there are several."""
    missing = table.missing_codes(name)
    places = np.flatnonzero(missing[records]).tolist()
    if missing.max() == 1:
        return dict.fromkeys(places, name)
    marks = table.in_order(records[places]).values(name)
    shown = ("" if mark is None else str(mark).strip() for mark in marks)
    return {place: f"{name} ({text or 'blank'})" for place, text in zip(places, shown, strict=True)}
