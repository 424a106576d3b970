"""Span all records by the shortest tree, and cut it into parts of at least k."""

import numpy as np

from microagg.kernels.geometry.record_blocks import BLOCK, Blocks, measure_block, pack, remove
from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray


def spanning_tree(X: FloatArray, tick: Tick = no_tick) -> tuple[IntArray, IntArray, FloatArray]:
    """Find the minimum spanning tree by Prim's algorithm: O(n²·d), O(n·d) memory.

    Returns
    -------
    visited : ndarray of shape (n,)
        The records in the order in which the tree reached them, from record 0.
    parents : ndarray of shape (n,)
        Which record each one hangs on; -1 for the first.
    squares : ndarray of shape (n,)
        The squared length of that edge; ties go to the lowest record.
    """
    n, d = X.shape
    blocks = pack(X)
    visited, parents, squares = np.zeros(n, dtype=np.int64), np.full(n, -1, dtype=np.int64), np.full(n, np.inf)
    done = 0
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        steps = min(n - done, steps_per_tick((n - done) * (d + 4)))
        _reach_out(blocks, X, visited, parents, squares, done, steps)
        done += steps
    return visited, parents, squares


@kernel
def _reach_out(
    blocks: Blocks, X: FloatArray, visited: IntArray, parents: IntArray, squares: FloatArray, done: int, steps: int
) -> None:
    """Reach some more records; all arrays but X are IN/OUT, and the next record to be visited stands in `visited`."""
    n = len(visited)
    place = np.empty(1, dtype=np.int64)
    for step in range(done, done + steps):
        here = visited[step]
        place[0] = blocks.places[here]
        left = remove(blocks, n - step, place)
        best = -1
        for block in range((left + BLOCK - 1) // BLOCK):
            start, filled = block * BLOCK, min(BLOCK, left - block * BLOCK)
            measure_block(blocks, block, filled, X[here])
            for i in range(filled):
                record = blocks.records[start + i]
                if blocks.squares[i] < squares[record]:
                    squares[record] = blocks.squares[i]
                    parents[record] = here
                if best < 0 or squares[record] < squares[best] or (squares[record] == squares[best] and record < best):
                    best = record
        if left:
            visited[step + 1] = best


@kernel
def cut_tree(visited: IntArray, parents: IntArray, longest: IntArray, k: int) -> IntArray:
    """Cut the tree's edges, the longest first, wherever both sides keep at least k records.

    Parameters
    ----------
    visited, parents
        The tree, as `spanning_tree` gives it.
    longest
        The records by the length of the edge on which they hang, falling.

    Returns
    -------
    ndarray of shape (n,)
        The part of each record, numbered in the order of `visited`.
    """
    n = len(visited)
    sizes = np.ones(n, dtype=np.int64)  # of what hangs on each record, itself too
    for i in range(n - 1, 0, -1):
        sizes[parents[visited[i]]] += sizes[visited[i]]
    top = parents < 0
    for record in longest:
        if top[record] or sizes[record] < k:
            continue
        root = parents[record]
        while not top[root]:
            root = parents[root]
        if sizes[root] - sizes[record] < k:
            continue
        top[record] = True
        above = parents[record]
        while True:
            sizes[above] -= sizes[record]
            if top[above]:
                break
            above = parents[above]
    labels = np.empty(n, dtype=np.int64)
    parts = 0
    for record in visited:
        if top[record]:
            labels[record] = parts
            parts += 1
        else:
            labels[record] = labels[parents[record]]
    return labels
