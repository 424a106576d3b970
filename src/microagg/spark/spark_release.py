"""Result of `microagg.spark.protect`: where the release is, how it was made, and its measures."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import Any

import numpy as np

from microagg.join import sum_of_costs
from microagg.measure.table_accumulator import TableAccumulator
from microagg.model.errors import ClusterError, InputError
from microagg.model.measures import Measures
from microagg.model.names import quantity
from microagg.model.plan import Plan
from microagg.model.presentation import Reportable
from microagg.model.rule_cost import RuleCost
from microagg.model.treatment import together
from microagg.model.verdict import Exposure, Verdict
from microagg.spark.cluster_rounds import SetRounds
from microagg.spark.column_facts_job import SetFacts
from microagg.spark.jobs import Jobs, StageTime
from microagg.spark.joined_release import RELEASE, StoredRelease, count_reached, smallest_group
from microagg.spark.record_fields import GROUP, ROW
from microagg.spark.released_block import BlockFacts, CountedMoments, FoundBlocks
from microagg.spark.row_numbers import NumberedRows
from microagg.spark.set_division import SetDivision
from microagg.spark.staging import Staging


@dataclass(frozen=True)
class PartResult:
    """What was found in one part of the records.

    Parameters
    ----------
    name
        What its records share.
    n_records, n_groups
        Number of records and of groups.
    sse
        Within-group squares.
    """

    name: str
    n_records: int
    n_groups: int
    sse: float


@dataclass(frozen=True, eq=False)
class SparkSetRelease:
    """Result for one column set.

    Parameters
    ----------
    columns
        The protected columns.
    k
        Smallest group allowed.
    method
        Name of the method, as it was carried out.
    reason
        Why it was carried out so.
    sizes
        Number of groups of each size that occurs.
    sse, sst
        Within-group squares, and total squares.
    measures
        Measures of the released columns.
    parts
        What was found in each part, where strata or missing values divide the records.
    rule_costs
        What each rule of privacy has cost.
    n_blocks, n_rounds
        Number of blocks of the last round, and of rounds.
    facts
        What is known of the columns as a whole.
    measured
        Sums from which the measures were computed.
    merged_parts
        Names of parts that were too small, each with that of the part that it has joined.
    n_below_k, k_if_missing_agrees
        As of a `SetRelease`.
    """

    columns: tuple[str, ...]
    k: int
    method: str
    reason: str
    sizes: dict[int, int] = field(repr=False)
    sse: float
    sst: float
    measures: Measures = field(repr=False)
    parts: tuple[PartResult, ...] = field(repr=False)
    rule_costs: tuple[RuleCost, ...] = field(repr=False)
    n_blocks: int
    n_rounds: int
    facts: SetFacts = field(repr=False)
    measured: TableAccumulator = field(repr=False)
    merged_parts: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    n_below_k: int = 0
    k_if_missing_agrees: int | None = None

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return sum(self.sizes.values())

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent."""
        return 100.0 * self.sse / self.sst if self.sst else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class SparkRelease(Reportable):
    """Protected DataFrame, with the measures of its groups; a context manager, as it rests in a staging folder.

    Parameters
    ----------
    frame
        DataFrame of the release, in the order of the input; it lasts until the release is written or closed.
    rows
        The numbered records that it was made of.
    plan
        The plan with every choice settled: the same plan on the same input gives the same release.
    sets
        Result for each column set.
    n_records
        Number of records that are released.
    made
        When it was made.
    stage_times
        What each stage has taken.
    together
        Measures of all protected columns together; of several sets, the columns are scaled to variance 1.
    identifying
        Columns besides the protected ones that differ in every record.
    of_sets
        DataFrame of each column set: row, group and released columns.
    staging
        Where everything rests.
    path
        Where the release was written to; None where it was not.
    exposure
        Whom all released columns that others may know single out together.
    verdict
        Whether k holds of all released columns that others may know, or of less than these; what was counted, and
        every warning.

    Notes
    -----
    The object knows the original data, as the staging folder does: close it, and keep neither longer than the
    originals.
    """

    frame: Any
    rows: NumberedRows
    plan: Plan
    sets: tuple[SparkSetRelease, ...]
    n_records: int
    made: datetime
    stage_times: tuple[StageTime, ...]
    together: Measures
    identifying: tuple[str, ...]
    of_sets: tuple[Any, ...]
    staging: Staging
    path: str | None = None
    exposure: Exposure | None = None
    verdict: Verdict | None = None

    def __repr__(self) -> str:
        losses = ", ".join(f"{one.measures.information_loss:.4f} %" for one in self.sets)
        ks = ", ".join(str(one.k) for one in self.sets)
        verdict = "not looked at as a whole" if self.verdict is None else self.verdict.headline
        return f"SparkRelease({quantity(self.n_records, 'record')}, k = {ks}, information loss {losses}, {verdict})"

    def __enter__(self) -> "SparkRelease":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def columns(self) -> tuple[str, ...]:
        """Every protected column."""
        return tuple(name for one in self.sets for name in one.columns)

    @property
    def n_suppressed(self) -> int:
        """Number of records that are left out of the release."""
        return self.rows.n_records - self.n_records

    @property
    def groups(self) -> Any:
        """DataFrame of the number of each record, and of its group in each column set: that of the first in it."""
        names = ["group"] if len(self.of_sets) == 1 else [f"group_{number + 1}" for number in range(len(self.of_sets))]
        labelled = [
            one.select(ROW, GROUP).withColumnRenamed(GROUP, name) for one, name in zip(self.of_sets, names, strict=True)
        ]
        return reduce(lambda one, other: one.join(other, ROW), labelled).withColumnRenamed(ROW, "row")

    def write(self, path: str) -> "SparkRelease":
        """Write the release to a new folder: it appears there as a whole, with `_SUCCESS`, or not at all.

        Parameters
        ----------
        path
            The folder, which must not exist.

        Returns
        -------
        SparkRelease
            The same release, whose DataFrame is that of the folder.

        Raises
        ------
        WriteError
            If there is such a folder, or it cannot be written.
        """
        if self.path is not None:
            raise InputError(f"the release was written to {self.path} already: copy that folder")
        self.staging.folders.publish(self.staging.place(RELEASE), path)
        return replace(self, frame=self.frame.sparkSession.read.parquet(path), path=path)

    def close(self) -> None:
        """Remove the staging folder: what was not written is gone."""
        self.staging.remove()


def set_release(rounds: SetRounds, found: FoundBlocks, stored: StoredRelease, jobs: Jobs) -> SparkSetRelease:
    """Put together what is known of a column set, and check what was stored of it.

    Parameters
    ----------
    rounds
        The rounds of the set.
    found
        What is known of its blocks.
    stored
        The release as it was stored.
    jobs
        Carries out the jobs.

    Raises
    ------
    ClusterError
        If what was stored does not reach k.
    """
    division = rounds.division
    wanted = division.wanted
    columns = tuple(wanted.columns or ())
    blocks = found.blocks
    unit = division.plan.roles.unit
    reached = count_reached(stored.countable, columns, division.counted_strata, unit, wanted.k, jobs)
    k_in_blocks = min(block.k_reached for block in blocks)
    if division.counts_groups:
        k_stored = smallest_group(rounds.released, jobs)
    else:
        k_stored = reached.k_reached
        if stored.countable is not stored.frame:
            k_stored = min(k_stored, stored.smallest_class(columns, jobs))
    if min(k_in_blocks, k_stored) < wanted.k:
        smallest = min(k_in_blocks, k_stored)
        raise ClusterError(f"the release reaches only k = {smallest}, not {wanted.k}: nothing is released")
    moments = reduce(CountedMoments.merged, (block.moments for block in blocks))
    sst = float(moments.squares.sum())
    sse = float(sum(block.sse for block in blocks))
    return SparkSetRelease(
        columns,
        wanted.k,
        division.method(blocks),
        division.reason(blocks),
        _sizes(blocks),
        sse,
        sst,
        found.measured.measures(reached.k_reached, reached.n_patterns),
        _parts(division, blocks),
        _costs(blocks, sst),
        len(blocks),
        division.n_rounds,
        rounds.facts,
        found.measured,
        division.set_parts.merged_names,
        reached.n_below_k,
        k_in_blocks if division.counts_groups else None,
    )


def measure_together(plan: Plan, sets: Sequence[SparkSetRelease], released: Any, jobs: Jobs) -> Measures:
    """Measure all protected columns together: several sets, each k-anonymous on its own, need not be so together.

    Parameters
    ----------
    plan
        The plan, settled.
    sets
        Result for each column set.
    released
        DataFrame of the release, in which k is counted.
    jobs
        Carries out the job.
    """
    if len(sets) == 1:
        return sets[0].measures
    treatment = together([one.facts.encoding.treatment for one in sets])
    encodings = {name: summary.encoding(treatment) for one in sets for name, summary in one.facts.summaries.items()}
    measured: list[Any] = [column for one in sets for column in one.measured.columns]
    columns = [replace(column, encoding=encodings[column.encoding.name]) for column in measured]
    names = [name for one in sets for name in one.columns]
    strata = () if plan.missing_policy.small_strata == "merge" else plan.roles.strata
    reached = count_reached(released, names, strata, plan.roles.unit, sets[0].k, jobs)
    whole = TableAccumulator(sets[0].measured.n_records, tuple(columns))
    return whole.measures(reached.k_reached, reached.n_patterns)


def _sizes(blocks: Sequence[BlockFacts]) -> dict[int, int]:
    """Return how many groups of each size there are in all blocks."""
    sizes: dict[int, int] = {}
    for block in blocks:
        for size, number in zip(block.sizes.tolist(), block.n_groups.tolist(), strict=True):
            sizes[size] = sizes.get(size, 0) + number
    return dict(sorted(sizes.items()))


def _parts(division: SetDivision, blocks: Sequence[BlockFacts]) -> tuple[PartResult, ...]:
    """Return what was found in each part; nothing where there is only one."""
    if len(division.parts) == 1:
        return ()
    n_groups = np.zeros(len(division.parts), dtype=np.int64)
    sse = np.zeros(len(division.parts))
    for block in blocks:
        n_groups[block.part] += int(block.n_groups.sum())
        sse[block.part] += block.sse
    return tuple(
        PartResult(division.part_name(number), part.n_records, int(n_groups[number]), float(sse[number]))
        for number, part in enumerate(division.parts.values())
    )


def _costs(blocks: Sequence[BlockFacts], sst: float) -> tuple[RuleCost, ...]:
    """Return what each rule has cost in all blocks together."""
    shares = [float(block.moments.squares.sum()) / sst if sst else 0.0 for block in blocks]
    return sum_of_costs(shares, [block.costs for block in blocks])
