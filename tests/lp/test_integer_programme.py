"""Set partitioning, relaxed and by integer programmes, finds the optimum of what it may choose from."""

import numpy as np
import pytest

import naive
from lp_cases import columns_of, every_group, fractional, random_problem, relaxed
from microagg import Partition, Problem, Run
from microagg.lp.group_columns import GroupColumns
from microagg.lp.integer_programme import improve_choice, solve_integer_programme
from microagg.lp.lp_relaxation import solve_relaxation
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import IntArray
from runs import cancelled

NO_CUTS = RankOneCuts.empty(9)


def _case(random_state: int) -> tuple[Problem, GroupColumns, IntArray]:
    """Eight records, all groups of two and three, and the choice of four pairs."""
    problem = random_problem(random_state, 8, 2)
    groups = every_group(8, 2)
    return problem, columns_of(problem, groups), np.array([groups.index((i, i + 1)) for i in range(0, 8, 2)])


@pytest.mark.parametrize("random_state", range(5))
def test_set_partitioning_finds_the_optimum(random_state: int) -> None:
    problem, columns, incumbent = _case(random_state)
    optimum = naive.best_sse(problem.X, 2)
    relaxation = relaxed(columns)
    assert relaxation.objective <= optimum + 1e-7
    assert relaxation.objective == pytest.approx(relaxation.duals.values.sum(), abs=1e-7)
    assert columns.reduced_costs(relaxation.duals).min() >= -1e-6
    chosen = improve_choice(columns, incumbent, 1000, Run())
    assert chosen is not None
    assert columns.sses[chosen].sum() == pytest.approx(optimum, abs=1e-7)
    assert Partition(problem, columns.labels(chosen)).sse == pytest.approx(optimum, abs=1e-7)


def test_set_partitioning_returns_nothing_when_time_is_up_or_the_run_is_cancelled() -> None:
    _, columns, incumbent = _case(0)
    over = Run(time_limit=1e-9)
    over.start_clock()
    assert improve_choice(columns, incumbent, 1000, over) is None
    assert solve_relaxation(columns, over) is None
    assert improve_choice(columns, incumbent, 1000, cancelled()) is None


def test_a_choice_among_the_incumbent_alone_is_the_incumbent() -> None:
    _, columns, incumbent = _case(0)
    assert improve_choice(columns.select(incumbent), np.arange(4), 1000, Run()) == pytest.approx(np.arange(4))


def test_integral_choices_are_found_and_bounded() -> None:
    problem, columns, _ = fractional(5, 9, 2)
    optimum = naive.best_sse(problem.X, 2)
    found = solve_integer_programme(columns, NO_CUTS, 1000, Run())
    assert found.chosen is not None
    assert Partition(problem, columns.labels(found.chosen)).sse == pytest.approx(optimum)
    assert found.lower_bound == pytest.approx(optimum, abs=1e-5)
    assert found.lower_bound <= optimum


def test_columns_that_do_not_cover_every_record_are_no_choice() -> None:
    _, columns, _ = fractional(5, 9, 2)
    assert solve_integer_programme(columns.select(np.array([0, 1])), NO_CUTS, 1000, Run()) == (None, np.inf)
