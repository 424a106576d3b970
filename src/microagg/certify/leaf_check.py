"""Check that no leaf of a branching tree has a partition below the claimed bound B."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from microagg.certify.checked_problem import CheckedProblem
from microagg.certify.claim import Decision, Node
from microagg.certify.dual_bound import apply_duals
from microagg.certify.enumeration import TooManyGroupsError
from microagg.certify.group_list import GroupList
from microagg.certify.set_partitioning import select_groups
from microagg.control.stopping import StoppedError
from microagg.model.verification import Finding


class _Outcome(NamedTuple):
    """What is known of a node."""

    closed: bool  # whether it has no partition below B
    candidates: GroupList | None  # of which a partition below B consists; None: of any groups
    detail: str  # how it was closed, or why it was not


def check_leaves(nodes: Sequence[Node], checked: CheckedProblem, done: float = 0.0, share: float = 1.0) -> Finding:
    """Check that no leaf of a complete tree has a partition below B, and report how each was closed.

    Parameters
    ----------
    nodes
        The tree.
    checked
        The problem, with B.
    done, share
        Share of the whole work that was done before, and that of this check: for its progress.
    """
    candidates: dict[int, GroupList | None] = {}  # of the nodes that branch and are not closed
    last_child = {node.parent: place for place, node in enumerate(nodes)}
    closed_by: Counter[str] = Counter()
    for place, (node, decisions) in enumerate(zip(nodes, _all_decisions(nodes), strict=True)):
        inherited = None
        if node.parent is not None:
            if node.parent not in candidates:
                closed_by["by an earlier bound"] += node.is_leaf
                continue
            inherited = candidates[node.parent]
            if place == last_child[node.parent]:
                del candidates[node.parent]
        try:
            checked.run.tick("certify", done + share * place / len(nodes), f"node {place + 1} of {len(nodes)}")
            outcome = _check_node(node, decisions, inherited, checked)
        except TooManyGroupsError as error:
            return Finding("leaves", False, f"node {place}: {error}")
        except StoppedError as stopped:
            detail = f"the check was ended at node {place + 1} of {len(nodes)} by {stopped.ending}"
            return Finding("leaves", False, detail)
        if outcome.closed:
            closed_by[outcome.detail] += node.is_leaf
        elif node.is_leaf:
            return Finding("leaves", False, f"node {place}: {outcome.detail}")
        else:
            candidates[place] = outcome.candidates
    how = ", ".join(f"{count} {way}" for way, count in closed_by.items() if count)
    return Finding("leaves", True, f"none has a partition of an sse below {checked.lower_bound:.12g}: {how}")


def _all_decisions(nodes: Sequence[Node]) -> list[list[Decision]]:
    """Return the branching decisions that hold at each node: those of its parent, and its own."""
    decisions: list[list[Decision]] = []
    for node in nodes:
        above = [] if node.parent is None else decisions[node.parent]
        decisions.append(above if node.decision is None else [*above, node.decision])
    return decisions


def _check_node(
    node: Node, decisions: Sequence[Decision], inherited: GroupList | None, checked: CheckedProblem
) -> _Outcome:
    """Apply the dual solutions of a node, one after another, then what else its end calls for.

    Parameters
    ----------
    inherited
        The candidate groups that are left at the parent; None: any groups.
    """
    candidates = None
    if inherited is not None and node.decision is not None and not node.lists:
        candidates = inherited.obeying(node.decision)
    detail = "it has no dual solution"
    for proof in node.proofs:
        bound, candidates = apply_duals(checked, proof, decisions, candidates)
        if bound >= checked.lower_bound:
            return _Outcome(True, candidates, "by bound")
        detail = f"no more than {bound:.12g} is proved, and {candidates.size} candidate groups are left"
    if candidates is None:
        return _Outcome(False, None, detail)
    if not candidates.covers_all:
        return _Outcome(True, candidates, "by a record without a candidate group")
    if node.ends == "integer":
        selection = select_groups(candidates, checked.lower_bound)
        detail = "by integer programme" if selection.none_below else selection.detail
        return _Outcome(selection.none_below, candidates, detail)
    return _Outcome(False, candidates, detail)
