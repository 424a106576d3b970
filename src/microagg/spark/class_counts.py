"""Classes of records that share their values in some columns of a DataFrame, counted where the records are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from microagg.check.anonymity_check import ClassTally
from microagg.check.row_tally import NO_ROWS, RowTally
from microagg.exposure import UNKNOWN
from microagg.model.inspection import SinglingOut
from microagg.model.plan import Plan
from microagg.model.verdict import Exposure, Unknown
from microagg.spark.compared_values import compared, distinct_count, is_comparable
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import ROW

_ROWS_SHOWN = 5
_STAGE = "count classes"
_NEARLY_ALL = 0.8  # of the records: an estimate of different values above this is counted exactly
_MAY_BE_NEARLY_ALL = 0.7  # of the records: columns with more different values, by an estimate, are looked at
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


def unique_records(frame: Any, names: Sequence[str], n_records: int, jobs: Jobs) -> dict[str, int]:
    """Return the number of records that each of some columns alone makes unique, of those that may make nearly all so.

    Parameters
    ----------
    frame
        The records.
    names
        The columns that are looked at.
    n_records
        Number of records.
    jobs
        Carries out the jobs.
    """
    from pyspark.sql import functions

    looked_at = [name for name in names if is_comparable(frame, name)]
    if not n_records or not looked_at:
        return {}
    estimates = [functions.approx_count_distinct(compared(frame, name), 0.05) for name in looked_at]
    found = jobs(_STAGE, frame.agg(*estimates).collect)[0]
    candidates = [
        name for name, number in zip(looked_at, found, strict=True) if number > _MAY_BE_NEARLY_ALL * n_records
    ]
    return {name: singled_out(frame, [name], jobs).n_unique for name in candidates}


def singled_out(frame: Any, names: Sequence[str], jobs: Jobs) -> SinglingOut:
    """Count the records that columns single out together."""
    _, *counts = _records_below(frame, names, (2, 3, 5), jobs)
    return SinglingOut(tuple(names), *counts)


def _records_below(
    frame: Any, names: Sequence[str], sizes: Sequence[int], jobs: Jobs, unit: str | None = None
) -> list[int]:
    """Return the smallest size of a class, in records or units, and how many records are in classes below each size."""
    from pyspark.sql import functions

    keys = [compared(frame, name).alias(f"__microagg_key_{number}") for number, name in enumerate(names)]
    size = functions.count("*") if unit is None else distinct_count(compared(frame, unit))
    classes = frame.groupBy(*keys).agg(functions.count("*").alias("records"), size.alias("size"))
    below = [functions.when(functions.col("size") < few, functions.col("records")).otherwise(0) for few in sizes]
    found = jobs(_STAGE, classes.agg(functions.min("size"), *map(functions.sum, below)).collect)[0]
    return [int(number or 0) for number in found]


def expose(frame: Any, names: Sequence[str], plan: Plan, n_records: int, jobs: Jobs) -> Exposure:
    """Count whom the released columns single out that others may know, as `exposure.expose` does.

    It is not looked at which columns tell protected ones, or look like identifiers.

    Parameters
    ----------
    frame
        The records of the release; the unit may be among its columns though it is not released.
    names
        The released columns. Those of arrays, maps and structures are not compared.
    plan
        The plan, which names the columns of each set.
    n_records
        Number of records.
    jobs
        Carries out the jobs.
    """
    roles = {name: said for role, said in UNKNOWN.items() for name in plan.roles.columns_of(role)}
    roles |= {name: "not compared" for name in names if not is_comparable(frame, name)}
    known = [name for name in names if name not in roles]
    protected = {name for one in plan.sets for name in one.columns or ()}
    unchanged = tuple(name for name in known if name not in protected)
    k = min(one.k for one in plan.sets)
    unit = plan.roles.unit if plan.roles.unit in frame.columns else None
    reached, n_unique, n_below_k = _records_below(frame, known, (2, k), jobs, unit)
    return Exposure(
        tuple(known),
        tuple(Unknown(name, roles[name]) for name in names if name in roles),
        unchanged,
        n_records,
        k,
        reached,
        n_unique,
        n_below_k,
        unit,
        (singled_out(frame, unchanged, jobs),) if unchanged else (),
    )


def _unique_columns(frame: Any, names: Sequence[str], n_records: int, jobs: Jobs) -> list[str]:
    numbers = [distinct_count(compared(frame, name)) for name in names]
    found = jobs(_STAGE, frame.agg(*numbers).collect)[0]
    return [name for name, number in zip(names, found, strict=True) if number == n_records]
