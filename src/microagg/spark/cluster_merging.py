"""Merging of parts that are too small, on a cluster: the sums of their points come from one more job."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.merge_parts import PartTally, merge_small_parts, parts_joined
from microagg.model.encoding import Encoding
from microagg.model.exact_sum import ExactSum, sums_by_code
from microagg.model.plan import Plan
from microagg.spark.batch_tables import BatchReader
from microagg.spark.cluster_parts import KeptRecords, Parts, SetParts, in_order_of_first, small_parts
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import ROW, quoted
from microagg.spark.set_records import AllRecords, PointMaker, RecordReader
from microagg.spark.task_results import collect_results

PartSums = dict[int, tuple[ExactSum, ...]]
"""Sum of each coordinate of the points of parts, by the number of the part."""


@dataclass(frozen=True)
class _Summing:
    """Sums the points of each part in the records of a task."""

    records: RecordReader
    points: PointMaker

    def __call__(self, batches: Iterable[Any]) -> Iterator[PartSums]:
        found: PartSums = {}
        for some in self.records.records(batches):
            X, _ = self.points.points(some.table)
            numbers, codes = np.unique(some.parts, return_inverse=True)
            sums = [sums_by_code(X[:, column], codes, len(numbers)) for column in range(X.shape[1])]
            found = _added(found, dict(zip(numbers.tolist(), zip(*sums, strict=True), strict=True)))
        yield found


def _added(one: PartSums, other: PartSums) -> PartSums:
    """Return the sums of both, by part."""
    both = dict(one)
    for number, sums in other.items():
        if number in both:
            sums = tuple(here.merged(there) for here, there in zip(both[number], sums, strict=True))
        both[number] = sums
    return both


def merge_set_parts(
    frame: Any,
    plan: Plan,
    number: int,
    reader: BatchReader,
    kept: KeptRecords,
    parts: SetParts,
    encoding: Encoding,
    jobs: Jobs,
) -> SetParts:
    """Let parts of a column set that are too small join the nearest ones, where the plan says so.

    Parameters
    ----------
    frame
        The numbered records.
    plan
        The plan, settled.
    number
        The number of the column set in the plan.
    reader
        Reads the records.
    kept
        Which records are released.
    parts
        The parts, none of which has joined another.
    encoding
        How the columns of the set become coordinates.
    jobs
        Carries out the job.

    Returns
    -------
    SetParts
        The parts that are left; the same as given, without any job, where none is too small.
    """
    k = plan.sets[number].k
    merges = plan.missing_policy.small_strata == "merge" and len(parts.facts) > 1
    if not merges or not small_parts(parts.facts, k, plan):
        return parts
    needed = dict.fromkeys((*plan.roles.strata, *parts.keys.lacking, *encoding.names, *kept.complete))
    records = RecordReader(AllRecords(reader, kept), parts.keys, parts.numbers)
    work = _Summing(records, PointMaker(encoding, {}))
    sums: PartSums = {}
    for result in collect_results(frame.select(ROW, *map(quoted, needed)), work, jobs, "sum parts"):
        sums = _added(sums, result)
    pairs = merge_small_parts(_tallies(parts, sums), k)
    return _merged(parts, pairs)


def _tallies(parts: SetParts, sums: PartSums) -> list[PartTally]:
    """Return what tells of each part which one is near."""
    n_strata = len(parts.keys.strata)
    strata: dict[Any, int] = {}
    tallies = []
    for number, (key, facts) in enumerate(parts.facts.items()):
        stratum = strata.setdefault(key[:n_strata], len(strata))
        present = tuple(facts.n_present.tolist())
        tallies.append(PartTally(stratum, facts.n_records, sums[number], facts.n_records, present))
    return tallies


def _merged(parts: SetParts, pairs: list[tuple[int, int]]) -> SetParts:
    """Return the parts after some have joined others."""
    keys = list(parts.facts)
    joined = {}
    left: Parts = {}
    for part, target in enumerate(parts_joined(len(keys), pairs).tolist()):
        key = keys[target]
        facts = parts.facts[keys[part]]
        left[key] = left[key].merged(facts) if key in left else facts
        if target != part:
            joined[keys[part]] = key
    merged = tuple((keys[part], keys[other]) for part, other in pairs)
    return SetParts(parts.keys, parts.names, in_order_of_first(left), joined, merged)
