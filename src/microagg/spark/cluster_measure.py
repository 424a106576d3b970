"""Measure a release in a Spark DataFrame against its original: the measures of `measure`, where the records are."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.measure.table_accumulator import TableAccumulator
from microagg.model.column import NUMERIC
from microagg.model.encoding import Encoding
from microagg.model.errors import InputError
from microagg.model.measures import Measures
from microagg.model.plan import Plan
from microagg.model.treatment import Treatment
from microagg.model.treatment_options import checked_option, named_in
from microagg.select import select
from microagg.spark.batch_tables import gathered
from microagg.spark.class_checks import RowChecks, RowTallies
from microagg.spark.class_counts import count_classes
from microagg.spark.column_summaries import Summaries, SummarisedColumn, merged_summaries, summaries_of
from microagg.spark.jobs import Jobs
from microagg.spark.named_frames import empty_table
from microagg.spark.paired_records import (
    PairedRecords,
    PairReader,
    frame_of,
    in_other_order,
    moved_columns,
    pair_records,
)
from microagg.spark.record_fields import ROW, quoted
from microagg.spark.row_numbers import NumberedRows, numbered_rows
from microagg.spark.staging import Staging
from microagg.spark.task_results import collect_results

_ROWS_SHOWN = 3


def measure(
    original: Any,
    released: Any,
    columns: Iterable[Hashable] | None = None,
    *,
    plan: Plan | None = None,
    standardise: bool = True,
    nominal: Iterable[Hashable] | None = None,
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None = None,
    row_id: str | None = None,
    staging: str | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
) -> Measures:
    """Measure a release against its original, record by record.

    The measures are those of `microagg.measure`, bit for bit. No record comes to the driver.

    Parameters
    ----------
    original, released
        DataFrames of the same records, or paths of folders of Parquet.
    columns
        Names of the columns; None for every numeric one that the release has changed.
    plan
        The plan of the release, in place of all options about columns: its columns are measured, what it counts as
        missing is missing, and records that it leaves out are left out of the original.
    standardise
        Whether all columns weigh alike in the information loss.
    nominal, ordinal
        Which of the columns hold codes: see `ColumnSet`. Text and booleans are nominal anyway.
    row_id
        A column of both that names each record; None: both read Parquet files, and records correspond by their order.
    staging
        Folder that all executors reach, for what rests between jobs; None: the system's temporary folder, where all
        executors are on this machine.
    run
        Progress, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.

    Returns
    -------
    Measures
        The information loss, the k reached, and measures of each column.

    Raises
    ------
    InputError
        If the two cannot be compared, as when other columns show that the records are in another order; or if options
        are given besides a plan.
    """
    if plan is not None and (columns is not None or nominal is not None or ordinal is not None or not standardise):
        raise InputError("a plan says which columns are measured, and how: leave the other options out")
    current = run_of(run, progress)
    if current.limits.given:
        raise InputError(f"measuring has nothing that {' or '.join(current.limits.given)} could limit: leave it out")
    before = frame_of(original)
    after = frame_of(released)
    treatment = _treatment(plan, standardise, nominal, ordinal)
    folder = Staging(after.sparkSession, staging)
    jobs = Jobs(after.sparkSession, current)
    try:
        rows = numbered_rows(after, row_id, folder, jobs, "released")
        pairs = pair_records(before, rows, plan, row_id, folder, jobs)
        _check_counts(pairs, rows)
        return _Measuring(before, rows, pairs, plan, treatment, jobs).measures(columns)
    finally:
        folder.remove()


def _treatment(
    plan: Plan | None,
    standardise: bool,
    nominal: Iterable[Hashable] | None,
    ordinal: Iterable[Hashable] | Mapping[Any, Iterable[Any]] | None,
) -> Treatment:
    if plan is None:
        return replace(
            Treatment.plain(standardise),
            nominal=checked_option("nominal", nominal) or (),
            ordinal=checked_option("ordinal", ordinal) or (),
        )
    if not isinstance(plan, Plan):
        raise InputError(f"plan must be a microagg.Plan, found {plan!r}: read a file by Plan.from_toml")
    if plan.shuffle:
        raise InputError(
            "the plan shuffles the records, so that those of the release correspond to none of the original by their "
            "place: measure while protecting, on one machine, by measures='all' (microagg protect --measures all)"
        )
    if any(one.columns is None for one in plan.sets):
        raise InputError("the plan names no columns: measure by the plan of the release, release.plan, which does")
    return plan.codes


def _check_counts(pairs: PairedRecords, released: NumberedRows) -> None:
    if pairs.n_expected != released.n_records:
        raise InputError(
            f"the original has {pairs.n_expected} records, the release {released.n_records}: they can only be compared "
            "row by row; is it the release of other records? where the plan leaves some out, measure by it (--plan)"
        )
    if pairs.frame is None:
        raise InputError(
            "original and release do not have the same ids, and can only be compared record by record: name another "
            "row_id (--row-id), or leave it out where both have the same order"
        )


@dataclass(frozen=True)
class _Summarising:
    """Summarises columns of the original in the paired records of a task."""

    reader: PairReader
    columns: tuple[SummarisedColumn, ...]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Summaries]:
        found: Summaries = {}
        for batch in gathered(batches):
            before, _, rows = self.reader.tables(batch)
            summaries = summaries_of(before, self.columns, rows)
            found = merged_summaries([found, summaries]) if found else summaries
        if found:
            yield found


@dataclass(frozen=True)
class _Accumulating:
    """Accumulates what measures follow from, in the paired records of a task."""

    reader: PairReader
    encoding: Encoding

    def __call__(self, batches: Iterable[Any]) -> Iterator[TableAccumulator]:
        found: TableAccumulator | None = None
        for batch in gathered(batches):
            before, after, _ = self.reader.tables(batch)
            some = TableAccumulator.of(before, after, self.encoding)
            found = some if found is None else found.merged(some)
        if found is not None:
            yield found


@dataclass(frozen=True, eq=False)
class _Measuring:
    """Measures paired records."""

    before: Any
    released: NumberedRows
    pairs: PairedRecords
    plan: Plan | None
    treatment: Treatment
    jobs: Jobs

    def measures(self, columns: Iterable[Hashable] | None) -> Measures:
        """Return the measures of some columns, or of those of the plan, or of those that have changed."""
        names = self._names(columns)
        self._check_order(names)
        encoding = self._encoding(names)
        self._refuse_infinite(encoding)
        frame = self.pairs.select(names, names)
        work = _Accumulating(self.pairs.reader, encoding)
        found: list[TableAccumulator] = collect_results(frame, work, self.jobs, "measure")
        tally = count_classes(self.released.frame, names, 1, self.jobs).tally
        return reduce(TableAccumulator.merged, found).measures(tally.smallest, tally.n_classes)

    def _names(self, columns: Iterable[Hashable] | None) -> tuple[str, ...]:
        empty = empty_table(self.before)
        after = empty_table(self.released.frame)
        if self.plan is not None:
            names = tuple(name for one in self.plan.sets for name in one.columns or ())
        elif columns is not None:
            names = select(empty, columns)
        else:
            numeric = [name for name in empty.names if name in after.names and empty.kind(name) in NUMERIC]
            if not numeric:
                raise InputError("the two tables share no column of numbers: there is nothing to measure")
            names = self._changed(numeric)
        for name in names:
            empty.check_name(name)
            after.check_name(name)
        return names

    def _changed(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return those columns that hold other values than before, and not only in another order; all if none does."""
        changed = self._different(names)
        moved = moved_columns(self.pairs.original, self.released, changed, self.jobs)
        return tuple(name for name in changed if name not in moved) or tuple(names)

    def _different(self, names: Sequence[str]) -> list[str]:
        """Return those columns that hold other values in some records."""
        if not names:
            return []
        checks = RowChecks(self.pairs.reader, None, {}, tuple(names))
        found: list[RowTallies] = collect_results(self.pairs.select(names, names), checks, self.jobs, "check records")
        changed = reduce(RowTallies.merged, found).changed
        return [name for name in names if name in changed]

    def _check_order(self, names: Sequence[str]) -> None:
        """Refuse a release whose other columns show that the records are in another order."""
        others = [name for name in self.before.columns if name in self.released.names and name not in names]
        changed = self._different(others)
        if changed and in_other_order(self.pairs, self.released, others, changed, self.jobs):
            moved = moved_columns(self.pairs.original, self.released, changed, self.jobs)
            raise InputError(
                f"the records of the release are in another order: column {moved[0]!r} holds the same values in other "
                "rows; put them in the order of the original first, or name a column that tells which records are the "
                "same, as in row_id='id' (--row-id)"
            )

    def _encoding(self, names: Sequence[str]) -> Encoding:
        """Fit the encoding of columns to the original, as a whole."""
        empty = empty_table(self.before)
        for name in (*self.treatment.nominal, *named_in(self.treatment.ordinal)):
            empty.check_name(name)
        levels = {name: self.treatment.level(name, empty.kind(name)) for name in names}
        self.treatment.check(levels)
        listed = tuple((name, level, self.treatment) for name, level in levels.items())
        work = _Summarising(self.pairs.reader, listed)
        results: list[Summaries] = collect_results(self.pairs.select((), names), work, self.jobs, "summarise columns")
        summaries = merged_summaries(results)
        for summary in summaries.values():
            summary.check(" of the original", may_miss=True)
        return Encoding(tuple(summaries[name].encoding(self.treatment) for name in names), self.treatment)

    def _refuse_infinite(self, encoding: Encoding) -> None:
        """Refuse released numbers that are infinite, with their count and rows."""
        from pyspark.sql import functions

        numbers = [one.name for one in encoding.columns if one.level == "number"]
        if not numbers:
            return
        frame = self.released.frame
        is_infinite = {
            name: functions.abs(functions.col(quoted(name)).cast("double")) == float("inf") for name in numbers
        }
        counts = [functions.sum(infinite.cast("long")) for infinite in is_infinite.values()]
        found = self.jobs("check records", frame.agg(*counts).collect)[0]
        for name, count in zip(numbers, found, strict=True):
            if count:
                first = frame.filter(is_infinite[name]).select(ROW).orderBy(ROW).limit(_ROWS_SHOWN)
                rows = ", ".join(str(row[0] + 1) for row in self.jobs("check records", first.collect))
                more = ", …" * (count > _ROWS_SHOWN)
                raise InputError(
                    f"column {name!r} of the release has {count} infinite value{'s' * (count > 1)} (row"
                    f"{'s' * (count > 1)} {rows}{more}): remove or correct these records, or leave the column out"
                )
