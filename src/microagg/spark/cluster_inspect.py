"""Inspect a Spark DataFrame: what a sample of its records looks like, beside numbers that are counted in all."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from microagg.control.progress import Progress
from microagg.control.run import Run, run_of
from microagg.inspect import inspect as inspect_table
from microagg.model.checks import whole_number
from microagg.model.errors import InputError
from microagg.model.inspection import Inspection
from microagg.spark.batch_tables import gathered
from microagg.spark.compared_values import compared, is_comparable
from microagg.spark.jobs import Jobs
from microagg.spark.paired_records import frame_of
from microagg.spark.record_fields import ROW
from microagg.spark.row_numbers import NumberedRows, numbered_rows
from microagg.spark.staging import Staging
from microagg.spark.task_results import collect_results

RECORDS_OF_SAMPLE = 100_000
"""Records that are looked at, where there are more."""


def inspect(
    frame: Any,
    *,
    row_id: str | None = None,
    sample: int = RECORDS_OF_SAMPLE,
    staging: str | None = None,
    run: Run | None = None,
    progress: Progress | None = None,
) -> Inspection:
    """Describe the columns of a DataFrame before it is protected, and propose a role for each.

    A sample of the records comes to the driver, and is looked at as `microagg.inspect` does; it depends on the numbers
    of the records alone, so that it is always the same. Records and missing values are counted in all records.

    Parameters
    ----------
    frame
        The DataFrame, or the path of a folder of Parquet.
    row_id
        A column with a different value in every record, in whose order they are numbered; None: the DataFrame reads
        Parquet files, whose names and order number the records.
    sample
        Number of records that are looked at, where there are more.
    staging
        Folder that all executors reach, for what rests between jobs; None: the system's temporary folder, where all
        executors are on this machine.
    run
        Progress, and the way to cancel the work from another thread.
    progress
        Called with stage, share done and note, where no run is given.

    Returns
    -------
    Inspection
        It tells how many records were looked at. It is about the original data, for their owner only.

    Raises
    ------
    InputError
        If the DataFrame has no records, or the run has limits.
    CancelledError
        If the run was cancelled.
    """
    size = whole_number("sample", sample, at_least=1)
    current = run_of(run, progress)
    if current.limits.given:
        raise InputError(
            f"an inspection has nothing that {' or '.join(current.limits.given)} could limit: leave it out"
        )
    source = frame_of(frame)
    folder = Staging(source.sparkSession, staging)
    jobs = Jobs(source.sparkSession, current)
    try:
        rows = numbered_rows(source, row_id, folder, jobs)
        n_missing = _count_missing(rows, jobs)
        table = _sampled(rows, size, jobs)
    finally:
        folder.remove()
    inspection = inspect_table(table, run=current)
    columns = tuple(
        replace(column, values=replace(column.values, n_missing=n_missing.get(column.name, column.values.n_missing)))
        for column in inspection.columns
    )
    n_inspected = None if table.num_rows == rows.n_records else table.num_rows
    name = fspath(frame) if isinstance(frame, str | PathLike) else None
    return replace(
        inspection, n_records=rows.n_records, columns=columns, file=name, n_inspected=n_inspected, on_cluster=True
    )


def _count_missing(rows: NumberedRows, jobs: Jobs) -> dict[str, int]:
    """Count the missing values of each column in all records."""
    from pyspark.sql import functions

    frame = rows.frame
    names = [name for name in rows.names if is_comparable(frame, name)]
    if not names:
        return {}
    counts = [functions.sum(compared(frame, name).isNull().cast("long")) for name in names]
    found = jobs("count missing values", frame.agg(*counts).collect)[0]
    return dict(zip(names, map(int, found), strict=True))


def _sampled(rows: NumberedRows, size: int, jobs: Jobs) -> Any:
    """Return the records whose numbers have the smallest hashes, in their order, as an Arrow table."""
    import pyarrow as pa
    from pyspark.sql import functions

    chosen = rows.frame
    if rows.n_records > size:
        chosen = chosen.orderBy(functions.xxhash64(ROW), ROW).limit(size)
    parts = [pa.ipc.open_stream(part).read_all() for part in collect_results(chosen, _serialised, jobs, "sample")]
    return pa.concat_tables(parts).sort_by(ROW).select(list(rows.names))


def _serialised(batches: Iterable[Any]) -> Iterator[bytes]:
    """Yield the records of a task as bytes of Arrow."""
    import pyarrow as pa

    for table in gathered(batches):
        stream = io.BytesIO()
        with pa.ipc.new_stream(stream, table.schema) as writer:
            writer.write_table(table)
        yield stream.getvalue()
