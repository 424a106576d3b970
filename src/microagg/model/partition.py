"""The partition: a group of at least k for every record."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from microagg.model.arrays import FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.errors import PartitionError
from microagg.model.problem import Problem


@dataclass(frozen=True, eq=False)
class Partition(ReadOnlyArrays):
    """A legal grouping of a problem's records; no other can be made.

    Parameters
    ----------
    problem
        What is grouped.
    labels
        The group of each record, of shape (n,): any integers ≥ 0. They are renumbered
        0, 1, … in the order of each group's first record, so equal groupings have equal labels.
    """

    problem: Problem
    labels: IntArray = field(repr=False)

    def __post_init__(self) -> None:
        labels = np.asarray(self.labels)
        n, k = self.problem.n, self.problem.k
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
        """Make the partition whose groups are runs of `order`, of shape (n,), one from each of `starts`."""
        return cls(problem, labels_along(order, starts))

    @cached_property
    def sizes(self) -> IntArray:
        """How many records each group has, of shape (n_groups,)."""
        sizes = np.bincount(self.labels)
        read_only(sizes)
        return sizes

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(self.sizes)

    @cached_property
    def centroids(self) -> FloatArray:
        """The mean of each group, of shape (n_groups, d)."""
        sums = [np.bincount(self.labels, weights=column) for column in self.problem.X.T]
        centroids: FloatArray = np.column_stack(sums) / self.sizes[:, None]
        read_only(centroids)
        return centroids

    @property
    def losses(self) -> FloatArray:
        """The squared distance of each record from its group's mean, of shape (n,)."""
        losses: FloatArray = np.square(self.problem.X - self.centroids[self.labels]).sum(axis=1)
        return losses

    @cached_property
    def sse(self) -> float:
        """The squares within the groups."""
        return float(np.square(self.problem.X - self.centroids[self.labels]).sum())

    @property
    def information_loss(self) -> float:
        """100·sse/sst in percent; 0 where all records are equal."""
        sst = self.problem.sst
        return 100.0 * self.sse / sst if sst else 0.0


def labels_along(order: IntArray, starts: IntArray) -> IntArray:
    """Label each record by its run of `order`, of shape (n,): one from each of `starts`, counted along the order."""
    first = np.zeros(len(order), dtype=np.int64)
    first[starts] = 1
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.cumsum(first) - 1
    return labels
