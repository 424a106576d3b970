"""Branching trees leave nothing out."""

import copy
from collections.abc import Callable

import pytest

from certificate_cases import Branched, Json, changed, node
from microagg.certify.certificate_reader import read_certificate
from microagg.certify.tree_shape import check_tree


def _check(claim: Json) -> tuple[bool | None, str]:
    finding = check_tree(read_certificate(claim).nodes, claim["n_records"])
    assert finding.check == "tree"
    return finding.passed, finding.detail


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda nodes: nodes.pop(), "node 0 ends by 'branches', but has 1 children"),
        (lambda nodes: nodes.append(nodes[1]), "node 0 ends by 'branches', but has 3 children"),
        (lambda nodes: nodes[0].update(ends="bound"), "node 0 ends by 'bound', but has 2 children"),
        (lambda nodes: nodes[0].update(ends="integer"), "node 0 ends by 'integer', but has 2 children"),
        (lambda nodes: nodes[2].update(ends="branches"), "node 2 ends by 'branches', but has 0 children"),
        (
            lambda nodes: nodes[2].update(nodes[1]),
            "the children of node 0 are not one pair of records together and apart: "
            "[Decision(one=1, other=5, together=True), Decision(one=1, other=5, together=True)]",
        ),
        (
            lambda nodes: nodes[2].update(pair=[1, 6]),
            "the children of node 0 are not one pair of records together and apart: "
            "[Decision(one=1, other=5, together=True), Decision(one=1, other=6, together=False)]",
        ),
        (lambda nodes: nodes[2].update(parent=2), "node 2 has the parent 2: expected a node before it"),
        (lambda nodes: nodes[2].update(parent=None), "node 2 has the parent None: expected a node before it"),
        (
            lambda nodes: nodes[2].update(pair=None, together=None),
            "node 2 has no pair: expected two records of 0 to 7",
        ),
        (lambda nodes: nodes[2].update(pair=[5, 5]), "node 2 has the pair (5, 5): expected two records of 0 to 7"),
        (lambda nodes: nodes[2].update(pair=[1, 8]), "node 2 has the pair (1, 8): expected two records of 0 to 7"),
        (lambda nodes: nodes[2].update(pair=[-1, 5]), "node 2 has the pair (-1, 5): expected two records of 0 to 7"),
        (
            lambda nodes: nodes[0].update(lists=False),
            "node 0 lists no candidate groups, and neither does any node above it",
        ),
        (
            lambda nodes: (nodes[0].update(lists=False, proofs=[]), nodes[1].update(lists=False)),
            "node 1 lists no candidate groups, and neither does any node above it",
        ),
        (
            lambda nodes: (nodes[0].update(lists=False, proofs=[]), nodes[2].update(lists=False, proofs=[])),
            "node 2 lists no candidate groups, and neither does any node above it",
        ),
        (
            lambda nodes: nodes[0].update(pair=[0, 1], together=True),
            "node 0 is the root: expected no parent and no pair",
        ),
        (lambda nodes: nodes[0].update(parent=0), "node 0 is the root: expected no parent and no pair"),
        (
            lambda nodes: nodes[1].update(proofs=[]),
            "node 1 lists candidate groups, but has no dual solution to list them by",
        ),
    ],
)
def test_trees_that_leave_something_out_are_refused(
    branched: Branched, change: Callable[[list[Json]], object], fault: str
) -> None:
    claim = copy.deepcopy(branched.certificate)
    change(claim["nodes"])
    assert _check(claim) == (False, fault)


def test_complete_trees_are_accepted(branched: Branched) -> None:
    claim = branched.certificate
    complete = (True, "2 of 3 nodes are leaves")
    assert _check(claim) == complete
    turned = changed(claim, "nodes", 1, "pair", to=[5, 1])
    assert _check(turned) == complete
    for pair in ([0, 7], [7, 0]):
        assert _check(changed(changed(claim, "nodes", 1, "pair", to=pair), "nodes", 2, "pair", to=pair)) == complete
    inherited = changed(changed(claim, "nodes", 1, "lists", to=False), "nodes", 1, "proofs", to=[])
    assert _check(inherited) == complete
    listed_below = changed(changed(claim, "nodes", 0, "lists", to=False), "nodes", 0, "proofs", to=[])
    assert _check(listed_below) == complete


def test_a_chain_of_branches_is_complete(branched: Branched) -> None:
    proof = branched.certificate["nodes"][0]["proofs"][0]
    nodes = [
        node(proof, ends="branches"),
        node(ends="bound", decision=(0, 1, True), parent=0, lists=False),
        node(ends="branches", decision=(0, 1, False), parent=0, lists=False),
        node(ends="bound", decision=(1, 2, True), parent=2, lists=False),
        node(ends="bound", decision=(2, 1, False), parent=2, lists=False),
    ]
    assert _check({**branched.certificate, "nodes": nodes}) == (True, "3 of 5 nodes are leaves")
    assert _check({**branched.certificate, "nodes": nodes[:-1]})[0] is False
