"""Named systems and their pipelines."""

from typing import Any

import numpy as np
import pytest

from microagg import (
    InputError,
    Limits,
    MethodError,
    Problem,
    solve,
)
from microagg.methods import Pipeline, pipeline
from microagg.model.arrays import FloatArray
from microagg.refine import REFINERS


@pytest.fixture(name="X")
def _points() -> FloatArray:
    return np.random.default_rng(0).normal(size=(40, 3))


def test_name_reads_as_its_pipeline() -> None:
    plain, refined = pipeline("mdav"), pipeline("mdav+recut+recut")
    assert (plain.refiners, plain.bound) == ((), None)
    assert len(refined.refiners) == 2
    assert pipeline("univariate").bound is not None


def test_systems_take_refiners_too(X: FloatArray) -> None:
    assert pipeline("imhm+recut").refiners == (REFINERS["imhm"], REFINERS["recut"])
    assert pipeline("imhm").limits == {"time_limit", "iterations"}
    assert solve(X[:, :1], 3, method="univariate+recut").status == "optimal"


def _efforts(chosen: Pipeline) -> list[str | None]:
    stages: tuple[Any, ...] = chosen.refiners
    return [stage.effort for stage in stages]


@pytest.mark.parametrize("method", ["auto", "exact", "mdav+search"])
def test_a_time_limit_does_not_lengthen_a_search_that_a_bound_follows(X: FloatArray, method: str) -> None:
    chosen = pipeline(method, bound=True)
    problem = Problem(X, 3)
    limited = chosen.for_problem(problem, Limits(time_limit=100.0))
    assert _efforts(limited) == ["standard"]
    counted = chosen.for_problem(problem, Limits(iterations=7))
    assert _efforts(counted) == [None]
    assert pipeline("search").for_problem(problem, Limits(time_limit=1.0)).refiners == (REFINERS["search"],)


def test_nothing_follows_column_generation(X: FloatArray) -> None:
    with pytest.raises(MethodError, match="nothing can follow 'column-generation'"):
        solve(X, 3, method="column-generation+recut")
    with pytest.raises(InputError, match="pricing must be one of auto, branch-and-bound, relaxed, paper"):
        solve(X, 3, method="column-generation(pricing=cheap)")
    bound = solve(X, 3, method="column-generation(pricing=heuristic)").bound
    assert bound is not None
    assert bound.ended_by == "heuristic pricing"


@pytest.fixture(name="column")
def _one_column() -> FloatArray:
    return np.random.default_rng(1).normal(size=(60, 1))


def test_auto_on_one_column_ignores_nothing(column: FloatArray) -> None:
    plain = solve(column, 3)
    assert (plain.method, plain.status, plain.iterations) == ("univariate", "optimal", 0)
    several: tuple[dict[str, Any], ...] = (
        {"method": "auto(runs=2)"},
        {"method": "auto+igd"},
        {"effort": "quick"},
        {"iterations": 5},
    )
    for options in several:
        solution = solve(column, 3, **options)
        assert (solution.status, solution.sse) == ("optimal", plain.sse), options
    assert solve(column, 3, method="auto(runs=2)").method == "univariate+search(runs=2)"
    assert solve(column, 3, iterations=5).iterations == 5
    assert solve(column, 3, effort="quick").iterations > 5
    assert solve(column, 3, time_limit=60.0).method == "univariate"
    with pytest.raises(InputError, match="effort must be one of"):
        solve(column, 3, effort="hard")
    with pytest.raises(MethodError, match="no parameter 'x'"):
        solve(column, 3, method="auto(x=1)")
