"""Bounds by column generation: what they reach, what ends them, and what they hand on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator

import naive
from lp_cases import columns_of, every_group, one_group, random_problem, relaxed
from microagg import InputError, Partition, Problem, Run, solve
from microagg.bound import BOUNDS
from microagg.bound.column_generation import PRICINGS, ColumnGeneration
from microagg.control.stages import Bound
from runs import CancelledAt, cancelled


@pytest.mark.parametrize("pricing", [pricing for pricing in PRICINGS if pricing != "relaxed"])
@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(6, 9), st.integers(2, 3))
def test_it_reaches_the_linear_programme_over_all_groups(pricing: str, random_state: int, n: int, k: int) -> None:
    problem = random_problem(random_state, n, k)
    bound, partition = ColumnGeneration(pricing, "both")(problem, one_group(problem), Run())
    if pricing == "heuristic":
        assert (bound.sse, bound.ended_by) == (0.0, "heuristic pricing")
    else:
        relaxation = relaxed(columns_of(problem, every_group(n, k)))
        assert bound.sse >= relaxation.objective * (1 - 1e-5)  # above it, where ⌊n/k⌋ < n/k tells
        assert bound.converged
    assert bound.sse <= naive.best_sse(problem.X, k) <= partition.sse * (1 + 1e-12)


@pytest.mark.parametrize("pricing", ["paper", "ilp"])
@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(8, 9), st.integers(2, 4))
def test_triangle_inequalities_leave_the_bound_valid(pricing: str, random_state: int, n: int, k: int) -> None:
    """At k = 4 the paper's pricing, too, solves the integer programme, for groups of 7."""
    problem = random_problem(random_state, n, k)
    plain, _ = ColumnGeneration(pricing)(problem, one_group(problem), Run())
    bound, partition = ColumnGeneration(pricing, cuts="triangle")(problem, one_group(problem), Run())
    assert bound.converged
    assert bound.sse == pytest.approx(plain.sse, rel=1e-5)
    assert bound.sse <= naive.best_sse(problem.X, k) <= partition.sse * (1 + 1e-12)


def test_triangle_inequalities_need_an_integer_programme() -> None:
    with pytest.raises(InputError, match="cuts=triangle needs a pricing by integer programmes, paper or ilp, found"):
        ColumnGeneration("enumeration", cuts="triangle")
    with pytest.raises(InputError, match="cuts must be one of none, triangle, found 'clique'"):
        ColumnGeneration("ilp", cuts="clique")


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(5, 9), st.integers(4, 5))
def test_a_relaxed_bound_is_below_the_optimum_and_above_that_of_neighbours(random_state: int, n: int, k: int) -> None:
    problem = random_problem(random_state, n, k)
    bound, _ = ColumnGeneration("relaxed")(problem, one_group(problem), Run())
    neighbours, _ = BOUNDS["neighbours"](problem, one_group(problem), Run())
    assert neighbours.sse * (1 - 1e-12) <= bound.sse <= naive.best_sse(problem.X, k) * (1 + 1e-14)
    assert bound.kind in ("neighbours", *(f"column generation, relaxed to depth {depth}" for depth in (1, 2)))
    assert bound.ended_by == "effort"


def test_rounding_finds_partitions() -> None:
    problem = random_problem(3, 40, 3)
    incumbent = solve(problem.X, 3, standardise=False, method="mdav").partition
    _, partition = ColumnGeneration("paper", "both")(problem, incumbent, Run())
    assert partition.sse < 0.95 * incumbent.sse


def test_the_first_columns_are_handed_in() -> None:
    problem = random_problem(0, 30, 3)
    better = solve(problem.X, 3, standardise=False).partition
    asked: list[tuple[Problem, bool]] = []

    def first(problem: Problem, rng: Generator, run: Run) -> Partition:
        asked.append((problem, rng.bit_generator.state == np.random.default_rng(0).bit_generator.state))
        return better

    for pricing in ("auto", "paper"):
        bound, partition = ColumnGeneration(pricing, first=(first,))(problem, one_group(problem), Run())
        assert partition.sse <= better.sse
        assert bound.converged
    assert asked == [(problem, True), (problem, True)]


@pytest.mark.parametrize("bound", [BOUNDS["column-generation"], BOUNDS["neighbours"]])
def test_a_gap_that_is_small_enough_ends_the_bound(bound: Bound) -> None:
    problem = random_problem(0, 60, 3, d=3)
    incumbent = solve(problem.X, 3, standardise=False).partition
    found, _ = bound(problem, incumbent, Run(target_gap=0.3))
    assert found.ended_by == "target_gap"
    assert 0.7 * incumbent.sse <= found.sse <= incumbent.sse


@pytest.mark.parametrize("pricing", ["paper", "heuristic", "enumeration", "ilp", "relaxed", "auto"])
def test_every_pricing_ends_when_the_run_is_cancelled(pricing: str) -> None:
    problem = random_problem(0, 40, 3, d=3)
    bound, partition = ColumnGeneration(pricing)(problem, one_group(problem), cancelled())
    assert bound.ended_by == "cancelled"
    assert bound.sse <= partition.sse


@pytest.mark.parametrize("bound", [BOUNDS["column-generation"], BOUNDS["neighbours"]])
def test_a_bound_that_is_cancelled_is_still_proved(bound: Bound) -> None:
    problem, run = random_problem(0, 60, 3, d=3), CancelledAt(12)
    incumbent = solve(problem.X, 3, standardise=False, method="mdav").partition
    found, partition = bound(problem, incumbent, run)
    assert found.ended_by == "cancelled"
    assert not found.converged
    assert 0.0 < found.sse <= partition.sse
    assert any("loss" in note and "bound" in note and "gap" in note for note in run.notes)


def test_a_hundred_records_are_bounded_closely() -> None:
    problem = random_problem(0, 100, 3, d=3)
    incumbent = solve(problem.X, 3, standardise=False, effort="quick").partition
    bound, partition = BOUNDS["column-generation"](problem, incumbent, Run())
    assert 0.97 * incumbent.sse < bound.sse <= partition.sse <= incumbent.sse


def test_nothing_is_proved_when_time_is_up_at_once() -> None:
    problem = random_problem(0, 60, 3, d=3)
    incumbent = one_group(problem)
    run = Run(time_limit=1e-9)
    run.start_clock()
    bound, partition = BOUNDS["column-generation"](problem, incumbent, run)
    assert bound.sse == 0.0
    assert partition is incumbent
    assert bound.ended_by == run.log.ended_by == "time_limit"


def test_where_there_are_too_many_groups_pricing_is_relaxed(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(0, 60, 4)
    incumbent = solve(problem.X, 4, standardise=False, method="mdav").partition
    exact, _ = ColumnGeneration()(problem, incumbent, Run())
    monkeypatch.setattr("microagg.lp.root_relaxation.MAX_SUBSETS_PER_ROOT", 3)
    bound, _ = ColumnGeneration()(problem, incumbent, Run())
    assert (exact.kind, exact.ended_by) == ("column generation", None)
    assert bound.kind.startswith("column generation, relaxed")
    assert bound.ended_by == "effort"
    assert bound.sse < exact.sse


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_time_limit_that_is_not_reached_proves_no_less(k: int) -> None:
    problem = random_problem(0, 40, k)
    free, _ = ColumnGeneration("relaxed")(problem, one_group(problem), Run())
    limited, _ = ColumnGeneration("relaxed")(problem, one_group(problem), Run(time_limit=1e9))
    assert limited.sse >= free.sse > 0.0
