"""No leaf of a branching tree has a partition below the claimed bound."""

import copy

import numpy as np
import pytest

from certificate_cases import Branched, Json, changed, checked, every_group, linear_programme, node, sse
from microagg.certify import enumeration
from microagg.certify.certificate_reader import read_certificate
from microagg.certify.leaf_check import check_leaves

NO_DUALS: Json = {"duals": [0.0] * 8, "cuts": []}


def _check(branched: Branched, claim: Json) -> tuple[bool | None, str]:
    read = read_certificate(claim)
    finding = check_leaves(read.nodes, checked(branched.X, read.k, read.lower_bound))
    assert finding.check == "leaves"
    return finding.passed, finding.detail


def _closed(claim: Json, how: str) -> tuple[bool, str]:
    return True, f"none has a partition of an sse below {claim['lower_bound']:.12g}: {how}"


def _n_below(branched: Branched, decision: tuple[int, int, bool]) -> int:
    """Count the groups that obey a decision and have an sse below the claimed bound."""
    return sum(sse(branched.X, group) < branched.certificate["lower_bound"] for group in every_group(8, 2, [decision]))


def test_leaves_are_closed_by_bound(branched: Branched) -> None:
    assert _check(branched, branched.certificate) == _closed(branched.certificate, "2 by bound")


def test_leaves_are_closed_by_an_integer_programme_over_the_candidate_groups(branched: Branched) -> None:
    root = {**branched.certificate["nodes"][0], "ends": "integer"}
    claim = {**branched.certificate, "nodes": [root]}
    assert _check(branched, claim) == _closed(claim, "1 by integer programme")
    for more in (root["proofs"] * 2, [NO_DUALS]):
        assert _check(branched, {**claim, "nodes": [{**root, "proofs": root["proofs"] + more}]})[0]
    assert _check(branched, {**claim, "nodes": [{**root, "ends": "bound"}]})[0] is False


def test_leaves_below_a_node_that_is_closed_are_closed(branched: Branched) -> None:
    low = branched.certificate["lower_bound"] / 2
    claim = {**branched.certificate, "lower_bound": low}
    for place in (1, 2):
        claim = changed(claim, "nodes", place, "proofs", to=[NO_DUALS])
    assert _check(branched, claim) == _closed(claim, "2 by an earlier bound")
    deeper = copy.deepcopy(claim)
    deeper["nodes"][2]["ends"] = "branches"
    for together in (True, False):
        deeper["nodes"].append(node(NO_DUALS, ends="bound", decision=(0, 1, together), parent=2))
    assert _check(branched, deeper) == _closed(claim, "3 by an earlier bound")


def test_leaves_are_closed_where_a_record_has_no_group(branched: Branched) -> None:
    """The two records that are farthest apart are in no group that is cheap enough."""
    squares = checked(branched.X, 2).squares
    one, other = (int(record) for record in np.unravel_index(squares.argmax(), squares.shape))
    apart, _ = linear_programme(branched.X, 2, [(one, other, False)])
    nodes = [
        node(NO_DUALS, ends="branches"),
        node(ends="bound", decision=(one, other, True), parent=0, lists=False),
        node(apart, ends="integer", decision=(one, other, False), parent=0),
    ]
    claim = {**branched.certificate, "nodes": nodes}
    how = "1 by a record without a candidate group, 1 by integer programme"
    assert _check(branched, claim) == _closed(claim, how)


@pytest.mark.parametrize(("place", "record", "change"), [(1, 0, 1.0), (2, 0, 0.5), (1, 5, 2.0)])
def test_duals_that_prove_less_are_refused(branched: Branched, place: int, record: int, change: float) -> None:
    duals = ("nodes", place, "proofs", 0, "duals")
    spoilt = changed(branched.certificate, *duals, record, to=lambda dual: dual + change)
    passed, detail = _check(branched, spoilt)
    assert not passed
    assert detail.startswith(f"node {place}: no more than ")


def test_what_is_not_proved_is_told(branched: Branched) -> None:
    worthless = changed(branched.certificate, "nodes", 2, "proofs", 0, "duals", to=[0.0] * 8)
    expected = f"node 2: no more than 0 is proved, and {_n_below(branched, (1, 5, False))} candidate groups are left"
    assert _check(branched, worthless) == (False, expected)
    unproved = changed(branched.certificate, "nodes", 0, "proofs", 0, "duals", to=[0.0] * 8)
    unproved["nodes"][1].update(proofs=[], lists=False)
    assert _check(branched, unproved) == (False, "node 1: it has no dual solution")


def test_a_branch_without_a_list_inherits_the_candidate_groups_of_its_parent(branched: Branched) -> None:
    n_left = []
    for lists in (True, False):
        claim = changed(branched.certificate, "nodes", 2, "proofs", to=[NO_DUALS])
        claim["nodes"][2]["lists"] = lists
        passed, detail = _check(branched, claim)
        assert not passed
        assert detail.startswith("node 2: no more than 0 is proved, and ")
        n_left.append(int(detail.split()[-5]))
    assert n_left[0] == _n_below(branched, (1, 5, False))
    assert 0 < n_left[1] < n_left[0]


def test_a_node_with_no_dual_solutions_hands_down_any_groups(branched: Branched) -> None:
    claim = changed(branched.certificate, "nodes", 0, "proofs", to=[])
    claim["nodes"][0]["lists"] = False
    assert _check(branched, claim) == _closed(claim, "2 by bound")


def test_too_many_groups_prove_nothing(branched: Branched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "MAX_LISTED_GROUPS", 20)
    passed, detail = _check(branched, {**branched.certificate, "nodes": [node(NO_DUALS, ends="integer")]})
    assert not passed
    assert detail.startswith("node 0: more than 20 groups have a reduced cost below 3.97")
