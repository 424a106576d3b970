"""Kernels with weights against their slow versions; and equal weights, which change nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_weights
from microagg import Partition, Problem
from microagg.kernels.moves.local_descent import NO_LIMIT, descend
from microagg.kernels.moves.ruin_recreate import (
    AnnealingState,
    TrialRange,
    descend_from_start,
    run_trials,
    start_annealing,
)
from microagg.kernels.moves.working_partition import working_partition
from microagg.kernels.walks.optimal_cut import cut_path_with_sse, cut_sorted
from microagg.model.arrays import FloatArray, IntArray
from strategies import labelled, weighted
from working_partitions import all_others, check_consistency

Case = tuple[Problem, FloatArray, IntArray]


@given(weighted(max_n=14))
def test_weighted_descent_ends_where_no_change_gains(case: Case) -> None:
    problem, weights, labels = case
    X, k = problem.X, problem.k
    groups = working_partition(X, all_others(problem.n), labels, k, weights)
    assert descend(groups, k, False, NO_LIMIT)
    check_consistency(groups, k)
    here = naive_weights.sse(X, groups.labels, weights)
    rounding = 1e-7 * (1 + problem.sst)
    assert here <= naive_weights.sse(X, labels, weights) + rounding
    assert naive_weights.best_change(X, groups.labels, k, weights) >= here - rounding


@given(weighted(), st.integers(0, 99), st.booleans())
def test_weighted_search_keeps_account(case: Case, random_state: int, regroup: bool) -> None:
    problem, weights, labels = case
    X, k = problem.X, problem.k
    state = _searched(problem, labels, random_state, regroup)
    check_consistency(state.work, k)
    sses = [naive_weights.sse(X, found, weights) for found in (state.work.labels, state.best)]
    np.testing.assert_allclose(state.sses, sses, rtol=1e-6, atol=1e-6 * (1 + problem.sst))
    assert Partition(problem, state.best).sse <= naive_weights.sse(X, labels, weights) + 1e-9 * (1 + problem.sst)
    for place in range(min(int(state.memory.n_met[0]), 50)):
        members = state.memory.members[place, : state.memory.sizes[place]]
        expected = naive_weights.group_sse(X[members], weights[members])
        assert state.memory.sses[place] == pytest.approx(expected, abs=1e-6 * (1 + problem.sst))


def _searched(problem: Problem, labels: IntArray, random_state: int, regroup: bool) -> AnnealingState:
    k = problem.k
    state = start_annealing(problem.X, all_others(problem.n), labels, k, 50, problem.weights)
    assert descend_from_start(state, k)
    if problem.n >= 2 * k:
        rng = np.random.default_rng(random_state)
        run_trials(state, k, rng, TrialRange(0, 40, 40, 0.5, 0, problem.n), regroup, NO_LIMIT)
    return state


@given(labelled(), st.integers(0, 99))
def test_equal_weights_search_as_none(case: tuple[Problem, IntArray], random_state: int) -> None:
    problem, labels = case
    equal = Problem(problem.X, problem.k, np.full(problem.n, 0.7))
    one, other = (_searched(each, labels, random_state, True) for each in (problem, equal))
    np.testing.assert_array_equal(one.best, other.best)
    np.testing.assert_array_equal(one.sses, other.sses)


@given(weighted())
def test_weighted_cut_is_the_naive_one(case: Case) -> None:
    problem, weights, _ = case
    X, k = problem.X, problem.k
    order = np.argsort(X[:, 0], kind="stable")
    starts, sse = cut_path_with_sse(X, order, k, weights=weights)
    assert sse == pytest.approx(naive_weights.cut_path(X, order, k, weights), abs=1e-9 * (1 + problem.sst))
    assert Partition.along(problem, order, starts).sse == pytest.approx(sse, abs=1e-9 * (1 + problem.sst))


@given(labelled())
def test_equal_weights_cut_as_none(case: tuple[Problem, IntArray]) -> None:
    problem, _ = case
    column, k = problem.X[:, 0].copy(), problem.k
    equal = Problem(problem.X, k, np.full(problem.n, 0.7)).weights
    for one, other in zip(cut_sorted(column, k), cut_sorted(column, k, weights=equal), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_record_that_outweighs_its_group_is_moved_for_a_true_gain_only() -> None:
    """Its removal is the difference of nearly equal numbers: what is left of them must not be made for ever."""
    rng = np.random.default_rng(0)
    for trial in range(50):
        X = rng.integers(-2, 3, size=(12, 2)).astype(np.float64)
        weights = 10.0 ** rng.choice([-4.0, 0.0, 4.5], size=12)
        problem = Problem(X, 2, weights)
        state = start_annealing(problem.X, all_others(12), np.arange(12) // 2, 2, weights=problem.weights)
        assert descend_from_start(state, 2, 10_000), trial
        run_trials(state, 2, rng, TrialRange(0, 100, 100, 0.5, 0, 12), True, NO_LIMIT)
        check_consistency(state.work, 2)
