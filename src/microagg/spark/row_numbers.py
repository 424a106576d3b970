"""Numbers of the records of a DataFrame that are the same in every job: by file and place there, or by an id."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from microagg.model.errors import InputError
from microagg.spark.input_files import FileStamp
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import OWN_PREFIX, ROW, quoted
from microagg.spark.staging import Staging

_FILE = "__microagg_file"
_PLACE = "__microagg_place"
_SIZE = "__microagg_size"
_MODIFIED = "__microagg_modified"
_QUERY_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")


@dataclass(frozen=True, eq=False)
class NumberedRows:
    """Records with their numbers.

    Parameters
    ----------
    frame
        The DataFrame, with the number of each record in the column `ROW`.
    n_records
        Number of records.
    n_files
        Number of files that they come from.
    names
        Columns of the user, in order.
    end
        A number above all others: that of records where none is left out.
    files
        Stamp of each file that they come from, as Spark has listed it.
    """

    frame: Any
    n_records: int
    n_files: int
    names: tuple[str, ...]
    end: int
    files: Mapping[str, FileStamp] = field(default_factory=dict, repr=False)


def numbered_rows(frame: Any, row_id: str | None, staging: Staging, jobs: Jobs, what: str = "rows") -> NumberedRows:
    """Give each record of a DataFrame its number.

    Parameters
    ----------
    frame
        The DataFrame.
    row_id
        A column with a different value in every record: these are numbered in its order. None: the DataFrame reads
        files, and its records are numbered in the order of the names of the files, and in the order that they have
        there; so a folder of files gives the records the numbers that they have in one file after another.
    staging
        Where the records in the order of an id are kept.
    jobs
        Carries out what must be counted.
    what
        Which records they are, for the staging folder: "rows".

    Returns
    -------
    NumberedRows
        The records, numbered 0, 1, … where no filter has left some of a file's out.

    Raises
    ------
    InputError
        If the records have neither files nor an id, or an id is missing or not unique.
    """
    names = tuple(frame.columns)
    _check_names(names)
    if row_id is not None:
        frame = _in_order_of_id(frame, row_id, staging, jobs, what)
    return _numbered_by_files(frame, names, jobs)


def _check_names(names: tuple[str, ...]) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"the DataFrame has several columns {twice[0]!r}: give each a name of its own")
    alike = {name.lower(): name for name in names}
    for name in names:
        if alike[name.lower()] != name:
            raise InputError(
                f"the names of columns {name!r} and {alike[name.lower()]!r} differ in upper and lower case only, which "
                "Spark does not tell apart: rename one"
            )
    own = [name for name in names if name.startswith(OWN_PREFIX)]
    if own:
        raise InputError(f"column {own[0]!r} has a name that only microagg may give: rename it")


def _in_order_of_id(frame: Any, row_id: str, staging: Staging, jobs: Jobs, what: str) -> Any:
    """Store the records in files, in the order of their ids, and return a DataFrame of these files."""
    from pyspark.sql import functions

    check_ids(frame, row_id, jobs)
    column = functions.col(quoted(row_id))
    ordered = frame.repartitionByRange(column).sortWithinPartitions(column)
    jobs("ids", lambda: staging.store(ordered, f"{what}-by-id"))
    return staging.load(f"{what}-by-id")


def check_ids(frame: Any, row_id: str, jobs: Jobs) -> None:
    """Check that a column has a different value in every record.

    Parameters
    ----------
    frame
        The DataFrame.
    row_id
        The column.
    jobs
        Carries out the job.

    Raises
    ------
    InputError
        If there is no such column, or an id is missing or not unique.
    """
    from pyspark.sql import functions

    if row_id not in frame.columns:
        raise InputError(f"row_id {row_id!r} is no column of the DataFrame, which has {', '.join(frame.columns)}")
    column = functions.col(quoted(row_id))
    found = jobs(
        "ids",
        lambda: (
            frame.groupBy(column.alias("id"))
            .count()
            .agg(
                functions.max("count").alias("most"),
                functions.max(functions.col("id").isNull().cast("int")).alias("missing"),
            )
            .collect()[0]
        ),
    )
    if found["missing"]:
        raise InputError(f"row_id {row_id!r} is missing in some records: every record needs one")
    if found["most"] is not None and found["most"] > 1:
        raise InputError(f"row_id {row_id!r} is not unique, {found['most']} records share one: choose another column")


def _numbered_by_files(frame: Any, names: tuple[str, ...], jobs: Jobs) -> NumberedRows:
    """Give each record of a DataFrame that reads files its number."""
    from pyspark.errors import AnalysisException
    from pyspark.sql import functions

    try:
        with _unlogged_queries():
            placed = frame.select(
                "*",
                functions.col("_metadata.file_path").alias(_FILE),
                functions.col("_metadata.row_index").alias(_PLACE),
                functions.col("_metadata.file_size").alias(_SIZE),
                functions.expr("unix_millis(_metadata.file_modification_time)").alias(_MODIFIED),
            )
            _ = placed.schema  # Spark Connect looks at columns only then
    except AnalysisException:
        raise InputError(
            "the records have no stable numbers, as the DataFrame is not read from Parquet files alone: name a column "
            "that is different in every record, as in row_id='id' (--row-id), or write the records to files first"
        ) from None
    per_file = placed.groupBy(_FILE).agg(
        functions.count("*").alias("records"),
        functions.max(_PLACE).alias("last"),
        functions.sum(_PLACE).alias("sum"),
        functions.max(_SIZE).alias("size"),
        functions.max(_MODIFIED).alias("modified"),
    )
    files = sorted(jobs("rows", per_file.collect), key=lambda file: file[_FILE])
    _check_places(placed, [file for file in files if not _is_complete(file)], jobs)
    offsets = []
    n_before = 0
    for file in files:
        offsets.append((file[_FILE], n_before))
        n_before += file["last"] + 1
    n_records = sum(file["records"] for file in files)
    if not n_records:
        raise InputError("the DataFrame has no records")
    table = frame.sparkSession.createDataFrame(offsets, f"`{_FILE}` string, `__microagg_offset` long")
    numbered = placed.join(functions.broadcast(table), _FILE).select(
        *map(quoted, names),
        (functions.col("__microagg_offset") + functions.col(_PLACE)).alias(ROW),
    )
    stamps = {file[_FILE]: FileStamp(file["size"], file["modified"]) for file in files}
    return NumberedRows(numbered, n_records, len(files), names, n_before, stamps)


@contextmanager
def _unlogged_queries() -> Iterator[None]:
    """Keep Spark, in a `with` block, from logging queries that are wrong, before it raises their errors."""
    try:
        from pyspark.logger import PySparkLogger
    except ModuleNotFoundError:  # Spark 3.5, which logs none
        yield
        return
    loggers = [PySparkLogger.getLogger(name) for name in _QUERY_LOGGERS]
    before = [logger.disabled for logger in loggers]
    try:
        for logger in loggers:
            logger.disabled = True
        yield
    finally:
        for logger, was_disabled in zip(loggers, before, strict=True):
            logger.disabled = was_disabled


def _is_complete(file: Any) -> bool:
    """Check whether every record of a file is there once, by the number and the sum of their places."""
    last = file["last"]
    return bool(file["records"] == last + 1 and 2 * file["sum"] == last * (last + 1))


def _check_places(placed: Any, files: list[Any], jobs: Jobs) -> None:
    """Refuse records that are there several times, in files of which some may have been left out by a filter."""
    from pyspark.sql import functions

    if not files:
        return
    chosen = placed.filter(functions.col(_FILE).isin([file[_FILE] for file in files]))
    found = jobs("rows", chosen.select(_FILE, _PLACE).distinct().count)
    if found < sum(file["records"] for file in files):
        raise InputError(
            f"the DataFrame has records of {files[0][_FILE]}, or of another file, more than once: name a column that "
            "is different in every record, as in row_id='id' (--row-id)"
        )
