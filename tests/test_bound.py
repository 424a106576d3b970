"""Bounds: what no partition can beat."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from microagg import MethodError, Partition, Problem, Run, solve
from microagg.bound import BOUNDS
from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import PRICINGS, ColumnGeneration
from microagg.bound.paper_pricing import BySize
from microagg.control.workers import Workers
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.grouping.union_find import join_pairs
from microagg.kernels.pricing.branch_and_bound import EXACT, NO_END
from microagg.kernels.pricing.neighbour_costs import half_squares, link
from microagg.lp import Master, relax
from microagg.lp.group_columns import Columns, Rows
from microagg.lp.group_pricing import BranchAndBound, Split, TooDearError
from microagg.lp.rounding import glue_pairs, take_largest
from runs import CancelledAt, cancelled


def _random(random_state, n, d, k):
    X = np.random.default_rng(random_state).normal(size=(n, d))
    return Problem(X - X.mean(axis=0), k)


def _one_group(problem):
    return Partition(problem, np.zeros(problem.n, dtype=np.int64))


def _branch_and_bound(problem, n_workers=2):
    nobody = np.empty(0, dtype=np.int64)
    return BranchAndBound(problem, 1.0, Split(nobody, nobody, np.empty(0)), Workers(n_workers))


def _columns(problem, groups):
    sses = [naive.sse(problem.X[list(group)], np.zeros(len(group))) for group in groups]
    starts = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
    return Columns(problem.n, starts, np.concatenate([np.array(group) for group in groups]), np.array(sses))


@pytest.mark.parametrize("pricing", [pricing for pricing in PRICINGS if pricing != "relaxed"])
@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(6, 9), st.integers(2, 3))
def test_column_generation_reaches_the_linear_programme_over_all_groups(pricing, random_state, n, k):
    problem = _random(random_state, n, 2, k)
    groups = [group for size in range(k, 2 * k) for group in combinations(range(n), size)]
    bound, partition = ColumnGeneration(pricing, "both")(problem, _one_group(problem), Run())
    if pricing == "heuristic":
        assert (bound.sse, bound.ended_by) == (0.0, "heuristic pricing")
    else:
        assert bound.sse >= relax(_columns(problem, groups)).sse * (1 - 1e-5)  # above it, where ⌊n/k⌋ < n/k tells
        assert bound.converged
    assert bound.sse <= naive.best_sse(problem.X, k) <= partition.sse * (1 + 1e-12)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(5, 9), st.integers(4, 5))
def test_a_relaxed_bound_is_below_the_optimum_and_above_that_of_neighbours(random_state, n, k):
    problem = _random(random_state, n, 2, k)
    bound, _ = ColumnGeneration("relaxed")(problem, _one_group(problem), Run())
    neighbours, _ = BOUNDS["neighbours"](problem, _one_group(problem), Run())
    assert neighbours.sse * (1 - 1e-12) <= bound.sse <= naive.best_sse(problem.X, k) * (1 + 1e-14)
    assert bound.kind in ("neighbours", *(f"column generation, relaxed to depth {depth}" for depth in (1, 2)))
    assert bound.ended_by == "effort"


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(6, 12), st.integers(2, 4))
def test_all_exact_pricings_find_equally_cheap_groups(random_state, n, size):
    rng = np.random.default_rng(random_state)
    problem, duals = _random(random_state, n, 2, size), rng.uniform(0.0, 2.0, size=n)
    tried, proved = BySize(problem, 1.0, "enumeration", Run())._enumerate(duals, size, lambda: None)
    solved, at_least = BySize(problem, 1.0, "ilp", Run())._solve(duals, size, lambda: None)
    priced = _branch_and_bound(problem)(duals, Rows.none(problem.n), EXACT, NO_END, lambda: None)
    costs = priced.columns.reduced_costs(duals)[np.diff(priced.columns.starts) == size]
    assert min(costs, default=0.0) == pytest.approx(min(proved, 0.0), abs=1e-9)
    assert at_least <= proved <= at_least + 1e-6
    for group in (tried, solved):
        assert _columns(problem, [group]).reduced_costs(duals)[0] == pytest.approx(proved, abs=1e-6)


def test_the_paper_chooses_between_trying_all_and_solving():
    price = BySize(_random(0, 8, 2, 3), 1.0, "paper", Run())
    for n in (30, 40, 50, 100, 200):
        chosen = [price._cheapest(n, size) for size in range(3, 10)]
        tried = 3 if n == 200 else 4
        assert chosen == [price._enumerate] * tried + [price._solve] * (7 - tried)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(4, 14), st.integers(2, 3))
def test_roundings_do_as_the_paper_says(random_state, n, k):
    rng = np.random.default_rng(random_state)
    problem = _random(random_state, n, 2, k)
    groups = [sorted(rng.choice(n, size=rng.integers(k, min(2 * k, n + 1)), replace=False)) for _ in range(n)]
    columns, parts = _columns(problem, groups), rng.uniform(size=n)
    (rounded,) = take_largest(problem, columns, parts)
    expected = naive.take_largest(problem.X, k, groups, parts)
    assert [np.flatnonzero(rounded.labels == group).tolist() for group in range(rounded.n_groups)] == expected
    shared = np.zeros((n, n))
    for group, part in zip(groups, parts, strict=True):
        shared[np.ix_(group, group)] += part
    pairs = sorted(
        combinations(range(n), 2), key=lambda p: (-shared[p], np.square(np.diff(problem.X[list(p)].T)).sum())
    )
    glued = [naive.glue(pairs, n, most) for most in range(k + 1, 2 * k)]
    legal = [groups for groups in glued if min(map(len, groups)) >= k]
    found = list(glue_pairs(problem, columns, parts))
    assert [[np.flatnonzero(p.labels == g).tolist() for g in range(p.n_groups)] for p in found] == legal
    one, other = np.array(pairs).T
    assert len(set(join_pairs(one, other, n, k + 1).tolist())) == len(glued[0])


def test_rounding_finds_partitions():
    problem = _random(3, 40, 2, 3)
    incumbent = solve(problem.X, 3, standardise=False, method="mdav").partition
    _, partition = ColumnGeneration("paper", "both")(problem, incumbent, Run())
    assert partition.sse < 0.95 * incumbent.sse


def test_the_first_columns_are_handed_in():
    problem = _random(0, 30, 2, 3)
    better = solve(problem.X, 3, standardise=False).partition
    asked = []

    def first(given, rng, run):
        asked.append((given, rng.bit_generator.state == np.random.default_rng(0).bit_generator.state))
        return better

    for pricing in ("auto", "paper"):
        bound, partition = ColumnGeneration(pricing, first=(first,))(problem, _one_group(problem), Run())
        assert partition.sse <= better.sse
        assert bound.converged
    assert asked == [(problem, True), (problem, True)]


def test_a_gap_that_is_small_enough_ends_the_bound():
    problem = _random(0, 60, 3, 3)
    incumbent = solve(problem.X, 3, standardise=False).partition
    for bound in (BOUNDS["column-generation"], BOUNDS["neighbours"]):
        found, _ = bound(problem, incumbent, Run(target_gap=0.3))
        assert found.ended_by == "target_gap"
        assert 0.7 * incumbent.sse <= found.sse <= incumbent.sse


def test_columns_that_do_not_pay_are_forgotten(monkeypatch):
    problem = _random(0, 60, 3, 3)
    incumbent = solve(problem.X, 3, standardise=False, method="mdav").partition
    expected, _ = ColumnGeneration("branch-and-bound")(problem, incumbent, Run())
    monkeypatch.setattr("microagg.lp.column_generator._MANY", 2)
    kept = []
    keep = Master.keep
    monkeypatch.setattr(Master, "keep", lambda self, which: (kept.append(len(which)), keep(self, which)))
    bound, _ = ColumnGeneration("branch-and-bound")(problem, incumbent, Run())
    assert kept
    assert bound.sse == pytest.approx(expected.sse, rel=1e-8)


def test_column_generation_refuses_what_takes_too_much_memory():
    problem = Problem(np.random.default_rng(0).normal(size=(20_001, 2)), 3)
    with pytest.raises(MethodError, match="distances of at most 20000 records, found 20001"):
        BOUNDS["column-generation"](problem, _one_group(problem), Run())


def test_a_bound_is_chosen_by_the_problem():
    def kind(problem):
        return Automatic()(problem, _one_group(problem), Run())[0].kind

    rng = np.random.default_rng(0)
    assert kind(Problem(np.arange(9.0)[:, None], 3)) == "sorted cut"
    assert kind(Problem(rng.normal(size=(20, 2)), 3)) == "column generation"
    assert kind(Problem(rng.normal(size=(8_001, 2)), 2)) == "neighbours"


@pytest.mark.parametrize("pricing", ["paper", "heuristic", "enumeration", "ilp", "relaxed", "auto"])
def test_every_pricing_ends_when_told(pricing):
    problem = _random(0, 40, 3, 3)
    bound, partition = ColumnGeneration(pricing)(problem, _one_group(problem), cancelled())
    assert bound.ended_by == "cancelled"
    assert bound.sse <= partition.sse


@pytest.mark.parametrize("bound", [BOUNDS["column-generation"], BOUNDS["neighbours"]])
def test_a_bound_ends_when_told_and_is_still_proved(bound):
    problem, run = _random(0, 60, 3, 3), CancelledAt(12)
    incumbent = solve(problem.X, 3, standardise=False, method="mdav").partition
    found, partition = bound(problem, incumbent, run)
    assert found.ended_by == "cancelled"
    assert not found.converged
    assert 0.0 < found.sse <= partition.sse
    assert any("loss" in note and "bound" in note and "gap" in note for note in run.told)


def test_column_generation_bounds_a_hundred_records_closely():
    problem = _random(0, 100, 3, 3)
    incumbent = solve(problem.X, 3, standardise=False, effort="quick").partition
    bound, partition = BOUNDS["column-generation"](problem, incumbent, Run())
    assert 0.97 * incumbent.sse < bound.sse <= partition.sse <= incumbent.sse


def test_column_generation_proves_something_or_nothing_when_time_is_up():
    problem = _random(0, 60, 3, 3)
    incumbent = _one_group(problem)
    run = Run(time_limit=1e-9)
    run.begin()
    bound, partition = BOUNDS["column-generation"](problem, incumbent, run)
    assert bound.sse == 0.0
    assert partition is incumbent
    assert bound.ended_by == run.log.ended_by == "time_limit"


@pytest.mark.parametrize("n_workers", [1, 3])
def test_pricing_proves_the_same_on_any_number_of_workers(n_workers):
    problem = _random(1, 80, 3, 3)
    duals = np.random.default_rng(2).uniform(0.0, 1.0, size=80)
    priced = _branch_and_bound(problem, n_workers)(duals, Rows.none(problem.n), EXACT, NO_END, lambda: None)
    again = _branch_and_bound(problem)(duals, Rows.none(problem.n), EXACT, NO_END, lambda: None)
    assert priced.bound == again.bound
    np.testing.assert_array_equal(priced.columns.records, again.columns.records)


def test_pricing_that_is_told_to_stop_raises_at_once():
    problem = _random(0, 400, 2, 8)  # groups of 15: nobody would wait for the end

    class EnoughError(Exception):
        pass

    def hear():
        raise EnoughError

    price = _branch_and_bound(problem)
    with pytest.raises(EnoughError):
        price(np.full(400, 5.0), Rows.none(400), EXACT, NO_END, hear)
    price.workers.close()  # which waits for those that have begun


def test_pricing_that_is_too_dear_says_so():
    problem = _random(0, 60, 2, 4)
    price = _branch_and_bound(problem)
    with pytest.raises(TooDearError):
        price(np.full(60, 5.0), Rows.none(60), EXACT, 100, lambda: None)


def test_where_there_are_too_many_groups_they_are_relaxed(monkeypatch):
    problem = _random(0, 60, 2, 4)
    incumbent = solve(problem.X, 4, standardise=False, method="mdav").partition
    exact, _ = ColumnGeneration()(problem, incumbent, Run())
    monkeypatch.setattr("microagg.bound.column_generation.LOOKS", 3)
    bound, _ = ColumnGeneration()(problem, incumbent, Run())
    assert (exact.kind, exact.ended_by) == ("column generation", None)
    assert bound.kind.startswith("column generation, relaxed")
    assert bound.ended_by == "effort"
    assert bound.sse < exact.sse


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_limit_of_time_that_is_not_reached_proves_no_less(k):
    problem = _random(0, 40, 2, k)
    free, _ = ColumnGeneration("relaxed")(problem, _one_group(problem), Run())
    limited, _ = ColumnGeneration("relaxed")(problem, _one_group(problem), Run(time_limit=1e9))
    assert limited.sse >= free.sse > 0.0


def test_a_linear_programme_ends_when_told(monkeypatch):
    monkeypatch.setattr("microagg.lp.restricted_master._MANY", 2)
    problem = _random(0, 12, 2, 2)
    columns = _columns(problem, list(combinations(range(12), 2)))
    assert Master(columns).solve(told=lambda: True) is None
    master = Master(columns)
    assert master.solve(told=lambda: True) is None
    assert master.solve().sse == pytest.approx(relax(columns).sse, abs=1e-7)


def test_a_master_takes_in_what_is_new():
    problem = _random(0, 6, 2, 2)
    pairs = list(combinations(range(6), 2))
    first = [pairs.index(pair) for pair in ((0, 1), (2, 3), (4, 5))]
    columns = _columns(problem, pairs)
    master = Master(columns.only(np.array(first)))
    before = master.solve()
    assert before.sse == pytest.approx(columns.sses[first].sum())
    assert before.duals.sum() == pytest.approx(before.sse)
    assert master.add(columns) == len(pairs) - 3
    assert master.add(columns) == 0
    vertex = master.solve()
    assert vertex.sse == pytest.approx(relax(columns).sse, abs=1e-7)
    master.keep(np.flatnonzero(vertex.parts))
    assert len(master.columns.sses) < len(pairs)
    assert master.solve().sse == pytest.approx(vertex.sse)
    assert master.add(columns) == len(pairs) - np.count_nonzero(vertex.parts)
    vertex = master.solve()
    assert master.columns.reduced_costs(vertex.duals).min() >= -1e-6
    assert vertex.parts @ master.columns.sses == pytest.approx(vertex.sse)


@settings(max_examples=60)
@given(st.data())
def test_half_squares_add_up_as_they_should(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, k = data.draw(st.integers(2, 9)), data.draw(st.integers(1, 3))
    k = min(k, n)
    X = rng.integers(0, 4, size=(n, 2)).astype(np.float64)
    links = link(X, neighbours(X, n - 1))
    shifts, slope = np.zeros(len(links.halves) // 2), np.empty(len(links.halves) // 2)
    shares = np.empty(n)
    assert half_squares(links, shifts, k, slope, shares) == pytest.approx(naive.half_squares(X, k), abs=1e-12)
    assert shares.sum() == pytest.approx(naive.half_squares(X, k), abs=1e-12)
    optimum = naive.best_sse(X, k)
    some = link(X, neighbours(X, data.draw(st.integers(1, n - 1))))
    shifts = rng.normal(size=len(some.halves) // 2)
    assert half_squares(some, shifts, k, np.empty(len(shifts)), shares) <= optimum + 1e-9


def test_shifts_raise_the_bound_of_neighbours():
    problem = _random(0, 300, 3, 4)
    incumbent = solve(problem.X, 4, standardise=False, effort="quick").partition
    bound, partition = BOUNDS["neighbours"](problem, incumbent, Run())
    assert partition is incumbent
    assert 1.1 * naive.half_squares(problem.X, 4) < bound.sse < incumbent.sse
