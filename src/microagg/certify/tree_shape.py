"""Check that a branching tree leaves nothing out, whatever its duals are."""

from collections.abc import Sequence

from microagg.certify.claim import Decision, Node
from microagg.model.verification import Finding


def check_tree(nodes: Sequence[Node], n: int) -> Finding:
    """Check that each node that branches has two children, one with a pair of records together and one apart."""
    fault = _node_faults(nodes, n) or _children_fault(nodes)
    if fault is not None:
        return Finding("tree", False, fault)
    return Finding("tree", True, f"{sum(node.is_leaf for node in nodes)} of {len(nodes)} nodes are leaves")


def _node_faults(nodes: Sequence[Node], n: int) -> str | None:
    listed: list[bool] = []  # whether groups are listed, at the node or above it
    for place, node in enumerate(nodes):
        fault = _node_fault(place, node, n)
        if fault is not None:
            return f"node {place} {fault}"
        listed.append(node.lists or (node.parent is not None and listed[node.parent]))
        if not listed[place] and (node.proofs or node.is_leaf):
            return f"node {place} lists no candidate groups, and neither does any node above it"
    return None


def _node_fault(place: int, node: Node, n: int) -> str | None:
    """Return why a node cannot be where it is in the tree."""
    if node.lists and not node.proofs:
        return "lists candidate groups, but has no dual solution to list them by"
    if place == 0:
        is_root = node.parent is None and node.decision is None
        return None if is_root else "is the root: expected no parent and no pair"
    if node.parent is None or node.parent >= place:
        return f"has the parent {node.parent}: expected a node before it"
    if node.decision is None:
        return f"has no pair: expected two records of 0 to {n - 1}"
    pair = node.decision.one, node.decision.other
    if pair[0] == pair[1] or not all(0 <= record < n for record in pair):
        return f"has the pair {pair}: expected two records of 0 to {n - 1}"
    return None


def _children_fault(nodes: Sequence[Node]) -> str | None:
    decisions: list[list[Decision]] = [[] for _ in nodes]
    for node in nodes:
        if node.parent is not None and node.decision is not None:
            decisions[node.parent].append(node.decision)
    for place, (node, branches) in enumerate(zip(nodes, decisions, strict=True)):
        if len(branches) != (0 if node.is_leaf else 2):
            return f"node {place} ends by {node.ends!r}, but has {len(branches)} children"
        if branches and not _are_complementary(*branches):
            return f"the children of node {place} are not one pair of records together and apart: {branches}"
    return None


def _are_complementary(one: Decision, other: Decision) -> bool:
    return {one.one, one.other} == {other.one, other.other} and one.together != other.together
