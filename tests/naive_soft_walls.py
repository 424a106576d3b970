"""Soft walls, slow and obvious: walks through a split tree, blocks that are cut, and data that are hard to divide."""

import numpy as np

from microagg.kernels.geometry.split_tree import SplitTree
from microagg.model.arrays import FloatArray, IntArray

SHAPES = ("normal", "grid", "duplicates", "constant columns", "mostly zeros", "equal but 20", "all equal")


def leaf_of(tree: SplitTree, point: FloatArray) -> int:
    """Walk from the root of a split tree to the leaf of one point."""
    if not len(tree.cuts):
        return 0
    node = 0
    while node >= 0:
        place = 0.0
        for coordinate, weight in zip(point.tolist(), tree.axes[node].tolist(), strict=True):
            place += coordinate * weight
        first, second = tree.children[node].tolist()
        node = first if place < tree.cuts[node] else second
    return -1 - node


def cut_large(leaves: IntArray, sizes: IntArray, block_size: int) -> list[list[int]]:
    """Return the items of each block: leaves of more than two blocks are cut along the order of their items."""
    blocks: list[list[int]] = []
    for leaf in sorted(set(leaves.tolist())):
        items = [item for item in range(len(leaves)) if leaves[item] == leaf]
        total = sum(int(sizes[item]) for item in items)
        n_pieces = -(-total // block_size) if total > 2 * block_size else 1
        pieces: list[list[int]] = [[] for _ in range(n_pieces)]
        before = 0
        for item in items:
            pieces[before * n_pieces // total].append(item)
            before += int(sizes[item])
        blocks += [piece for piece in pieces if piece]
    return blocks


def hard_points(shape: str, n: int, d: int, random_state: int) -> FloatArray:
    """Return points of one of `SHAPES`, of shape (n, d)."""
    rng = np.random.default_rng(random_state)
    X = rng.normal(size=(n, d))
    if shape == "grid":
        X = np.round(X)
    elif shape == "duplicates":
        X = X[rng.integers(0, max(1, n // 3), n)]
    elif shape == "constant columns":
        X[:, : d // 2 + 1] = 7.0
    elif shape == "mostly zeros":
        X[rng.random(n) < 0.99] = 0.0
    elif shape == "equal but 20":
        X[20:] = X[0]
    elif shape == "all equal":
        X[:] = 0.1
    return X
