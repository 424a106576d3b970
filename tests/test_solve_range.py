"""Solutions for every k of a range."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from microagg import InputError, Run, solve, solve_range
from microagg.construct.record_orders import ShortTour
from microagg.control.stopping import StoppedError
from microagg.methods import pipeline
from microagg.model.arrays import IntArray
from microagg.model.problem import Problem
from samples import normal

SHARED = [f"{base}-mhm{cut}" for base in ("npn", "pca", "zscore", "tsp") for cut in ("", "-tour")]


@pytest.mark.parametrize("method", [*SHARED, "fdm", "mdav-mhm", "mdav", "fdm+igd", "auto(effort=quick)"])
def test_solutions_are_those_of_each_k_alone(method: str) -> None:
    X = normal(0, 60, 3)
    for k, solution in solve_range(X, [5, 2, 3], method=method).items():
        alone = solve(X, k, method=method)
        assert solution.partition.problem.k == k
        assert (solution.labels.tolist(), solution.sse) == (alone.labels.tolist(), alone.sse)
        assert (solution.method, solution.iterations, solution.random_state) == (alone.method, alone.iterations, 0)


def test_order_and_default_method() -> None:
    solutions = solve_range(normal(0, 30), iter([4, 2]))
    assert list(solutions) == [4, 2]
    assert {solution.method for solution in solutions.values()} == {"fdm"}


def test_fdm_is_the_tour_of_the_travelling_salesman() -> None:
    assert pipeline("fdm").construct is pipeline("tsp-mhm-tour").construct


def test_records_are_put_in_order_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    order = ShortTour.__call__

    def counted(self: ShortTour, problem: Problem, run: Run) -> IntArray:
        calls.append(problem.k)
        return order(self, problem, run)

    monkeypatch.setattr(ShortTour, "__call__", counted)
    solve_range(normal(1, 40), range(2, 9))
    assert len(calls) == 1


def test_options_are_those_of_solve() -> None:
    X = np.column_stack([normal(2, 40), np.arange(40) ** 2])
    wanted: dict[str, Any] = {"columns": [0, 2], "standardise": False, "bound": True}
    solution = solve_range(X, [3], **wanted)[3]
    alone = solve(X, 3, method="fdm", **wanted)
    assert (solution.labels.tolist(), solution.lower_bound) == (alone.labels.tolist(), alone.lower_bound)
    assert solution.encoding is not None
    assert solution.encoding.names == ("0", "2")


def test_stopped_while_it_orders_it_returns_legal_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(self: ShortTour, problem: Problem, run: Run) -> IntArray:
        raise StoppedError("time_limit")

    monkeypatch.setattr(ShortTour, "__call__", stopped)
    for k, solution in solve_range(normal(3, 40), range(2, 5)).items():
        assert solution.sizes.min() >= k
        assert solution.fallback_share == 1.0


def test_without_any_time_every_k_has_legal_groups() -> None:
    for k, solution in solve_range(normal(3, 40), range(2, 5), time_limit=1e-9).items():
        assert solution.sizes.min() >= k
        assert solution.ended_by == "time_limit"


def _nothing() -> Iterator[int]:
    yield from ()


@pytest.mark.parametrize(
    ("k", "sentence"),
    [
        (3, "for one k use solve"),
        ("3", "for one k use solve"),
        ([], "k is empty"),
        (_nothing(), "k is empty"),
        ([3, 3], "k = 3 is given 2 times"),
        ([0], "each k must be at least 1"),
        ([2.5], "each k must be a whole number"),
        ([3, 41], "k = 41 is more than the 40 records"),
    ],
)
def test_what_is_no_range_of_k_is_refused(k: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        solve_range(normal(0, 40), k)


def test_unknown_option_is_refused() -> None:
    with pytest.raises(InputError, match="solve_range has no option 'metod': did you mean 'method'"):
        solve_range(normal(0, 40), [3], metod="mdav")  # type: ignore[call-arg]
