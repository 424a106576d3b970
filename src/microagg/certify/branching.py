"""Walk the branching tree: see that it is whole, and that no leaf holds a partition below B."""

from collections import Counter
from collections.abc import Sequence

from microagg.certify.certificate_reader import Node, Rule
from microagg.certify.group_lists import TooManyError
from microagg.certify.priced_groups import Case, Pool
from microagg.certify.proof import best_choice, prove
from microagg.control.stopping import StoppedError


def whole(nodes: Sequence[Node], n: int) -> tuple[bool, str]:
    """Say whether each node that branches has two children, one with a pair of records together and one apart."""
    below: list[list[Rule]] = [[] for _ in nodes]
    lists: list[bool] = []  # whether groups are listed, there or above
    for place, node in enumerate(nodes):
        if fault := _fault(place, node, n):
            return False, f"node {place} {fault}"
        lists.append(node.lists or (node.parent is not None and lists[node.parent]))
        if not lists[place] and (node.proofs or node.ends != "branches"):
            return False, f"node {place} lists no groups, and none above it does"
        if node.parent is not None and node.rule is not None:
            below[node.parent].append(node.rule)
    for place, (node, rules) in enumerate(zip(nodes, below, strict=True)):
        if len(rules) != (2 if node.ends == "branches" else 0):
            return False, f"node {place} ends by {node.ends!r}, but has {len(rules)} children"
        if rules and not ({*rules[0][:2]} == {*rules[1][:2]} and rules[0].together != rules[1].together):
            return False, f"the children of node {place} are not one pair together and apart: {rules}"
    return True, f"{sum(node.ends != 'branches' for node in nodes)} of {len(nodes)} nodes are leaves"


def _fault(place: int, node: Node, n: int) -> str | None:
    """Say why a node cannot stand where it does."""
    if node.lists and not node.proofs:
        return "lists groups, but has no proof to list them by"
    if place == 0:
        alone = node.parent is None and node.rule is None
        return None if alone else "is the root: expected no parent and no pair"
    if node.parent is None or node.parent >= place:
        return f"has the parent {node.parent}: expected a node before it"
    if node.rule is None or node.rule.one == node.rule.other or not all(0 <= record < n for record in node.rule[:2]):
        return f"has the rule {node.rule}: expected a pair of the records 0 to {n - 1}"
    return None


def _all_rules(nodes: Sequence[Node]) -> list[list[Rule]]:
    """Give the rules of each node: those of its parent, and its own."""
    rules: list[list[Rule]] = []
    for node in nodes:
        above = [] if node.parent is None else rules[node.parent]
        rules.append(above if node.rule is None else [*above, node.rule])
    return rules


def closed(nodes: Sequence[Node], case: Case) -> tuple[bool, str]:
    """Say whether no leaf of a whole tree has a partition below B, and how that was shown."""
    left: dict[int, Pool | None] = {}  # of nodes that branch: the groups of which a partition below B may consist
    last = {node.parent: place for place, node in enumerate(nodes)}
    ways: Counter[str] = Counter()
    for place, (node, rules) in enumerate(zip(nodes, _all_rules(nodes), strict=True)):
        above = None
        if node.parent is not None:
            if node.parent not in left:
                ways["by an earlier bound"] += node.ends != "branches"
                continue
            above = left[node.parent] if place < last[node.parent] else left.pop(node.parent)
        try:
            case.run.tick("certify", place / len(nodes), f"node {place + 1} of {len(nodes)}")
            nothing, pool, detail = _look(node, rules, above, case)
        except TooManyError as error:
            return False, f"node {place}: {error}"
        except StoppedError as stopped:
            return False, f"the check was ended by {stopped.ending} at node {place + 1} of {len(nodes)}"
        if nothing:
            ways[detail] += node.ends != "branches"
        elif node.ends == "branches":
            left[place] = pool
        else:
            return False, f"node {place}: {detail}"
    how = ", ".join(f"{count} {way}" for way, count in ways.items() if count)
    return True, f"none holds a partition that loses less than {case.lower_bound:.12g}: {how}"


def _look(node: Node, rules: list[Rule], above: Pool | None, case: Case) -> tuple[bool, Pool | None, str]:
    """Say whether a node has no partition below B, and of which groups one may consist; None: of any.

    Parameters
    ----------
    above
        The groups that are left at the parent; None: any.
    """
    pool = None if above is None or node.rule is None or node.lists else above.obeying(node.rule)
    detail = "it has no proof"
    for proof in node.proofs:
        bound, pool = prove(case, proof, rules, pool)
        detail = f"no more than {bound:.12g} is proved, and {len(pool.sses)} groups are left"
        if bound >= case.lower_bound:
            return True, pool, "by bound"
    if pool is None:
        return False, None, detail
    if not pool.covers:
        return True, pool, "by a record without a group"
    if node.ends == "integer":
        nothing, detail = best_choice(pool, case.lower_bound)
        return nothing, pool, "by integer programme" if nothing else detail
    return False, pool, detail
