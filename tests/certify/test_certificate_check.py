"""Certificates of optimality: what is proved is accepted, and nothing else is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from certificate_cases import (
    A_BIT_LESS,
    Branched,
    Json,
    certificate,
    changed,
    draw_data,
    draw_proof,
    linear_programme,
    node,
    standardised,
    table,
    triples,
)
from microagg import Certification, InputError, Run, certify
from microagg.model.arrays import FloatArray
from runs import CancelledAt


def first_failure(claim: Json, data: FloatArray) -> tuple[str, str]:
    """Return the first check that failed, and what it found."""
    certification = certify(claim, data)
    finding = next(finding for finding in certification.findings if not finding.passed)
    assert not certification.passed
    assert not certification.optimal
    assert certification.summary().startswith("NOT CERTIFIED\n")
    assert f"FAIL  {finding.check}: " in certification.summary()
    return finding.check, finding.detail


def detail_of(certification: Certification, check: str) -> str:
    return next(finding.detail for finding in certification.findings if finding.check == check)


def test_optimum_is_certified_by_bound_after_branching(branched: Branched) -> None:
    claim = branched.certificate
    certification = certify(claim, branched.data)
    assert certification.optimal
    assert (certification.k, certification.n_records, certification.columns) == (2, 8, ("0", "1"))
    assert certification.gap == pytest.approx(1e-9, rel=1e-3)
    assert certification.sse == pytest.approx(claim["sse"])
    assert certification.lower_bound == claim["lower_bound"]
    assert certification.information_loss == pytest.approx(100 * claim["sse"] / (8 * 2))
    assert certification.bound == pytest.approx(100 * claim["lower_bound"] / (8 * 2))
    sse, bound = f"{claim['sse']:.12g}", f"{claim['lower_bound']:.12g}"
    assert [(finding.check, finding.detail) for finding in certification.findings] == [
        ("certificate", "3 nodes, 3 dual solutions"),
        ("data", "8 records, in '0', '1'"),
        ("groups", "4 of 2 to 2 records, k = 2"),
        ("loss", f"the groups have sse {sse} as claimed, the bound is {bound}"),
        ("cuts", "all 0 hold for every partition"),
        ("tree", "2 of 3 nodes are leaves"),
        ("leaves", f"none has a partition of an sse below {bound}: 2 by bound"),
    ]
    first = certification.summary().splitlines()[0]
    assert first.startswith("CERTIFIED: no partition loses less than ")
    assert first.endswith(": optimal")


def test_optimum_is_certified_by_cuts(branched: Branched) -> None:
    proof, proved = linear_programme(branched.X, 2, (), triples(8))
    assert proof is not None
    assert proved >= branched.certificate["lower_bound"]
    by_cuts = {**branched.certificate, "nodes": [node(proof, ends="bound")]}
    certification = certify(by_cuts, branched.data)
    assert certification.optimal
    assert detail_of(certification, "cuts") == "all 56 hold for every partition"
    without = {**branched.certificate, "nodes": [node({**proof, "cuts": []}, ends="bound")]}
    assert first_failure(without, branched.data)[0] == "leaves"


def test_a_lower_bound_with_a_gap_is_certified_but_not_optimal(branched: Branched) -> None:
    proof, proved = linear_programme(branched.X, 2)
    claim = {**branched.certificate, "lower_bound": A_BIT_LESS * proved, "nodes": [node(proof, ends="bound")]}
    certification = certify(claim, branched.data)
    assert certification.passed
    assert not certification.optimal
    assert certification.gap == pytest.approx(1 - proved / claim["sse"])
    assert certification.summary().splitlines()[0].endswith(": gap 0.92 %")


def _grow(
    X: FloatArray,
    k: int,
    target: float,
    cuts: list[Json],
    rng: np.random.Generator,
    nodes: list[Json],
    parent: int | None = None,
    decisions: tuple[tuple[int, int, bool], ...] = (),
) -> list[Json]:
    """Branch on random pairs until the linear programme proves the target, or at random end by integers."""
    proof, proved = linear_programme(X, k, decisions, cuts)
    place = len(nodes)
    lists = (parent is None or bool(rng.integers(2))) and proof is not None
    decision = decisions[-1] if decisions else None
    proofs = [] if proof is None else [proof]
    nodes.append(node(*proofs, ends="integer", decision=decision, parent=parent, lists=lists))
    if proved >= target:
        nodes[place]["ends"] = "bound" if proof else "integer"
    elif len(decisions) < 3 and rng.integers(4):
        nodes[place]["ends"] = "branches"
        one, other = sorted(rng.choice(len(X), 2, replace=False).tolist())
        for together in rng.permutation([True, False]).tolist():
            pair = (one, other) if rng.integers(2) else (other, one)
            _grow(X, k, target, cuts, rng, nodes, place, (*decisions, (*pair, together)))
    return nodes


@pytest.mark.parametrize("random_state", range(12))
def test_random_trees_are_accepted_and_prove_no_more(random_state: int) -> None:
    rng = np.random.default_rng(random_state)
    k = int(rng.integers(2, 4))
    n = int(rng.integers(2 * k, 9))
    data = table(rng, n)
    X = standardised(data, k)
    cuts = [triples(n)[place] for place in rng.choice(n, 3, replace=False)] if random_state % 2 else []
    best = naive.best_sse(X, k)
    nodes = _grow(X, k, A_BIT_LESS * best, cuts, rng, [])
    claim = certificate(data, k, A_BIT_LESS * best, nodes)
    assert certify(claim, data).optimal, certify(claim, data).summary()
    too_high = certificate(data, k, best / A_BIT_LESS, nodes, labels=[0] * n)
    assert first_failure(too_high, data)[0] == "leaves"


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 1), (2, 2), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_smallest_problems(n: int, k: int) -> None:
    data = table(0, n)
    X = standardised(data, k)
    proof, _ = linear_programme(X, k)
    claim = certificate(data, k, A_BIT_LESS * naive.best_sse(X, k), [node(proof, ends="integer")])
    assert certify(claim, data).optimal
    assert certify(certificate(data, k, -1.0, [node(proof, ends="bound")]), data).passed


def test_constant_data_have_no_loss() -> None:
    data = np.ones((4, 1))
    proof = {"duals": [0.0] * 4, "cuts": []}
    certification = certify(certificate(data, 2, 0.0, [node(proof, ends="bound")], labels=[0, 0, 1, 1]), data)
    assert certification.optimal
    assert (certification.sse, certification.information_loss, certification.bound) == (0.0, 0.0, 0.0)


def test_bound_above_the_sse_of_the_groups_is_refused(branched: Branched) -> None:
    sse = certify(branched.certificate, branched.data).sse
    assert sse is not None
    for above, check in ((0.5e-12, "leaves"), (2e-12, "loss"), (1e-3, "loss")):
        found = first_failure({**branched.certificate, "lower_bound": (1 + above) * sse}, branched.data)
        assert found[0] == check
    assert found[1] == f"the groups have sse {sse:.12g}, below the bound of {1.001 * sse:.12g}"


def test_bound_above_the_optimum_is_refused(branched: Branched) -> None:
    best = branched.certificate["sse"]
    one_group = certificate(branched.data, 2, 1.001 * best, branched.certificate["nodes"], labels=[0] * 8)
    assert first_failure(one_group, branched.data)[0] == "leaves"
    check, detail = first_failure(changed(one_group, "nodes", 2, "ends", to="integer"), branched.data)
    assert check == "leaves"
    assert detail.startswith(f"node 2: the best of 8 candidate groups have sse {best:.12g}, proved to ")


@pytest.mark.parametrize(("factor", "passed"), [(0.9e-9, True), (1.1e-9, False)])
@pytest.mark.parametrize("sign", [1, -1])
def test_sse_must_be_that_of_the_labels(branched: Branched, factor: float, passed: bool, sign: int) -> None:
    sse = certify(branched.certificate, branched.data).sse
    assert sse is not None
    claimed = sse * (1 + sign * factor)
    claim = {**branched.certificate, "sse": claimed}
    assert certify(claim, branched.data).passed is passed
    if not passed:
        expected = ("loss", f"the groups have sse {sse:.12g}, not {claimed:.12g} as claimed")
        assert first_failure(claim, branched.data) == expected


def test_groups_below_k_are_refused(branched: Branched) -> None:
    alone = changed(branched.certificate, "labels", 0, to=99)
    assert first_failure(alone, branched.data) == ("groups", "5 of 1 to 2 records, k = 2")
    pairs_for_three = {**branched.certificate, "k": 3}
    assert first_failure(pairs_for_three, branched.data) == ("groups", "4 of 2 to 2 records, k = 3")
    swapped = changed(branched.certificate, "labels", to=lambda labels: labels[::-1])
    assert first_failure(swapped, branched.data)[0] == "loss"


def test_other_data_are_refused(branched: Branched) -> None:
    data, claim = branched.data, branched.certificate
    assert first_failure(claim, data[:-1]) == ("data", "expected 8 records, found 7")
    missing = ("data", "there is no column 'b': the table has '0', '1'")
    assert first_failure(changed(claim, "columns", 1, to="b"), data) == missing
    certification = certify(claim, data[:-1])
    assert (certification.sse, certification.gap, certification.bound) == (None, None, None)
    assert certification.information_loss is None
    assert [finding.check for finding in certification.findings] == ["certificate", "data"]
    assert first_failure(claim, data[::-1])[0] == "loss"
    assert first_failure({**claim, "standardise": False}, data)[0] == "loss"


def test_leaves_are_not_checked_where_anything_else_failed(branched: Branched) -> None:
    for entry, value, failed in (("labels", [0] * 7 + [1], {"groups", "loss"}), ("sse", 1.0, {"loss"})):
        certification = certify({**branched.certificate, entry: value}, branched.data)
        assert {finding.check for finding in certification.findings if not finding.passed} == failed
        assert [finding.check for finding in certification.findings][-1] == "tree"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"records": [0, 1, 0]}, "records (0, 1, 0): expected distinct ones of 0 to 7"),
        ({"records": [0, 1, 8]}, "records (0, 1, 8): expected distinct ones of 0 to 7"),
        ({"records": [0, 1, -1]}, "records (0, 1, -1): expected distinct ones of 0 to 7"),
        ({"weights": [1, 1, 0]}, "weights (1, 1, 0): expected none below 1"),
        ({"denominator": 1}, "denominator 1: expected at least 2"),
        ({"denominator": 0}, "denominator 0: expected at least 2"),
        ({"denominator": -2}, "denominator -2: expected at least 2"),
        ({"dual": -1e-300}, "dual -1e-300: expected none below 0"),
    ],
)
@pytest.mark.parametrize("where", [0, 2])
def test_cuts_that_need_not_hold_are_refused(branched: Branched, change: Json, fault: str, where: int) -> None:
    cut = {**triples(8)[0], "dual": 0.0}
    edge = {"records": [0, 7], "weights": [1, 5], "denominator": 2, "dual": 1e-9}
    legal = changed(branched.certificate, "nodes", where, "proofs", 0, "cuts", to=[edge, cut])
    assert detail_of(certify(legal, branched.data), "cuts") == "all 2 hold for every partition"
    illegal = changed(legal, "nodes", where, "proofs", 0, "cuts", 1, to={**cut, **change})
    assert first_failure(illegal, branched.data) == ("cuts", f"node {where} has a cut with {fault}")


@settings(max_examples=120)
@given(st.data())
def test_no_certificate_proves_what_is_not_true(draw: st.DataObject) -> None:
    rng, data, k = draw_data(draw, 8)
    X, n = standardised(data, k), len(data)
    best, all_in_one = naive.best_sse(X, k), naive.sse(X, np.zeros(n))
    if all_in_one - best < 1e-3:
        return
    above = draw.draw(st.sampled_from([1e-6, 1e-3, 0.1, 1.0]))
    nodes: list[Json] = []

    def grow(parent: int | None, decisions: list[tuple[int, int, bool]]) -> None:
        place = len(nodes)
        lists = parent is None or draw.draw(st.booleans())
        proofs = [draw_proof(draw, rng, X, k, decisions) for _ in range(draw.draw(st.integers(int(lists), 2)))]
        every_end = ["bound", "integer", "branches"] if len(decisions) < 3 else ["bound", "integer"]
        ends = draw.draw(st.sampled_from(every_end))
        decision = decisions[-1] if decisions else None
        nodes.append(node(*proofs, ends=ends, decision=decision, parent=parent, lists=lists))
        if ends == "branches":
            one, other = rng.choice(n, 2, replace=False).tolist()
            for together in (True, False):
                grow(place, [*decisions, (one, other, together)])

    grow(None, [])
    false = certificate(data, k, best + above * (all_in_one - best), nodes, labels=[0] * n)
    assert first_failure(false, data)[0] == "leaves"


def test_a_check_that_is_cut_short_certifies_nothing(branched: Branched) -> None:
    data, claim = branched.data, branched.certificate
    assert certify(claim, data, run=Run(time_limit=3600.0)).passed
    verdict = certify(claim, data, run=CancelledAt(1))
    assert not verdict.passed
    assert not verdict.optimal
    assert verdict.findings[-1].detail == "the check was ended at node 1 of 3 by cancelled"
    late = certify(claim, data, run=Run(time_limit=1e-9))
    assert not late.passed
    assert late.findings[-1].detail == "the check was ended at node 1 of 3 by time_limit"


def test_progress_goes_from_node_to_node(branched: Branched) -> None:
    class Reports(Run):
        def report(self, stage: str, done: float | None = None, note: str = "") -> None:
            reports.append((stage, done, note))

    reports: list[tuple[str, float | None, str]] = []
    certify(branched.certificate, branched.data, run=Reports())
    assert [report for report in reports if report[1] is not None] == [
        ("certify", place / 3, f"node {place + 1} of 3") for place in range(3)
    ]
    assert reports[1] == ("certify", None, "0 groups listed, now those of 2 records")
    stages: list[str] = []
    certify(branched.certificate, branched.data, progress=lambda stage, done, note="": stages.append(stage))
    assert set(stages) == {"certify"}


def test_limits_that_a_check_does_not_know_are_refused(branched: Branched) -> None:
    for run, names in (
        (Run(iterations=1), "iterations"),
        (Run(time_limit=9.0, target_gap=0.1), "target_gap"),
        (Run(iterations=1, target_gap=0.1), "iterations or target_gap"),
    ):
        with pytest.raises(InputError) as caught:
            certify(branched.certificate, branched.data, run=run)
        assert str(caught.value) == f"a check has nothing that {names} could limit: leave it out"
