"""Clusters of any size to begin with: those that the first merges of a hierarchical clustering leave."""

import numpy as np

from microagg.kernels.tick import Tick
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.errors import MethodError

_MAX_WARD_RECORDS = 5_000  # whose distances take 100 MB


def ward_merges(X: FloatArray, tick: Tick) -> IntArray:
    """Return the merges of Ward's method in their order, each as two records of the clusters, of shape (n − 1, 2).

    O(n²·d) time, O(n²) memory.
    """
    from scipy.cluster.hierarchy import linkage

    n = len(X)
    if n > _MAX_WARD_RECORDS:
        raise MethodError(
            f"start=ward takes at most {_MAX_WARD_RECORDS} records at once, found {n}: "
            "choose start=spanning-tree, or a smaller block_size"
        )
    tick(0.0)
    if n < 2:
        return np.empty((0, 2), dtype=np.int64)
    merges = linkage(X, "ward")[:, :2].astype(np.int64)
    members = np.arange(2 * n - 1)  # a record of each cluster: the records themselves, then what each merge makes
    for number, (cluster, _) in enumerate(merges, start=n):
        members[number] = members[cluster]
    pairs: IntArray = members[merges]
    return pairs


def spanning_tree_merges(X: FloatArray, tick: Tick) -> IntArray:
    """Return the edges of the minimum spanning tree, the shortest first, of shape (n − 1, 2): O(n²·d)."""
    from microagg.kernels.grouping.spanning_tree import spanning_tree

    _, parents, squares = spanning_tree(X, tick)
    joined = np.argsort(squares, kind="stable")[:-1]  # the root, which has no edge, comes last
    return np.stack([joined, parents[joined]], axis=1)


def merged_clusters(merges: IntArray, n_clusters: int) -> IntArray:
    """Return the cluster of each record where merges have left some number of clusters, of shape (n,): O(n)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(merges) + 1
    one, other = merges[: n - n_clusters].T
    graph = coo_array((np.ones(len(one)), (one, other)), shape=(n, n))
    labels: IntArray = connected_components(graph, directed=False)[1].astype(np.int64)
    return labels
