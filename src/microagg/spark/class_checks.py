"""Checks of the records of whole classes in a task: what stands for each class, and the rules of privacy."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from microagg.check.checked_release import CheckedRelease
from microagg.check.column_facts import ColumnFacts
from microagg.check.group_value_check import GroupValueTally, tally_group_values
from microagg.check.privacy_check import RuleTally, tally_rules
from microagg.check.value_check import MissingTally, TotalTally, tally_missing, tally_totals
from microagg.column_comparison import unchanged
from microagg.model.column_set import ColumnSet
from microagg.model.plan import Plan
from microagg.model.verification import Finding
from microagg.spark.batch_tables import RECORDS_AT_ONCE, gathered, numbers_of
from microagg.spark.paired_records import PairReader
from microagg.spark.record_fields import KEY

COUNT = "__microagg_count"
"""Number of records that a record stands for, as they are equal in all that is checked."""

Tally = TypeVar("Tally", MissingTally, TotalTally, GroupValueTally, RuleTally)

Facts = dict[str, ColumnFacts]
"""Facts of columns of the original, by name."""


class ClassTallies(NamedTuple):
    """What was found out about the classes of a column set.

    Parameters
    ----------
    values
        About the released values of each column.
    rules
        About each rule of privacy, or why it is not checked.
    """

    values: list[GroupValueTally]
    rules: list[RuleTally | Finding]

    def merged(self, other: "ClassTallies") -> "ClassTallies":
        """Return what was found out about the classes of both parts."""
        rules = [
            one if isinstance(one, Finding) or isinstance(another, Finding) else one.merged(another)
            for one, another in zip(self.rules, other.rules, strict=True)
        ]
        return ClassTallies(merged_tallies(self.values, other.values), rules)


class RowTallies(NamedTuple):
    """What was found out record by record.

    Parameters
    ----------
    missing, totals
        About missing values and totals of the protected columns.
    changed
        Columns that are released unchanged, and hold other values in some records.
    """

    missing: list[MissingTally]
    totals: list[TotalTally]
    changed: frozenset[str]

    def merged(self, other: "RowTallies") -> "RowTallies":
        """Return what was found out about both parts."""
        return RowTallies(
            merged_tallies(self.missing, other.missing),
            merged_tallies(self.totals, other.totals),
            self.changed | other.changed,
        )


def merged_tallies(some: Sequence[Tally], others: Sequence[Tally]) -> list[Tally]:
    """Merge the tallies of two parts, one by one."""
    return [one.merged(another) for one, another in zip(some, others, strict=True)]


@dataclass(frozen=True)
class FactsOfColumns:
    """Finds the facts of columns of the original in the paired records of a task."""

    reader: PairReader
    names: tuple[str, ...]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Facts]:
        """Yield the facts of each column."""
        found: Facts = {}
        for batch in gathered(batches):
            before = self.reader.tables(batch).before
            facts = {name: ColumnFacts.of(before, name) for name in self.names}
            found = {name: found[name].merged(facts[name]) for name in found} if found else facts
        if found:
            yield found


@dataclass(frozen=True)
class RowChecks:
    """Checks paired records one by one.

    Parameters
    ----------
    reader
        Reads them.
    plan
        The plan; None: only other columns are compared.
    facts
        Facts of whole columns of the original.
    others
        Columns that are compared record by record.
    """

    reader: PairReader
    plan: Plan | None
    facts: Facts
    others: tuple[str, ...]

    def __call__(self, batches: Iterable[Any]) -> Iterator[RowTallies]:
        """Yield what was found out."""
        found: RowTallies | None = None
        for batch in gathered(batches):
            before, after, rows = self.reader.tables(batch)
            missing: list[MissingTally] = []
            totals: list[TotalTally] = []
            if self.plan is not None:
                checked = CheckedRelease(self.plan, after, before, before, len(rows), self.facts, rows)
                missing = tally_missing(checked, before)
                totals = tally_totals(checked, before)
            changed = frozenset(name for name in self.others if not unchanged(before, after, name))
            some = RowTallies(missing, totals, changed)
            found = some if found is None else found.merged(some)
        if found is not None:
            yield found


@dataclass(frozen=True)
class ClassChecks:
    """Checks the records of whole classes.

    Parameters
    ----------
    reader
        Reads them; those of the release alone have no column of the original.
    plan
        The plan.
    one
        The column set.
    facts
        Facts of whole columns of the original.
    columns
        Columns whose released values are checked; they need the original.
    has_rules
        Whether the rules of privacy are checked.
    is_paired
        Whether the original is there.
    """

    reader: PairReader
    plan: Plan
    one: ColumnSet
    facts: Facts
    columns: tuple[str, ...]
    has_rules: bool
    is_paired: bool

    def __call__(self, batches: Iterable[Any]) -> Iterator[ClassTallies]:
        """Yield what was found out."""
        found: ClassTallies | None = None
        for batch in whole_classes(batches):
            before, after, rows = self.reader.tables(batch)
            counts = numbers_of(batch, COUNT) if COUNT in batch.column_names else None
            original = before if self.is_paired else None
            checked = CheckedRelease(self.plan, after, original, original, len(rows), self.facts, rows, counts)
            values = tally_group_values(checked, before, self.one, self.columns) if self.columns else []
            some = ClassTallies(values, tally_rules(checked, self.one) if self.has_rules else [])
            found = some if found is None else found.merged(some)
        if found is not None:
            yield found


def whole_classes(batches: Iterable[Any], n_records: int = RECORDS_AT_ONCE) -> Iterator[Any]:
    """Yield the records of Arrow batches as tables of at least some number of records, none of which divides a class.

    Parameters
    ----------
    batches
        Record batches of one schema, sorted by the column `KEY`: records of a class have the same.
    n_records
        The number.

    Yields
    ------
    pyarrow.Table
        Whole classes.
    """
    import pyarrow as pa

    waiting: list[Any] = []
    n_waiting = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        waiting.append(batch)
        n_waiting += batch.num_rows
        if n_waiting < n_records:
            continue
        last = numbers_of(batch, KEY)[-1]
        if numbers_of(waiting[0], KEY)[0] == last:
            continue
        table = pa.Table.from_batches(waiting)
        cut = int(np.searchsorted(numbers_of(table, KEY), last))
        yield table.slice(0, cut).combine_chunks()
        waiting = table.slice(cut).to_batches()
        n_waiting -= cut
    if n_waiting:
        yield pa.Table.from_batches(waiting).combine_chunks()
