"""Release as a whole: the columns of all sets beside those that are released unchanged, in the order of the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microagg.model.errors import ClusterError
from microagg.model.plan import Plan
from microagg.spark.block_assignment import partition_keys
from microagg.spark.compared_values import compared, distinct_count
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import GROUP, KEY, ROW, quoted
from microagg.spark.row_numbers import NumberedRows
from microagg.spark.staging import Staging

RELEASE = "release"
_RECORDS_PER_FILE = 1_000_000


@dataclass(frozen=True)
class ReachedK:
    """What is counted in a release.

    Parameters
    ----------
    k_reached
        Smallest number of records, or units, that share their values in some columns.
    n_patterns
        Number of distinct combinations of these values.
    n_below_k
        Number of records that share their values with fewer than k − 1 others.
    """

    k_reached: int
    n_patterns: int
    n_below_k: int


def store_release(
    rows: NumberedRows, plan: Plan, sets: Sequence[Any], n_kept: int, staging: Staging, jobs: Jobs
) -> Any:
    """Store the release in the staging folder, and count its records.

    Parameters
    ----------
    rows
        The numbered records.
    plan
        The plan, settled.
    sets
        DataFrame of each column set: row, group and released columns.
    n_kept
        Number of records that are released.
    staging
        Where it is stored, under the name `RELEASE`.
    jobs
        Carries out the jobs.

    Returns
    -------
    DataFrame
        The release as it was stored.

    Raises
    ------
    ClusterError
        If it has not as many records as it must have.
    """
    from pyspark.sql import functions

    left_out = {*plan.drop, *plan.roles.identifiers}
    names = [name for name in rows.names if name not in left_out]
    protected = {name for one in plan.sets for name in one.columns or ()}
    others = [name for name in names if name not in protected]
    joined = sets[0].drop(GROUP)
    for other in sets[1:]:
        joined = joined.join(other.drop(GROUP), ROW)
    if others:
        joined = joined.join(rows.frame.select(ROW, *map(quoted, others)), ROW)
    n_files = max(rows.n_files, -(-n_kept // _RECORDS_PER_FILE))
    keys = jobs("join", lambda: partition_keys(rows.frame.sparkSession, n_files))
    place = functions.expr(f"cast(`{ROW}` * {n_files} div {rows.end} as int)")
    key = functions.element_at(functions.array(*map(functions.lit, keys)), place + 1)
    ordered = joined.withColumn(KEY, key).repartition(n_files, KEY).sortWithinPartitions(ROW)
    jobs("join", lambda: staging.store(ordered.select(*map(quoted, names)), RELEASE))
    stored = staging.load(RELEASE)
    n_stored = jobs("check", stored.count)
    if n_stored != n_kept:
        raise ClusterError(f"expected {n_kept} records in the release, found {n_stored}: nothing is released")
    return stored


@dataclass(frozen=True)
class StoredRelease:
    """Release as it was stored, in which k is counted.

    Parameters
    ----------
    frame
        DataFrame of the release.
    countable
        The same; where strata or units are left out of it, its columns beside theirs, from the input and from what the
        sets have stored.
    """

    frame: Any
    countable: Any

    @classmethod
    def of(cls, frame: Any, rows: NumberedRows, plan: Plan, sets: Sequence[Any]) -> "StoredRelease":
        """Return a release in which k can be counted.

        Parameters
        ----------
        frame
            The release as it was stored.
        rows
            The numbered records.
        plan
            The plan, settled.
        sets
            DataFrame of each column set, as it was stored: row, group and released columns.
        """
        unit = plan.roles.unit
        names = dict.fromkeys((*plan.roles.strata, *(() if unit is None else (unit,))))
        if all(name in frame.columns for name in names):
            return cls(frame, frame)
        protected = {name for one in sets for name in one.columns}
        names |= dict.fromkeys(name for name in frame.columns if name not in protected)
        joined = rows.frame.select(ROW, *map(quoted, names))
        for one in sets:
            joined = joined.join(one.drop(GROUP), ROW)
        return cls(frame, joined)

    def smallest_class(self, columns: Sequence[str], jobs: Jobs) -> int:
        """Count how many records of the release itself share their values in some columns, at least.

        Parameters
        ----------
        columns
            The columns.
        jobs
            Carries out the job.
        """
        return count_reached(self.frame, columns, (), None, 1, jobs).k_reached


def count_reached(
    released: Any, columns: Sequence[str], strata: Sequence[str], unit: str | None, k: int, jobs: Jobs
) -> ReachedK:
    """Count how many records of what was stored share their values in some columns, within strata.

    Parameters
    ----------
    released
        The DataFrame.
    columns
        The columns.
    strata
        Columns within whose combinations of values is counted.
    unit
        Column whose distinct values are counted; None: records are.
    k
        Number that is asked for.
    jobs
        Carries out the job.
    """
    from pyspark.sql import functions

    values = [compared(released, name).alias(f"value{place}") for place, name in enumerate(columns)]
    within = [compared(released, name).alias(f"stratum{place}") for place, name in enumerate(strata)]
    number = functions.count("*") if unit is None else distinct_count(compared(released, unit))
    classes = released.groupBy(*within, *values).agg(number.alias("number"), functions.count("*").alias("records"))
    pattern = functions.struct(*(f"value{place}" for place in range(len(columns))))
    patterns = functions.countDistinct(pattern) if strata else functions.count("*")
    small = functions.sum(functions.when(functions.col("number") < k, functions.col("records")).otherwise(0))
    counted = classes.agg(functions.min("number").alias("least"), patterns.alias("patterns"), small.alias("small"))
    found = jobs("check", counted.collect)[0]
    return ReachedK(int(found["least"]), int(found["patterns"]), int(found["small"]))


def smallest_group(released: Any, jobs: Jobs) -> int:
    """Count the records of each group of a column set, as they were stored, and return the smallest number.

    Parameters
    ----------
    released
        DataFrame of the set: row, group and released columns.
    jobs
        Carries out the job.
    """
    from pyspark.sql import functions

    return int(jobs("check", released.groupBy(GROUP).count().agg(functions.min("count")).collect)[0][0])
