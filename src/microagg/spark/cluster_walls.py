"""Soft walls of the records of a DataFrame: a sample of them makes split trees, and each record finds its leaf."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.soft_walls import is_sampled, n_sample_wanted, tree_of_round
from microagg.spark.jobs import Jobs
from microagg.spark.record_fields import LEAF, PART, ROW
from microagg.spark.set_records import PointMaker, RecordReader
from microagg.spark.task_results import collect_results

if TYPE_CHECKING:
    from microagg.kernels.geometry.split_tree import SplitTree

Trees = dict[int, "SplitTree"]
"""Split trees of the parts that are divided, by the number of the part."""


class DividedPart(NamedTuple):
    """Part of the records that is divided into blocks.

    Parameters
    ----------
    n_records
        Number of its records.
    n_blocks
        Number of blocks that are wanted.
    k
        Smallest group allowed.
    """

    n_records: int
    n_blocks: int
    k: int


@dataclass(frozen=True)
class PartSample:
    """Sample of the records of a part, on which its split trees are built.

    Parameters
    ----------
    part
        The part.
    points
        Points of the sampled records, in the order of their rows.
    """

    part: DividedPart
    points: FloatArray

    def tree(self, number: int, random_state: int) -> "SplitTree":
        """Return the split tree of a round."""
        return tree_of_round(self.points, self.part.n_blocks, self.part.k, number, random_state)


@dataclass(frozen=True)
class _Sampling:
    """Takes the sampled records of the parts that are divided."""

    records: RecordReader
    points: PointMaker
    divided: dict[int, DividedPart]

    def __call__(self, batches: Iterable[Any]) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        found = []
        for some in self.records.records(batches):
            chosen = np.flatnonzero(self._is_sampled(some.rows, some.parts))
            if len(chosen):
                parts = some.parts[chosen]
                X = self.points.points_of_parts(some.table.in_order(chosen), parts)
                found.append((parts, some.rows[chosen], X))
        if found:
            columns = zip(*found, strict=True)
            parts, rows, points = map(np.concatenate, columns)
            yield parts, rows, points

    def _is_sampled(self, rows: IntArray, parts: IntArray) -> Any:
        sampled = np.zeros(len(rows), dtype=np.bool_)
        for number in np.unique(parts).tolist():
            part = self.divided.get(number)
            if part is not None:
                of_part = np.flatnonzero(parts == number)
                wanted = n_sample_wanted(part.n_blocks, part.k)
                sampled[of_part] = is_sampled(rows[of_part], part.n_records, wanted)
        return sampled


def take_samples(
    frame: Any, records: RecordReader, points: PointMaker, divided: dict[int, DividedPart], jobs: Jobs
) -> dict[int, PartSample]:
    """Return the sample of each part that is divided, which is the same however the records are spread.

    Parameters
    ----------
    frame
        The numbered records.
    records, points
        Read the records, and make points of them.
    divided
        Parts that are divided, by number.
    jobs
        Carries out the job.
    """
    results = collect_results(frame, _Sampling(records, points, divided), jobs, "sample")
    n_coordinates = sum(points.encoding.widths)
    parts = np.concatenate([np.empty(0, np.int64), *(one[0] for one in results)])
    rows = np.concatenate([np.empty(0, np.int64), *(one[1] for one in results)])
    X = np.concatenate([np.empty((0, n_coordinates)), *(one[2] for one in results)])
    order = np.lexsort((rows, parts))
    starts = np.searchsorted(parts[order], list(divided), side="left")
    ends = np.searchsorted(parts[order], list(divided), side="right")
    bounds = zip(divided.items(), starts.tolist(), ends.tolist(), strict=True)
    return {number: PartSample(part, X[order[start:end]]) for (number, part), start, end in bounds}


@dataclass(frozen=True)
class RoutingWork:
    """Routes records to the leaves of the trees of their parts; a part that is not divided has one leaf.

    Parameters
    ----------
    records, points
        Read the records, and make points of them.
    trees
        The trees of the first round.
    carried
        Columns that travel with the record.
    """

    records: RecordReader
    points: PointMaker
    trees: Trees
    carried: tuple[str, ...]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the carried columns, with row, part and leaf."""
        import pyarrow as pa

        for some in self.records.records(batches):
            leaves = self._leaves(some.table, some.parts)
            columns = {name: some.batch.column(name) for name in self.carried}
            own = {ROW: some.rows, PART: some.parts.astype(np.int32), LEAF: leaves.astype(np.int32)}
            yield from pa.table({**columns, **{name: pa.array(values) for name, values in own.items()}}).to_batches()

    def _leaves(self, table: Any, parts: IntArray) -> IntArray:
        from microagg.kernels.geometry.split_tree import route

        leaves = np.zeros(len(parts), dtype=np.int64)
        divided = np.flatnonzero(np.isin(parts, list(self.trees)))
        if not len(divided):
            return leaves
        X = self.points.points_of_parts(
            table if len(divided) == len(parts) else table.in_order(divided), parts[divided]
        )
        of_divided = parts[divided]
        for part in np.unique(of_divided).tolist():
            places = np.flatnonzero(of_divided == part)
            leaves[divided[places]] = route(self.trees[part], X[places])
        return leaves
