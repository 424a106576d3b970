"""Certificates of divided problems: each part is proved on its own, and nothing falls between the parts."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import naive
from certificate_cases import A_BIT_LESS, Json, best_labels, changed, linear_programme, node, standardised, table
from microagg import InputError, Run, certify
from microagg.model.arrays import FloatArray
from runs import CancelledAt

K = 2
PARTS = [[0, 2, 4, 6, 8, 10], [1, 3, 5], [7, 9, 11, 12]]
"""The first has a proof by cuts or branches, the second one partition only, and the third one column that varies."""


class Divided(NamedTuple):
    data: FloatArray
    certificate: Json


@pytest.fixture(scope="module")
def divided() -> Divided:
    data = table(4, 13)
    data[PARTS[2], 1] = 0.5
    X = standardised(data, K)
    labels = np.empty(len(X), dtype=np.int64)
    parts: list[Json] = []
    for number, records in enumerate(PARTS):
        labels[records] = 10 * number + best_labels(X[records], K)
        bound = A_BIT_LESS * naive.best_sse(X[records], K)
        nodes = [node(linear_programme(X[records], K)[0], ends="integer")] if number == 0 else []
        parts.append({"records": records, "lower_bound": bound, "nodes": nodes})
    claim = {
        "format": "microagg certificate 2",
        "k": K,
        "n_records": len(X),
        "columns": ["0", "1"],
        "standardise": True,
        "labels": labels.tolist(),
        "sse": naive.sse(X, labels),
        "lower_bound": A_BIT_LESS * sum(part["lower_bound"] for part in parts),
        "parts": parts,
    }
    return Divided(data, claim)


def _failure(claim: Json, data: FloatArray) -> tuple[str, str]:
    certification = certify(claim, data)
    assert not certification.optimal
    finding = next(finding for finding in certification.findings if not finding.passed)
    return finding.check, finding.detail


def test_bounds_of_parts_are_certified_together(divided: Divided) -> None:
    certification = certify(divided.certificate, divided.data)
    assert certification.optimal
    assert certification.n_parts == 3
    found = {finding.check: finding.detail for finding in certification.findings}
    assert list(found) == ["certificate", "data", "groups", "loss", "parts", "cuts", "tree", "leaves"]
    assert found["certificate"] == "3 parts, 1 nodes, 1 dual solutions"
    assert found["parts"] == "3 parts hold each record once, no group is in two, and their bounds add up"
    assert found["tree"] == "1 of 1 nodes are leaves, of the trees of 1 part"
    assert found["leaves"] == (
        "no part has a partition of an sse below its bound: "
        "1 part by a tree, 1 part as one group, 1 part by the best cut of one column"
    )
    assert certification.summary().startswith("CERTIFIED: no partition within the 3 parts loses less than")


def test_the_scale_is_that_of_all_records(divided: Divided) -> None:
    other = divided.data.copy()
    other[0] *= 2
    assert _failure(divided.certificate, other)[0] == "loss"


@pytest.mark.parametrize(
    ("path", "to", "fault"),
    [
        (["parts"], lambda parts: parts[:2], "the parts hold 9 records: expected each of 0 to 12 in one of them"),
        (["parts", 1, "records"], [1, 3, 3], "the parts hold 13 records"),
        (["parts", 1, "records"], [1, 3, 13], "the parts hold 13 records"),
        (["parts", 1, "records"], [1, 3, -8], "the parts hold 13 records"),
        (["lower_bound"], lambda bound: bound / A_BIT_LESS**2, "the bounds of the parts add up to"),
    ],
)
def test_parts_that_leave_something_out_are_refused(divided: Divided, path: list[Any], to: Any, fault: str) -> None:
    check, detail = _failure(changed(divided.certificate, *path, to=to), divided.data)
    assert check == "parts"
    assert detail.startswith(fault)


def test_a_record_in_another_part_is_refused(divided: Divided) -> None:
    moved = changed(divided.certificate, "parts", 1, "records", to=[1, 3, 7])
    moved = changed(moved, "parts", 2, "records", to=[5, 9, 11, 12])
    check, detail = _failure(moved, divided.data)
    assert (check, detail[:5], "has records of parts" in detail) == ("parts", "group", True)


def test_the_sum_of_the_parts_is_not_exceeded_by_a_rounding(divided: Divided) -> None:
    exact = changed(divided.certificate, "parts", 0, "lower_bound", to=0.0)
    exact = changed(exact, "parts", 1, "lower_bound", to=0.0)
    of_third = exact["parts"][2]["lower_bound"]
    assert _failure({**exact, "lower_bound": of_third}, divided.data)[0] == "parts"
    assert certify({**exact, "lower_bound": np.nextafter(of_third, 0.0)}, divided.data).passed


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_bound_of_a_part_above_its_optimum_is_refused(divided: Divided, part: int) -> None:
    claim = changed(divided.certificate, "parts", part, "lower_bound", to=lambda bound: bound * (1 + 1e-6))
    check, detail = _failure(claim, divided.data)
    assert (check, detail.startswith(f"part {part + 1}: ")) == ("leaves", True)


def test_a_part_without_its_proof_is_refused(divided: Divided) -> None:
    claim = changed(divided.certificate, "parts", 0, "nodes", to=[])
    assert _failure(claim, divided.data) == (
        "leaves",
        "part 1: it has no proof, but 6 records, k = 2, and 2 columns that vary",
    )
    nothing_claimed = changed(claim, "parts", 0, "lower_bound", to=0.0)
    lower = sum(part["lower_bound"] for part in nothing_claimed["parts"])
    certification = certify({**nothing_claimed, "lower_bound": A_BIT_LESS * lower}, divided.data)
    assert (certification.passed, certification.optimal) == (True, False)


def test_faults_of_a_tree_or_a_cut_name_the_part(divided: Divided) -> None:
    pair = changed(divided.certificate, "parts", 0, "nodes", 0, "parent", to=0)
    assert _failure(pair, divided.data) == ("tree", "part 1: node 0 is the root: expected no parent and no pair")
    cut = {"records": [0, 1, 6], "weights": [1, 1, 1], "denominator": 2, "dual": 0.0}
    beyond = changed(divided.certificate, "parts", 0, "nodes", 0, "proofs", 0, "cuts", to=[cut])
    fault = "part 1: node 0 has a cut with records (0, 1, 6): expected distinct ones of 0 to 5"
    assert _failure(beyond, divided.data) == ("cuts", fault)


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (["parts"], [], "parts must be a list of at least one part, found none"),
        (["parts"], 3, "parts must be a list, found 3"),
        (["parts", 1], 3, r"parts\[1\] must be an object with entries, found 3"),
        (["parts", 1], {}, r"parts\[1\] has no entry 'records'"),
        (["parts", 1, "records"], [], r"parts\[1\].records must be a list of at least one record, found none"),
        (["parts", 1, "lower_bound"], "x", r"parts\[1\].lower_bound must be a number below 1e\+290, found 'x'"),
        (["parts", 0, "nodes", 0, "proofs", 0, "duals"], [0.0], r"parts\[0\].nodes\[0\].proofs\[0\].duals must be"),
        (["nodes"], [], "the certificate has nodes and parts"),
    ],
)
def test_parts_of_the_wrong_shape_are_refused(divided: Divided, path: list[Any], to: Any, message: str) -> None:
    claim = {"nodes": [], **divided.certificate} if path == ["nodes"] else divided.certificate
    with pytest.raises(InputError, match=message):
        certify(changed(claim, *path, to=to), divided.data)


def test_a_check_that_is_cut_short_names_the_part(divided: Divided) -> None:
    verdict = certify(divided.certificate, divided.data, run=CancelledAt(1))
    assert not verdict.passed
    assert verdict.findings[-1].detail == "the check was ended at part 1 by cancelled"


def test_progress_goes_from_part_to_part(divided: Divided) -> None:
    class Reports(Run):
        def report(self, stage: str, done: float | None = None, note: str = "") -> None:
            reports.append((done, note))

    reports: list[tuple[float | None, str]] = []
    certify(divided.certificate, divided.data, run=Reports())
    assert [report for report in reports if report[0] is not None] == [
        (0.0, "part 1 of 3"),
        (0.0, "node 1 of 1"),
        (6 / 13, "part 2 of 3"),
        (9 / 13, "part 3 of 3"),
    ]
