"""Certificates of optimality: what is proved is accepted, and nothing else is."""

import copy
import ctypes
import json
import os
import signal
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import naive
from microagg import InputError, Problem, Run, as_certificate, cli, read, solve
from microagg.certify import certify, lists
from microagg.certify.certificate_reader import Cut, Proof, Rule
from microagg.certify.priced_groups import Case
from microagg.certify.proof import prove
from microagg.certify.stdout_guard import printing_to_stderr
from microagg.encode import encode

A_BIT = 1 - 1e-9  # what a bound is lowered by


def _groups(n, k, rules=()):
    """Every group of k to 2k − 1 records that obeys some rules, each (one, other, together)."""
    for size in range(k, min(2 * k - 1, n) + 1):
        for group in combinations(range(n), size):
            held = [({one, other} <= {*group}, bool({one, other} & {*group}), joint) for one, other, joint in rules]
            if all(both or not some if joint else not both for both, some, joint in held):
                yield group


def _sse(X, group):
    return naive.sse(X[list(group)], np.zeros(len(group)))


def _reduced_cost(X, group, proof):
    cost = _sse(X, group) - sum(proof["duals"][record] for record in group)
    for cut in proof["cuts"]:
        weight = sum(w for record, w in zip(cut["records"], cut["weights"], strict=True) if record in group)
        cost += cut["dual"] * (weight // cut["denominator"])
    return cost


def _proof(X, k, rules=(), cuts=()):
    """The duals of the linear programme over all groups that obey the rules, and what it proves.

    None where it has no solution.
    """
    groups, n = list(_groups(len(X), k, rules)), len(X)
    if not groups:
        return None, np.inf
    holds = np.array([[record in group for group in groups] for record in range(n)], dtype=float)
    weights = np.zeros((len(cuts), n))
    for row, cut in zip(weights, cuts, strict=True):
        row[cut["records"]] = cut["weights"]
    q = np.array([cut["denominator"] for cut in cuts]).reshape(-1, 1)
    found = linprog(
        [_sse(X, group) for group in groups],
        A_eq=holds,
        b_eq=np.ones(n),
        A_ub=weights @ holds // q if cuts else None,
        b_ub=weights.sum(axis=1) // q[:, 0] if cuts else None,
    )
    if found.status == 2:
        return None, np.inf
    priced = [{**cut, "dual": max(0.0, -mu)} for cut, mu in zip(cuts, found.ineqlin.marginals.tolist(), strict=True)]
    return {"duals": found.eqlin.marginals.tolist(), "cuts": priced}, found.fun


def _node(*proofs, ends, rule=(None, None), parent=None, lists=True):
    pair, together = rule
    return {"parent": parent, "pair": pair, "together": together, "lists": lists, "proofs": list(proofs), "ends": ends}


def _table(seed, n, d=2):
    return np.random.default_rng(seed).normal(size=(n, d)).round(3)


def _scaled(data, k):
    table = read(data)
    return encode(table, table.names, k)[1].X


def _certificate(data, k, lower_bound, nodes, labels=None):
    X = _scaled(data, k)
    labels = np.asarray(_best_labels(X, k) if labels is None else labels)
    return {
        "format": "microagg certificate 2",
        "k": k,
        "n_records": len(X),
        "columns": list(read(data).names),
        "standardise": True,
        "labels": labels.tolist(),
        "sse": naive.sse(X, labels),
        "lower_bound": lower_bound,
        "nodes": nodes,
    }


def _best_labels(X, k):
    best = min(naive.partitions(list(range(len(X))), k), key=lambda groups: sum(_sse(X, group) for group in groups))
    labels = np.empty(len(X), dtype=int)
    for label, group in enumerate(best):
        labels[group] = label
    return labels


def _triples(n):
    return [{"records": [*three], "weights": [1, 1, 1], "denominator": 2} for three in combinations(range(n), 3)]


def _grow(X, k, target, cuts, rng, nodes, parent=None, rules=()):
    """Branch on random pairs until the linear programme proves the target, or at random ends by integers."""
    proof, proved = _proof(X, k, rules, cuts)
    place, lists = len(nodes), parent is None or bool(rng.integers(2))
    rule = ([*rules[-1][:2]], rules[-1][2]) if rules else (None, None)
    nodes.append(
        _node(*([proof] if proof else []), ends="integer", rule=rule, parent=parent, lists=lists and bool(proof))
    )
    if proved >= target:
        nodes[place]["ends"] = "bound" if proof else "integer"
    elif len(rules) < 3 and rng.integers(4):
        nodes[place]["ends"] = "branches"
        one, other = sorted(rng.choice(len(X), 2, replace=False).tolist())
        for together in rng.permutation([True, False]).tolist():
            pair = [one, other] if rng.integers(2) else [other, one]
            _grow(X, k, target, cuts, rng, nodes, place, (*rules, (*pair, together)))
    return nodes


@pytest.fixture(scope="module")
def branched():
    """A certificate of two leaves: records 1 and 5 are together or apart, and each linear programme proves enough."""
    data = _table(9, 8)
    X = _scaled(data, 2)
    target = A_BIT * naive.best_sse(X, 2)
    nodes = [_node(_proof(X, 2)[0], ends="branches")]
    for together in (True, False):
        proof, proved = _proof(X, 2, [(1, 5, together)])
        assert proved >= target
        nodes.append(_node(proof, ends="bound", rule=([1, 5], together), parent=0))
    return data, _certificate(data, 2, target, nodes)


def _failed(certificate, data):
    """The first check that failed, and what it said."""
    certification = certify(certificate, data)
    finding = next(finding for finding in certification.findings if not finding.passed)
    assert not certification.passed
    assert not certification.optimal
    assert certification.summary().startswith("NOT CERTIFIED\n")
    assert f"FAIL  {finding.check}: " in certification.summary()
    return finding.check, finding.detail


def _broken(certificate, *path, to):
    """The same certificate with one entry changed."""
    broken = copy.deepcopy(certificate)
    *way, last = path
    place = broken
    for step in way:
        place = place[step]
    place[last] = to(place[last]) if callable(to) else to
    return broken


def test_optimum_is_certified_by_bound_after_branching(branched):
    data, certificate = branched
    certification = certify(certificate, data)
    assert certification.optimal
    assert certification.gap == pytest.approx(1e-9, rel=1e-3)
    assert certification.sse == pytest.approx(certificate["sse"])
    assert certification.information_loss == pytest.approx(100 * certificate["sse"] / (8 * 2))
    assert [finding.check for finding in certification.findings] == [
        "certificate",
        "data",
        "groups",
        "loss",
        "cuts",
        "tree",
        "leaves",
    ]
    first = certification.summary().splitlines()[0]
    assert first.startswith("CERTIFIED: no partition loses less than ")
    assert first.endswith(": optimal")


def test_optimum_is_certified_by_an_integer_programme_over_what_is_left(branched):
    data, certificate = branched
    nodes = [{**certificate["nodes"][0], "ends": "integer"}]
    assert certify({**certificate, "nodes": nodes}, data).optimal
    nodes[0]["proofs"] *= 3
    assert certify({**certificate, "nodes": nodes}, data).optimal
    nodes[0]["proofs"] = nodes[0]["proofs"] + [{"duals": [0.0] * 8, "cuts": []}]
    assert certify({**certificate, "nodes": nodes}, data).optimal


def test_optimum_is_certified_by_cuts(branched):
    data, certificate = branched
    X = _scaled(data, 2)
    proof, proved = _proof(X, 2, (), _triples(8))
    assert proved >= certificate["lower_bound"]
    nodes = [_node(proof, ends="bound")]
    assert certify({**certificate, "nodes": nodes}, data).optimal
    assert _failed({**certificate, "nodes": [_node({**proof, "cuts": []}, ends="bound")]}, data)[0] == "leaves"


def test_a_lower_bound_with_a_gap_is_certified_but_not_optimal(branched):
    data, certificate = branched
    proof, proved = _proof(_scaled(data, 2), 2)
    certification = certify({**certificate, "lower_bound": A_BIT * proved, "nodes": [_node(proof, ends="bound")]}, data)
    assert certification.passed
    assert not certification.optimal
    assert certification.gap == pytest.approx(1 - proved / certificate["sse"])
    assert certification.summary().splitlines()[0].endswith(": gap 0.92 %")


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_are_accepted_and_prove_no_more(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 4))
    n = int(rng.integers(2 * k, 9))
    data = _table(rng, n)
    X, cuts = _scaled(data, k), [_triples(n)[place] for place in rng.choice(n, 3, replace=False)] if seed % 2 else []
    best = naive.best_sse(X, k)
    nodes = _grow(X, k, A_BIT * best, cuts, rng, [])
    certificate = _certificate(data, k, A_BIT * best, nodes)
    assert certify(certificate, data).optimal, certify(certificate, data).summary()
    apart = _certificate(data, k, best / A_BIT, nodes, labels=[0] * n)
    assert _failed(apart, data)[0] == "leaves"


def test_what_no_longer_follows_is_refused(branched):
    data, certificate = branched
    for node, record, change in ((1, 0, 1.0), (2, 0, 0.5), (1, 5, 2.0)):
        broken = _broken(
            certificate, "nodes", node, "proofs", 0, "duals", record, to=lambda dual, change=change: dual + change
        )
        check, detail = _failed(broken, data)
        assert check == "leaves"
        assert detail.startswith(f"node {node}: no more than ")
    worthless = _broken(certificate, "nodes", 2, "proofs", 0, "duals", to=[0.0] * 8)
    assert _failed(worthless, data)[1].startswith("node 2: no more than 0 is proved")
    unproved = _broken(certificate, "nodes", 0, "proofs", 0, "duals", to=[0.0] * 8)
    unproved["nodes"][1].update(proofs=[], lists=False)
    assert _failed(unproved, data) == ("leaves", "node 1: it has no proof")


def test_records_that_are_together_may_share_out_their_duals_in_any_way(branched):
    data, certificate = branched
    case = Case.of(Problem(_scaled(data, 2), 2), certificate["lower_bound"], Run())
    fallen = []
    for node in certificate["nodes"][1:]:
        rules, duals = [Rule(*node["pair"], node["together"])], np.array(node["proofs"][0]["duals"])
        before, _ = prove(case, Proof(duals, ()), rules, None)
        duals[node["pair"]] += [10.0, -10.0]
        after, _ = prove(case, Proof(duals, ()), rules, None)
        fallen.append(before - after)
    assert fallen == pytest.approx([0.0, 10.0], abs=1e-9)


def test_bound_above_the_truth_is_refused(branched):
    data, certificate = branched
    best = certificate["sse"]
    assert _failed({**certificate, "lower_bound": 1.001 * best}, data) == (
        "loss",
        f"the groups lose {best:.12g}, less than the bound, {1.001 * best:.12g}",
    )
    one_group = _certificate(data, 2, 1.001 * best, certificate["nodes"], labels=[0] * 8)
    assert _failed(one_group, data)[0] == "leaves"
    check, detail = _failed(_broken(one_group, "nodes", 2, "ends", to="integer"), data)
    assert (check, detail.partition(", at")[0]) == ("leaves", f"node 2: the best of 8 groups lose {best:.12g}")


def test_wrong_groups_are_refused(branched):
    data, certificate = branched
    check, detail = _failed(_broken(certificate, "labels", 0, to=99), data)
    assert (check, detail) == ("groups", "5 of 1 to 2 records, k = 2")
    assert _failed(_broken(certificate, "labels", to=lambda labels: labels[::-1]), data)[0] == "loss"
    assert _failed({**certificate, "sse": certificate["sse"] * (1 + 1e-8)}, data)[0] == "loss"
    assert certify({**certificate, "sse": certificate["sse"] * (1 + 1e-10)}, data).passed


def test_other_data_are_refused(branched):
    data, certificate = branched
    assert _failed(certificate, data[:-1]) == ("data", "expected 8 records, found 7")
    assert _failed(_broken(certificate, "columns", 1, to="b"), data)[1].startswith("there is no column 'b'")
    certification = certify(certificate, data[:-1])
    assert (certification.sse, certification.gap, certification.bound) == (None, None, None)
    assert _failed(certificate, data[::-1])[0] == "loss"
    assert _failed({**certificate, "standardise": False}, data)[0] == "loss"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"records": [0, 1, 0]}, "records (0, 1, 0)"),
        ({"records": [0, 1, 8]}, "records (0, 1, 8)"),
        ({"records": [0, 1, -1]}, "records (0, 1, -1)"),
        ({"weights": [1, 1, 0]}, "weights (1, 1, 0)"),
        ({"denominator": 1}, "denominator 1"),
        ({"denominator": -2}, "denominator -2"),
        ({"dual": -1e-9}, "dual -1e-09"),
    ],
)
def test_cuts_that_need_not_hold_are_refused(branched, change, said):
    data, certificate = branched
    cut = {**_triples(8)[0], "dual": 1e-3}
    legal = _broken(certificate, "nodes", 0, "proofs", 0, "cuts", to=[cut])
    assert certify(legal, data).passed
    check, detail = _failed(_broken(legal, "nodes", 0, "proofs", 0, "cuts", 0, to={**cut, **change}), data)
    assert (check, detail.partition(":")[0]) == ("cuts", f"node 0 has a cut with {said}")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda nodes: nodes.pop(), "node 0 ends by 'branches', but has 1 children"),
        (lambda nodes: nodes.append(nodes[1]), "node 0 ends by 'branches', but has 3 children"),
        (lambda nodes: nodes[0].update(ends="bound"), "node 0 ends by 'bound', but has 2 children"),
        (lambda nodes: nodes[2].update(nodes[1]), "the children of node 0 are not one pair together and apart"),
        (lambda nodes: nodes[2].update(pair=[1, 6]), "the children of node 0 are not one pair together and apart"),
        (lambda nodes: nodes[2].update(parent=2), "node 2 has the parent 2: expected a node before it"),
        (lambda nodes: nodes[2].update(parent=None), "node 2 has the parent None: expected a node before it"),
        (lambda nodes: nodes[2].update(pair=None, together=None), "node 2 has the rule None: expected a pair"),
        (lambda nodes: nodes[2].update(pair=[5, 5]), "node 2 has the rule Rule"),
        (lambda nodes: nodes[2].update(pair=[1, 8]), "node 2 has the rule Rule"),
        (lambda nodes: nodes[0].update(lists=False), "node 0 lists no groups, and none above it does"),
        (lambda nodes: nodes[0].update(pair=[0, 1], together=True), "node 0 is the root"),
        (lambda nodes: nodes[1].update(proofs=[]), "node 1 lists groups, but has no proof"),
    ],
)
def test_trees_that_leave_something_out_are_refused(branched, change, said):
    data, certificate = branched
    broken = copy.deepcopy(certificate)
    change(broken["nodes"])
    check, detail = _failed(broken, data)
    assert (check, detail[: len(said)]) == ("tree", said)


@pytest.mark.parametrize(
    ("path", "to", "said"),
    [
        (["format"], "microagg certificate 1", "expected a certificate of format 'microagg certificate 2', found '"),
        (["k"], 2.5, "k must be a whole number, found 2.5"),
        (["k"], 9, "k = 9 is more than the 8 records there are"),
        (["n_records"], 0, "n_records must be at least 1"),
        (["columns"], "01", "columns must be a list"),
        (["columns"], [0, 1], "columns must be a list of names"),
        (["columns"], ["0", "0"], "column '0' is named 2 times"),
        (["standardise"], 1, "standardise must be True or False"),
        (["labels"], [0] * 7, "labels must be a list of 8, found one of 7"),
        (["labels", 0], 0.5, "labels must be whole numbers"),
        (["labels", 0], 2**63, "labels must be whole numbers"),
        (["sse"], None, "sse must be a number below 1e+290, found None"),
        (["lower_bound"], float("nan"), "lower_bound must be a number below 1e+290, found nan"),
        (["lower_bound"], -1e300, "lower_bound must be a number below 1e+290, found -1e+300"),
        (["lower_bound"], 10**400, "lower_bound must be a number below 1e+290, found 1000"),
        (["nodes"], [], "nodes must be a list of at least one node"),
        (["nodes", 1], 7, "node 1 must be an object with entries, found 7"),
        (["nodes", 1], {}, "node 1 has no entry 'parent'"),
        (["nodes", 1, "together"], None, "node 1: together must be True or False, found None"),
        (["nodes", 1, "pair"], [1], "node 1: pair must be a list of 2, found one of 1"),
        (["nodes", 1, "ends"], "hope", "node 1: ends must be one of bound, integer, branches, found 'hope'"),
        (["nodes", 1, "proofs", 0, "duals", 4], "1", "node 1, proof 0: duals must be a number below 1e+290, found '1'"),
        (["nodes", 1, "proofs", 0, "duals"], [0.0] * 9, "node 1, proof 0: duals must be a list of 8"),
        (["nodes", 1, "proofs", 0, "cuts"], [{}], "node 1, proof 0, cut 0 has no entry 'records'"),
    ],
)
def test_certificate_of_another_shape_is_bad_input(branched, path, to, said):
    data, certificate = branched
    with pytest.raises(InputError) as caught:
        certify(_broken(certificate, *path, to=lambda _: to), data)
    assert str(caught.value).startswith(said)


def test_too_many_groups_are_not_listed(branched, monkeypatch):
    data, certificate = branched
    monkeypatch.setattr(lists, "MOST", 20)
    proof = {"duals": [0.0] * 8, "cuts": []}
    check, detail = _failed({**certificate, "nodes": [_node(proof, ends="integer")]}, data)
    assert check == "leaves"
    assert detail.startswith("node 0: more than 20 groups have a reduced cost below 3.97")


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 1), (2, 2), (3, 2), (5, 3)])
def test_smallest_problems(n, k):
    data = _table(0, n)
    X = _scaled(data, k)
    proof, _ = _proof(X, k)
    certificate = _certificate(data, k, A_BIT * naive.best_sse(X, k), [_node(proof, ends="integer")])
    assert certify(certificate, data).optimal
    assert certify(_certificate(data, k, -1.0, [_node(proof, ends="bound")]), data).passed


def _draw_proof(draw, rng, X, k, rules):
    """Duals near those of the linear programme or far from them, with cuts of any kind."""
    n, proof = len(X), None
    if draw(st.booleans()):
        proof, _ = _proof(X, k, rules)
    duals = np.array(proof["duals"]) if proof else rng.normal(0.5, 1.0, n)
    duals += draw(st.sampled_from([0.0, 0.01, 1.0])) * rng.normal(size=n)
    cuts = []
    for _ in range(draw(st.integers(0, 12))):
        records = rng.choice(n, int(rng.integers(1, min(n, 6) + 1)), replace=False).tolist()
        weights = rng.integers(1, 4, len(records)).tolist()
        dual = float(rng.exponential(draw(st.sampled_from([0.0, 0.1, 1.0]))))
        cuts.append({"records": records, "weights": weights, "denominator": int(rng.integers(2, 6)), "dual": dual})
    return {"duals": duals.tolist(), "cuts": cuts}


def _draw_case(draw, max_n):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    k = draw(st.integers(1, 3))
    n = draw(st.integers(max(k, 2), max_n))
    d = draw(st.integers(1, 3))
    data = rng.integers(0, 4, (n, d)).astype(float) if draw(st.booleans()) else rng.normal(size=(n, d))
    return rng, data, k


@settings(max_examples=300)
@given(st.data())
def test_listing_finds_what_trying_every_group_finds(data):
    rng, table, k = _draw_case(data.draw, 9)
    X, n = data.draw(st.sampled_from([1.0, 0.1, 0.0])) * _scaled(table, k), len(table)  # cuts alone matter in the end
    rules = [
        Rule(*rng.choice(n, 2, replace=False).tolist(), data.draw(st.booleans()))
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    proof = _draw_proof(data.draw, rng, X, k, rules)
    costs = {group: _reduced_cost(X, group, proof) for group in _groups(n, k, rules)}
    ceiling = 1e-6 + (rng.choice(sorted(costs.values())[:20]) if costs else 0.0)
    cuts = [Cut(tuple(cut["records"]), tuple(cut["weights"]), cut["denominator"], cut["dual"]) for cut in proof["cuts"]]
    numbers = Proof(np.array(proof["duals"]), tuple(cuts))
    pool = lists.list_all(Case.of(Problem(X, k), 0.0, Run()), numbers, rules, ceiling)
    found = [tuple(np.flatnonzero(row).tolist()) for row in pool.groups.toarray()]
    assert len(set(found)) == len(found)
    assert {group for group, cost in costs.items() if cost < ceiling - 1e-9} <= set(found)
    assert all(costs[group] < ceiling + 1e-9 for group in found)
    assert pool.sses == pytest.approx([_sse(X, group) for group in found], abs=1e-9)


@settings(max_examples=150)
@given(st.data())
def test_no_certificate_proves_what_is_not_true(data):
    rng, table, k = _draw_case(data.draw, 8)
    X, n = _scaled(table, k), len(table)
    best, all_in_one = naive.best_sse(X, k), naive.sse(X, np.zeros(n))
    if all_in_one - best < 1e-3:
        return
    above = data.draw(st.sampled_from([1e-6, 1e-3, 0.1, 1.0]))
    nodes = []

    def grow(parent, rules):
        place, listed = len(nodes), parent is None or data.draw(st.booleans())
        proofs = [_draw_proof(data.draw, rng, X, k, rules) for _ in range(data.draw(st.integers(int(listed), 2)))]
        rule = ([*rules[-1][:2]], rules[-1][2]) if rules else (None, None)
        ends = data.draw(st.sampled_from(["bound", "integer", "branches"] if len(rules) < 3 else ["bound", "integer"]))
        nodes.append(_node(*proofs, ends=ends, rule=rule, parent=parent, lists=listed))
        if ends == "branches":
            pair = rng.choice(n, 2, replace=False).tolist()
            for together in (True, False):
                grow(place, [*rules, (*pair, together)])

    grow(None, [])
    false = _certificate(table, k, best + above * (all_in_one - best), nodes, labels=[0] * n)
    assert _failed(false, table)[0] == "leaves"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch, branched):
    """Run the command in a folder with data and a certificate: exit code, what it printed, and what it said."""
    monkeypatch.chdir(tmp_path)
    data, certificate = branched
    certificate = {**certificate, "columns": ["a", "b"]}
    np.savetxt("data.csv", data, delimiter=",", header="a,b", comments="", fmt="%.3f")
    (tmp_path / "proof.json").write_text(json.dumps(certificate))
    (tmp_path / "false.json").write_text(json.dumps({**certificate, "sse": 1.0}))

    def command(*arguments):
        with pytest.raises(SystemExit) as stopped:
            cli.main(["certify", *arguments])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        printed = capsys.readouterr()
        return stopped.value.code, printed.out, printed.err

    return command


def test_command_certifies(run):
    code, out, err = run("proof.json", "data.csv")
    assert (code, err) == (0, "")
    assert out.startswith("CERTIFIED: no partition loses less than ")
    code, out, _ = run("proof.json", "data.csv", "--format", "json")
    facts = json.loads(out)
    assert (code, facts["passed"], facts["optimal"], facts["k"]) == (0, True, True, 2)
    assert facts["findings"][-1]["check"] == "leaves"


def test_command_refuses(run, tmp_path):
    code, out, _ = run("false.json", "data.csv")
    assert (code, out.splitlines()[0]) == (1, "NOT CERTIFIED")
    code, out, _ = run("false.json", "data.csv", "--format", "json")
    assert (code, json.loads(out)["passed"]) == (1, False)
    code, _, err = run("data.csv", "data.csv")
    assert code == 2
    assert err.startswith("error: data.csv is not a certificate: expected JSON")
    code, _, err = run("none.json", "data.csv")
    assert (code, err) == (2, "error: cannot read none.json: No such file or directory\n")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert run("deep.json", "data.csv")[0] == 2
    (tmp_path / "list.json").write_text("[]")
    assert run("list.json", "data.csv")[2] == "error: the certificate must be an object with entries, found []\n"


def test_what_compiled_code_prints_goes_to_stderr(capfd):
    libc = ctypes.CDLL(None)
    print("before")
    with printing_to_stderr():
        libc.puts(b"from below")
        os.write(1, b"at once\n")
    libc.puts(b"after")
    libc.fflush(None)
    out, err = capfd.readouterr()
    assert out.split() == ["before", "after"]
    assert sorted(err.splitlines()) == ["at once", "from below"]


def test_a_check_that_is_cut_short_certifies_nothing():
    X = np.random.default_rng(0).normal(size=(18, 2))
    certificate = json.loads(as_certificate(solve(X, 3, method="exact")))
    assert certify(certificate, X, run=Run(time_limit=3600.0)).passed
    run = Run(progress=lambda *news: run.cancel())
    verdict = certify(certificate, X, run=run)
    assert not verdict.passed
    assert not verdict.optimal
    assert verdict.findings[-1].detail.startswith("the check was ended by cancelled at node 1 of")
    assert not certify(certificate, X, run=Run(time_limit=1e-9)).passed
