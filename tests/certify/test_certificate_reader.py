"""Certificates are read from JSON of the right shape, and from nothing else."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certificate_cases import Branched, Json, changed, triples
from microagg import InputError, ReadError
from microagg.certify.certificate_reader import read_certificate
from microagg.certify.claim import Cut, Decision


@pytest.fixture(scope="module")
def claim(branched: Branched) -> Json:
    """A certificate with a cut."""
    return changed(branched.certificate, "nodes", 1, "proofs", 0, "cuts", to=[{**triples(8)[0], "dual": 1}])


def test_what_is_read_is_what_was_written(claim: Json) -> None:
    read = read_certificate({**claim, "comment": "other entries are ignored", "nodes": tuple(claim["nodes"])})
    assert (read.k, read.n_records, read.columns, read.standardise) == (2, 8, ("0", "1"), True)
    assert (read.sse, read.lower_bound) == (claim["sse"], claim["lower_bound"])
    assert read.labels.tolist() == claim["labels"]
    root, together, apart = read.nodes
    assert (root.parent, root.decision, root.lists, root.ends, root.is_leaf) == (None, None, True, "branches", False)
    assert (together.parent, together.decision, together.is_leaf) == (0, Decision(1, 5, True), True)
    assert (apart.parent, apart.decision, apart.ends) == (0, Decision(1, 5, False), "bound")
    assert together.proofs[0].cuts == (Cut((0, 1, 2), (1, 1, 1), 2, 1.0),)
    assert together.proofs[0].cuts[0].right_hand_side == 1
    assert apart.proofs[0].duals.tolist() == claim["nodes"][2]["proofs"][0]["duals"]
    assert apart.proofs[0].cuts == ()
    for array in (read.labels, root.proofs[0].duals):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_data_are_not_in_the_repr(claim: Json) -> None:
    read = read_certificate(claim)
    assert "labels" not in repr(read)
    assert "nodes" not in repr(read)
    assert "duals" not in repr(read.nodes[1].proofs[0])


CUT = "nodes[1].proofs[0].cuts[0]"


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (["format"], 1, "expected a certificate of format 'microagg certificate 2', found 1"),
        (["k"], 2.5, "k must be a whole number, found 2.5"),
        (["k"], 0, "k must be at least 1, found 0"),
        (["n_records"], 0, "n_records must be at least 1, found 0"),
        (["columns"], "01", "columns must be a list, found '01'"),
        (["columns"], [], "columns must be a list of names, found []"),
        (["columns"], ["0", 1], "columns must be a list of names, found ['0', 1]"),
        (["standardise"], 1, "standardise must be True or False, found 1"),
        (["labels"], [0] * 7, "labels must be a list of 8, found one of 7"),
        (["labels"], [0] * 9, "labels must be a list of 8, found one of 9"),
        (["labels", 0], 0.5, "labels must be a whole number between −2^31 and 2^31, found 0.5"),
        (["labels", 0], True, "labels must be a whole number between −2^31 and 2^31, found True"),
        (["labels", 7], 2**31, "labels must be a whole number between −2^31 and 2^31, found 2147483648"),
        (["labels", 7], -(2**31), "labels must be a whole number between −2^31 and 2^31, found -2147483648"),
        (["sse"], None, "sse must be a number below 1e+290, found None"),
        (["sse"], True, "sse must be a number below 1e+290, found True"),
        (["lower_bound"], float("nan"), "lower_bound must be a number below 1e+290, found nan"),
        (["lower_bound"], 1e290, "lower_bound must be a number below 1e+290, found 1e+290"),
        (["lower_bound"], -1e290, "lower_bound must be a number below 1e+290, found -1e+290"),
        (["lower_bound"], 10**400, f"lower_bound must be a number below 1e+290, found 1{'0' * 39}…"),
        (["nodes"], {}, "nodes must be a list, found {}"),
        (["nodes"], [], "nodes must be a list of at least one node, found none"),
        (["nodes", 1], 7, "nodes[1] must be an object with entries, found 7"),
        (["nodes", 1, "parent"], -1, "nodes[1].parent must be at least 0, found -1"),
        (["nodes", 1, "together"], None, "nodes[1].together must be True or False, found None"),
        (["nodes", 1, "pair"], None, "nodes[1].pair must be a list, found None"),
        (["nodes", 1, "pair"], [1], "nodes[1].pair must be a list of 2, found one of 1"),
        (["nodes", 1, "lists"], 0, "nodes[1].lists must be True or False, found 0"),
        (["nodes", 1, "ends"], "hope", "nodes[1].ends must be one of bound, integer, branches, found 'hope'"),
        (["nodes", 1, "proofs"], None, "nodes[1].proofs must be a list, found None"),
        (
            ["nodes", 1, "proofs", 0, "duals", 4],
            "1",
            "nodes[1].proofs[0].duals must be a number below 1e+290, found '1'",
        ),
        (["nodes", 1, "proofs", 0, "duals"], [0.0] * 7, "nodes[1].proofs[0].duals must be a list of 8, found one of 7"),
        (["nodes", 1, "proofs", 0, "duals"], [0.0] * 9, "nodes[1].proofs[0].duals must be a list of 8, found one of 9"),
        (["nodes", 1, "proofs", 0, "cuts"], None, "nodes[1].proofs[0].cuts must be a list, found None"),
        (["nodes", 1, "proofs", 0, "cuts", 0, "records"], 1, f"{CUT}.records must be a list, found 1"),
        (
            ["nodes", 1, "proofs", 0, "cuts", 0, "weights"],
            [1, 1],
            f"{CUT}.weights must be a list of 3, found one of 2",
        ),
        (
            ["nodes", 1, "proofs", 0, "cuts", 0, "denominator"],
            2.0,
            f"{CUT}.denominator must be a whole number between −2^31 and 2^31, found 2.0",
        ),
        (["nodes", 1, "proofs", 0, "cuts", 0, "dual"], "1", f"{CUT}.dual must be a number below 1e+290, found '1'"),
    ],
)
def test_entries_of_another_shape_are_refused(claim: Json, path: list[str | int], to: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_certificate(changed(claim, *path, to=lambda _: to))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("path", "where", "entries"),
    [
        ([], "the certificate", "format k n_records columns standardise labels sse lower_bound nodes"),
        (["nodes", 1], "nodes[1]", "parent pair together lists proofs ends"),
        (["nodes", 1, "proofs", 0], "nodes[1].proofs[0]", "duals cuts"),
        (["nodes", 1, "proofs", 0, "cuts", 0], CUT, "records weights denominator dual"),
    ],
)
def test_entries_that_are_missing_are_named(claim: Json, path: list[str | int], where: str, entries: str) -> None:
    for name in entries.split():

        def without(facts: Json, name: str = name) -> Json:
            return {entry: value for entry, value in facts.items() if entry != name}

        with pytest.raises(InputError) as caught:
            read_certificate(changed(claim, *path, to=without) if path else without(claim))
        assert str(caught.value) == f"{where} has no entry {name!r}"


def test_numbers_at_the_edge_are_read(claim: Json) -> None:
    largest = float(np.nextafter(1e290, 0.0))
    read = read_certificate({**claim, "sse": largest, "lower_bound": -5})
    assert (read.sse, read.lower_bound) == (largest, -5.0)
    assert isinstance(read.lower_bound, float)
    edges = [2**31 - 1, 1 - 2**31, *claim["labels"][2:]]
    assert read_certificate({**claim, "labels": edges}).labels.tolist() == edges


def test_long_values_are_cut_off_in_messages(claim: Json) -> None:
    for length, shown in ((38, f"'{'x' * 38}'"), (39, f"'{'x' * 39}…")):
        with pytest.raises(InputError) as caught:
            read_certificate({**claim, "sse": "x" * length})
        assert str(caught.value) == f"sse must be a number below 1e+290, found {shown}"


def test_files_are_read(claim: Json, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for encoding in ("utf-8", "utf-8-sig"):
        path.write_text(json.dumps(claim), encoding=encoding)
        assert read_certificate(path).labels.tolist() == claim["labels"]
        assert read_certificate(str(path)).k == 2


def test_files_that_are_no_certificates_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    with pytest.raises(ReadError) as caught:
        read_certificate(path)
    assert str(caught.value) == f"cannot read {path}: No such file or directory"
    path.write_text("a,b\n")
    with pytest.raises(ReadError) as caught:
        read_certificate(path)
    assert str(caught.value).startswith(f"{path} is not a certificate: expected JSON, Expecting value: line 1")
    for content in (b"\xff\xfe", b"[" * 100_000):
        path.write_bytes(content)
        with pytest.raises(ReadError, match="is not a certificate: expected JSON"):
            read_certificate(path)
    path.write_text("[]")
    with pytest.raises(InputError) as refused:
        read_certificate(path)
    assert str(refused.value) == "the certificate must be an object with entries, found []"
