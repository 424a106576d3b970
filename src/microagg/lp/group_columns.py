"""Hold groups to choose from, and inequalities that every choice of whole ones obeys."""

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.partition import Partition

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Columns(NamedTuple):
    """Hold groups to choose from."""

    n: int  # records
    starts: IntArray  # (count + 1,) where each group starts among
    records: IntArray  # the records of all groups
    sses: FloatArray  # (count,) neither huge nor tiny: HiGHS has absolute tolerances

    @staticmethod
    def of(partition: Partition) -> "Columns":
        """Give the groups of a partition."""
        order = np.argsort(partition.labels, kind="stable")
        sses: FloatArray = np.bincount(partition.labels, weights=partition.losses).astype(np.float64)
        return Columns(len(order), np.concatenate([[0], np.cumsum(partition.sizes)]), order, sses)

    def only(self, which: IntArray) -> "Columns":
        """Give some of the columns."""
        starts, places = _runs(self.starts, which)
        return Columns(self.n, starts, self.records[places], self.sses[which])

    def and_also(self, others: "Columns") -> "Columns":
        """Give these columns and others."""
        starts = np.concatenate([self.starts, self.starts[-1] + others.starts[1:]])
        records, sses = np.concatenate([self.records, others.records]), np.concatenate([self.sses, others.sses])
        return Columns(self.n, starts, records, sses)

    def scaled(self, scale: float) -> "Columns":
        """Give the columns with their sses multiplied by a number."""
        return self._replace(sses=scale * self.sses)

    def sets(self) -> list[frozenset[int]]:
        """Give the records of each column."""
        records = self.records.tolist()
        return [frozenset(records[start:end]) for start, end in itertools.pairwise(self.starts.tolist())]

    def reduced_costs(self, duals: FloatArray, rows: "Rows | None" = None) -> FloatArray:
        """Give what each column loses more than the duals of its records, and of rows, add up to."""
        if not len(self.sses):
            return self.sses
        costs: FloatArray = self.sses - np.add.reduceat(duals[self.records], self.starts[:-1])
        if rows is not None and rows.n_rows:
            costs -= rows.coefficients(self) @ duals[self.n :]
        return costs

    def obeys(self, one: int, other: int, together: bool) -> BoolArray:
        """Say which columns hold both of two records or none; or else, which do not hold both."""
        if not len(self.sses):
            return np.empty(0, dtype=np.bool_)
        held = np.add.reduceat((self.records == one) | (self.records == other), self.starts[:-1], dtype=np.int64)
        obeying: BoolArray = held != (1 if together else 2)
        return obeying

    def fitting(self, labels: IntArray) -> IntArray:
        """Give the columns that are groups of a partition of some records, or share none with these; others have −1."""
        if not len(self.sses):
            return np.empty(0, dtype=np.int64)
        least, most = (extreme.reduceat(labels[self.records], self.starts[:-1]) for extreme in (np.minimum, np.maximum))
        sizes = np.bincount(labels + 1)[least + 1]
        return np.flatnonzero((least == most) & ((least < 0) | (sizes == np.diff(self.starts))))

    def labels(self, which: IntArray) -> IntArray:
        """Label the records by columns that cover each of them once."""
        chosen = self.only(which)
        labels = np.empty(self.n, dtype=np.int64)
        labels[chosen.records] = np.repeat(np.arange(len(which)), np.diff(chosen.starts))
        return labels


class Rows(NamedTuple):
    """Hold inequalities over columns, besides that each record is covered once.

    Each gives some records whole weights, and has a denominator q. A column whose records weigh w counts ⌊w/q⌋ in it.
    Columns count at most ⌊w/q⌋ of what all records weigh: each record is covered once, so parts of columns can break
    that, whole ones never.
    """

    n: int  # records
    starts: IntArray  # (count + 1,) where each row starts among
    records: IntArray  # the records of all rows
    weights: IntArray  # their weights, at least 1 and below the denominator
    denominators: IntArray  # (count,) at least 2

    @staticmethod
    def none(n: int) -> "Rows":
        """Give no rows."""
        nothing = np.empty(0, dtype=np.int64)
        return Rows(n, np.zeros(1, dtype=np.int64), nothing, nothing, nothing)

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return len(self.denominators)

    @property
    def sides(self) -> IntArray:
        """What columns may count in each at most, of shape (count,)."""
        if not self.n_rows:
            return self.denominators
        sides: IntArray = np.add.reduceat(self.weights, self.starts[:-1]) // self.denominators
        return sides

    def only(self, which: IntArray) -> "Rows":
        """Give some of the rows."""
        starts, places = _runs(self.starts, which)
        return Rows(self.n, starts, self.records[places], self.weights[places], self.denominators[which])

    def and_also(self, others: "Rows") -> "Rows":
        """Give these rows and others."""
        starts = np.concatenate([self.starts, self.starts[-1] + others.starts[1:]])
        joined = [np.concatenate(both) for both in zip(self[2:], others[2:], strict=True)]
        return Rows(self.n, starts, *joined)

    def coefficients(self, columns: Columns) -> "csr_array":
        """Say what each column counts in each row, of shape (columns, rows)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(columns.records), dtype=np.int64)
        members = csr_array((ones, columns.records, columns.starts), shape=(len(columns.sses), self.n))
        weights = csr_array((self.weights, self.records, self.starts), shape=(self.n_rows, self.n))
        counts = csr_array(members @ weights.T)
        counts.data //= self.denominators[counts.indices]
        counts.eliminate_zeros()
        return counts


def _runs(starts: IntArray, which: IntArray) -> tuple[IntArray, IntArray]:
    """Give the starts of some runs, put one after another, and the places of what they hold."""
    sizes = np.diff(starts)[which]
    new = np.concatenate([[0], np.cumsum(sizes)])
    return new, np.arange(new[-1]) - np.repeat(new[:-1], sizes) + np.repeat(starts[which], sizes)
