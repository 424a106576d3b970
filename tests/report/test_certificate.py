"""Certificates: what is written is what `certify` reads."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from certificate_cases import node
from microagg import (
    Column,
    InputError,
    Limits,
    LowerBound,
    ReadError,
    Run,
    Solution,
    as_certificate,
    certify,
    protect,
    read,
    solve,
)
from microagg.certify.certificate_reader import FORMAT
from microagg.encode import encode
from microagg.join import join_solutions
from microagg.methods import pipeline
from microagg.model.by_column import ByColumn
from microagg.model.division import Division, Part
from microagg.model.encoding import Encoding
from microagg.model.solution import SolvedPart
from microagg.model.treatment import Treatment
from microagg.run_pipeline import run_pipeline

RECORDS = [[1.0], [2.0], [8.0], [9.0]]
ROOT = node({"duals": [0.05] * 4, "cuts": []}, ends="bound")


@pytest.fixture
def proved() -> Solution:
    """A solution with a lower bound that a hand-made tree proves."""
    return replace(solve(RECORDS, 2), bound=LowerBound(0.0, "exact", proof=lambda: (ROOT,)))


def test_a_certificate_holds_groups_bound_and_tree(proved: Solution) -> None:
    text = as_certificate(proved)
    assert json.loads(text) == {
        "format": FORMAT,
        "k": 2,
        "n_records": 4,
        "columns": ["0"],
        "standardise": True,
        "labels": [0, 0, 1, 1],
        "sse": proved.sse,
        "lower_bound": 0.0,
        "nodes": [ROOT],
    }
    assert ": " not in text
    assert certify(json.loads(text), RECORDS).passed
    raw = replace(solve(RECORDS, 2, standardise=False), bound=proved.bound)
    assert json.loads(as_certificate(raw))["standardise"] is False
    assert certify(json.loads(as_certificate(raw)), RECORDS).passed


def test_only_a_proof_that_can_be_checked_makes_a_certificate(proved: Solution) -> None:
    advice = "choose the method 'exact', and a small k"
    for result, reason in (
        (replace(proved, bound=None), f"there is no certificate, as no bound was asked for: {advice}"),
        (solve(RECORDS, 2), f"there is no certificate, as the bound was proved by sorted cut: {advice}"),
        (protect(RECORDS, 2), f"there is no certificate, as the bound was proved by sorted cut: {advice}"),
        (
            replace(proved, encoding=None),
            "there is no certificate, as the problem was stated without columns: solve a table",
        ),
    ):
        with pytest.raises(InputError) as caught:
            as_certificate(result)
        assert str(caught.value) == reason


def _divided(sizes: list[int]) -> Solution:
    """Return a solution of parts one after another, each proved by branch and price."""
    X = np.random.default_rng(5).normal(size=(sum(sizes), 2)).round(3)
    table = read(X)
    encoding, problem = encode(table, table.names, 2)
    ends = np.cumsum(sizes)
    parts = [Part(f"stratum {end}", np.arange(end - size, end)) for size, end in zip(sizes, ends, strict=True)]
    with Run().under_way(Limits()) as run:
        alone = [run_pipeline(pipeline("exact"), problem.part(part.records), 0, run) for part in parts]
    return replace(join_solutions(problem, Division(tuple(parts)), alone), encoding=encoding)


def test_a_certificate_of_a_divided_problem_holds_the_proof_of_each_part() -> None:
    solution = _divided([7, 3, 9])
    facts = json.loads(as_certificate(solution))
    assert "nodes" not in facts
    assert [part["records"] for part in facts["parts"]] == [[*range(7)], [7, 8, 9], [*range(10, 19)]]
    assert all(part["nodes"] for part in facts["parts"])
    bound = solution.lower_bound
    assert bound is not None
    assert facts["lower_bound"] <= bound
    assert facts["lower_bound"] == pytest.approx(bound, rel=1e-15)
    data = np.random.default_rng(5).normal(size=(19, 2)).round(3)
    certification = certify(facts, data)
    assert certification.optimal, certification.summary()
    assert certification.n_parts == 3


def _with_first_bound(solution: Solution, bound: LowerBound) -> Solution:
    """Return a divided solution whose first part has another bound."""
    first, *others = solution.parts
    changed = SolvedPart(first.part, replace(first.solution, bound=bound))
    return replace(solution, parts=(changed, *others))


def test_a_part_that_was_bounded_otherwise_is_named() -> None:
    solution = _divided([7, 3])
    with pytest.raises(InputError) as caught:
        as_certificate(_with_first_bound(solution, LowerBound(0.1, "neighbours")))
    assert str(caught.value) == (
        "there is no certificate, as the bound of the part of 7 records with stratum 7 was proved by neighbours: "
        "choose the method 'exact', and a small k"
    )
    with pytest.raises(InputError, match="as no bound was asked for"):
        as_certificate(replace(solution, bound=None))


def test_a_part_of_which_nothing_is_proved_adds_nothing() -> None:
    unproved = _with_first_bound(_divided([7, 3]), LowerBound(0.0, "none", "time_limit"))
    facts = json.loads(as_certificate(unproved))
    assert facts["parts"][0]["nodes"] == []
    data = np.random.default_rng(5).normal(size=(10, 2)).round(3)
    certification = certify(facts, data)
    assert (certification.passed, certification.optimal) == (True, False)


def test_records_that_lack_values_have_no_certificate() -> None:
    data = np.random.default_rng(5).normal(size=(10, 2))
    data[6:, 1] = np.nan
    release = protect(data, 2, columns=[0, 1], method="exact", missing="pattern")
    with pytest.raises(InputError, match="as values are missing: certificates are about complete records"):
        as_certificate(release)


def test_certificates_are_about_plain_numbers(proved: Solution) -> None:
    ranked = Encoding.fit([Column.of_numbers("0", np.arange(4.0))], Treatment(scale=ByColumn("rank")))
    with pytest.raises(InputError, match="there is no certificate, as not every column is a number on its own scale"):
        as_certificate(replace(proved, encoding=ranked))


def test_the_text_of_a_certificate_is_checked_like_its_file(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(12, 2))
    text = as_certificate(solve(X, 3, method="exact"))
    (tmp_path / "proof.json").write_text(text)
    assert certify(text, X).optimal
    assert certify(text, X) == certify(tmp_path / "proof.json", X)
    with pytest.raises(ReadError) as refused:
        certify(text[:-9], X)
    assert str(refused.value).startswith("the text is not a certificate")
    assert len(str(refused.value)) < 200
