"""Parts of the records of a DataFrame: strata and patterns of missing values, counted where the records are."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.model.arrays import BoolArray, IntArray
from microagg.model.errors import InputError
from microagg.model.names import quantity
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.spark.batch_tables import BatchReader, gathered, numbers_of
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import ROW
from microagg.spark.task_results import collect_results

PartKey = tuple[str | None, ...]
"""What the records of a part share: the values of the strata, as Python writes them, and the marks of missing cells."""

_MAX_PARTS = 1_000_000
_MAX_PARTS_SHOWN = 6


@dataclass(frozen=True)
class PartKeys:
    """Keys of the parts of a column set.

    Parameters
    ----------
    strata
        Columns whose values divide the records.
    lacking
        Columns whose missing cells divide the records, too.
    """

    strata: tuple[str, ...]
    lacking: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan, columns: Sequence[str]) -> "PartKeys":
        """Return the keys of a column set of a plan."""
        return cls(plan.roles.strata, tuple(columns) if plan.missing_policy.missing == "pattern" else ())

    def codes(self, table: Table) -> tuple[IntArray, list[PartKey]]:
        """Return a code for the part of each record, and the key of each code.

        Parameters
        ----------
        table
            The records.
        """
        codes = table.patterns(self.strata)
        for name in self.lacking:
            missing = table.missing_codes(name)
            if missing.any():
                codes = np.unique(pair_codes(codes, missing), return_inverse=True)[1]
        _, firsts, codes = np.unique(codes, return_index=True, return_inverse=True)
        return codes, self._keys(table, firsts)

    def _keys(self, table: Table, firsts: IntArray) -> list[PartKey]:
        some = table.in_order(firsts)
        words: list[list[str | None]] = [list(map(repr, some.column(name).objects())) for name in self.strata]
        for name in self.lacking:
            missing = some.missing_codes(name) > 0
            marks = some.values(name)
            words.append([_mark(mark) if lacks else None for mark, lacks in zip(marks, missing, strict=True)])
        return list(zip(*words, strict=True)) if words else [()] * len(firsts)

    def name(self, key: PartKey) -> str:
        """Describe what the records of a part share."""
        strata = [f"{name} = {value}" for name, value in zip(self.strata, key, strict=False)]
        marks = key[len(self.strata) :]
        without = [
            name if mark == "" else f"{name} ({mark})"
            for name, mark in zip(self.lacking, marks, strict=True)
            if mark is not None
        ]
        if self.lacking:
            strata.append(f"without {', '.join(without)}" if without else "complete")
        return ", ".join(strata) or "all records"


def _mark(mark: Any) -> str:
    return "" if mark is None else str(mark).strip()


@dataclass(frozen=True)
class KeptRecords:
    """Which records are released: those that the plan leaves out are left out of everything.

    Parameters
    ----------
    complete
        Columns in which every released record has a value.
    keys
        Keys of the parts of each column set.
    left_out
        Parts of each column set whose records are left out, as they are too small.
    """

    complete: tuple[str, ...]
    keys: tuple[PartKeys, ...]
    left_out: tuple[frozenset[PartKey], ...]

    @classmethod
    def of(cls, plan: Plan) -> "KeptRecords":
        """Return which records a plan keeps before any part is too small."""
        columns = [one.columns or () for one in plan.sets]
        complete = tuple(dict.fromkeys(name for names in columns for name in names))
        keys = tuple(PartKeys.of(plan, names) for names in columns)
        drops = plan.missing_policy.missing == "drop"
        return cls(complete if drops else (), keys, tuple(frozenset() for _ in keys))

    @property
    def are_all(self) -> bool:
        """Whether no record is left out."""
        return not self.complete and not any(self.left_out)

    def mask(self, table: Table) -> BoolArray:
        """Return which records of a table are kept."""
        kept = np.ones(table.n_records, dtype=np.bool_)
        for name in self.complete:
            kept &= table.missing_codes(name) == 0
        for keys, left_out in zip(self.keys, self.left_out, strict=True):
            if left_out:
                codes, found = keys.codes(table)
                kept &= ~np.array([key in left_out for key in found])[codes]
        return kept


@dataclass(eq=False)
class PartFacts:
    """What is counted in a part; that of some of its records can be merged with that of others.

    Parameters
    ----------
    n_records
        Number of records.
    first_row
        The first of them.
    n_present
        Number of cells that are there in each column of the set.
    """

    n_records: int
    first_row: int
    n_present: IntArray

    def merged(self, other: "PartFacts") -> "PartFacts":
        """Return what is counted in both together."""
        first_row = min(self.first_row, other.first_row)
        return PartFacts(self.n_records + other.n_records, first_row, self.n_present + other.n_present)


Parts = dict[PartKey, PartFacts]
"""Parts of a column set, by key."""


@dataclass(frozen=True)
class _Counting:
    """Counts the parts of each column set in the records of a task."""

    reader: BatchReader
    kept: KeptRecords
    columns: tuple[tuple[str, ...], ...]

    def __call__(self, batches: Iterable[Any]) -> Iterator[list[Parts]]:
        found: list[Parts] = [{} for _ in self.columns]
        for batch in gathered(batches):
            table = self.reader.table(batch)
            rows = numbers_of(batch, ROW)
            if not self.kept.are_all:
                kept = np.flatnonzero(self.kept.mask(table))
                if not len(kept):
                    continue
                table = table.in_order(kept)
                rows = rows[kept]
            for number, names in enumerate(self.columns):
                found[number] = merged_parts(found[number], _count(table, rows, self.kept.keys[number], names))
        yield found


def _count(table: Table, rows: IntArray, keys: PartKeys, names: tuple[str, ...]) -> Parts:
    codes, listed = keys.codes(table)
    counts = np.bincount(codes, minlength=len(listed))
    firsts = np.full(len(listed), np.iinfo(np.int64).max)
    np.minimum.at(firsts, codes, rows)
    present = np.column_stack(
        [np.bincount(codes[table.missing_codes(name) == 0], minlength=len(listed)) for name in names]
    )
    return {key: PartFacts(int(counts[code]), int(firsts[code]), present[code]) for code, key in enumerate(listed)}


def merged_parts(one: Parts, other: Parts) -> Parts:
    """Return the parts of both, by key."""
    both = dict(one)
    for key, facts in other.items():
        both[key] = both[key].merged(facts) if key in both else facts
    return both


@dataclass(frozen=True)
class CountedParts:
    """Records that are released, and the parts of each column set.

    Parameters
    ----------
    kept
        Which records are released.
    sets
        Parts of each column set, in the order of their first records.
    """

    kept: KeptRecords
    sets: tuple[Parts, ...]

    @property
    def n_records(self) -> int:
        """Number of records that are released."""
        return sum(facts.n_records for facts in self.sets[0].values())


def count_parts(frame: Any, plan: Plan, reader: BatchReader, jobs: Jobs) -> CountedParts:
    """Count the parts of the records, and leave out those that a plan leaves out.

    Parameters
    ----------
    frame
        The numbered records.
    plan
        The plan, settled.
    reader
        Reads the records.
    jobs
        Carries out the jobs.

    Raises
    ------
    InputError
        If a part is too small and the plan does not say what is to be done about it, or no record is left.
    """
    columns = tuple(tuple(one.columns or ()) for one in plan.sets)
    kept = KeptRecords.of(plan)
    needed = dict.fromkeys((*plan.roles.strata, *(name for names in columns for name in names)))
    chosen = frame.select(ROW, *(f"`{name}`" for name in needed))
    while True:
        sets = _counted(chosen, _Counting(reader, kept, columns), jobs)
        if not any(sets):
            raise InputError("no record is left: each lacks a protected value, or is in a stratum that is too small")
        small = tuple(_small(parts, one.k, plan) for parts, one in zip(sets, plan.sets, strict=True))
        if not any(small):
            return CountedParts(kept, sets)
        if plan.missing_policy.small_strata != "suppress":
            _refuse_small(plan, kept, sets, small)
        left_out = tuple(before | now for before, now in zip(kept.left_out, small, strict=True))
        kept = KeptRecords(kept.complete, kept.keys, left_out)


def _counted(chosen: Any, counting: _Counting, jobs: Jobs) -> tuple[Parts, ...]:
    results = collect_results(chosen, counting, jobs, "count parts")
    sets = []
    for number in range(len(counting.columns)):
        parts: Parts = {}
        for result in results:
            parts = merged_parts(parts, result[number])
        if len(parts) > _MAX_PARTS:
            raise InputError(f"strata and patterns divide the records into {len(parts)} parts, more than {_MAX_PARTS}")
        sets.append(dict(sorted(parts.items(), key=lambda part: part[1].first_row)))
    return tuple(sets)


def _small(parts: Parts, k: int, plan: Plan) -> frozenset[PartKey]:
    """Return the parts that are too small: below k, or, where they are left out, with few cells of a column."""
    strict = plan.missing_policy.small_strata == "suppress" and plan.missing_policy.missing in ("pattern", "available")
    return frozenset(
        key
        for key, facts in parts.items()
        if facts.n_records < k or (strict and bool(((facts.n_present > 0) & (facts.n_present < k)).any()))
    )


def _refuse_small(
    plan: Plan, kept: KeptRecords, sets: tuple[Parts, ...], small: tuple[frozenset[PartKey], ...]
) -> None:
    number = next(number for number, keys in enumerate(small) if keys)
    parts = sets[number]
    k = plan.sets[number].k
    if len(parts) == 1:
        n_records = next(iter(parts.values())).n_records
        raise InputError(f"k = {k} is more than the {n_records} records there are: choose a smaller k")
    listed = [key for key in parts if key in small[number]]
    names = kept.keys[number]
    shown = "; ".join(f"{names.name(key)}: {parts[key].n_records}" for key in listed[:_MAX_PARTS_SHOWN])
    more = f"; and {len(listed) - _MAX_PARTS_SHOWN} more" * (len(listed) > _MAX_PARTS_SHOWN)
    raise InputError(
        f"{len(listed)} of {quantity(len(parts), 'part')} of the records have fewer than k = {k} records ({shown}"
        f"{more}): choose small_strata='suppress' to leave their records out"
    )
