"""Groups of bounded size, joined pair by pair in a union-find forest."""

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import IntArray


@kernel
def join_pairs(first: IntArray, second: IntArray, n: int, max_size: int) -> IntArray:
    """Join the groups of the two records of each pair in turn, where together they have at most `max_size` records.

    Starts from n groups of one record. O(n_pairs·log n): union by size, with path halving.

    Parameters
    ----------
    first, second
        The records of the pairs, of shape (n_pairs,).

    Returns
    -------
    ndarray of shape (n,)
        One record of each record's group, the same for all records of the group.
    """
    parents = np.arange(n)
    sizes = np.ones(n, dtype=np.int64)
    for i in range(len(first)):
        root = find_root(parents, first[i])
        other = find_root(parents, second[i])
        if root != other and sizes[root] + sizes[other] <= max_size:
            if sizes[root] < sizes[other]:
                root, other = other, root
            parents[other] = root
            sizes[root] += sizes[other]
    for record in range(n):
        parents[record] = find_root(parents, record)
    return parents


@inner_kernel
def find_root(parents: IntArray, record: int) -> int:
    """Find the root of a record's tree; `parents` is IN/OUT, as paths are halved: O(log n)."""
    while parents[record] != record:
        parents[record] = parents[parents[record]]
        record = parents[record]
    return record
