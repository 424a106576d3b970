"""The oracle of µ-Approx: forests and their decomposition, slow and obvious."""

from dataclasses import dataclass, field

import numpy as np

import naive
from microagg.model.arrays import FloatArray, IntArray


@dataclass(eq=False)
class Node:
    """Node of a tree: a record or a copy of one, and the subtrees below it, the last record first."""

    record: int | None
    children: list["Node"] = field(default_factory=list)

    def records(self) -> list[int]:
        """List the records of the subtree."""
        own = [] if self.record is None else [self.record]
        return own + [record for child in self.children for record in child.records()]

    @property
    def size(self) -> int:
        """Number of records of the subtree."""
        return len(self.records())


def grow_forest(X: FloatArray, k: int) -> dict[int, int]:
    """Return the edges: from the roots of trees of fewer than k records to the nearest record outside, in passes."""
    edges: dict[int, int] = {}
    trees = [{record} for record in range(len(X))]
    while min(map(len, trees)) < k:
        for root in range(len(X)):
            tree = next(tree for tree in trees if root in tree)
            if root in edges or len(tree) >= k:
                continue
            nearest = np.argsort(naive.squares(X, X[root]), kind="stable").tolist()
            edges[root] = next(other for other in nearest if other not in tree)
            joined = next(other for other in trees if edges[root] in other)
            trees = [other for other in trees if other is not tree and other is not joined] + [tree | joined]
    return edges


def make_trees(n: int, edges: dict[int, int]) -> list[Node]:
    """Return the last records of the trees that some edges make, as their roots."""
    near: list[list[int]] = [[] for _ in range(n)]
    for one, other in edges.items():
        near[one].append(other)
        near[other].append(one)
    trees: list[Node] = []
    for record in reversed(range(n)):
        if not any(record in tree.records() for tree in trees):
            trees.append(_hang(near, record, None))
    return trees[::-1]


def _hang(near: list[list[int]], record: int, above: int | None) -> Node:
    """Return the node of a record, with what hangs below it."""
    below = sorted((other for other in near[record] if other != above), reverse=True)
    return Node(record, [_hang(near, other, record) for other in below])


def cut(root: Node, k: int) -> Node | None:
    """Cut a component in two; return the root of the new part, or None if there is no cut."""
    total = root.size
    u = root
    while True:
        v = max(u.children, key=lambda child: child.size)
        if v.size < k:
            return _gather(u, total, k)
        if total - v.size >= k:
            u.children.remove(v)
            return v
        if total - v.size == k - 1 and v.record is not None:
            copy = Node(None, v.children)
            v.children = []
            return copy
        u = v


def _gather(u: Node, total: int, k: int) -> Node | None:
    """Cut off children of the candidate u, with its record if they have k − 1 records."""
    needed = k if u.record is None else k - 1
    gathered = [child for child in u.children if child.size == needed][:1]
    for child in u.children:
        if sum(each.size for each in gathered) < needed:
            gathered.append(child)
    copy = Node(None, gathered)
    takes_record = u.record is not None and copy.size == needed
    if total - copy.size - takes_record < k:
        return None
    u.children = [child for child in u.children if child not in gathered]
    if takes_record:
        copy.record, u.record = u.record, None
    return copy


def decompose(trees: list[Node], k: int) -> list[list[int]]:
    """Cut trees until none has more than max(2k − 1, 3k − 5) records, or cannot be cut."""
    groups = []
    while trees:
        root = trees.pop()
        other = cut(root, k) if root.size > max(2 * k - 1, 3 * k - 5) else None
        if other is None:
            groups.append(root.records())
        else:
            trees += [root, other]
    return groups


def mu_approx(X: FloatArray, k: int) -> IntArray:
    """Return the labels of µ-Approx."""
    labels = np.arange(len(X))
    if k == 1:
        return labels
    for number, group in enumerate(decompose(make_trees(len(X), grow_forest(X, k)), k)):
        members = np.sort(group)
        labels[members] = 2 * number
        if len(members) >= 2 * k:
            far = members[np.argmax(naive.squares(X[members], X[members].mean(axis=0)))]
            labels[naive.nn(X, k, members, far)] += 1
    return labels
