"""Which methods weigh records, and how the others refuse."""

import numpy as np
import pytest
from hypothesis import given

import naive_weights
from microagg import MethodError, Partition, Problem, Run, Solution
from microagg.construct import CONSTRUCTORS
from microagg.methods import SYSTEMS, pipeline
from microagg.model.arrays import FloatArray, IntArray
from microagg.refine import REFINERS
from microagg.refine.search import Search
from microagg.run_pipeline import run_pipeline
from strategies import weighted

OTHERWISE = "choose mdav, univariate, descent or search, or leave weighted_loss out"


def _problem(n: int = 40, d: int = 3, k: int = 3) -> Problem:
    rng = np.random.default_rng(0)
    return Problem(rng.normal(size=(n, d)), k, rng.lognormal(sigma=1.5, size=n))


def _solved(method: str, problem: Problem, effort: str | None = None, bound: bool = False) -> Solution:
    return run_pipeline(pipeline(method, effort, bound), problem, 0, Run())


def test_these_stages_weigh_records() -> None:
    stages = {**CONSTRUCTORS, **REFINERS}
    weighing = {name for name, stage in stages.items() if getattr(stage, "weighted", False)}
    assert weighing == {"mdav", "mdav-nn", "univariate", "descent", "search"}


@pytest.mark.parametrize("method", sorted({*CONSTRUCTORS, *SYSTEMS, *(f"mdav+{name}" for name in REFINERS)}))
def test_a_method_weighs_records_or_refuses(method: str) -> None:
    problem = _problem(20, 1) if method == "univariate" else _problem(20)
    allowed = {"mdav", "mdav-nn", "univariate", "auto", "search", "mdav+descent", "mdav+search"}
    if method in allowed:
        assert _solved(method, problem).partition.problem is problem
        return
    with pytest.raises(MethodError, match=f"weigh.*{OTHERWISE}$"):
        _solved(method, problem)


def test_a_refusal_names_the_stage() -> None:
    with pytest.raises(MethodError) as caught:
        _solved("mdav+icsm(starts=2)", _problem())
    assert str(caught.value) == f"'icsm' cannot weigh records in its objective: {OTHERWISE}"
    with pytest.raises(MethodError, match=r"^'mdav-nc' cannot weigh records"):
        _solved("mdav-nc", _problem())

    def of_mine(partition: Partition, rng: np.random.Generator, run: Run) -> Partition:
        raise AssertionError

    with pytest.raises(MethodError, match=r"^'of_mine' cannot weigh records"):
        run_pipeline(pipeline(["mdav", of_mine]), _problem(), 0, Run())


@pytest.mark.parametrize(("method", "d"), [("search", 3), ("auto", 3), ("auto", 1), ("univariate", 1), ("exact", 3)])
def test_no_bound_is_proved_of_weighted_records(method: str, d: int) -> None:
    with pytest.raises(
        MethodError, match=f"proves no bound where records are weighted: leave the bound out, {OTHERWISE}"
    ):
        _solved(method, _problem(d=d), bound=True)


def test_the_default_searches_where_the_best_cut_of_one_column_is_not_the_optimum() -> None:
    problem = Problem(np.arange(4.0)[:, None], 2, np.array([100.0, 100.0, 1.0, 1.0]))
    solution = _solved("auto", problem)
    assert solution.method == "univariate+search"
    assert solution.bound is None
    assert solution.labels.tolist() == [0, 1, 0, 1]
    alone = _solved("univariate", problem)
    assert (alone.method, alone.status, alone.labels.tolist()) == ("univariate", "heuristic", [0, 0, 1, 1])


def test_a_thorough_search_weighs_records_too() -> None:
    problem = _problem(12)
    thorough = _solved("auto", problem, "thorough")
    assert thorough.sse <= _solved("auto", problem, "quick").sse


@given(weighted(max_n=8))
def test_search_finds_the_weighted_optimum_of_few_records(case: tuple[Problem, FloatArray, IntArray]) -> None:
    problem, weights, labels = case
    found = Search("quick")(Partition(problem, labels), np.random.default_rng(0), Run())
    optimum = naive_weights.best_sse(problem.X, problem.k, weights)
    assert found.sse >= optimum - 1e-9 * (1 + problem.sst)
    assert found.sse == pytest.approx(optimum, rel=1e-6, abs=1e-6 * (1 + problem.sst))


def test_equal_weights_give_the_groups_that_none_give() -> None:
    problem = _problem(200)
    without = Problem(problem.X, 3)
    equal = Problem(problem.X, 3, np.full(200, 3.3))
    for method in ("mdav", "mdav+descent", "search"):
        effort = "quick" if method == "search" else None
        np.testing.assert_array_equal(_solved(method, equal, effort).labels, _solved(method, without, effort).labels)


@pytest.mark.parametrize("method", ["mdav+descent", "search"])
def test_weighing_in_the_objective_loses_less_of_what_is_weighed(method: str) -> None:
    problem = _problem(300)
    effort = "quick" if method == "search" else None
    blind = Partition(problem, _solved(method, Problem(problem.X, 3), effort).labels)
    assert _solved(method, problem, effort).sse < 0.95 * blind.sse
