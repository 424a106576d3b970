"""Blocks that the leaves of a split tree make: one each, or several where a leaf has too many records."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from microagg.model.arrays import IntArray, ReadOnlyArrays, read_only


@dataclass(frozen=True, eq=False)
class LeafBlocks(ReadOnlyArrays):
    """Blocks of the leaves of a split tree, which follow from the numbers of records alone.

    A leaf of more than two block sizes, which no wall could split, is cut into pieces along the order of its items:
    records, or whole groups of them.

    Parameters
    ----------
    totals
        Number of records of each leaf, of shape (n_leaves,).
    block_size
        Number of records that a block has about.

    Examples
    --------
    >>> import numpy as np
    >>> from microagg.leaf_blocks import LeafBlocks
    >>> blocks = LeafBlocks(np.array([12, 0, 50]), block_size=20)
    >>> blocks.n_pieces.tolist(), blocks.first_block.tolist()
    ([1, 0, 3], [0, 1, 1])
    >>> blocks.block(np.array([0, 2, 2]), before=np.array([5, 0, 49])).tolist()
    [0, 1, 3]
    """

    totals: IntArray = field(repr=False)
    block_size: int

    def __post_init__(self) -> None:
        totals = np.array(self.totals, dtype=np.int64)
        read_only(totals)
        object.__setattr__(self, "totals", totals)

    @cached_property
    def n_pieces(self) -> IntArray:
        """Number of pieces of each leaf: 0 where it has no records."""
        uncut = (self.totals > 0).astype(np.int64)
        return np.where(self.totals > 2 * self.block_size, -(-self.totals // self.block_size), uncut)

    @cached_property
    def first_block(self) -> IntArray:
        """Number of the block that the first piece of each leaf is; those of its other pieces follow."""
        return np.cumsum(self.n_pieces) - self.n_pieces

    def piece(self, leaf: IntArray, before: IntArray) -> IntArray:
        """Return the piece of its leaf that each item is in.

        Parameters
        ----------
        leaf
            Leaf of each item.
        before
            Number of records of the items before it in the same leaf.

        Returns
        -------
        ndarray of the shape of `leaf`
            From 0. Where items are groups, one that is larger than a piece may leave the next one empty.
        """
        return before * self.n_pieces[leaf] // self.totals[leaf]

    def block(self, leaf: IntArray, before: IntArray) -> IntArray:
        """Return the number of the block that each item is in.

        Parameters
        ----------
        leaf, before
            As in `piece`.

        Returns
        -------
        ndarray of the shape of `leaf`
            Numbers that grow with those of the leaves, and within a leaf along the order of its items.
        """
        return self.first_block[leaf] + self.piece(leaf, before)

    def blocks_in_order(self, leaves: IntArray, sizes: IntArray) -> IntArray:
        """Return the number of the block of each item, where all items are at hand, in order.

        Parameters
        ----------
        leaves
            Leaf of each item.
        sizes
            Number of records of each item.

        Returns
        -------
        ndarray of the shape of `leaves`
            As `block` returns them.
        """
        if self.n_pieces.max() == 1:
            return self.first_block[leaves]
        order = np.argsort(leaves, kind="stable")
        before = np.cumsum(sizes[order]) - sizes[order]
        before -= (np.cumsum(self.totals) - self.totals)[leaves[order]]
        blocks = np.empty_like(leaves)
        blocks[order] = self.block(leaves[order], before)
        return blocks
