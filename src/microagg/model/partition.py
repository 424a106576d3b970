"""Partition of the records into groups of at least k."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.errors import PartitionError
from microagg.model.problem import Problem


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
        _, first, inverse, sizes = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
        if sizes.min() < k:
            small = int((sizes < k).sum())
            raise PartitionError(
                f"{small} of {len(sizes)} groups hold fewer than k = {k} records, the smallest {sizes.min()}"
            )
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        canonical = rank[inverse]
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
        centroids = self._means() if self.problem.missing is None else self._means_present(self.problem.missing)
        read_only(centroids)
        return centroids

    def _means(self) -> FloatArray:
        weights = self.problem.weights
        columns = self.problem.X.T if weights is None else self.problem.X.T * weights
        totals = self.sizes if weights is None else np.bincount(self.labels, weights=weights)
        sums = [np.bincount(self.labels, weights=column) for column in columns]
        means: FloatArray = np.column_stack(sums) / totals[:, None]
        return means

    def _means_present(self, missing: BoolArray) -> FloatArray:
        """Return the means of the cells that count; 0 where a group has none."""
        weights = np.ones(self.problem.n) if self.problem.weights is None else self.problem.weights
        means = np.zeros((self.n_groups, self.problem.d))
        for j, column in enumerate(self.problem.X.T):
            counted = np.where(missing[:, j], 0.0, weights)
            totals = np.bincount(self.labels, weights=counted)
            np.divide(np.bincount(self.labels, weights=counted * column), totals, out=means[:, j], where=totals > 0)
        return means

    @property
    def losses(self) -> FloatArray:
        """Squared distance of each record from its group's mean, times its weight, of shape (n,)."""
        losses: FloatArray = self._squares().sum(axis=1)
        return losses

    @cached_property
    def sse(self) -> float:
        """Within-group squares, each times the weight of its record."""
        return float(self._squares().sum())

    def _squares(self) -> FloatArray:
        """Return the squared difference of each cell from its group's mean, as far as it counts."""
        squares: FloatArray = np.square(self.problem.X - self.centroids[self.labels])
        if self.problem.weights is not None:
            squares *= self.problem.weights[:, None]
        if self.problem.missing is not None:
            squares[self.problem.missing] = 0.0
        return squares

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
