"""Groups of exactly k that are formed one after the other, and the records that are not grouped yet."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.control.run import Run
from microagg.model.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from microagg.kernels.geometry.record_blocks import Blocks

_NUMBERS_PER_TICK = 1e7  # numbers read between two ticks: some milliseconds

GrowthKernel = Callable[[Any, int, int, IntArray], int]
"""Kernel that grows a group from its first record: blocks, n_left, record, group (OUT) -> the record left that is
farthest from the first, or -1 where that is unknown."""


class PartialGrouping:
    """Groups of k formed so far, and the records left.

    Parameters
    ----------
    X, k
        The records, of shape (n, d), and the size of the groups.
    run
        The run that gets the progress reports, and may end the work.
    weights
        Of the records in centroids, of shape (n,); None: all count alike.
    """

    def __init__(self, X: FloatArray, k: int, run: Run, weights: FloatArray | None = None) -> None:
        from microagg.kernels.geometry import record_blocks

        self._kernels = record_blocks
        self.X = X
        self.k = k
        self.run = run
        self.weights = weights
        self.n_left = len(X)
        self.order = np.empty(len(X), dtype=np.int64)  # the records in the order in which they were grouped
        self._sum_anew_at = len(X) - 1
        self._farthest_from_last = -1

    @cached_property
    def blocks(self) -> "Blocks":
        """The records left, packed for passes over all of them."""
        return self._kernels.pack(self.X, self.weights)

    @property
    def labels(self) -> IntArray:
        """The group of each record, numbered as they were formed, −1 for the records left; of shape (n,)."""
        labels = np.full(len(self.X), -1, dtype=np.int64)
        n_grouped = len(self.X) - self.n_left
        labels[self.order[:n_grouped]] = np.arange(n_grouped) // self.k
        return labels

    def form_group(self, grow: GrowthKernel, record: int) -> None:
        """Form the group that starts at `record`."""
        n_grouped = len(self.X) - self.n_left
        group = self.order[n_grouped : n_grouped + self.k]
        self._farthest_from_last = grow(self.blocks, self.n_left, record, group)
        self.n_left -= self.k
        if self.n_left <= self._sum_anew_at:  # the sums forget the rounding errors of outliers that have been grouped
            self._kernels.recompute_sums(self.blocks, self.n_left)
            self._sum_anew_at = self.n_left // 2

    def is_outer(self, record: int, other: int) -> bool:
        """Check whether a record is at least as far from the centroid of the records left as another."""
        return self._kernels.is_outer(self.blocks, self.n_left, record, other)

    def farthest_from_centroid(self) -> int:
        """Find the record farthest from the centroid of the records left."""
        return int(self.blocks.records[self._kernels.farthest_from_centroid(self.blocks, self.n_left)])

    def farthest_from(self, point: FloatArray) -> int:
        """Find the record left that is farthest from a point."""
        return int(self.blocks.records[self._kernels.farthest(self.blocks, self.n_left, point)])

    def farthest_from_last(self) -> int:
        """Find the record left that is farthest from the first record of the last group."""
        if self._farthest_from_last >= 0:
            return self._farthest_from_last
        first = self.order[len(self.X) - self.n_left - self.k]
        return self.farthest_from(self.X[first])


def groups_per_tick(X: FloatArray) -> int:
    """Return how many groups to form between two ticks: one, where a pass over the records takes milliseconds."""
    return max(1, int(_NUMBERS_PER_TICK / X.size))
