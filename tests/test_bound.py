"""Bounds: what no partition can beat."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem, solve
from microagg.bound import BOUNDS
from microagg.bound.pricing import BranchAndBound
from microagg.kernels.half_squares import half_squares, link
from microagg.kernels.neighbours import neighbours
from microagg.progress import silent
from microagg.set_partitioning import Columns, Master, relax
from microagg.stop import Stop


def _random(random_state, n, d, k):
    X = np.random.default_rng(random_state).normal(size=(n, d))
    return Problem(X - X.mean(axis=0), k)


def _one_group(problem):
    return Partition(problem, np.zeros(problem.n, dtype=np.int64))


def _columns(problem, groups):
    sses = [naive.sse(problem.X[list(group)], np.zeros(len(group))) for group in groups]
    starts = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
    return Columns(problem.n, starts, np.concatenate([np.array(group) for group in groups]), np.array(sses))


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(6, 9), st.integers(2, 3))
def test_column_generation_reaches_the_linear_programme_over_all_groups(random_state, n, k):
    problem = _random(random_state, n, 2, k)
    groups = [group for size in range(k, 2 * k) for group in combinations(range(n), size)]
    bound, partition = BOUNDS["column-generation"](problem, _one_group(problem), Stop(), silent)
    assert bound.sse == pytest.approx(relax(_columns(problem, groups)).sse, rel=1e-6)
    assert bound.sse <= naive.best_sse(problem.X, k) <= partition.sse * (1 + 1e-12)


def test_column_generation_bounds_a_hundred_records_closely():
    problem = _random(0, 100, 3, 3)
    incumbent = solve(problem.X, 3, standardise=False, effort="quick").partition
    bound, partition = BOUNDS["column-generation"](problem, incumbent, Stop(), silent)
    assert 0.97 * incumbent.sse < bound.sse <= partition.sse <= incumbent.sse


def test_column_generation_proves_something_or_nothing_when_time_is_up():
    problem = _random(0, 60, 3, 3)
    incumbent = _one_group(problem)
    stop = Stop(time_limit=1e-9)
    bound, partition = BOUNDS["column-generation"](problem, incumbent, stop, silent)
    assert bound.sse == 0.0
    assert partition is incumbent
    assert stop.heard.ended_by == "time_limit"


@pytest.mark.parametrize("n_threads", [1, 3])
def test_pricing_proves_the_same_on_any_number_of_threads(n_threads):
    problem = _random(1, 80, 3, 3)
    duals = np.random.default_rng(2).uniform(0.0, 1.0, size=80)
    with ThreadPoolExecutor(n_threads) as threads:
        priced = BranchAndBound(problem, 1.0, threads)(duals, lambda: None)
    with ThreadPoolExecutor(2) as threads:
        again = BranchAndBound(problem, 1.0, threads)(duals, lambda: None)
    assert priced.bound == again.bound
    np.testing.assert_array_equal(priced.columns.records, again.columns.records)


def test_pricing_that_is_told_to_stop_raises_at_once():
    problem = _random(0, 400, 2, 8)  # groups of 15: nobody would wait for the end

    class EnoughError(Exception):
        pass

    def hear():
        raise EnoughError

    with ThreadPoolExecutor(2) as threads:
        price = BranchAndBound(problem, 1.0, threads)
        with pytest.raises(EnoughError):
            price(np.full(400, 5.0), hear)


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
    assert half_squares(links, shifts, k, slope) == pytest.approx(naive.half_squares(X, k), abs=1e-12)
    optimum = naive.best_sse(X, k)
    some = link(X, neighbours(X, data.draw(st.integers(1, n - 1))))
    shifts = rng.normal(size=len(some.halves) // 2)
    assert half_squares(some, shifts, k, np.empty(len(shifts))) <= optimum + 1e-9


def test_shifts_raise_the_bound_of_neighbours():
    problem = _random(0, 300, 3, 4)
    incumbent = solve(problem.X, 4, standardise=False, effort="quick").partition
    bound, partition = BOUNDS["neighbours"](problem, incumbent, Stop(), silent)
    assert partition is incumbent
    assert 1.1 * naive.half_squares(problem.X, 4) < bound.sse < incumbent.sse
