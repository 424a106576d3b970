"""Blocks through every face of the library: the options are obeyed, and reports say what was chosen and why."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from divided import solved
from microagg import InputError, Plan, Problem, Run, protect, solve, solve_range, verify
from microagg.report.facts import facts
from microagg.report.json import as_json
from microagg.report.text import as_text

BLOCKS: dict[str, Any] = {"block_size": 40, "rounds": 2, "effort": "quick"}
REASON = "120 records are more than one block of about 40 holds; 2 rounds of blocks"


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    """Return a table with strata, weights, units and a confidential column."""
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "x": rng.normal(size=120),
            "y": rng.lognormal(size=120),
            "half": ["a", "b"] * 60,
            "weight": rng.uniform(1, 3, 120),
            "unit": np.arange(120) // 2,
            "illness": rng.geometric(0.5, 120),
        }
    )


def test_solve_divides_as_asked_for(frame: pl.DataFrame) -> None:
    X = frame.select("x", "y").to_numpy()
    solution = solve(X, 3, standardise=False, **BLOCKS)
    expected = solved(Problem(X - X.mean(axis=0), 3), **BLOCKS)
    assert (solution.method, solution.reason) == ("search in blocks", REASON)
    assert solution.sse == pytest.approx(expected.sse, rel=0.02)
    assert solve(X, 3, block_size=120).method == "search"


def test_a_range_of_k_is_divided_for_each(frame: pl.DataFrame) -> None:
    X = frame.select("x", "y").to_numpy()
    solutions = solve_range(X, range(3, 5), method="fdm", block_size=40)
    for k, solution in solutions.items():
        alone = solve(X, k, method="fdm", block_size=40)
        np.testing.assert_array_equal(solution.labels, alone.labels)
        assert solution.method == "fdm in blocks"
    with pytest.raises(InputError, match="block_size must be at least 44, found 40"):
        solve_range(X, range(3, 12), block_size=40)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"strata": ["half"], "block_size": 20},
        {"weighted_loss": True},
        {"unit": "unit"},
        {"confidential": ["illness"], "l_diversity": 2},
        {"method": "mdav", "rounds": 1, "effort": None, "bound": True},
    ],
    ids=["plain", "strata", "weights", "unit", "l-diversity", "bound"],
)
def test_what_is_protected_in_blocks_is_verified(frame: pl.DataFrame, options: dict[str, Any]) -> None:
    plan = Plan(**{"k": 3, "columns": ["x", "y"], "weight": "weight", **BLOCKS, **options})
    release = protect(frame, plan=plan)
    assert verify(frame, release.data, plan=release.plan).passed
    assert "in blocks" in release.sets[0].solution.method
    again = protect(frame, plan=Plan.from_toml(plan.to_toml()), run=Run(workers=1))
    np.testing.assert_array_equal(again.labels, release.labels)


@pytest.mark.parametrize("missing", ["available", "pattern"])
def test_missing_cells_go_with_blocks(frame: pl.DataFrame, missing: str) -> None:
    holes = frame.with_columns(x=pl.when(pl.col("unit") % 3 == 0).then(None).otherwise(pl.col("x")))
    release = protect(
        holes, k=3, columns=["x", "y"], exclude=["weight"], missing=missing, method="mdav+descent", block_size=30
    )
    assert verify(holes, release.data, plan=release.plan).passed
    assert "in blocks" in release.sets[0].solution.method


def test_reports_say_what_was_chosen_and_why(frame: pl.DataFrame) -> None:
    release = protect(frame, k=3, columns=["x", "y"], exclude=["weight"], **BLOCKS)
    text = as_text(facts(release))
    assert "method:           search in blocks, k = 3" in text
    assert f"reason:           {REASON}" in text
    assert json.loads(as_json(facts(release)))["sets"][0]["reason"] == REASON
    solution = solve(frame.select("x", "y").to_numpy(), 3, effort="quick")
    assert "reason:           120 records are taken at once, as up to 5000 are" in as_text(facts(solution))
    assert json.loads(as_json(facts(solution)))["reason"] == solution.reason
    plain = solve(frame.select("x", "y").to_numpy(), 3, method="mdav")
    assert "reason" not in as_text(facts(plain))
    assert json.loads(as_json(facts(plain)))["reason"] == ""


def test_of_many_parts_the_reason_is_that_of_the_largest(frame: pl.DataFrame) -> None:
    options: dict[str, Any] = {
        "k": 3,
        "columns": ["x", "y"],
        "strata": ["half"],
        "exclude": ["weight"],
        **BLOCKS,
        "block_size": 20,
    }
    even = protect(frame, **options).sets[0].solution
    assert even.reason == "60 records are more than one block of about 20 holds; 2 rounds of blocks"
    uneven = protect(frame[1:], **options).sets[0].solution
    assert uneven.reason == f"the largest of 2 parts: {even.reason}"


def test_a_plan_file_says_how_to_divide(frame: pl.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'k = 3\ncolumns = ["x", "y"]\nexclude = ["weight"]\nmethod = "mdav+descent"\nblock_size = 40\nrounds = 3\n'
    )
    release = protect(frame, plan=Plan.from_toml(path.read_text()))
    assert release.sets[0].solution.reason.endswith("3 rounds of blocks")
