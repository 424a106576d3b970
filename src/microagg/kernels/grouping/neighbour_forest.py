"""Forest of edges between near records, and the decomposition of its trees into components of bounded size."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.grouping.union_find import find_root
from microagg.kernels.jit import inlined_kernel, inner_kernel, kernel
from microagg.model.arrays import IntArray

NONE = -1  # no node, no record, no cut


class Trees(NamedTuple):
    """Rooted trees whose nodes hold a record, or none where they are copies that only hold subtrees together.

    All arrays have a place for each node: the first n nodes are those of the n records, the others wait to be copies.
    """

    records: IntArray  # the record of each node, NONE for a copy
    parents: IntArray  # NONE for a root
    first_children: IntArray  # NONE for a leaf
    next_siblings: IntArray  # NONE for the last child
    sizes: IntArray  # the number of records below each node, its own included


@kernel
def grow_forest(neighbours: IntArray) -> IntArray:
    """Join trees of fewer than k records to the nearest record outside, in passes until there is none: O(n·k·log n).

    A tree has one record without an outgoing edge, its root. While it has fewer than k records, one of the k − 1
    nearest records of the root lies outside; the edge goes to the first of these. A pass goes through the roots by
    index.

    Parameters
    ----------
    neighbours
        The k − 1 nearest records of each record, by distance, of shape (n, k − 1).

    Returns
    -------
    ndarray of shape (n,)
        The record to which the edge of each record goes; NONE for the roots.
    """
    n = len(neighbours)
    k = neighbours.shape[1] + 1
    parents = np.full(n, NONE)
    leaders = np.arange(n)  # of a union-find forest
    sizes = np.ones(n, dtype=np.int64)
    roots = np.arange(n)  # of the tree of each leader
    growing = True
    while growing:
        growing = False
        for record in range(n):
            leader = find_root(leaders, record)
            if roots[leader] != record or sizes[leader] >= k:
                continue
            growing = True
            other = leader
            i = 0
            while other == leader:
                parents[record] = neighbours[record, i]
                other = find_root(leaders, neighbours[record, i])
                i += 1
            root = roots[other]
            if sizes[leader] < sizes[other]:
                leader, other = other, leader
            leaders[other] = leader
            sizes[leader] += sizes[other]
            roots[leader] = root
    return parents


@kernel
def root_at_last(parents: IntArray) -> None:
    """Turn the edges of each tree (IN/OUT) so that its last record is the root: O(n·depth)."""
    turned = np.zeros(len(parents), dtype=np.bool_)
    for record in range(len(parents) - 1, -1, -1):
        root = record
        while parents[root] != NONE:
            root = parents[root]
        if turned[root]:
            continue
        turned[record] = True
        below = NONE
        node = record
        while node != NONE:
            above = parents[node]
            parents[node] = below
            below = node
            node = above


def make_trees(parents: IntArray, order: IntArray) -> Trees:
    """Lay out a forest so that its trees can be cut: O(n·depth).

    Parameters
    ----------
    parents
        The parent of each record, NONE for the roots.
    order
        The records: of siblings, the last one in this order is listed first.
    """
    n_nodes = 2 * len(parents)
    records, above, first_children, next_siblings = np.full((4, n_nodes), NONE)
    trees = Trees(records, above, first_children, next_siblings, np.zeros(n_nodes, dtype=np.int64))
    _hang_records(trees, parents, order)
    return trees


@kernel
def _hang_records(trees: Trees, parents: IntArray, order: IntArray) -> None:
    """Hang each record below its parent (OUT in `trees`): O(n·depth)."""
    for record in order:
        trees.records[record] = record
        if parents[record] != NONE:
            _put_first(trees, parents[record], record)
    for record in order:
        _add_to_sizes(trees, record, 1)


@kernel
def cut_component(trees: Trees, root: int, copy: int, k: int) -> int:
    """Cut a component in two of at least k records each, by the cases of Aggarwal et al. (2005).

    From the root, the candidate u goes on to the root v of its largest subtree, until one of the cases holds. O(depth +
    number of children that are looked at).

    Parameters
    ----------
    trees
        IN/OUT: the trees.
    root
        The root of the component, of more than max(2k − 1, 3k − 5) records. It stays the root of one part.
    copy
        A node that is not used yet.

    Returns
    -------
    int
        The root of the other part; NONE if there is no such cut.
    """
    total = trees.sizes[root]
    u = root
    v = _largest_child(trees, u)
    while trees.sizes[v] >= k:
        if total - trees.sizes[v] >= k:
            _detach(trees, v)
            return v
        if total - trees.sizes[v] == k - 1 and trees.records[v] != NONE:  # v stays, a copy holds what is below
            trees.first_children[copy] = trees.first_children[v]
            trees.first_children[v] = NONE
            _adopt(trees, copy, v)
            return copy
        u = v
        v = _largest_child(trees, u)
    return _gather_subtrees(trees, u, v, total, copy, k)


@inner_kernel
def _gather_subtrees(trees: Trees, u: int, largest: int, total: int, copy: int, k: int) -> int:
    """Cut off some of the subtrees below u, all of which have fewer than k records: under a copy of u.

    With k − 1 records they take the record of u along. Where u is a copy itself they need k, and it may be that too
    few are left: the component has at most 3k − 3 records then, and is not cut.
    """
    has_record = trees.records[u] != NONE
    needed = k - 1 if has_record else k
    last = trees.first_children[u]
    gathered = trees.sizes[last]
    if trees.sizes[largest] == needed:
        _unlink(trees, largest)
        _put_first(trees, u, largest)
        last = largest
        gathered = needed
    while gathered < needed:
        last = trees.next_siblings[last]
        gathered += trees.sizes[last]
    takes_record = has_record and gathered == needed
    if total - gathered - takes_record < k:
        return NONE
    trees.first_children[copy] = trees.first_children[u]
    trees.first_children[u] = trees.next_siblings[last]
    trees.next_siblings[last] = NONE
    _adopt(trees, copy, u)
    if takes_record:
        trees.records[copy] = trees.records[u]
        trees.records[u] = NONE
        _add_to_sizes(trees, copy, 1)
        _add_to_sizes(trees, u, -1)
    return copy


@inner_kernel
def _largest_child(trees: Trees, node: int) -> int:
    """Find the child with the most records below; the first of several. O(children)."""
    largest = trees.first_children[node]
    child = largest
    while child != NONE:
        if trees.sizes[child] > trees.sizes[largest]:
            largest = child
        child = trees.next_siblings[child]
    return int(largest)


@inner_kernel
def _add_to_sizes(trees: Trees, node: int, difference: int) -> None:
    """Add to the size of a node and of all nodes above it: O(depth)."""
    while node != NONE:
        trees.sizes[node] += difference
        node = trees.parents[node]


@inlined_kernel
def _put_first(trees: Trees, parent: int, child: int) -> None:
    """Put a node in front of the children of another; sizes stay as they are."""
    trees.next_siblings[child] = trees.first_children[parent]
    trees.first_children[parent] = child
    trees.parents[child] = parent


@inner_kernel
def _adopt(trees: Trees, copy: int, below: int) -> None:
    """Let the children listed at a new copy, which were below another node, belong to it: O(children + depth)."""
    child = trees.first_children[copy]
    while child != NONE:
        trees.parents[child] = copy
        trees.sizes[copy] += trees.sizes[child]
        child = trees.next_siblings[child]
    _add_to_sizes(trees, below, -trees.sizes[copy])


@inner_kernel
def _detach(trees: Trees, node: int) -> None:
    """Make a node the root of its own tree: O(children of its parent + depth)."""
    _unlink(trees, node)
    trees.next_siblings[node] = NONE
    _add_to_sizes(trees, trees.parents[node], -trees.sizes[node])
    trees.parents[node] = NONE


@inner_kernel
def _unlink(trees: Trees, node: int) -> None:
    """Take a node out of the list of its parent's children: O(children)."""
    parent = trees.parents[node]
    if trees.first_children[parent] == node:
        trees.first_children[parent] = trees.next_siblings[node]
        return
    before = trees.first_children[parent]
    while trees.next_siblings[before] != node:
        before = trees.next_siblings[before]
    trees.next_siblings[before] = trees.next_siblings[node]


@kernel
def label_components(trees: Trees, n: int) -> IntArray:
    """Label the records by the root above them: O(n·depth)."""
    labels = np.empty(n, dtype=np.int64)
    for node in range(len(trees.records)):
        if trees.records[node] != NONE:
            root = node
            while trees.parents[root] != NONE:
                root = trees.parents[root]
            labels[trees.records[node]] = root
    return labels
