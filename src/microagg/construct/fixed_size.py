"""Form groups of exactly k, one after the other: where each starts, and how it grows, are two parts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.random import Generator

from microagg.construct.leftovers import place_rest
from microagg.construct.slabs import finish
from microagg.control.run import Run, StoppedError
from microagg.control.stages import part
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem

if TYPE_CHECKING:
    from microagg.kernels.geometry.record_blocks import Blocks

_NUMBERS = 1e7  # gone through between two looks at the run: some milliseconds


class Forming:
    """Groups formed so far, and the records left.

    Parameters
    ----------
    X, k
        The records, of shape (n, d), and the size of the groups.
    run
        Is told how far the work is, and may end it.
    """

    def __init__(self, X: FloatArray, k: int, run: Run) -> None:
        from microagg.kernels.geometry import record_blocks as blocks

        self._kernels = blocks
        self.X = X
        self.k = k
        self.run = run
        self.left = len(X)
        self.order = np.empty(len(X), dtype=np.int64)  # the records in the order in which they got a group
        self._sum_anew_at = len(X) - 1
        self._far = -1  # which record left is farthest from the last group's first, if that is known

    @cached_property
    def blocks(self) -> "Blocks":
        """The records left, ready for passes over all of them."""
        return self._kernels.pack(self.X)

    @property
    def labels(self) -> IntArray:
        """The group of each record, numbered as they were formed, −1 for those left; of shape (n,)."""
        labels = np.full(len(self.X), -1, dtype=np.int64)
        taken = len(self.X) - self.left
        labels[self.order[:taken]] = np.arange(taken) // self.k
        return labels

    def take(self, take: "Take", record: int) -> None:
        """Form the group that starts at `record`."""
        taken = len(self.X) - self.left
        self._far = take(self.blocks, self.left, record, self.order[taken : taken + self.k])
        self.left -= self.k
        if self.left <= self._sum_anew_at:  # after outliers of many scales have left, nothing is lost for long
            self._kernels.recompute_sums(self.blocks, self.left)
            self._sum_anew_at = self.left // 2

    def is_outer(self, record: int, other: int) -> bool:
        """Say whether a record is no nearer to the centroid of those left than another."""
        return self._kernels.is_outer(self.blocks, self.left, record, other)

    def farthest_from_centroid(self) -> int:
        """Find the record farthest from the centroid of those left."""
        return int(self.blocks.records[self._kernels.farthest_from_centroid(self.blocks, self.left)])

    def farthest_from(self, point: FloatArray) -> int:
        """Find the record farthest from a point."""
        return int(self.blocks.records[self._kernels.farthest(self.blocks, self.left, point)])

    def farthest_from_last(self) -> int:
        """Find the record farthest from the one at which the last group started."""
        if self._far >= 0:
            return self._far
        return self.farthest_from(self.X[self.order[len(self.X) - self.left - self.k]])


Take = Callable[[Any, int, int, IntArray], int]
"""A kernel that grows a group from a record: blocks, left, record, group (OUT) -> the farthest record left, or -1."""


class First(Protocol):
    """Choose the record at which each group starts."""

    name: ClassVar[str]
    reference: ClassVar[str]

    def __call__(self, forming: Forming) -> Iterator[int]:
        """Yield first records; the caller takes the group of each before it asks for the next."""


class Grow(Protocol):
    """Grow a group to k."""

    def __call__(self) -> Take:
        """Give the kernel that does it."""


@dataclass(frozen=True)
class FixedSize:
    """Form groups of k; k or more records in the end are the last group, fewer join the nearest groups.

    Parameters
    ----------
    first
        How the first record of a group is chosen.
    grow
        How the group grows from there.

    References
    ----------
    Khomnotai, Lin, Peng & Santra (2018), Iterative group decomposition for refining microaggregation solutions,
    Symmetry 10(7), section 3.1. Its MDAV grows one more group where k to 2k − 1 records are left and lets
    the others join the nearest groups (seen in its table 2 at k = 10, 20, 30); here, as in [2] of `Mdav`, they are
    the last group.
    """

    first: First = part()
    grow: Grow = part()

    @property
    def reference(self) -> str:
        """Where it comes from."""
        return self.first.reference

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed. Where the run ends it, the records left are grouped in haste."""
        forming = Forming(problem.X, problem.k, run)
        try:
            return Partition.along(problem, *self._grouped(forming))
        except StoppedError:
            labels = forming.labels
            run.log.fallback_share = finish(problem.X, labels, problem.k)
            return Partition(problem, labels)

    def groups(self, X: FloatArray, k: int, run: Run) -> tuple[IntArray, IntArray]:
        """Form the groups, all of them or, where the run ends that by `StoppedError`, none.

        Returns
        -------
        order : ndarray of shape (n,)
            The records, group by group, in the order in which the groups were formed and their records joined.
        starts : ndarray of shape (n_groups,)
            Where each group starts in it.
        """
        return self._grouped(Forming(X, k, run))

    def _grouped(self, forming: Forming) -> tuple[IntArray, IntArray]:
        n = len(forming.X)
        run = forming.run
        take = self.grow()
        run.tick(self.first.name, 0.0)
        every = groups_between_looks(forming.X)
        for number, record in enumerate(self.first(forming), start=1):
            forming.take(take, record)
            if number % every == 0:
                run.tick(self.first.name, 1 - (forming.left / n) ** 2)
        labels = forming.labels
        rest = _as_if_grown(forming.X, np.flatnonzero(labels < 0))
        forming.order[n - forming.left :] = rest
        place_rest(forming.X, labels, rest, forming.k)
        run.tell(self.first.name, 1.0)
        by_group = np.argsort(labels[forming.order], kind="stable")
        return forming.order[by_group], np.concatenate([[0], np.cumsum(np.bincount(labels))[:-1]])


def groups_between_looks(X: FloatArray) -> int:
    """Say how many groups are formed between two looks at the run: one, where that takes milliseconds."""
    return max(1, int(_NUMBERS / X.size))


def _as_if_grown(X: FloatArray, rest: IntArray) -> IntArray:
    """Put the last records in the order of their distances from the one farthest from their centroid."""
    if not len(rest):
        return rest
    first = X[rest[np.square(X[rest] - X[rest].mean(axis=0)).sum(axis=1).argmax()]]
    return rest[np.argsort(np.square(X[rest] - first).sum(axis=1), kind="stable")]
