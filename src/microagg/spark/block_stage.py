"""Work of a task on blocks: solve or refine each, and in the last round aggregate, check and measure it."""

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microagg.block_rules import is_satisfiable
from microagg.block_task import BlockTask
from microagg.constrain import constrain
from microagg.control.run import Run
from microagg.control.stages import Refine
from microagg.methods import Pipeline
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.errors import ClusterError, InputError, MicroaggError
from microagg.model.group_rules import GroupRules
from microagg.model.partition import Partition
from microagg.model.plan import Plan
from microagg.model.problem import Problem
from microagg.model.relative_weights import relative_weights
from microagg.model.rule_cost import RuleCost
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.privacy_rules import group_rules
from microagg.solve_whole import solve_whole
from microagg.spark.batch_tables import BatchReader, numbers_of, runs_of_equal
from microagg.spark.column_facts_job import WeightFacts
from microagg.spark.record_fields import BEFORE, BLOCK, GROUP, LEAF, ORIGIN, PART, ROW
from microagg.spark.released_block import FoundBlocks, ReleaseWork, first_rows
from microagg.spark.set_records import PointMaker

if TYPE_CHECKING:
    from microagg.kernels.geometry.split_tree import SplitTree

_UNSATISFIABLE = (
    "its records cannot satisfy the rules of the plan: choose a larger block_size (--block-size), coarser strata "
    "(--strata) or weaker rules, or use one machine, which joins such blocks"
)


class PartWork(NamedTuple):
    """What a task must know of a part.

    Parameters
    ----------
    name
        What its records share.
    stages
        The pipeline of its blocks; of a part that is taken whole, the one that is chosen.
    is_whole
        Whether it is taken whole: then it is one block, solved in one round.
    refiners
        The refiners of the round.
    next_tree
        The split tree of the next round; None where there is none.
    """

    name: str
    stages: Pipeline
    is_whole: bool
    refiners: tuple[Refine, ...]
    next_tree: "SplitTree | None"


@dataclass(frozen=True)
class BlockWork:
    """Solves the blocks of a round; an object of it is sent to every task.

    Parameters
    ----------
    plan
        The plan, without strata: no block has records of two.
    wanted
        The column set.
    reader
        Reads Arrow tables.
    points
        Makes points of records.
    weights
        What makes weights relative; None where all records count alike in the loss.
    parts
        The parts, by number.
    sizes
        Number of records of blocks, as far as it is known, by part and block.
    number
        The number of the round, from 0.
    iterations
        Limit of the refiners; None where there is none.
    release
        Work of the last round; None in the others.
    carried
        Columns that travel with the records.
    lacks_cells
        Whether a cell of the column set is missing in any block: then every group must have k cells of a column.
    """

    plan: Plan
    wanted: ColumnSet
    reader: BatchReader
    points: PointMaker
    weights: WeightFacts | None
    parts: Mapping[int, PartWork]
    sizes: Mapping[tuple[int, int], int]
    number: int
    iterations: int | None
    release: ReleaseWork | None
    carried: tuple[str, ...]
    lacks_cells: bool

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the records of all blocks of a partition, with their groups."""
        found = None
        for batch in runs_of_equal(batches, (PART, BLOCK)):
            part = int(numbers_of(batch.slice(0, 1), PART)[0])
            block = int(numbers_of(batch.slice(0, 1), BLOCK)[0])
            records, of_block = self._named(part, block, batch)
            yield from records.to_batches()
            if of_block is not None:
                found = of_block if found is None else found.merged(of_block)
        if found is not None and self.release is not None:
            yield from self.release.told(found).to_batches()

    def _named(self, part: int, block: int, batch: Any) -> tuple[Any, FoundBlocks | None]:
        """Solve a block; an error of any kind names it, as nothing else tells where in a cluster it was."""
        where = f"block {block} of round {self.number + 1} ({self.parts[part].name}, {batch.num_rows} records)"
        try:
            return self._solved(part, block, batch)
        except (InputError, ClusterError) as error:
            raise type(error)(f"{where}: {error}") from error
        except MicroaggError as error:
            raise ClusterError(f"{where} fails its own check: {error}") from error
        except Exception as error:
            told = " ".join(f"{type(error).__name__}: {error}".split())
            raise ClusterError(f"{where} could not be solved, so nothing is released: {told}") from error

    def _solved(self, part: int, block: int, batch: Any) -> tuple[Any, FoundBlocks | None]:
        self._check_size(part, block, batch.num_rows)
        rows = numbers_of(batch, ROW)
        table = self.reader.table(batch)
        X, missing = self.points.points(table)
        problem = Problem.of_part(X, self.wanted.k, self._weights(table), missing)
        if missing is None and self.lacks_cells:
            missing = np.zeros(X.shape, dtype=np.bool_)
        rules = group_rules(table, self.plan, self.wanted, missing)
        labels = None
        if GROUP in batch.column_names:
            labels = np.unique(numbers_of(batch, GROUP), return_inverse=True)[1]
        solution = self._solution(self.parts[part], block, problem, labels, rules)
        if self.release is None:
            return self._routed(batch, part, rows, solution.partition), None
        return self.release.released(table, rows, part, solution, rules)

    def _check_size(self, part: int, block: int, n_records: int) -> None:
        expected = self.sizes.get((part, block), n_records)
        if n_records != expected:
            raise ClusterError(
                f"expected {expected} records, found {n_records}: the input changed while it was read, or its records "
                "have no stable order"
            )

    def _weights(self, table: Table) -> FloatArray | None:
        if self.weights is None:
            return None
        n_all, largest, total = self.weights
        assert self.plan.roles.weight is not None, "there are weights"
        return relative_weights(table.numbers(self.plan.roles.weight), largest, total, n_all)

    def _solution(
        self, part: PartWork, block: int, problem: Problem, labels: IntArray | None, rules: GroupRules
    ) -> Solution:
        run = Run(iterations=self.iterations).task(1.0)
        random_state = self.plan.random_state
        assert random_state is not None, "settled"
        if part.is_whole:
            return solve_whole(part.stages, problem, rules, random_state, run)
        records = np.arange(problem.n)
        solved = BlockTask(part.stages, problem, part.refiners, self.number, random_state, labels)(block, records, run)
        partition = Partition(problem, solved.labels)
        costs: tuple[RuleCost, ...] = ()
        if self.release is not None and rules:
            if not is_satisfiable(rules):
                raise InputError(_UNSATISFIABLE)
            partition, costs = constrain(partition, rules, run)
        return Solution(partition, part.stages.name, starts=solved.starts, rule_costs=costs)

    def _routed(self, batch: Any, part: int, rows: IntArray, partition: Partition) -> Any:
        """Return the records with their groups, and the leaf that each group is routed to in the next round."""
        import pyarrow as pa

        from microagg.kernels.geometry.split_tree import route

        tree = self.parts[part].next_tree
        assert tree is not None, "there is another round"
        leaves = route(tree, partition.centroids)
        labels = partition.labels
        own = {
            ROW: rows,
            PART: numbers_of(batch, PART).astype(np.int32),
            BLOCK: numbers_of(batch, BLOCK).astype(np.int32),
            GROUP: first_rows(rows, labels)[labels],
            LEAF: leaves[labels].astype(np.int32),
            ORIGIN: numbers_of(batch, BLOCK),
            BEFORE: _records_before(leaves, partition.sizes)[labels],
        }
        columns = {name: batch.column(name) for name in self.carried}
        return pa.table({**columns, **{name: pa.array(values) for name, values in own.items()}})


def _records_before(leaves: IntArray, sizes: IntArray) -> IntArray:
    """Return how many records of the groups before it are in the leaf of each group."""
    order = np.argsort(leaves, kind="stable")
    before = np.cumsum(sizes[order]) - sizes[order]
    starts = np.flatnonzero(np.diff(leaves[order], prepend=-1))
    of_leaf = np.repeat(before[starts], np.diff(np.append(starts, len(leaves))))
    found = np.empty(len(leaves), dtype=np.int64)
    found[order] = before - of_leaf
    return found


def unpickled_facts(rows: list[Any]) -> FoundBlocks:
    """Return what is known of all blocks, from the records in which tasks tell it."""
    found: list[FoundBlocks] = [pickle.loads(row[0]) for row in rows]
    return reduce(FoundBlocks.merged, found)
