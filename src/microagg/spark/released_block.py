"""What the last round makes of a block: released columns, the k that they reach, and facts that can be merged."""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.aggregate import aggregate
from microagg.aggregate.whole_columns import WholeColumn
from microagg.count_k import count_if_missing_agrees, count_k
from microagg.measure.table_accumulator import TableAccumulator
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column_set import ColumnSet
from microagg.model.encoding import Encoding
from microagg.model.errors import ClusterError
from microagg.model.group_rules import GroupRules
from microagg.model.plan import Plan
from microagg.model.problem import Problem
from microagg.model.rule_cost import RuleCost
from microagg.model.solution import Solution
from microagg.model.table import Table
from microagg.protect import check_marks
from microagg.sampling_weights import record_weights
from microagg.spark.batch_tables import BatchReader
from microagg.spark.record_fields import FACTS, GROUP, ROW
from microagg.write import to_native


@dataclass(frozen=True, eq=False)
class BlockFacts:
    """What is known of a block in the end.

    Parameters
    ----------
    part
        The part that it belongs to.
    first_row
        The number of its first record.
    n_records
        Number of its records.
    sizes, n_groups
        Sizes of groups that occur, and the number of groups of each.
    sse
        Within-group squares.
    moments
        Counted weights, means and squares of each coordinate: those of blocks make the total squares.
    k_reached
        Smallest number of records, or units, that share their released values.
    method
        Name of the method, as it was carried out.
    reason
        Why it was carried out so.
    costs
        What each rule of privacy has cost.
    """

    part: int
    first_row: int
    n_records: int
    sizes: IntArray
    n_groups: IntArray
    sse: float
    moments: "CountedMoments"
    k_reached: int
    method: str
    reason: str
    costs: tuple[RuleCost, ...]


@dataclass(frozen=True, eq=False)
class FoundBlocks:
    """What is known of some blocks in the end: those of a task, or all.

    Parameters
    ----------
    blocks
        What is known of each, in the order of parts and first rows.
    measured
        Columns before and after, of all of them together.
    """

    blocks: tuple[BlockFacts, ...]
    measured: TableAccumulator

    def merged(self, other: "FoundBlocks") -> "FoundBlocks":
        """Return what is known of both."""
        blocks = sorted((*self.blocks, *other.blocks), key=lambda one: (one.part, one.first_row))
        return FoundBlocks(tuple(blocks), self.measured.merged(other.measured))


@dataclass(frozen=True, eq=False)
class CountedMoments:
    """Sum of weights, mean and squares of each coordinate of some records, of the cells that count.

    Parameters
    ----------
    counts
        Sum of the weights.
    means
        Weighted means.
    squares
        Weighted squares around them.
    """

    counts: FloatArray
    means: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, problem: Problem, is_there: BoolArray) -> "CountedMoments":
        """Return the moments of the records of a problem.

        Parameters
        ----------
        problem
            The problem.
        is_there
            Which coordinates count at all, of shape (d,).
        """
        counted = problem.counted(slice(None)) * is_there
        counts = counted.sum(axis=0)
        sums = (counted * problem.X).sum(axis=0)
        means = np.divide(sums, counts, out=np.zeros(problem.d), where=counts > 0)
        return cls(counts, means, (counted * np.square(problem.X - means)).sum(axis=0))

    def merged(self, other: "CountedMoments") -> "CountedMoments":
        """Return the moments of both together (Chan, Golub & LeVeque 1979)."""
        counts = self.counts + other.counts
        share = np.divide(other.counts, counts, out=np.zeros_like(counts), where=counts > 0)
        difference = other.means - self.means
        squares = self.squares + other.squares + np.square(difference) * self.counts * share
        return CountedMoments(counts, self.means + difference * share, squares)


@dataclass(frozen=True)
class ReleaseWork:
    """Aggregates the columns of a block, checks that k is reached, and measures what is lost.

    Parameters
    ----------
    plan
        The plan, without strata.
    wanted
        The column set.
    encoding
        How its columns become coordinates.
    whole
        What the aggregation takes from whole columns, by name.
    types
        Arrow type of each released column, in order.
    reader
        Reads the released columns.
    """

    plan: Plan
    wanted: ColumnSet
    encoding: Encoding
    whole: Mapping[str, WholeColumn]
    types: Mapping[str, Any]
    reader: BatchReader

    def released(
        self, table: Table, rows: IntArray, part: int, solution: Solution, rules: GroupRules
    ) -> tuple[Any, FoundBlocks]:
        """Return the released columns of a block's records with their groups, and what is known of the block.

        Parameters
        ----------
        table
            The records.
        rows
            Number of each record, ascending.
        part
            The part that the block belongs to.
        solution
            The groups.
        rules
            What each group must satisfy.

        Raises
        ------
        InputError
            If what would be released for a group stands for a missing value.
        ClusterError
            If the block does not reach k, or violates a rule.
        """
        import pyarrow as pa

        names = self.wanted.columns or ()
        labels = solution.labels
        weight = self.plan.roles.weight
        weights = None if weight is None else record_weights(table, weight)
        after = aggregate(table, solution.partition, names, self.wanted.treatment, weights=weights, whole=self.whole)
        native = to_native(after)
        columns = {name: native.column(name).cast(kind) for name, kind in self.types.items()}
        read_again = self.reader.table(pa.table(columns))
        facts = self._facts(table, read_again, rows, part, solution, rules)
        groups = first_rows(rows, labels)[labels]
        n = len(rows)
        records = pa.table({ROW: pa.array(rows), GROUP: pa.array(groups), **columns, FACTS: pa.nulls(n, pa.binary())})
        return records, FoundBlocks((facts,), TableAccumulator.of(table, read_again, self.encoding))

    def told(self, found: FoundBlocks) -> Any:
        """Return what is known of the blocks of a task in one record, which comes after theirs.

        Parameters
        ----------
        found
            What is known of them.
        """
        import pyarrow as pa

        told = {ROW: pa.array([-1], pa.int64()), GROUP: pa.array([-1], pa.int64())}
        empty = {name: pa.nulls(1, kind) for name, kind in self.types.items()}
        return pa.table({**told, **empty, FACTS: pa.array([pickle.dumps(found)], pa.binary())})

    def _facts(
        self, before: Table, after: Table, rows: IntArray, part: int, solution: Solution, rules: GroupRules
    ) -> BlockFacts:
        check_marks(before, after, self.encoding.names)
        k_reached = self._k_reached(before, after, solution)
        if k_reached < self.wanted.k:
            raise ClusterError(f"the release reaches only k = {k_reached}, not {self.wanted.k}: nothing is released")
        if rules and rules.violated(solution.labels).any():
            raise ClusterError("a group violates a rule of the plan: nothing is released")
        sizes, n_groups = np.unique(solution.sizes, return_counts=True)
        return BlockFacts(
            part,
            int(rows[0]),
            len(rows),
            sizes,
            n_groups,
            solution.sse,
            CountedMoments.of(solution.partition.problem, self._is_there(before)),
            k_reached,
            solution.method,
            solution.reason,
            solution.rule_costs,
        )

    def _is_there(self, before: Table) -> BoolArray:
        """Return which coordinates any record has: one that none has is 0 in the problem, and does not count."""
        there = [bool((before.missing_codes(name) == 0).any()) for name in self.encoding.names]
        return np.repeat(there, self.encoding.widths)

    def _k_reached(self, before: Table, after: Table, solution: Solution) -> int:
        """Count the k that the plan promises: that of released values, or the weaker one."""
        names = self.wanted.columns or ()
        weaker = count_if_missing_agrees(self.plan, before, after, names, solution.labels)
        return count_k(self.plan, before, after, names, self.wanted.k).k_reached if weaker is None else weaker


def first_rows(rows: IntArray, labels: IntArray) -> IntArray:
    """Return the number of the first record of each group, by which the group is known everywhere.

    Parameters
    ----------
    rows
        Number of each record, ascending.
    labels
        Group of each.
    """
    firsts = np.empty(int(labels.max()) + 1, dtype=np.int64)
    firsts[labels[::-1]] = rows[::-1]
    return firsts
