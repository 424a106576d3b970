"""Exposure: what the released columns that others may know show together, whatever the plan was about."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from microagg.model.arrays import IntArray
from microagg.model.errors import Doubt
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.model.verdict import Determined, Exposure, Unknown
from microagg.select import identifier_look
from microagg.singling_out import combinations_of

_BEYOND_CHANCE = 0.5  # of the records that chance does not determine: those that a recoding determines, at least

UNKNOWN = {"confidential": "confidential", "weight": "weight", "renumber": "new numbers"}
"""Roles of released columns that others are assumed not to know, and how a verdict names them."""


def expose(
    released: Table, plan: Plan, original: Table | None = None, classes: Sequence[IntArray] | None = None
) -> Exposure:
    """Count whom the released columns single out that others may know: all but those whose role says otherwise.

    Exact for every kind of column; a missing value counts as a value. O(m n log n) for m columns, and O(n) for each
    pair of an unchanged and a protected column.

    Parameters
    ----------
    released
        The table after.
    plan
        The plan, which names the columns of each set.
    original
        The same records before, in the same rows; None where they are not known: then it is not looked at which
        protected columns follow from unchanged ones.
    classes
        What `released.patterns` gives for the columns of each set, where it is known.

    Returns
    -------
    Exposure
        Numbers of records, and the columns that single them out.
    """
    known = _ReleasedColumns.of(released, plan)
    if classes is None:
        classes = [released.patterns(one.columns or ()) for one in plan.sets]
    together = _combined(classes, released.n_records)
    unchanged = _combined(map(known.codes, known.unchanged), released.n_records)
    whole = _combined((together, unchanged), released.n_records)
    unit = plan.roles.unit
    units = _units(unit, released, original)
    counts = _counts(whole, units)
    sizes = counts[whole]
    k = min(one.k for one in plan.sets)
    return Exposure(
        (*known.protected, *known.unchanged),
        known.unknown,
        known.unchanged,
        released.n_records,
        k,
        int(counts.min(initial=released.n_records)),
        int((sizes == 1).sum()),
        int((sizes < k).sum()),
        None if units is None else unit,
        combinations_of(known.unchanged, known.codes, unchanged, _ignore) if known.unchanged else (),
        None if original is None else tuple(_determined(known, original)),
        tuple(known.identifiers()),
        tuple(_given_away(released, plan, classes)),
    )


@dataclass(frozen=True, eq=False)
class _ReleasedColumns:
    """Columns of a release, and the labels of its records, by what others may know of them."""

    tables: tuple[Table, ...]
    protected: tuple[str, ...]
    unchanged: tuple[str, ...]
    unknown: tuple[Unknown, ...]
    codes: Callable[[str], IntArray]

    @classmethod
    def of(cls, released: Table, plan: Plan) -> "_ReleasedColumns":
        index = None if plan.shuffle else released.index
        tables = (released,) if index is None else (released, index)
        names = [name for table in tables for name in table.names]
        roles = {name: said for role, said in UNKNOWN.items() for name in plan.roles.columns_of(role)}
        unknown = tuple(Unknown(name, roles[name]) for name in names if name in roles)
        protected = tuple(name for one in plan.sets for name in one.columns or ())
        unchanged = tuple(name for name in names if name not in protected and name not in roles)

        def codes(name: str) -> IntArray:
            return next(table for table in tables if name in table.names).codes(name)

        return cls(tables, protected, unchanged, unknown, _kept(codes, getattr(released.source, "folder", None)))

    def identifiers(self) -> Iterator[Doubt]:
        """Yield the unchanged columns that look like identifiers."""
        for table in self.tables:
            for name in table.names:
                reason = identifier_look(table, name) if name in self.unchanged else None
                if reason is not None:
                    yield Doubt(name, reason)


def _kept(codes: Callable[[str], IntArray], folder: Path | None) -> Callable[[str], IntArray]:
    """Return a function that keeps codes as small integers: of a table larger than memory, in its folder."""

    @cache
    def kept(name: str) -> Any:
        found = codes(name)
        small = found.astype(np.min_scalar_type(int(found.max(initial=0))))
        if folder is None or not len(small):
            return small
        path = folder / f"codes-{os.urandom(6).hex()}"
        small.tofile(path)
        return np.memmap(path, small.dtype, "r")

    return lambda name: np.asarray(kept(name), dtype=np.int64)


def _ignore(done: float) -> None:
    """Stand for progress that nobody watches."""


def _combined(codes: Iterable[IntArray], n_records: int) -> IntArray:
    """Return a number for each combination of codes, counted from 0 without gaps."""
    pattern = np.zeros(n_records, dtype=np.int64)
    n_cells = min(1, n_records)
    for one in codes:
        if n_cells < n_records:
            pattern = np.unique(pair_codes(pattern, one), return_inverse=True)[1].astype(np.int64)
            n_cells = int(pattern.max()) + 1
    return pattern


def _units(name: str | None, released: Table, original: Table | None) -> IntArray | None:
    """Return the unit of each record, by the release or else by the original; None where none is named or known."""
    if name is None:
        return None
    table = released if name in released.names else original
    return None if table is None else table.codes(name)


def _counts(classes: IntArray, units: IntArray | None) -> IntArray:
    """Count the records, or the different units, of each class."""
    if units is not None:
        classes = classes[np.unique(pair_codes(classes, units), return_index=True)[1]]
    return np.bincount(classes).astype(np.int64)


def _given_away(released: Table, plan: Plan, classes: Sequence[IntArray]) -> Iterator[tuple[str, int]]:
    """Yield the confidential columns, and the records in classes of a column set in which all values are equal."""
    merges = plan.missing_policy.small_strata == "merge"
    strata = [] if merges else [released.codes(name) for name in plan.roles.strata if name in released.names]
    for name in plan.roles.confidential:
        if name not in released.names:
            continue
        codes = released.codes(name)
        is_missing = released.missing_codes(name) > 0
        counts = []
        for one in classes:
            labels = _combined((one, *strata), released.n_records)
            value_of = np.zeros(labels.max(initial=0) + 1, dtype=np.int64)
            value_of[labels] = codes
            differs = (value_of[labels] != codes) | is_missing
            is_constant = np.bincount(labels, differs) == 0
            counts.append(int(is_constant[labels].sum()))
        if 0 < max(counts) < released.n_records:  # else the whole column is constant
            yield name, max(counts)


def _determined(known: _ReleasedColumns, original: Table) -> Iterator[Determined]:
    """Yield the pairs of an unchanged column and a protected one that follows from it."""
    protected = [(name, original.codes(name)) for name in known.protected] if known.unchanged else []
    for unchanged in known.unchanged:
        codes = known.codes(unchanged)
        sizes = np.bincount(codes)
        shared = sizes[codes] > 1
        if not shared.mean() > _BEYOND_CHANCE:  # too few values occur twice to determine that many records
            continue
        for name, values in protected:
            share = _determined_share(codes, values, sizes)
            if share <= _BEYOND_CHANCE:
                continue
            chance = _chance(sizes, values)
            if chance < 1.0 and share - chance > _BEYOND_CHANCE * (1.0 - chance):
                yield Determined(unchanged, name, share)


def _determined_share(codes: IntArray, values: IntArray, sizes: IntArray) -> float:
    """Return the share of records whose code occurs more than once, and always with one value."""
    value_of = np.zeros(len(sizes), dtype=np.int64)
    value_of[codes] = values
    determined = sizes > 1
    determined[codes[value_of[codes] != values]] = False
    return float(sizes[determined].sum()) / max(1, len(codes))


def _chance(sizes: IntArray, values: IntArray) -> float:
    """Return the share of records that would be determined if values were given to codes at random."""
    several = sizes[sizes > 1]
    kinds, numbers = np.unique(several, return_counts=True)
    occurrences, n_values = np.unique(np.bincount(values), return_counts=True)  # far fewer than values
    frequencies = occurrences / max(1, len(values))
    alike = np.array([float((n_values * frequencies**size).sum()) for size in kinds.tolist()])
    return float((kinds * numbers * alike).sum()) / max(1, int(sizes.sum()))
