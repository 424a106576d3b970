"""Parts of the records of a DataFrame: strata and patterns of missing values, counted where the records are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from microagg.divide import shown_value, small_parts_error
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.errors import InputError
from microagg.model.pair_codes import pair_codes
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.spark.batch_tables import BatchReader, gathered, numbers_of
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import ROW, quoted
from microagg.spark.task_results import collect_results

PartKey = tuple[str | None, ...]
"""What the records of a part share: the values of the strata, as Python writes them, and the marks of missing cells."""

COARSER_PARTS = "choose coarser strata (--strata) or, in place of missing='pattern', 'drop' (--missing)"
"""What to do about parts that are too small, where they cannot be merged or left out."""

_MAX_PARTS = 100_000


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
        words: list[list[str | None]] = [list(map(shown_value, some.column(name).objects())) for name in self.strata]
        for name in self.lacking:
            missing = some.missing_codes(name) > 0
            marks = some.values(name)
            words.append([_mark(mark) if lacks else None for mark, lacks in zip(marks, missing, strict=True)])
        return list(zip(*words, strict=True)) if words else [()] * len(firsts)

    def names(self, keys: Sequence[PartKey]) -> dict[PartKey, str]:
        """Describe what the records of each part share, as one machine does: marks are told where there are several.

        Parameters
        ----------
        keys
            Keys of all parts.
        """
        n_strata = len(self.strata)
        marks = [{key[n_strata + place] for key in keys} - {None} for place in range(len(self.lacking))]
        return {key: self._name(key[:n_strata], key[n_strata:], [len(some) > 1 for some in marks]) for key in keys}

    def _name(self, values: PartKey, marks: PartKey, has_several: Sequence[bool]) -> str:
        words = [f"{name} = {value}" for name, value in zip(self.strata, values, strict=True)]
        without = [
            f"{name} ({mark or 'blank'})" if several else name
            for name, mark, several in zip(self.lacking, marks, has_several, strict=True)
            if mark is not None
        ]
        if self.lacking:
            words.append(f"without {', '.join(without)}" if without else "complete")
        return ", ".join(words) or "all records"


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

    def has_few(self, k: int) -> bool:
        """Check whether there are fewer than k cells, but some, of a column."""
        return bool(((self.n_present > 0) & (self.n_present < k)).any())


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
                _refuse_many(len(found[number]))
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
class SetParts:
    """Parts of a column set, some of which may have joined others.

    Parameters
    ----------
    keys
        Keys of the parts.
    names
        What the records of each part share, by key; also of those that have joined others.
    facts
        What is counted in each part, in the order of their first records; those that have joined others are in these.
    joined
        The part that each belongs to, by key, where it has joined another.
    merged
        Each part that has joined another, and that other, in the order in which they were merged.
    """

    keys: PartKeys
    names: Mapping[PartKey, str] = field(repr=False)
    facts: Parts = field(repr=False)
    joined: Mapping[PartKey, PartKey] = field(default_factory=dict, repr=False)
    merged: tuple[tuple[PartKey, PartKey], ...] = ()

    @classmethod
    def of(cls, keys: PartKeys, facts: Parts) -> "SetParts":
        """Return parts of which none has joined another."""
        return cls(keys, keys.names(list(facts)), facts)

    @property
    def numbers(self) -> dict[PartKey, int]:
        """Number of each part, by key; a part that has joined another has the number of that."""
        own = {key: number for number, key in enumerate(self.facts)}
        return own | {key: own[other] for key, other in self.joined.items()}

    @property
    def merged_names(self) -> tuple[tuple[str, str], ...]:
        """Names of parts that were too small, each with that of the part that it has joined."""
        return tuple((self.names[key], self.names[other]) for key, other in self.merged)

    @property
    def lack_cells(self) -> bool:
        """Whether a cell of the set's columns is missing."""
        return any(bool((part.n_present < part.n_records).any()) for part in self.facts.values())


@dataclass(frozen=True)
class CountedParts:
    """Records that are released, and the parts of each column set.

    Parameters
    ----------
    kept
        Which records are released.
    sets
        Parts of each column set.
    """

    kept: KeptRecords
    sets: tuple[SetParts, ...]

    @property
    def n_records(self) -> int:
        """Number of records that are released."""
        return sum(facts.n_records for facts in self.sets[0].facts.values())


def count_parts(frame: Any, n_records: int, plan: Plan, reader: BatchReader, jobs: Jobs) -> CountedParts:
    """Count the parts of the records, and leave out those that a plan leaves out; none is merged yet.

    Parameters
    ----------
    frame
        The numbered records.
    n_records
        Number of all records.
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
    chosen = frame.select(ROW, *map(quoted, needed))
    while True:
        if not plan.roles.strata and plan.missing_policy.missing == "error":
            sets = tuple(_undivided(n_records, len(names)) for names in columns)
        else:
            sets = _counted(chosen, _Counting(reader, kept, columns), jobs)
        if not any(sets):
            raise InputError("no record is left: each lacks a protected value, or is in a stratum that is too small")
        if plan.missing_policy.small_strata != "suppress":
            break
        small = tuple(small_parts(parts, one.k, plan) for parts, one in zip(sets, plan.sets, strict=True))
        if not any(small):
            break
        left_out = tuple(before | now for before, now in zip(kept.left_out, small, strict=True))
        kept = KeptRecords(kept.complete, kept.keys, left_out)
    counted = CountedParts(kept, tuple(map(SetParts.of, kept.keys, sets)))
    for parts, one in zip(counted.sets, plan.sets, strict=True):
        _refuse_small(parts, one.k, plan)
    return counted


def _refuse_many(n_parts: int) -> None:
    """Refuse more parts than the driver can look after: a stratum may be an identifier by mistake."""
    if n_parts > _MAX_PARTS:
        raise InputError(
            f"strata and patterns of missing values divide the records into more than {_MAX_PARTS} parts: is one of "
            f"the strata an identifier? {COARSER_PARTS}"
        )


def _undivided(n_records: int, n_columns: int) -> Parts:
    """Return the one part of all records, none of which lacks a value."""
    return {(): PartFacts(n_records, 0, np.full(n_columns, n_records))}


def _counted(chosen: Any, counting: _Counting, jobs: Jobs) -> tuple[Parts, ...]:
    results = collect_results(chosen, counting, jobs, "count parts")
    sets = []
    for number in range(len(counting.columns)):
        parts: Parts = {}
        for result in results:
            parts = merged_parts(parts, result[number])
            _refuse_many(len(parts))
        sets.append(in_order_of_first(parts))
    return tuple(sets)


def in_order_of_first(parts: Parts) -> Parts:
    """Return parts in the order of their first records."""
    return dict(sorted(parts.items(), key=lambda part: part[1].first_row))


def small_parts(parts: Parts, k: int, plan: Plan) -> frozenset[PartKey]:
    """Return the parts that are too small: below k, or with fewer than k cells, but some, of a column.

    Parameters
    ----------
    parts
        The parts of a column set.
    k
        Smallest group allowed.
    plan
        The plan: where small parts are an error, cells are not counted.
    """
    counts_cells = plan.missing_policy.small_strata != "error"
    return frozenset(key for key, facts in parts.items() if facts.n_records < k or (counts_cells and facts.has_few(k)))


def _refuse_small(parts: SetParts, k: int, plan: Plan) -> None:
    """Refuse parts that are too small, unless they can join others."""
    merges = plan.missing_policy.small_strata == "merge" and len(parts.facts) > 1
    counts = [facts.n_records for facts in parts.facts.values()]
    if merges and sum(counts) < k:
        raise small_parts_error(["all records"], [sum(counts)], k, "records")
    if not merges and min(counts) < k:
        remedy = None if plan.roles.unit is None else f"{COARSER_PARTS}, or use one machine"
        raise small_parts_error([parts.names[key] for key in parts.facts], counts, k, "records", remedy)
