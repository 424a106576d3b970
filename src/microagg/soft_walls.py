"""Soft walls: blocks of records, made for size only, whose walls are elsewhere in every round."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.tick import Tick, no_tick
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem
from microagg.model.row_slices import row_slices

if TYPE_CHECKING:
    from microagg.kernels.geometry.split_tree import SplitTree

_SAMPLE_PER_BLOCK = 100  # records on which the split tree is built, for each block
_SAMPLED_GROUPS = 4  # groups of k that the sample holds at least of each block: with fewer, k could forbid a split
_MIN_SAMPLE = 20_000
_MOST_UNEVEN = 10  # a block may have this many times fewer records than wanted
_TREES = 1  # spawn key of the random states of trees, beside those of blocks


class SoftWalls:
    """Walls that divide records into blocks: a split tree for each round.

    The first tree cuts along principal axes; those of later rounds along random directions, so that records that a wall
    has parted meet. A sample of the records makes all trees. The same records have the same walls on any machine.

    Parameters
    ----------
    problem
        The problem whose records are divided.
    block_size
        The number of records that a block has about, and at most twice; at least 2k.
    random_state
        The same number gives the same walls.
    """

    def __init__(self, problem: Problem, block_size: int, random_state: int) -> None:
        self._n_blocks = -(-problem.n // block_size)
        self._problem = problem
        self._block_size = block_size
        self._random_state = random_state
        per_block = max(_SAMPLE_PER_BLOCK, _SAMPLED_GROUPS * problem.k)
        self._sample = problem.X[sampled_records(problem.n, max(_MIN_SAMPLE, per_block * self._n_blocks))]

    def of_records(self, tick: Tick = no_tick) -> list[IntArray]:
        """Return the records of each block of the first round, ascending; each has at least k, and is near the next."""
        from microagg.kernels.geometry.split_tree import route

        leaves = route(self._tree(0), self._problem.X, tick)
        blocks = _cut_large(leaves, np.ones(self._problem.n, dtype=np.int64), self._block_size)
        return _members(blocks)

    def in_order(self) -> list[IntArray]:
        """Return as many blocks of consecutive records, at least k each: the fallback where time is over."""
        return np.array_split(np.arange(self._problem.n), self._n_blocks)

    def of_groups(
        self, number: int, labels: IntArray, centroids: FloatArray, sizes: IntArray, tick: Tick = no_tick
    ) -> list[IntArray]:
        """Return the records of each block of a later round, ascending; each consists of whole groups.

        Parameters
        ----------
        number
            The number of the round, from 1.
        labels
            Group of each record.
        centroids, sizes
            Centroid and number of records of each group.
        tick
            Called now and then; it may end the work.

        Returns
        -------
        list of ndarray
            Each has at least k records, and at most about twice as many as wanted.
        """
        from microagg.kernels.geometry.split_tree import route

        leaves = route(self._tree(number), centroids, tick)
        return _members(_cut_large(leaves, sizes, self._block_size)[labels])

    def _tree(self, number: int) -> "SplitTree":
        from microagg.kernels.geometry.split_tree import build_tree

        wanted = len(self._sample) / self._n_blocks
        rng = None
        if number > 0:
            rng = np.random.default_rng(np.random.SeedSequence(self._random_state, spawn_key=(_TREES, number)))
        return build_tree(self._sample, wanted, max(self._problem.k, int(wanted / _MOST_UNEVEN)), rng)


def sampled_records(n: int, n_wanted: int) -> IntArray:
    """Return about as many records as wanted, ascending, chosen by a hash of their indices; all if there are fewer.

    Parameters
    ----------
    n
        The number of records.
    n_wanted
        The number of records that are wanted.
    """
    if n <= n_wanted:
        return np.arange(n)
    limit = np.uint64(n_wanted / n * 2.0**64)
    return np.concatenate([rows.start + np.flatnonzero(_hashes(rows) < limit) for rows in row_slices(n)])


def _hashes(rows: slice) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return a hash of each index (splitmix64: Steele, Lea & Flood 2014)."""
    mixed = np.arange(rows.start, rows.stop, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def _cut_large(leaves: IntArray, sizes: IntArray, block_size: int) -> IntArray:
    """Cut leaves of more than two blocks, which no wall could split, along the order of their items.

    Parameters
    ----------
    leaves
        Leaf of each item.
    sizes
        Number of records of each item.
    block_size
        Number of records that a block has about.

    Returns
    -------
    ndarray of the shape of `leaves`
        Block of each item: numbers that grow with those of the leaves.
    """
    totals = np.bincount(leaves, weights=sizes).astype(np.int64)
    n_pieces = np.where(totals > 2 * block_size, -(-totals // block_size), 1)
    if n_pieces.max() == 1:
        return leaves
    order = np.argsort(leaves, kind="stable")
    before = np.cumsum(sizes[order]) - sizes[order]
    before -= (np.cumsum(totals) - totals)[leaves[order]]
    firsts = np.cumsum(n_pieces) - n_pieces
    blocks = np.empty_like(leaves)
    blocks[order] = firsts[leaves[order]] + before * n_pieces[leaves[order]] // totals[leaves[order]]
    return blocks


def _members(blocks: IntArray) -> list[IntArray]:
    """Return the records of each block that has any, ascending."""
    order = np.argsort(blocks, kind="stable")
    ends = np.cumsum(np.bincount(blocks))
    parts: Sequence[IntArray] = np.split(order, ends[:-1])
    return [records for records in parts if len(records)]
