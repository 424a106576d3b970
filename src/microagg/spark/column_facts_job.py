"""Facts of whole columns, merged from those of the records of each task: encodings, and what aggregation needs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from microagg.aggregate.whole_columns import WholeColumn, whole_column
from microagg.model.encoding import Encoding
from microagg.model.exact_sum import ExactSum
from microagg.model.plan import Plan
from microagg.model.relative_weights import check_weights
from microagg.model.treatment import Level
from microagg.sampling_weights import MAX_WEIGHT, weight_error
from microagg.spark.cluster_parts import KeptRecords
from microagg.spark.column_summaries import Summaries, SummarisedColumn, merged_summaries, summaries_of
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import ROW, quoted
from microagg.spark.set_records import AllRecords
from microagg.spark.settled_schema import SettledSchema
from microagg.spark.task_results import collect_results


class WeightRange(NamedTuple):
    """Range of the weights of some records, and the first record whose weight is none.

    Parameters
    ----------
    n_records
        Number of records.
    smallest, largest
        Range of the weights.
    first_bad
        Number and weight of the first record whose weight is missing, infinite or not positive; None where all are
        good.
    """

    n_records: int
    smallest: float
    largest: float
    first_bad: tuple[int, float] | None

    def merged(self, other: "WeightRange") -> "WeightRange":
        """Return the range of both."""
        bad = [found for found in (self.first_bad, other.first_bad) if found is not None]
        return WeightRange(
            self.n_records + other.n_records,
            min(self.smallest, other.smallest),
            max(self.largest, other.largest),
            min(bad, default=None),
        )


class WeightFacts(NamedTuple):
    """What makes weights relative to their mean.

    Parameters
    ----------
    n_records
        Number of records.
    largest
        Largest weight.
    total
        Sum of all weights, each divided by the largest.
    """

    n_records: int
    largest: float
    total: ExactSum


@dataclass(frozen=True)
class SetFacts:
    """What is known of the columns of a set as a whole.

    Parameters
    ----------
    encoding
        How they become coordinates.
    whole
        What the aggregation takes from them, by name.
    summaries
        Their summaries, by name.
    """

    encoding: Encoding
    whole: Mapping[str, WholeColumn]
    summaries: Summaries


class ColumnFacts(NamedTuple):
    """What is known of all columns as a whole.

    Parameters
    ----------
    sets
        That of each column set.
    weights
        What makes weights relative; None where they do not count in the loss.
    """

    sets: tuple[SetFacts, ...]
    weights: WeightFacts | None


@dataclass(frozen=True)
class _Summarising:
    """Summarises the columns of all sets, and the weights, of the kept records of a task."""

    records: AllRecords
    columns: tuple[SummarisedColumn, ...]
    weight: str | None

    def __call__(self, batches: Iterable[Any]) -> Iterator[tuple[Summaries, WeightRange | None]]:
        found: Summaries = {}
        range_so_far: WeightRange | None = None
        for some in self.records.records(batches):
            weights = None
            if self.weight is not None:
                weights = some.table.numbers(self.weight)
                of_some = _weight_range(weights, some.rows)
                range_so_far = of_some if range_so_far is None else range_so_far.merged(of_some)
                weights = np.nan_to_num(weights, posinf=0.0, neginf=0.0)
            summaries = summaries_of(some.table, self.columns, some.rows, weights)
            found = merged_summaries([found, summaries]) if found else summaries
        if found:
            yield found, range_so_far


def _weight_range(weights: Any, rows: Any) -> WeightRange:
    bad = ~(weights > 0) | ~(weights <= MAX_WEIGHT)
    first_bad = None
    if bad.any():
        first = np.flatnonzero(bad)[rows[bad].argmin()]
        first_bad = int(rows[first]), float(weights[first])
    return WeightRange(len(weights), float(weights.min()), float(weights.max()), first_bad)


@dataclass(frozen=True)
class _SummingWeights:
    """Sums the weights of the kept records of a task, each divided by the largest."""

    records: AllRecords
    weight: str
    largest: float

    def __call__(self, batches: Iterable[Any]) -> Iterator[ExactSum]:
        total = ExactSum.of(np.zeros(0))
        for some in self.records.records(batches):
            total = total.merged(ExactSum.of(some.table.numbers(self.weight) / self.largest))
        yield total


def summarise_columns(frame: Any, schema: SettledSchema, kept: KeptRecords, jobs: Jobs) -> ColumnFacts:
    """Find out what must be known of whole columns.

    Parameters
    ----------
    frame
        The numbered records.
    schema
        The plan, and how the records are read.
    kept
        Which records are released.
    jobs
        Carries out the jobs.

    Raises
    ------
    InputError
        If a column has values that cannot be used, as they are missing, infinite, too large or too many.
    """
    plan = schema.plan
    listed = [
        (name, level, one.treatment)
        for one, levels in zip(plan.sets, schema.levels, strict=True)
        for name, level in levels.items()
    ]
    weight = plan.roles.weight
    names = dict.fromkeys(
        (*(name for name, _, _ in listed), *plan.roles.strata, *(() if weight is None else (weight,)))
    )
    chosen = frame.select(ROW, *map(quoted, names))
    records = AllRecords(schema.reader, kept)
    results = collect_results(chosen, _Summarising(records, tuple(listed), weight), jobs, "summarise columns")
    summaries = merged_summaries(of_task for of_task, _ in results)
    weights = results[0][1]
    for _, other_weights in results[1:]:
        weights = weights if weights is None or other_weights is None else weights.merged(other_weights)
    if weights is not None:
        _check_weights(plan, weights)
    sets = tuple(_set_facts(plan, number, levels, summaries) for number, levels in enumerate(schema.levels))
    if not any(one.weighted_loss for one in plan.sets):
        return ColumnFacts(sets, None)
    assert weight is not None, "checked by the plan"
    assert weights is not None, "there are weights"
    work = _SummingWeights(records, weight, weights.largest)
    total = ExactSum.of(np.zeros(0))
    for some in collect_results(chosen, work, jobs, "sum weights"):
        total = total.merged(some)
    return ColumnFacts(sets, WeightFacts(weights.n_records, weights.largest, total))


def _set_facts(plan: Plan, number: int, levels: Mapping[str, Level], summaries: Summaries) -> SetFacts:
    treatment = plan.sets[number].treatment
    may_miss = plan.missing_policy.missing != "error"
    own = {name: summaries[name] for name in levels}
    for summary in own.values():
        summary.check(may_miss=may_miss)
    encoding = Encoding(tuple(summary.encoding(treatment) for summary in own.values()), treatment)
    return SetFacts(encoding, {name: whole_column(summary) for name, summary in own.items()}, own)


def _check_weights(plan: Plan, weights: WeightRange) -> None:
    if weights.first_bad is not None:
        assert plan.roles.weight is not None, "there are weights"
        raise weight_error(plan.roles.weight, *weights.first_bad)
    if any(one.weighted_loss for one in plan.sets):
        check_weights(0, weights.smallest, weights.largest, weights.n_records)
