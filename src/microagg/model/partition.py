"""Partition of the records into groups of at least k."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray, NewArray, ReadOnlyArrays, read_only
from microagg.model.errors import PartitionError
from microagg.model.problem import Problem
from microagg.model.row_slices import column_blocks, row_slices


@dataclass(frozen=True, eq=False)
class Partition(ReadOnlyArrays):
    """Legal grouping of a problem's records; an illegal one cannot be made.

    Parameters
    ----------
    problem
        The problem whose records are grouped.
    labels
        Group of each record, of shape (n,): any integers ≥ 0. They are renumbered
        0, 1, … in the order of each group's first record, so equal groupings have equal labels.

    Raises
    ------
    PartitionError
        If there is not one label for each record, or a group has fewer than k records.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> problem = microagg.Problem(np.array([[0.0], [1.0], [5.0], [7.0]]), k=2)
    >>> partition = microagg.Partition(problem, np.array([4, 4, 1, 1]))
    >>> partition.labels.tolist(), partition.sse
    ([0, 0, 1, 1], 2.5)
    """

    problem: Problem
    labels: IntArray = field(repr=False)

    def __post_init__(self) -> None:
        labels = np.asarray(self.labels)
        n = self.problem.n
        k = self.problem.k
        if labels.shape != (n,):
            raise PartitionError(f"expected {n} labels, one a record, found an array of shape {labels.shape}")
        if not np.issubdtype(labels.dtype, np.integer):
            raise PartitionError(f"labels must be integers, found {labels.dtype}")
        if labels.min() < 0:
            record = int(labels.argmin())
            raise PartitionError(f"record {record} has no group: its label is {labels[record]}")
        first, numbers, sizes = _numbered(labels)
        if sizes.min() < k:
            small = int((sizes < k).sum())
            raise PartitionError(
                f"{small} of {len(sizes)} groups hold fewer than k = {k} records, the smallest {sizes.min()}"
            )
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        canonical = rank[numbers]
        read_only(canonical)
        object.__setattr__(self, "labels", canonical)

    @classmethod
    def along(cls, problem: Problem, order: IntArray, starts: IntArray) -> "Partition":
        """Return the partition whose groups are runs of an order of the records.

        Parameters
        ----------
        problem
            The problem whose records are grouped.
        order
            The records in order, of shape (n,).
        starts
            Where in `order` each group starts; the first at 0.

        Returns
        -------
        Partition
            One group from each start to the next.

        Examples
        --------
        >>> import numpy as np, microagg
        >>> problem = microagg.Problem(np.array([[0.0], [5.0], [1.0], [7.0]]), k=2)
        >>> microagg.Partition.along(problem, np.array([0, 2, 1, 3]), np.array([0, 2])).labels.tolist()
        [0, 1, 0, 1]
        """
        return cls(problem, labels_along(order, starts))

    @cached_property
    def sizes(self) -> IntArray:
        """Number of records in each group, of shape (n_groups,)."""
        sizes = np.bincount(self.labels)
        read_only(sizes)
        return sizes

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.sizes)

    @cached_property
    def centroids(self) -> FloatArray:
        """Mean of each group, of shape (n_groups, d), weighted where the problem has weights."""
        blocks = [self._means(columns) for columns in column_blocks(self.problem.n, self.problem.d)]
        centroids = blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=1)
        read_only(centroids)
        return centroids

    def _means(self, columns: slice) -> FloatArray:
        """Return the means of some columns over the cells that count; 0 where a group has none."""
        problem = self.problem
        sums = np.zeros((self.n_groups, columns.stop - columns.start))
        counts = None if problem.counts_all else np.zeros_like(sums)
        for rows in row_slices(problem.n):
            cells = problem.X[rows, columns]
            if counts is not None:
                counted = problem.counted(rows, columns)
                _add_by_group(counts, self.labels[rows], counted)
                cells = counted * cells
            _add_by_group(sums, self.labels[rows], cells)
        totals = self.sizes[:, None] if counts is None else counts
        return np.divide(sums, totals, out=sums, where=totals > 0)

    @property
    def losses(self) -> FloatArray:
        """Squared distance of each record from its group's mean, times its weight, of shape (n,)."""
        losses = np.zeros(self.problem.n)
        for rows, squares in self._squares():
            losses[rows] += squares.sum(axis=1)
        return losses

    @cached_property
    def sse(self) -> float:
        """Within-group squares, each times the weight of its record."""
        return sum(float(squares.sum()) for _, squares in self._squares())

    def _squares(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield rows, and the squared differences of their cells from the means of their groups, as far as they count.

        A cell that is blanked, as another member of its group lacks it, loses its price in place of that.
        Where one slice does not hold all rows, the same rows come once for each block of columns.
        """
        problem = self.problem
        for columns in column_blocks(problem.n, problem.d):
            means = self._means(columns)
            lacking = None if problem.prices is None or problem.missing is None else self._lacking(columns)
            for rows in row_slices(problem.n):
                squares: FloatArray = np.square(problem.X[rows, columns] - means[self.labels[rows]])
                if lacking is not None:
                    blank = lacking[self.labels[rows]]
                    squares[blank] = self._blanked(rows, columns)[blank]
                if problem.weights is not None:
                    squares *= problem.weights[rows, None]
                if problem.missing is not None:
                    squares[problem.missing[rows, columns]] = 0.0
                yield rows, squares

    def _lacking(self, columns: slice) -> BoolArray:
        """Return which of some coordinates a member of each group lacks, of shape (n_groups, columns)."""
        assert self.problem.missing is not None
        missing = self.problem.missing[:, columns]
        counts = [np.bincount(self.labels[lacks], minlength=self.n_groups) for lacks in missing.T]
        return np.column_stack(counts) > 0

    def _blanked(self, rows: slice, columns: slice) -> FloatArray:
        """Return what each of some cells loses if it is blanked."""
        assert self.problem.prices is not None
        means, variances = self.problem.prices[:, columns]
        prices: FloatArray = np.maximum(variances, np.square(self.problem.X[rows, columns] - means))
        return prices

    def with_blanks(self, new_array: NewArray | None = None) -> "Partition":
        """Return the same groups of a problem in which a cell that one member of its group lacks is missing.

        Parameters
        ----------
        new_array
            Function that makes the array of the cells that are missing; None: one in memory.

        Returns
        -------
        Partition
            The groups, of a problem without prices.
        """
        problem = self.problem
        if problem.prices is None or problem.missing is None:
            return self
        missing: BoolArray = (np.empty if new_array is None else new_array)(problem.X.shape, np.bool_)
        for columns in column_blocks(problem.n, problem.d):
            missing[:, columns] = self._lacking(columns)[self.labels]
        read_only(missing)
        return Partition(Problem.of_part(problem.X, problem.k, problem.weights, missing), self.labels)

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent; 0 where all records are equal."""
        sst = self.problem.sst
        return 100.0 * self.sse / sst if sst else 0.0


def labels_along(order: IntArray, starts: IntArray) -> IntArray:
    """Label each record by its run of `order`, of shape (n,): one run from each of `starts`, counted from 0."""
    first = np.zeros(len(order), dtype=np.int64)
    first[starts] = 1
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.cumsum(first) - 1
    return labels


def _numbered(labels: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the first record of each group, the number of each record's group, and the size of each group.

    Groups are numbered in the order of their labels. Labels that are small numbers need no sorting.
    """
    n = len(labels)
    if labels.max() >= 2 * n:
        _, first, numbers, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
        return first, numbers, sizes
    sizes = np.bincount(labels)
    first = np.empty(len(sizes), dtype=np.int64)
    first[labels[::-1]] = np.arange(n - 1, -1, -1)
    used = sizes > 0
    if used.all():
        return first, labels, sizes
    return first[used], (np.cumsum(used) - 1)[labels], sizes[used]


def _add_by_group(sums: FloatArray, labels: IntArray, cells: FloatArray) -> None:
    """Add the cells of some records to the sums of their groups (IN/OUT), in the order of the records."""
    for j in range(cells.shape[1]):
        np.add.at(sums[:, j], labels, cells[:, j])
