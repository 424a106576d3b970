"""Simulated annealing by ruin and recreate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem
from microagg.kernels.moves.local_descent import NO_LIMIT
from microagg.kernels.moves.ruin_recreate import TrialRange, descend_from_start, run_trials, start_annealing
from microagg.model.arrays import IntArray
from strategies import labelled
from working_partitions import all_others, check_consistency


@given(labelled(), st.integers(0, 99), st.booleans())
def test_search_keeps_account(case: tuple[Problem, IntArray], random_state: int, regroup: bool) -> None:
    problem, labels = case
    X, k = problem.X, problem.k
    state = start_annealing(X, all_others(problem.n), labels, k, 50)
    assert descend_from_start(state, k)
    if problem.n >= 2 * k:
        rng = np.random.default_rng(random_state)
        run_trials(state, k, rng, TrialRange(0, 40, 40, 0.5, 0, problem.n), regroup, NO_LIMIT)
    check_consistency(state.work, k)
    sses = [naive.sse(X, state.work.labels), naive.sse(X, state.best)]
    np.testing.assert_allclose(state.sses, sses, rtol=1e-6, atol=1e-6 * (1 + problem.sst))
    assert Partition(problem, state.best).sse <= naive.sse(X, labels) + 1e-9 * (1 + problem.sst)
    for place in range(min(int(state.memory.n_met[0]), 50)):
        members = state.memory.members[place, : state.memory.sizes[place]]
        assert len(set(members)) == len(members) >= k
        assert state.memory.sses[place] == pytest.approx(
            naive.sse(X[members], np.zeros(len(members))), abs=1e-6 * (1 + problem.sst)
        )


def test_trials_begin_with_the_records_of_their_range() -> None:
    rng = np.random.default_rng(0)
    X = Problem(np.concatenate([rng.normal(size=(30, 2)), 1000 + rng.normal(size=(30, 2))]), 3).X  # compiled for others
    near = np.array([[i for i in range(60) if i != record and i // 30 == record // 30] for record in range(60)])
    labels = np.arange(60) // 3
    state = start_annealing(X, near, labels, 3)
    descend_from_start(state, 3)
    before = state.work.labels.copy()
    run_trials(state, 3, rng, TrialRange(0, 200, 200, 5.0, 30, 60), False, NO_LIMIT)
    assert state.work.labels[:30].tolist() == before[:30].tolist()
    assert state.work.labels[30:].tolist() != before[30:].tolist()
