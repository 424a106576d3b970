"""Protect the records of a Spark DataFrame: the line of `protect`, where the records are."""

from datetime import UTC, datetime
from typing import Any, Unpack

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.model.by_column import ByColumn
from microagg.model.plan import Plan, PlanOptions
from microagg.protect import complete_plan
from microagg.read import read
from microagg.remarks import refuse_unused_marks
from microagg.select import AVERAGED, is_named_identifier, singling_doubt, singling_error
from microagg.spark.arrow_types import empty_arrow_table
from microagg.spark.batch_tables import BatchReader, MarksFound
from microagg.spark.class_counts import expose, identifying_columns, unique_records
from microagg.spark.cluster_merging import merge_set_parts
from microagg.spark.cluster_parts import count_parts
from microagg.spark.cluster_rounds import SetRounds
from microagg.spark.column_facts_job import summarise_columns
from microagg.spark.input_files import check_unchanged
from microagg.spark.jobs import Jobs
from microagg.spark.joined_release import StoredRelease, store_release
from microagg.spark.paired_records import frame_of
from microagg.spark.released_types import released_types
from microagg.spark.row_numbers import NumberedRows, numbered_rows
from microagg.spark.set_division import SetDivision
from microagg.spark.settled_schema import settle_schema
from microagg.spark.spark_release import SparkRelease, measure_together, set_release
from microagg.spark.staging import Staging
from microagg.spark.task_results import collect_results
from microagg.verdict import LEAST_LOSS, strict_error, verdict_on


def protect(
    frame: Any,
    k: int | None = None,
    *,
    plan: Plan | None = None,
    row_id: str | None = None,
    staging: str | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
    **options: Unpack[PlanOptions],
) -> SparkRelease:
    """Replace the chosen columns of each record of a DataFrame by those of its group of at least k records.

    The groups are those that `protect_file` makes of the same records in one file, bit for bit, however the records are
    spread and however often a task fails and is tried again. No record comes to the driver but a sample.

    Parameters
    ----------
    frame
        The DataFrame, or the path of a folder of Parquet; it is not changed. Its records must not change while they are
        read.
    k
        Smallest group allowed.
    plan
        What is to be done; `k` and `options` may add to it, but not contradict it.
    row_id
        A column with a different value in every record, in whose order they are numbered; None: the DataFrame reads
        Parquet files, whose names and order number the records.
    staging
        Folder that all executors reach, for what rests between jobs; None: the system's temporary folder, where all
        executors are on this machine.
    run
        Progress, limit of iterations, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.
    **options
        Options of a plan: see `Plan`.

    Returns
    -------
    SparkRelease
        The release, verified to reach k, in the staging folder: write it, and close it.

    Raises
    ------
    InputError
        If something cannot be used, or not on a cluster: one sentence says what and why.
    ClusterError
        If a block fails, or the input changes while it is read: nothing is released.

    Examples
    --------
    >>> import microagg.spark
    >>> people = spark.read.parquet("people")  # doctest: +SKIP
    >>> with microagg.spark.protect(people, k=5, columns=["income", "age"]) as release:  # doctest: +SKIP
    ...     release.write("safe")
    """
    plan = complete_plan(plan, {**options} if k is None else {**options, "k": k})
    current = run_of(run, progress)
    source = frame_of(frame)
    folder = Staging(source.sparkSession, staging)
    try:
        with current.under_way(plan.limits):
            return _protect(source, plan, row_id, folder, current)
    except BaseException:
        folder.remove()
        raise


def _protect(frame: Any, plan: Plan, row_id: str | None, staging: Staging, run: Run) -> SparkRelease:
    jobs = Jobs(frame.sparkSession, run)
    schema = settle_schema(plan, frame, run.limits)
    settled = schema.plan
    rows = numbered_rows(frame, row_id, staging, jobs)
    check_unchanged(rows.files, staging.folders)
    _refuse_unnamed(rows, settled, schema.reader, jobs)
    if plan.missing_policy.missing_values != ByColumn():
        found = collect_results(rows.frame, MarksFound(schema.reader), jobs, "count parts")
        refuse_unused_marks(plan, read(empty_arrow_table(frame)), frozenset().union(*found))
    counted = count_parts(rows.frame, rows.n_records, settled, schema.reader, jobs)
    facts = summarise_columns(rows.frame, schema, counted.kept, jobs)
    rounds = []
    blocks = []
    for number, one in enumerate(settled.sets):
        of_columns = facts.sets[number]
        types = released_types(frame, schema.levels[number], one.treatment, of_columns.whole)
        parts = merge_set_parts(
            rows.frame,
            settled,
            number,
            schema.reader,
            counted.kept,
            counted.sets[number],
            of_columns.encoding,
            jobs,
        )
        division = SetDivision(settled, number, parts, of_columns.encoding, run.limits)
        of_set = SetRounds(
            rows.frame,
            division,
            schema.reader,
            counted.kept,
            of_columns,
            facts.weights,
            types,
            staging,
            jobs,
        )
        blocks.append(of_set.run())
        rounds.append(of_set)
    n_kept = counted.n_records
    of_sets = tuple(one.released for one in rounds)
    released = store_release(rows, settled, of_sets, n_kept, staging, jobs)
    stored = StoredRelease.of(released, rows, settled, of_sets)
    sets = tuple(set_release(*both, stored, jobs) for both in zip(rounds, blocks, strict=True))
    together = measure_together(settled, sets, stored.countable, jobs)
    protected = [name for one in sets for name in one.columns]
    others = [name for name in released.columns if name not in protected]
    identifying = identifying_columns(released, others, n_kept, jobs)
    check_unchanged(rows.files, staging.folders)
    exposure = expose(stored.countable, released.columns, settled, n_kept, jobs)
    is_changed = any(one.measures.information_loss > LEAST_LOSS for one in sets)
    verdict = verdict_on(settled, sets, together.k_reached, exposure, is_changed=is_changed)
    if settled.strict and verdict.tone != "verified":
        raise strict_error(verdict)
    made = datetime.now(UTC)
    times = tuple(jobs.times)
    return SparkRelease(
        released,
        rows,
        settled,
        sets,
        n_kept,
        made,
        times,
        together,
        identifying,
        of_sets,
        staging,
        exposure=exposure,
        verdict=verdict,
    )


def _refuse_unnamed(rows: NumberedRows, plan: Plan, reader: BatchReader, jobs: Jobs) -> None:
    """Ask about unchanged columns that alone single out nearly every record, as on one machine."""
    if all(one.k == 1 for one in plan.sets):
        return
    protected = [name for one in plan.sets for name in one.columns or ()]
    named = {*protected, *plan.roles.columns, *plan.drop, *plan.exclude}
    others = [name for name in rows.names if name not in named]
    unique = unique_records(rows.frame, others, rows.n_records, jobs)
    found = [doubt for name, n_unique in unique.items() for doubt in singling_doubt(name, n_unique, rows.n_records)]
    if found:
        names = [doubt.column for doubt in found]
        identifiers = [name for name in names if reader.kinds[name] not in AVERAGED or is_named_identifier(name)]
        raise singling_error(plan, found, identifiers, [name for name in others if name not in names])
