"""Group columns: the variables of the set-partitioning programme."""

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.lp.duals import Duals
from microagg.lp.pair_rules import PairRule
from microagg.lp.ragged_arrays import selected_rows
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.partition import Partition

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class GroupColumns(NamedTuple):
    """Groups to choose from, each a column of the set-partitioning programme."""

    n: int  # records
    starts: IntArray  # (n_columns + 1,) where each group starts in `records`
    records: IntArray  # the records of all groups, one group after another
    sses: FloatArray  # (n_columns,) neither huge nor tiny: the tolerances of HiGHS are absolute

    @staticmethod
    def of_partition(partition: Partition) -> "GroupColumns":
        """Return the groups of a partition."""
        order = np.argsort(partition.labels, kind="stable")
        sses: FloatArray = np.bincount(partition.labels, weights=partition.losses).astype(np.float64)
        return GroupColumns(len(order), np.concatenate([[0], np.cumsum(partition.sizes)]), order, sses)

    @staticmethod
    def of_groups(X: FloatArray, groups: Sequence[IntArray], scale: float) -> "GroupColumns":
        """Return groups given as arrays of records, each of shape (any number, size), with scaled sses."""
        sizes = np.concatenate([np.full(len(some), some.shape[1]) for some in groups])
        points = [X[some] for some in groups]
        sses = [np.square(some - some.mean(axis=1, keepdims=True)).sum(axis=(1, 2)) for some in points]
        records = np.concatenate([some.ravel() for some in groups])
        return GroupColumns(len(X), np.concatenate([[0], np.cumsum(sizes)]), records, scale * np.concatenate(sses))

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.sses)

    def select(self, which: IntArray) -> "GroupColumns":
        """Return the columns of these indices."""
        starts, places = selected_rows(self.starts, which)
        return GroupColumns(self.n, starts, self.records[places], self.sses[which])

    def extended(self, others: "GroupColumns") -> "GroupColumns":
        """Return these columns followed by others."""
        starts = np.concatenate([self.starts, self.starts[-1] + others.starts[1:]])
        records = np.concatenate([self.records, others.records])
        return GroupColumns(self.n, starts, records, np.concatenate([self.sses, others.sses]))

    def scaled(self, scale: float) -> "GroupColumns":
        """Return the columns with their sses multiplied by `scale`."""
        return self._replace(sses=scale * self.sses)

    def record_sets(self) -> list[frozenset[int]]:
        """Return the set of records of each column."""
        records = self.records.tolist()
        return [frozenset(records[start:end]) for start, end in itertools.pairwise(self.starts.tolist())]

    def cut_coefficients(self, cuts: RankOneCuts) -> "csr_array":
        """Return the coefficient of each column in each cut, of shape (n_columns, n_cuts)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.records), dtype=np.int64)
        members = csr_array((ones, self.records, self.starts), shape=(self.n_columns, self.n))
        weights = csr_array((cuts.weights, cuts.records, cuts.starts), shape=(cuts.n_cuts, self.n))
        coefficients = csr_array(members @ weights.T)
        coefficients.data //= cuts.denominators[coefficients.indices]
        coefficients.eliminate_zeros()
        return coefficients

    def reduced_costs(self, duals: Duals) -> FloatArray:
        """Return the sse of each column less the duals of its records and of its cuts, of shape (n_columns,)."""
        if not self.n_columns:
            return self.sses
        costs: FloatArray = self.sses - np.add.reduceat(duals.of_records[self.records], self.starts[:-1])
        if duals.cuts.n_cuts:
            costs -= self.cut_coefficients(duals.cuts) @ duals.of_cuts
        return costs

    def allowed_by(self, rule: PairRule) -> BoolArray:
        """Check which columns obey a rule: both records or neither if together, not both if apart."""
        if not self.n_columns:
            return np.empty(0, dtype=np.bool_)
        of_pair = (self.records == rule.first) | (self.records == rule.second)
        n_held = np.add.reduceat(of_pair, self.starts[:-1], dtype=np.int64)
        allowed: BoolArray = n_held != (1 if rule.together else 2)
        return allowed

    def compatible_with(self, labels: IntArray) -> IntArray:
        """Return the columns that are fixed groups or disjoint from all of these.

        Parameters
        ----------
        labels
            The fixed group of each record, −1 where it has none, of shape (n,).
        """
        if not self.n_columns:
            return np.empty(0, dtype=np.int64)
        of_members = labels[self.records]
        lowest = np.minimum.reduceat(of_members, self.starts[:-1])
        highest = np.maximum.reduceat(of_members, self.starts[:-1])
        group_sizes = np.bincount(labels + 1)[lowest + 1]
        return np.flatnonzero((lowest == highest) & ((lowest < 0) | (group_sizes == np.diff(self.starts))))

    def labels(self, which: IntArray) -> IntArray:
        """Return the labels, of shape (n,), of the partition into these columns, which cover each record once."""
        chosen = self.select(which)
        labels = np.empty(self.n, dtype=np.int64)
        labels[chosen.records] = np.repeat(np.arange(len(which)), np.diff(chosen.starts))
        return labels
