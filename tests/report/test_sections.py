"""Reports in words: what they say of a result, and of how it ended."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from microagg import Plan, measure, protect, solve
from microagg.report.facts import facts
from microagg.report.sections import sections


def _lines(result: object, **changed: Any) -> dict[str, str]:
    """Return the lines of the first section of a report, some facts about the solution changed."""
    known = facts(result)
    for name, value in changed.items():
        (known["sets"][0] if "sets" in known else known)[name] = value
    return sections(known)[0].lines


def test_release(companies: Path) -> None:
    lines = _lines(protect(companies, 3, exclude=["company"]))
    assert lines["records"] == "11"
    assert lines["protected"] == "surface, employees"
    assert lines["unchanged"] == "company"
    assert lines["verdict"] == "verified on the protected columns only: " + lines["verified"]
    assert lines["warning 1"].startswith("11 of 11 records (100.0 %) are unique in 'company'")
    assert lines["groups"] == "3, of 3 to 4 records each"
    assert lines["information loss"] == "34.0218 %"
    assert lines["verified"] == "every group has at least 3 records (k reached: 3)"
    assert not lines.keys() & {"dropped", "order", "index", "refining", "constructing", "column sets"}


def test_groups_of_one_size() -> None:
    assert _lines(protect(np.array([[1.0], [2.0], [8.0], [9.0]]), 2))["groups"] == "2, of 2 records each"


def test_release_that_is_not_verified_says_so(companies: Path) -> None:
    lines = _lines(protect(companies, 3, exclude=["company"], method="mdav"), verified=False)
    assert lines["verified"] == "NOT: k reached is 3"


def test_several_column_sets_have_a_section_each() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.5], "y": [1.0, 5.0, 6.5]})
    release = protect(frame, plan=Plan(k=3, sets=[{"columns": ["x"]}, {"columns": ["y"]}]))
    first, *others = sections(facts(release))
    assert first.lines["column sets"].startswith("2, each k-anonymous on its own columns")
    assert [section.heading for section in others] == ["column set 1: x", "column set 2: y"]
    assert first.lines["together"].startswith("k reached is 3 on all protected columns (1 distinct")


@pytest.mark.parametrize(("k_reached", "verdict"), [(2, "NOT 3-anonymous, k reached is 2"), (3, "k reached is 3")])
def test_several_column_sets_together_reach_the_smallest_k_or_not(k_reached: int, verdict: str) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.5, 7.0], "y": [1.0, 5.0, 6.5, 8.0]})
    known = facts(protect(frame, plan=Plan(sets=[{"columns": ["x"], "k": 4}, {"columns": ["y"], "k": 3}])))
    known["together"]["k_reached"] = k_reached
    assert sections(known)[0].lines["together"].startswith(verdict)


def test_loss_is_named_by_its_scale(companies: Path) -> None:
    release = protect(companies, 3, exclude=["company"], method="mdav", standardise=False, keep_integers=True)
    loss = _lines(release)["information loss"]
    assert re.fullmatch(r"[\d.]+ % of the total squares of .* own scales, [\d.]+ % with whole numbers kept", loss)


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"ended_by": None}, None),
        ({"ended_by": "iterations"}, "ended by iterations after 12 iterations"),
        ({"ended_by": "iterations", "starts": 3}, "ended by iterations after 12 iterations from 3 starts"),
        (
            {"ended_by": "time_limit", "starts": 3},
            "ended by time_limit after 12 iterations from 3 starts: not reproducible",
        ),
        (
            {"ended_by": "time_limit"},
            "ended by time_limit after 12 iterations: not reproducible; a run with iterations=12 is",
        ),
        (
            {"ended_by": "cancelled"},
            "cancelled after 12 iterations: not reproducible; a run with iterations=12 is",
        ),
        (
            {"ended_by": "cancelled", "iterations": 1},
            "cancelled after 1 iteration: not reproducible; a run with iterations=1 is",
        ),
        (
            {"ended_by": "time_limit", "bound_kind": "neighbours"},
            "ended by time_limit after 12 iterations: not reproducible",
        ),
    ],
)
def test_early_end_of_refining(companies: Path, changed: dict[str, Any], line: str | None) -> None:
    solution = solve(companies, 3, method="mdav")
    assert _lines(solution, **{"iterations": 12, **changed}).get("refining") == line


def test_early_end_of_constructing(companies: Path) -> None:
    lines = _lines(solve(companies, 3, method="mdav"), ended_by="time_limit", fallback_share=0.25)
    assert lines["constructing"] == "ended by time_limit: 25% of the records were grouped by the fallback, in slabs"
    assert "refining" not in lines


def test_bound() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    assert _lines(solve(X, 3, method="mdav"))["bound"] == "not requested"
    assert _lines(solve(X[:, :1], 3))["bound"] == "proved optimal: no partition loses less (sorted cut)"
    bounded = solve(X, 3, method="mdav", bound=True, target_gap=0.9)
    assert re.fullmatch(
        r"no partition loses less than \d+\.\d{4} %, gap \d+\.\d{4} % \(.*, (ended by target_gap|converged)\)",
        _lines(bounded)["bound"],
    )


def test_proved_loss_is_rounded_down() -> None:
    solution = solve(np.random.default_rng(0).normal(size=(40, 3)), 3, method="mdav", bound=True, target_gap=0.9)
    line = _lines(solution, information_loss=20.00009, gap=0.5)["bound"]
    assert line.startswith("no partition loses less than 10.0000 %, gap 50.0000 %")


def test_loss_of_more_than_everything_draws_a_warning() -> None:
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    reversed_records = measure(X, X[::-1] * 1.5)
    assert reversed_records.information_loss > 100
    assert "are the records of both files in the same order?" in _lines(reversed_records)["warning"]
    assert "warning" not in _lines(measure(X, np.array([[0.5], [0.5], [10.5], [10.5]])))
    assert "warning" not in _lines(reversed_records, information_loss=100.0)


def test_combinations_are_counted() -> None:
    measures = measure([[1.0], [2.0], [8.0], [9.0]], [[1.5], [1.5], [8.5], [8.5]])
    assert _lines(measures)["k reached"] == "2 (2 distinct combinations of values in 4 records)"
