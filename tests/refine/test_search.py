"""The search: efforts, limits, repeatability."""

import itertools

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg import MethodError, Partition, Problem, Run, solve
from microagg.model.arrays import FloatArray
from microagg.refine.search import EFFORTS, Search
from runs import CancelledAt, EndsBelow
from strategies import problems


@given(problems(max_n=9, max_k=3))
def test_search_finds_the_optimum_of_small_problems(problem: Problem) -> None:
    start = Partition(problem, np.zeros(problem.n, dtype=np.int64))
    found = Search("quick")(start, np.random.default_rng(0), Run())
    assert found.sse == pytest.approx(naive.best_sse(problem.X, problem.k), abs=1e-9 * (1 + problem.sst))


@pytest.fixture(scope="module", name="X")
def _skewed() -> FloatArray:
    return np.random.default_rng(1).normal(size=(120, 3)) ** 3


@pytest.mark.parametrize("number", [5, 12, 40])
def test_a_cancelled_search_can_be_repeated_by_its_iterations(
    X: FloatArray, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microagg.refine.annealing._WORK_PER_SLICE", 2e4)  # many reports in few trials
    cancelled = solve(X, 3, method="search", effort="thorough", run=CancelledAt(number))
    assert (cancelled.ended_by, cancelled.reproducible) == ("cancelled", False)
    again = solve(X, 3, method="search", effort="thorough", iterations=cancelled.iterations)
    assert (again.ended_by, again.reproducible, again.iterations) == ("iterations", True, cancelled.iterations)
    np.testing.assert_array_equal(again.labels, cancelled.labels)


def test_more_effort_loses_no_more(X: FloatArray) -> None:
    few = X[:30]
    quick, standard, thorough = (solve(few, 4, effort=effort) for effort in EFFORTS)
    assert quick.sse >= standard.sse >= thorough.sse
    assert quick.iterations < standard.iterations < thorough.iterations
    np.testing.assert_array_equal(solve(few, 4).labels, standard.labels)
    assert solve(few, 4, method="search(effort=quick)").sse == quick.sse
    assert solve(few, 4, method="search", effort="quick", iterations=10).iterations == 10


def test_history_tells_how_the_loss_fell(X: FloatArray) -> None:
    solution = solve(X, 3)
    assert solution.history[0].sse == pytest.approx(solve(X, 3, method="mdav").sse)
    assert solution.history[-1].sse == solution.sse
    assert solution.history[-1].iteration == solution.iterations
    for earlier, later in itertools.pairwise(solution.history):
        assert earlier.seconds <= later.seconds
        assert earlier.sse >= later.sse * (1 - 1e-12)


@pytest.mark.parametrize("scale", [2.0**40, 1e100, 2.0**-40])
def test_the_unit_changes_nothing(X: FloatArray, scale: float) -> None:
    one, other = (solve(X * unit, 3, method="search", effort="quick", standardise=False) for unit in (1.0, scale))
    assert other.information_loss == pytest.approx(one.information_loss, rel=1e-3)


def test_stages_remember_what_ended_them(X: FloatArray) -> None:
    solution = solve(X, 3, method="search+descent", iterations=3)
    assert (solution.ended_by, solution.iterations) == ("iterations", 3)
    with pytest.raises(MethodError, match="the effort is given twice"):
        solve(X, 3, method="search(effort=thorough)", effort="quick")


def test_the_search_uses_no_descent_that_the_run_has_ended(X: FloatArray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 1.0)  # a check after every group
    start = solve(X, 3, method="mdav").partition
    run = EndsBelow(0.999 * start.sse)
    assert Search()(start, np.random.default_rng(0), run) is start
    assert run.log.ended_by == "target_gap"


def test_one_column_is_cut_optimally_by_default(X: FloatArray) -> None:
    solution = solve(X[:, :1], 3, time_limit=1e9)
    assert (solution.method, solution.status, solution.ended_by) == ("univariate", "optimal", None)
    assert solve(X[:, :1], 3, method="search").status == "heuristic"
    assert solve(X, 3, iterations=0).method == "search"
    with pytest.raises(MethodError, match="has no effort"):
        solve(X, 3, method="icsm", effort="quick")


def test_cancelling_gives_the_best_so_far(X: FloatArray) -> None:
    def cancel(stage: str, done: float | None, note: str = "") -> None:
        if stage == "search" and done:
            run.cancel()

    run = Run(progress=cancel)
    solution = solve(X, 3, effort="thorough", run=run)
    assert (solution.ended_by, solution.reproducible) == ("cancelled", False)
    assert solution.sse < solve(X, 3, method="mdav").sse
