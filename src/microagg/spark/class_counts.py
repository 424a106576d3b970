"""Classes of records that share their values in some columns of a DataFrame, counted where the records are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from microagg.check.anonymity_check import ClassTally
from microagg.check.row_tally import NO_ROWS, RowTally
from microagg.spark.compared_values import compared, distinct_count, is_comparable
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import ROW

_ROWS_SHOWN = 5
_STAGE = "count classes"
_NEARLY_ALL = 0.8  # of the records: an estimate of different values above this is counted exactly
_COLUMNS_AT_ONCE = 8  # that one job counts exactly: Spark sends each record once for each, as wide as all of them


class CountedClasses(NamedTuple):
    """Classes of records.

    Parameters
    ----------
    tally
        Their numbers and sizes, in records or units.
    most_records
        Number of records of the largest.
    """

    tally: ClassTally
    most_records: int


def count_classes(frame: Any, names: Sequence[str], k: int, jobs: Jobs, unit: str | None = None) -> CountedClasses:
    """Count the classes of records that share their values in some columns.

    Parameters
    ----------
    frame
        The numbered records.
    names
        The columns; a missing value is a value of its own.
    k
        Smallest class that is large enough.
    jobs
        Carries out the jobs.
    unit
        Column whose different values are counted in each class; None to count records.

    Returns
    -------
    CountedClasses
        With the first rows of classes that are too small.
    """
    from pyspark.sql import functions

    keys = [f"__microagg_class_{number}" for number in range(len(names))]
    classed = frame.select(
        ROW,
        *(compared(frame, name).alias(key) for name, key in zip(names, keys, strict=True)),
        *(() if unit is None else (compared(frame, unit).alias("__microagg_unit"),)),
    )
    records = functions.count("*")
    size = records
    if unit is not None:
        size = distinct_count(functions.col("__microagg_unit"))
    classes = classed.groupBy(*keys).agg(records.alias("records"), size.alias("size"))
    is_small = functions.col("size") < k
    found = jobs(
        _STAGE,
        classes.agg(
            functions.count("*").alias("classes"),
            functions.min("size").alias("least"),
            functions.max("size").alias("most"),
            functions.max("records").alias("records"),
            functions.sum(is_small.cast("long")).alias("small"),
            functions.sum(functions.when(is_small, functions.col("records")).otherwise(0)).alias("small_records"),
        ).collect,
    )[0]
    rows = NO_ROWS
    if found["small"]:
        small = classes.filter(is_small).select(*(functions.col(key).alias(f"{key}_small") for key in keys))
        same = [functions.col(key).eqNullSafe(functions.col(f"{key}_small")) for key in keys]
        first = classed.join(small, same, "left_semi").select(ROW).orderBy(ROW).limit(_ROWS_SHOWN)
        rows = RowTally(int(found["small_records"]), tuple(row[0] for row in jobs(_STAGE, first.collect)))
    tally = ClassTally(int(found["classes"]), int(found["small"]), int(found["least"]), int(found["most"]), rows)
    return CountedClasses(tally, int(found["records"]))


def identifying_columns(frame: Any, names: Sequence[str], n_records: int, jobs: Jobs) -> tuple[str, ...]:
    """Return those of some columns that differ in every record.

    Parameters
    ----------
    frame
        The numbered records.
    names
        The columns that are looked at; those of arrays, maps and structures are not.
    n_records
        Number of records.
    jobs
        Carries out the jobs.
    """
    from pyspark.sql import functions

    looked_at = [name for name in names if is_comparable(frame, name)]
    if n_records < 2 or not looked_at:
        return ()
    estimates = [functions.approx_count_distinct(compared(frame, name), 0.05) for name in looked_at]
    found = jobs(_STAGE, frame.agg(*estimates).collect)[0]
    candidates = [name for name, number in zip(looked_at, found, strict=True) if number > _NEARLY_ALL * n_records]
    unique: list[str] = []
    for start in range(0, len(candidates), _COLUMNS_AT_ONCE):
        unique += _unique_columns(frame, candidates[start : start + _COLUMNS_AT_ONCE], n_records, jobs)
    return tuple(unique)


def _unique_columns(frame: Any, names: Sequence[str], n_records: int, jobs: Jobs) -> list[str]:
    numbers = [distinct_count(compared(frame, name)) for name in names]
    found = jobs(_STAGE, frame.agg(*numbers).collect)[0]
    return [name for name, number in zip(names, found, strict=True) if number == n_records]
