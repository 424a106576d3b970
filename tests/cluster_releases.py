"""Releases of one machine, told as a cluster tells of the same groups: for tests of reports where there is no Spark."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import polars as pl

from microagg import Release, SetRelease
from microagg.aggregate.whole_columns import WholeColumn
from microagg.model.table import Table
from microagg.spark import SparkRelease, SparkSetRelease
from microagg.spark.column_facts_job import SetFacts
from microagg.spark.jobs import StageTime
from microagg.spark.row_numbers import NumberedRows
from microagg.spark.spark_release import PartResult

STAGES = (
    StageTime("rows", 0.5, 2),
    StageTime("check", 1.0, 3),
    StageTime("blocks, round 1 of 1", 10.25, 40),
    StageTime("check", 2.0, 4),
)
SPARK = "4.0.1"


class StoredFrame:
    """Stands for a DataFrame of Spark that is read from files: as much of it as reports need.

    Parameters
    ----------
    records
        The records.
    files
        Addresses of the files.
    """

    def __init__(self, records: pl.DataFrame, files: tuple[str, ...]) -> None:
        self.columns = records.columns
        self.sparkSession = SimpleNamespace(version=SPARK)
        self._records = records
        self._files = files

    def inputFiles(self) -> list[str]:  # noqa: N802
        """Return the addresses of the files."""
        return list(self._files)

    def select(self, *quoted: str) -> "StoredFrame":
        """Return some columns, named as in SQL."""
        names = [name[1:-1].replace("``", "`") for name in quoted]
        return StoredFrame(self._records.select(names), self._files)

    def toDF(self, *names: str) -> "StoredFrame":  # noqa: N802
        """Return the same columns by other names."""
        return StoredFrame(self._records.rename(dict(zip(self.columns, names, strict=True))), self._files)

    def groupBy(self, *names: str) -> "StoredFrame":  # noqa: N802
        """Return the columns whose values are to be counted."""
        return StoredFrame(self._records.select(names), self._files)

    def count(self) -> "StoredFrame":
        """Return each combination of values, and how often it occurs."""
        counts = Counter(self._records.rows())
        rows = [(*values, number) for values, number in counts.items()]
        return StoredFrame(
            pl.DataFrame(rows, schema=[*(f"{name} " for name in self.columns), "count"], orient="row"), ()
        )

    def collect(self) -> list[Any]:
        """Return the records."""
        return self._records.rows()


class StagingFolder:
    """Stands for the staging folder of a release.

    Parameters
    ----------
    is_there
        Whether it is there.
    """

    path = "/staging/.microagg-1"

    def __init__(self, is_there: bool = True) -> None:
        self.folders = SimpleNamespace(exists=lambda path: is_there)

    def place(self, name: str) -> str:
        """Return the path of what is stored under a name."""
        return f"{self.path}/{name}"


def as_cluster_release(
    release: Release,
    *,
    files: tuple[str, ...] = ("file:/data/people/part-0.parquet", "file:/data/people/part-1.parquet"),
    path: str | None = None,
    is_there: bool = True,
) -> SparkRelease:
    """Return a release of one machine as it would come from a cluster.

    Parameters
    ----------
    release
        The release of one machine, of a dataframe.
    files
        Files that the records are said to come from.
    path
        Folder that it is said to be written to.
    is_there
        Whether the staging folder is said to be there.
    """
    original = Table(release.table.source)
    rows = NumberedRows(
        StoredFrame(pl.DataFrame(), files), original.n_records, len(files), original.names, original.n_records
    )
    assert release.together is not None
    staging: Any = StagingFolder(is_there)
    return SparkRelease(
        StoredFrame(pl.DataFrame(release.data), ("file:/staging/.microagg-1/release/part-0.parquet",)),
        rows,
        release.plan,
        tuple(_set_release(release, one) for one in release.sets),
        release.table.n_records,
        release.made,
        STAGES,
        release.together,
        release.identifying,
        (),
        staging,
        path,
        release.exposure,
        release.verdict,
    )


def _set_release(release: Release, one: SetRelease) -> SparkSetRelease:
    solution = one.solution
    encoding = solution.encoding
    assert encoding is not None
    whole = {name: WholeColumn(release.table.kind(name), release.table.kind(name) == "integer") for name in one.columns}
    parts = tuple(
        PartResult(part.part.name, len(part.part.records), part.solution.n_groups, part.solution.sse)
        for part in solution.parts
    )
    measured: Any = None
    return SparkSetRelease(
        one.columns,
        one.k,
        solution.method,
        solution.reason,
        dict(sorted(Counter(solution.sizes.tolist()).items())),
        solution.sse,
        solution.sst,
        one.measures,
        parts,
        solution.rule_costs,
        1,
        1,
        SetFacts(encoding, whole, {}),
        measured,
        solution.merged_parts,
        one.n_below_k,
        one.k_if_missing_agrees,
    )
