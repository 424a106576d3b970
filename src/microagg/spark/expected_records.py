"""Records of an original that a plan keeps, counted anew from the original alone, where the records are.

A release is made by the parts of `cluster_parts`, and verified by those that are counted here: the two share no more
than how a value is written, so that a fault of the one is not a fault of the other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from microagg.check.kept_records import divided
from microagg.divide import shown_value
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.errors import InputError
from microagg.model.plan import Plan
from microagg.model.table import Table
from microagg.spark.arrow_mapping import map_in_arrow
from microagg.spark.batch_tables import BatchReader, gathered
from microagg.spark.jobs import Jobs
from microagg.spark.task_results import collect_results

PartKey = tuple[str, ...]
"""What the records of a part share: their strata, and the marks of the cells that they lack, as texts."""

_STAGE = "count parts"


@dataclass(frozen=True)
class ExpectedRecords:
    """Which records of an original are to be in its release.

    Parameters
    ----------
    plan
        The plan, its columns named.
    reader
        Reads the records.
    left_out
        Parts of each column set that are left out, as they are too small.
    """

    plan: Plan
    reader: BatchReader
    left_out: tuple[frozenset[PartKey], ...]

    @property
    def are_all(self) -> bool:
        """Whether every record is kept."""
        return self.plan.missing_policy.missing != "drop" and not any(self.left_out)

    def mask(self, table: Table) -> BoolArray:
        """Return which records of a table are kept."""
        kept = np.ones(table.n_records, dtype=np.bool_)
        for one, left_out in zip(self.plan.sets, self.left_out, strict=True):
            if self.plan.missing_policy.missing == "drop":
                for name in one.columns or ():
                    kept &= table.missing_codes(name) == 0
            if left_out:
                parts, keys = self._parts(table, one)
                kept &= ~np.array([key in left_out for key in keys], dtype=np.bool_)[parts]
        return kept

    def counts(self, table: Table) -> list[Counter[PartKey]]:
        """Count the kept records of each part of each column set."""
        kept = table.in_order(np.flatnonzero(self.mask(table)))
        if not kept.n_records:
            return [Counter() for _ in self.plan.sets]
        counted = []
        for one in self.plan.sets:
            parts, keys = self._parts(kept, one)
            counted.append(Counter(dict(zip(keys, np.bincount(parts).tolist(), strict=True))))
        return counted

    def _parts(self, table: Table, one: ColumnSet) -> tuple[IntArray, list[PartKey]]:
        """Return the part of each record, and the key of each part."""
        strata = self.plan.roles.strata
        lacking = one.columns or () if self.plan.missing_policy.missing == "pattern" else ()
        parts: IntArray = np.zeros(table.n_records, dtype=np.int64)
        for name in strata:
            parts = divided(parts, table.codes(name))
        for name in lacking:
            parts = divided(parts, table.missing_codes(name))
        firsts = table.in_order(np.unique(parts, return_index=True)[1])
        words = [list(map(shown_value, firsts.column(name).objects())) for name in strata]
        for name in lacking:
            missing = firsts.missing_codes(name) > 0
            marks = zip(firsts.values(name), missing, strict=True)
            words.append([f"lacks {mark!r}" if is_missing else "" for mark, is_missing in marks])
        return parts, list(zip(*words, strict=True)) if words else [()]


@dataclass(frozen=True)
class _Counting:
    """Counts the records of each part in a task."""

    expected: ExpectedRecords

    def __call__(self, batches: Iterable[Any]) -> Iterator[list[Counter[PartKey]]]:
        found: list[Counter[PartKey]] = [Counter() for _ in self.expected.plan.sets]
        for batch in gathered(batches):
            for counter, counted in zip(found, self.expected.counts(self.expected.reader.table(batch)), strict=True):
                counter.update(counted)
        yield found


@dataclass(frozen=True)
class _Keeping:
    """Passes on those records of Arrow batches that are kept."""

    expected: ExpectedRecords

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            if batch.num_rows:
                mask = self.expected.mask(self.expected.reader.table(pa.Table.from_batches([batch])))
                yield batch.filter(pa.array(mask))


def expected_records(frame: Any, plan: Plan, reader: BatchReader, jobs: Jobs) -> Any:
    """Return those records of an original that a plan releases.

    Parameters
    ----------
    frame
        The records of the original.
    plan
        The plan, its columns named.
    reader
        Reads the records.
    jobs
        Carries out the jobs.

    Returns
    -------
    DataFrame
        All records, unless the plan leaves some out for what they lack, or as their part is too small.

    Raises
    ------
    InputError
        If small parts are left out, and units are counted in them.
    """
    expected = ExpectedRecords(plan, reader, tuple(frozenset() for _ in plan.sets))
    if plan.missing_policy.small_strata == "suppress":
        if plan.roles.unit is not None:
            raise InputError("the plan leaves small strata out and counts units: verify it on one machine")
        expected = _without_small(frame, expected, jobs)
    return frame if expected.are_all else map_in_arrow(frame, _Keeping(expected), frame.schema)


def _without_small(frame: Any, expected: ExpectedRecords, jobs: Jobs) -> ExpectedRecords:
    """Leave out parts that are too small until none is: those of one column set may make those of others smaller."""
    while True:
        counts: list[Counter[PartKey]] = [Counter() for _ in expected.plan.sets]
        for result in collect_results(frame, _Counting(expected), jobs, _STAGE):
            for counter, found in zip(counts, result, strict=True):
                counter.update(found)
        small = [
            frozenset(key for key, count in counter.items() if count < one.k)
            for counter, one in zip(counts, expected.plan.sets, strict=True)
        ]
        if not any(small):
            return expected
        left_out = tuple(before | now for before, now in zip(expected.left_out, small, strict=True))
        expected = replace(expected, left_out=left_out)
