"""The bound by ascent of the duals."""

import numpy as np
import pytest

import naive
from lp_cases import random_problem
from microagg import InputError, Partition, Problem, Run, solve
from microagg.bound import BOUNDS
from microagg.bound.dual_ascent import DualAscent
from runs import CancelledAt, cancelled


def _incumbent(problem: Problem) -> Partition:
    labels = solve(problem.X, problem.k, standardise=False, effort="quick").partition.labels
    return Partition(problem, labels)


def test_it_is_between_the_neighbours_and_column_generation() -> None:
    problem = random_problem(0, 150, 3, d=3)
    incumbent = _incumbent(problem)
    bounds = {name: BOUNDS[name](problem, incumbent, Run())[0].sse for name in BOUNDS if name != "sorted-cut"}
    assert 1.02 * bounds["neighbours"] < bounds["dual-ascent"] < bounds["column-generation"] < incumbent.sse
    assert bounds["dual-ascent"] > 0.9 * bounds["column-generation"]


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("d", [1, 2])
def test_it_is_below_the_optimum_where_records_are_equal(k: int, d: int) -> None:
    X = np.random.default_rng(k).integers(0, 3, size=(9, d)).astype(np.float64)
    problem = Problem(X - X.mean(axis=0), k)
    bound, _ = DualAscent(20)(problem, _incumbent(problem), Run())
    assert bound.sse <= naive.best_sse(problem.X, k) * (1 + 1e-14)


def test_without_steps_it_is_the_bound_of_neighbours() -> None:
    problem = random_problem(0, 60, 3)
    incumbent = _incumbent(problem)
    assert DualAscent(0)(problem, incumbent, Run()) == BOUNDS["neighbours"](problem, incumbent, Run())


def test_more_steps_prove_no_less() -> None:
    problem = random_problem(0, 200, 3, d=3)
    incumbent = _incumbent(problem)
    one, eight = (DualAscent(steps)(problem, incumbent, Run())[0] for steps in (1, 8))
    assert 0.0 < one.sse < eight.sse
    assert eight.kind == "dual ascent"
    assert eight.ended_by == "effort"


def test_a_target_gap_ends_it() -> None:
    problem = random_problem(0, 200, 3, d=3)
    incumbent = _incumbent(problem)
    neighbours, _ = BOUNDS["neighbours"](problem, incumbent, Run())
    gap = 0.99 * (1 - neighbours.sse / incumbent.sse)
    bound, _ = DualAscent()(problem, incumbent, Run(target_gap=gap))
    assert bound.ended_by == "target_gap"
    assert neighbours.sse < bound.sse


def test_a_cancelled_run_ends_it() -> None:
    problem = random_problem(0, 60, 3)
    bound, _ = DualAscent()(problem, _incumbent(problem), cancelled())
    assert bound.ended_by == "cancelled"
    assert 0.0 <= bound.sse <= problem.sst


def test_steps_are_a_number() -> None:
    with pytest.raises(InputError, match="steps"):
        DualAscent(-1)


def test_cancelled_between_steps_it_keeps_what_is_proved() -> None:
    problem = random_problem(0, 60, 3)
    incumbent = _incumbent(problem)
    counting = CancelledAt(0)
    whole, _ = DualAscent()(problem, incumbent, counting)
    first = next(number for number, note in enumerate(counting.notes) if note.startswith("dual ascent"))
    neighbours, _ = BOUNDS["neighbours"](problem, incumbent, Run())
    for number in range(first + 1, len(counting.notes) + 1):
        bound, _ = DualAscent()(problem, incumbent, CancelledAt(number))
        assert bound.ended_by == "cancelled"
        assert neighbours.sse <= bound.sse <= whole.sse
