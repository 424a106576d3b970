"""Soft walls: blocks of records, made for size only, whose walls are elsewhere in every round."""

from typing import TYPE_CHECKING

import numpy as np

from microagg.kernels.tick import Tick, no_tick
from microagg.leaf_blocks import LeafBlocks
from microagg.model.arrays import BoolArray, FloatArray, IntArray
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
    A block is known by its number, which grows from each block to the next one near it.

    Parameters
    ----------
    problem
        The problem whose records are divided.
    block_size
        The number of records that a block has about, and at most twice; at least 2k.
    random_state
        The same number gives the same walls.
    rows
        Row of each record in the table that was read, of shape (n,), ascending: it decides whether the record is in the
        sample. None: 0, 1, …
    """

    def __init__(self, problem: Problem, block_size: int, random_state: int, rows: IntArray | None = None) -> None:
        self._n_blocks = -(-problem.n // block_size)
        self._problem = problem
        self._block_size = block_size
        self._random_state = random_state
        n_wanted = n_sample_wanted(self._n_blocks, problem.k)
        self._sample = problem.X[sampled_records(problem.n, n_wanted, rows)]

    def of_records(self, tick: Tick = no_tick) -> dict[int, IntArray]:
        """Return the records of each block of the first round, ascending; each has at least k, and is near the next."""
        return _members(self._block_of_each(0, self._problem.X, np.ones(self._problem.n, dtype=np.int64), tick))

    def in_order(self) -> dict[int, IntArray]:
        """Return as many blocks of consecutive records, at least k each: the fallback where time is over."""
        return dict(enumerate(np.array_split(np.arange(self._problem.n), self._n_blocks)))

    def of_groups(
        self, number: int, labels: IntArray, centroids: FloatArray, sizes: IntArray, tick: Tick = no_tick
    ) -> dict[int, IntArray]:
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
        dict of int to ndarray
            Each has at least k records, and at most about twice as many as wanted.
        """
        return _members(self._block_of_each(number, centroids, sizes, tick)[labels])

    def _block_of_each(self, number: int, points: FloatArray, sizes: IntArray, tick: Tick) -> IntArray:
        """Return the number of the block of each record or group, by its point and the number of its records."""
        from microagg.kernels.geometry.split_tree import route

        tree = tree_of_round(self._sample, self._n_blocks, self._problem.k, number, self._random_state)
        leaves = route(tree, points, tick)
        totals = np.bincount(leaves, weights=sizes, minlength=tree.n_leaves).astype(np.int64)
        return LeafBlocks(totals, self._block_size).blocks_in_order(leaves, sizes)


def n_sample_wanted(n_blocks: int, k: int) -> int:
    """Return the number of records on which the split trees of a division into blocks are built.

    Parameters
    ----------
    n_blocks
        The number of blocks.
    k
        The smallest group allowed.
    """
    return max(_MIN_SAMPLE, max(_SAMPLE_PER_BLOCK, _SAMPLED_GROUPS * k) * n_blocks)


def is_sampled(rows: IntArray, n: int, n_wanted: int) -> BoolArray:
    """Return whether each of some records is in the sample, by a hash of its row: whatever other records there are.

    Parameters
    ----------
    rows
        Rows of some of the records in the table that was read.
    n
        The number of all records that are divided together.
    n_wanted
        The number of records that the sample is to have about; all are in it if there are no more.

    Returns
    -------
    ndarray of the shape of `rows`
        The same for the same row, however the records are spread over machines. Their number is random: it may happen
        that no record of few is in the sample.

    Examples
    --------
    >>> import numpy as np
    >>> from microagg.soft_walls import is_sampled
    >>> int(is_sampled(np.arange(0, 10**6, 2), n=500_000, n_wanted=1000).sum())
    1014
    """
    if n <= n_wanted:
        return np.ones(len(rows), dtype=np.bool_)
    return _hashes(rows) < np.uint64(n_wanted / n * 2.0**64)


def sampled_records(n: int, n_wanted: int, rows: IntArray | None = None) -> IntArray:
    """Return the records of the sample, ascending.

    Parameters
    ----------
    n
        The number of records.
    n_wanted
        The number of records that are wanted.
    rows
        Row of each record in the table that was read; None: 0, 1, …
    """
    found = []
    for some in row_slices(n):
        of_some = np.arange(some.start, some.stop) if rows is None else rows[some]
        found.append(some.start + np.flatnonzero(is_sampled(of_some, n, n_wanted)))
    return np.concatenate(found)


def tree_of_round(sample: FloatArray, n_blocks: int, k: int, number: int, random_state: int) -> "SplitTree":
    """Return the split tree of one round of blocks.

    Every leaf has at least k points of the sample, and so at least k records of those that the sample is part of. Where
    the sample is too small for that, or empty, the tree is one leaf.

    Parameters
    ----------
    sample
        Points of the sampled records, in the order of their rows, of shape (any number, d).
    n_blocks
        The number of blocks that are wanted.
    k
        The smallest group allowed.
    number
        The number of the round, from 0.
    random_state
        The same number gives the same trees.
    """
    from microagg.kernels.geometry.split_tree import build_tree

    wanted = max(1, len(sample)) / n_blocks
    rng = None
    if number > 0:
        rng = np.random.default_rng(np.random.SeedSequence(random_state, spawn_key=(_TREES, number)))
    return build_tree(sample, wanted, max(k, int(wanted / _MOST_UNEVEN)), rng)


def _hashes(rows: IntArray) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return a hash of each row (splitmix64: Steele, Lea & Flood 2014)."""
    mixed = rows.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def _members(blocks: IntArray) -> dict[int, IntArray]:
    """Return the records of each block that has any, ascending, by the number of the block."""
    order = np.argsort(blocks, kind="stable")
    ends = np.cumsum(np.bincount(blocks))
    return {number: records for number, records in enumerate(np.split(order, ends[:-1])) if len(records)}
