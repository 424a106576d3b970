"""Minimum spanning tree of all records, and its partition into subtrees of at least k records."""

import numpy as np

from microagg.kernels.geometry.record_blocks import BLOCK, Blocks, copy_point, measure_block, pack, remove
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import BoolArray, FloatArray, IntArray


def spanning_tree(X: FloatArray, tick: Tick = no_tick) -> tuple[IntArray, IntArray, FloatArray]:
    """Find the minimum spanning tree by Prim's algorithm: O(n²·d) time, O(n·d) memory.

    Returns
    -------
    visited : ndarray of shape (n,)
        The records in the order in which they joined the tree, from record 0.
    parents : ndarray of shape (n,)
        The record to which each one was joined; -1 for the first.
    squares : ndarray of shape (n,)
        The squared length of that edge, infinite for the first; ties go to the lowest record.
    """
    n, d = X.shape
    blocks = pack(X)
    visited = np.zeros(n, dtype=np.int64)
    parents = np.full(n, -1, dtype=np.int64)
    squares = np.full(n, np.inf)
    done = 0
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        steps = min(n - done, steps_per_tick((n - done) * (d + 4)))
        _grow_tree(blocks, visited, parents, squares, done, steps)
        done += steps
    return visited, parents, squares


@kernel
def _grow_tree(
    blocks: Blocks, visited: IntArray, parents: IntArray, squares: FloatArray, done: int, steps: int
) -> None:
    """Let the records visited[done], … join the tree, `steps` of them: O(n·d) each.

    Parameters
    ----------
    blocks
        IN/OUT: the records outside the tree.
    visited
        IN/OUT: the records of the tree, and after them the next one to join.
    parents, squares
        IN/OUT: for each record outside, its nearest record of the tree and their squared distance.
    """
    n = len(visited)
    point = np.empty(len(blocks.sums))
    place = np.empty(1, dtype=np.int64)
    for step in range(done, done + steps):
        joining = visited[step]
        place[0] = blocks.places[joining]
        copy_point(blocks.values, place[0], point)
        n_left = remove(blocks, n - step, place)
        best = -1
        for block in range((n_left + BLOCK - 1) // BLOCK):
            start = block * BLOCK
            filled = min(BLOCK, n_left - start)
            measure_block(blocks, block, filled, point)
            for i in range(filled):
                record = blocks.records[start + i]
                if blocks.squares[i] < squares[record]:
                    squares[record] = blocks.squares[i]
                    parents[record] = joining
                if best < 0 or squares[record] < squares[best] or (squares[record] == squares[best] and record < best):
                    best = record
        if n_left:
            visited[step + 1] = best


@kernel
def cut_tree(visited: IntArray, parents: IntArray, longest: IntArray, k: int) -> IntArray:
    """Cut the tree's edges, the longest first, wherever both subtrees keep at least k records.

    O(n) an edge at worst, for the way up to the root.

    Parameters
    ----------
    visited, parents
        The tree, as `spanning_tree` returns it.
    longest
        All records but the root, by the length of the edge to their parents, falling.

    Returns
    -------
    ndarray of shape (n,)
        The subtree of each record, numbered in the order of `visited`.
    """
    n = len(visited)
    sizes = np.ones(n, dtype=np.int64)  # records below each record in its subtree, itself included
    for i in range(n - 1, 0, -1):
        sizes[parents[visited[i]]] += sizes[visited[i]]
    is_root = parents < 0
    for record in longest:
        if is_root[record] or sizes[record] < k:
            continue
        if sizes[_root_above(parents, is_root, record)] - sizes[record] < k:
            continue
        is_root[record] = True
        ancestor = parents[record]
        sizes[ancestor] -= sizes[record]
        while not is_root[ancestor]:
            ancestor = parents[ancestor]
            sizes[ancestor] -= sizes[record]
    return _label_subtrees(visited, parents, is_root)


@inner_kernel
def _root_above(parents: IntArray, is_root: BoolArray, record: int) -> int:
    """Find the root of the subtree of a record's parent: O(depth)."""
    root = parents[record]
    while not is_root[root]:
        root = parents[root]
    return int(root)


@inner_kernel
def _label_subtrees(visited: IntArray, parents: IntArray, is_root: BoolArray) -> IntArray:
    """Label the records by their subtrees, in the order in which the roots were visited: O(n)."""
    labels = np.empty(len(visited), dtype=np.int64)
    n_subtrees = 0
    for record in visited:
        if is_root[record]:
            labels[record] = n_subtrees
            n_subtrees += 1
        else:
            labels[record] = labels[parents[record]]
    return labels
