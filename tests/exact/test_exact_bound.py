"""Proved optima, against trying everything and as certificates."""

import html
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from lp_cases import one_group, random_problem
from microagg import InputError, MethodError, Run, cli, protect, solve
from microagg.certify import certify, enumeration
from microagg.exact.exact_bound import Exact
from microagg.methods import pipeline
from microagg.model.arrays import FloatArray
from microagg.report.certificate import as_certificate
from proofs import certified
from runs import CancelledAt

NAMES = ("a", "b")
NO_INTEGER_PROGRAMMES = {
    "branch_and_price.ROOT_MIP_LIMITS": (0, 0),
    "branch_and_price.NODE_MIP_LIMITS": (0, 0),
}
NO_CUTS = {"node_relaxation.MAX_CUTS_PER_ROUND": 0, "node_relaxation.RECORDS_PER_CUT": 1000}
NO_LISTS = {"optimality_proof.STAGE_MAX_GROUPS": (), "node_relaxation.MAX_LISTED_GROUPS": 0}
NO_DIVES = {"optimality_proof.DIVE_GROUPS_PER_RECORD": 0}
WAYS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "branches over lists": NO_INTEGER_PROGRAMMES | NO_CUTS | NO_DIVES | {"optimality_proof.MIN_COVERED_GAP_SHARE": 0.0},
    "branches alone": NO_LISTS | NO_CUTS | NO_DIVES,
}


def _patch(monkeypatch: pytest.MonkeyPatch, values: dict[str, Any]) -> None:
    for name, value in values.items():
        monkeypatch.setattr(f"microagg.exact.{name}", value)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1), st.integers(6, 13), st.integers(2, 4), st.booleans())
def test_the_optimum_is_found_proved_and_certified(way: str, random_state: int, n: int, k: int, ties: bool) -> None:
    problem = random_problem(random_state, n, k, ties=ties)
    with pytest.MonkeyPatch.context() as patch:
        _patch(patch, WAYS[way])
        bound, partition = Exact()(problem, one_group(problem), Run())
    optimum = naive.least_sse(problem.X, k)
    assert partition.sse == pytest.approx(optimum, rel=1e-7, abs=1e-12)
    assert bound.sse == pytest.approx(optimum, rel=1e-7, abs=1e-12)
    assert bound.sse <= optimum * (1 + 1e-14)
    assert bound.converged
    if optimum:
        assert certified(problem, bound, partition).optimal


@pytest.mark.parametrize("count", [1, 40, 120])
def test_what_was_proved_when_it_was_cancelled_holds_and_can_be_checked(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _patch(monkeypatch, NO_LISTS)
    problem = random_problem(4, 60, 3, ties=True)
    bound, partition = Exact()(problem, one_group(problem), CancelledAt(count))
    assert bound.ended_by == "cancelled"
    best, _ = Exact()(problem, partition, Run())
    assert bound.sse <= best.sse * (1 + 1e-12)
    if bound.proof is not None:
        assert certified(problem, bound, partition).passed


LITTLE_EFFORT = {"exact.proof_context.MAX_SUBSETS_PER_ROOT": 3, "lp.root_relaxation.MAX_SUBSETS_PER_ROOT": 3}


@pytest.mark.parametrize("place", LITTLE_EFFORT)
def test_without_limits_a_proof_goes_on_with_more_effort(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _patch(monkeypatch, NO_LISTS | NO_INTEGER_PROGRAMMES | NO_CUTS)
    problem = random_problem(0, 36, 3, d=3)
    free, best = Exact()(problem, one_group(problem), Run())
    monkeypatch.setattr(f"microagg.{place}", LITTLE_EFFORT[place])
    limited, _ = Exact(branches=100_000)(problem, one_group(problem), Run())
    assert limited.ended_by == "effort"
    bound, partition = Exact()(problem, one_group(problem), Run())
    assert free.ended_by is bound.ended_by is None
    assert partition.sse == pytest.approx(best.sse, rel=1e-12)
    assert limited.sse < bound.sse == pytest.approx(best.sse, rel=1e-7)
    assert certified(problem, bound, partition).optimal


def test_what_limited_effort_leaves_open_is_told_with_the_way_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    _patch(monkeypatch, NO_LISTS | NO_INTEGER_PROGRAMMES | NO_CUTS)
    X = random_problem(2, 80, 3, d=3).X
    solution = solve(X, 3, method="exact(branches=1)", effort="quick")
    assert solution.bound is not None
    assert (solution.status, solution.bound.ended_by) == ("bounded", "effort")
    text = solution.summary()
    assert f"{100 * (solution.gap or 0.0):.4f} % (exact, stopped at its effort limit)" in text
    assert "to go on:         the method 'exact' without limits and branches ends only when the optimum is" in text
    told = "stopped at its effort limit). To go on: the method 'exact' without limits and branches ends only when"
    document = html.unescape(protect(X, 3, method="exact(branches=1)", effort="quick").to_html())
    assert told in " ".join(document.split())
    assert "to go on" not in solve(X[:20], 3, method="exact", effort="quick").summary()


def test_a_gap_that_is_small_enough_ends_the_proof() -> None:
    problem = random_problem(0, 60, 3)
    bound, partition = Exact()(problem, one_group(problem), Run(target_gap=0.2))
    assert bound.ended_by == "target_gap"
    assert 0.8 * partition.sse <= bound.sse < partition.sse * (1 - 1e-6)


def test_the_method_proves_and_certifies() -> None:
    frame = pl.DataFrame(np.random.default_rng(0).normal(size=(50, 2)), schema=list(NAMES))
    solution = solve(frame, 4, method="exact", effort="quick")
    assert solution.status == "optimal"
    assert solution.gap is not None
    assert solution.gap <= 1e-7
    assert solution.reproducible
    text = as_certificate(solution)
    assert certify(json.loads(text), frame).optimal
    higher = json.loads(text) | {"lower_bound": 1.001 * solution.sse}
    assert not certify(higher, frame).passed
    again = solve(frame, 4, method="exact", effort="quick")
    np.testing.assert_array_equal(solution.labels, again.labels)
    assert again.bound == solution.bound


def test_equal_records_are_no_burden_to_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any three of forty equal records are a group that costs nothing: nobody wants all of these listed."""
    monkeypatch.setattr(enumeration, "MAX_LISTED_GROUPS", 2_000)
    rng = np.random.default_rng(1)
    X = np.concatenate([np.repeat(rng.normal(size=(3, 2)), 40, axis=0), rng.normal(size=(20, 2))])
    frame = pl.DataFrame(X, schema=list(NAMES))
    solution = solve(frame, 3, method="exact", effort="quick")
    assert solution.status == "optimal"
    assert certify(json.loads(as_certificate(solution)), frame).optimal


@pytest.mark.parametrize(("X", "k"), [(np.ones((6, 2)), 2), (np.arange(12.0).reshape(6, 2), 1), (np.eye(4), 3)])
def test_trivial_problems_are_certified_too(X: FloatArray, k: int) -> None:
    frame = pl.DataFrame(X)
    solution = solve(frame, k, columns=frame.columns, method="exact")
    assert solution.status == "optimal"
    assert certify(json.loads(as_certificate(solution)), frame).optimal


def test_only_an_exact_proof_makes_a_certificate() -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.raises(InputError, match="no certificate, as no bound was asked for"):
        as_certificate(solve(X, 3, method="mdav"))
    with pytest.raises(InputError, match="no certificate, as the bound was proved by column generation"):
        as_certificate(solve(X, 3, method="mdav", bound=True))
    with pytest.raises(MethodError, match="nothing can follow 'exact'"):
        pipeline("exact+recut")


def test_the_command_line_writes_a_certificate_and_checks_it(
    companies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, out = tmp_path / "proof.json", tmp_path / "safe.csv"
    for command in (["bound", str(companies)], ["protect", str(companies), "-o", str(out), "--exclude", "company"]):
        arguments = [*command, "-k", "3", "--columns", "surface,employees", "--certificate", str(proof)]
        with pytest.raises(SystemExit) as end:
            cli.main(arguments)
        assert end.value.code == 2
        assert "writes no certificate: add --method exact" in capsys.readouterr().err
        with pytest.raises(SystemExit) as end:
            cli.main([*arguments, "--method", "exact"])
        assert end.value.code == 0
        assert "proved optimal" in capsys.readouterr().out
        with pytest.raises(SystemExit) as end:
            cli.main(["certify", str(proof), str(companies)])
        assert end.value.code == 0
        assert capsys.readouterr().out.startswith("CERTIFIED")
        proof.unlink()
    with pytest.raises(SystemExit) as end:
        cli.main(["bound", str(companies), "-k", "3", "--method", "exact", "--certificate", str(companies), "--force"])
    assert end.value.code == 2
    assert "is the file" in capsys.readouterr().err
