"""Blocks of leaves: numbered without gaps, cut where they are too large, and the same from partial sums."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microagg.leaf_blocks import LeafBlocks
from microagg.model.arrays import IntArray
from naive_soft_walls import cut_large


def _items(data: st.DataObject, largest: int) -> tuple[IntArray, IntArray, IntArray]:
    """Draw leaf and size of some items, and the total of each leaf; some leaves are empty."""
    sizes = np.array(data.draw(st.lists(st.integers(1, largest), min_size=1, max_size=60)))
    leaves = np.array(data.draw(st.lists(st.integers(0, 5), min_size=len(sizes), max_size=len(sizes))))
    return leaves, sizes, np.bincount(leaves, weights=sizes, minlength=8).astype(np.int64)


def _members(blocks: IntArray) -> list[list[int]]:
    return [np.flatnonzero(blocks == number).tolist() for number in np.unique(blocks)]


@given(st.data(), st.integers(1, 12))
def test_large_leaves_are_cut_along_the_order(data: st.DataObject, block_size: int) -> None:
    leaves, sizes, totals = _items(data, 9)
    blocks = LeafBlocks(totals, block_size).blocks_in_order(leaves, sizes)
    assert _members(blocks) == cut_large(leaves, sizes, block_size)


@given(st.data(), st.integers(1, 12))
def test_records_leave_no_number_of_a_block_out(data: st.DataObject, block_size: int) -> None:
    leaves, sizes, totals = _items(data, 1)
    found = LeafBlocks(totals, block_size)
    blocks = found.blocks_in_order(leaves, sizes)
    assert np.unique(blocks).tolist() == list(range(int(found.n_pieces.sum())))
    assert [np.flatnonzero(blocks == number).tolist() for number in range(blocks.max() + 1)] == cut_large(
        leaves, sizes, block_size
    )


@given(st.data(), st.integers(2, 6))
def test_groups_smaller_than_pieces_leave_no_number_of_a_block_out(data: st.DataObject, k: int) -> None:
    leaves, sizes, totals = _items(data, 2 * k - 1)
    blocks = LeafBlocks(totals, 4 * k).blocks_in_order(leaves, sizes)
    assert np.unique(blocks).tolist() == list(range(blocks.max() + 1))


@given(st.data(), st.integers(1, 12))
def test_blocks_follow_from_the_sizes_before(data: st.DataObject, block_size: int) -> None:
    leaves, sizes, totals = _items(data, 9)
    found = LeafBlocks(totals, block_size)
    before = np.array([sizes[:item][leaves[:item] == leaf].sum() for item, leaf in enumerate(leaves)], dtype=np.int64)
    np.testing.assert_array_equal(found.block(leaves, before), found.blocks_in_order(leaves, sizes))
    assert np.all(found.piece(leaves, before) < found.n_pieces[leaves])


def test_a_group_larger_than_a_piece_leaves_the_next_one_out() -> None:
    found = LeafBlocks(np.array([3, 30]), 10)
    blocks = found.blocks_in_order(np.array([0, 1, 1, 1]), np.array([3, 25, 2, 3]))
    assert found.first_block.tolist() == [0, 1]
    assert blocks.tolist() == [0, 1, 3, 3]
