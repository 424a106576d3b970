"""Groups dissolved and distilled at random, against their slow version."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_ls
from microagg import Partition, Problem
from microagg.kernels.moves.group_number import (
    NOT_DRAWN,
    TO_DO,
    _dissolve_random,
    _distil_random,
    run_iterations,
)
from microagg.kernels.moves.working_partition import WorkingPartition, working_partition
from microagg.model.arrays import IntArray
from samples import heavy_tailed
from strategies import labelled
from working_partitions import all_others, check_consistency

MANY = 10**6  # steps


def _numbers(n: int, k: int) -> range:
    """Return the numbers of groups that n records allow."""
    return range(-(-n // (2 * k - 1)), n // k + 1)


def _n_groups(work: WorkingPartition) -> int:
    return int(np.count_nonzero(work.sizes))


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("more", [False, True])
def test_dissolving_and_distilling_are_the_naive_ones(k: int, more: bool) -> None:
    """A group's records are in the order of their distances from the centroid of all, which is that of the rows."""
    for seed in range(8):
        X = heavy_tailed(seed, 31)
        X = X[np.argsort(np.square(X - X.mean(axis=0)).sum(axis=1))]
        problem = Problem(X, k)
        numbers = _numbers(31, k)
        n_groups = numbers[0] if more else numbers[-1]
        labels = np.arange(31) % n_groups
        work = working_partition(problem.X, all_others(31), labels, k)
        if more:
            _distil_random(work, k, np.random.default_rng(seed))
        else:
            _dissolve_random(work, np.random.default_rng(seed))
        check_consistency(work, k)
        wanted = n_groups + 1 if more else n_groups - 1
        expected = naive_ls.change_number(X, k, labels, np.random.default_rng(seed), wanted)
        assert Partition(problem, work.labels).labels.tolist() == Partition(problem, expected).labels.tolist()


@pytest.mark.parametrize("step", [0, 1, 2, 100])
def test_numbers_of_groups_are_drawn_within_the_range(step: int) -> None:
    X = heavy_tailed(0, 20)
    numbers = _numbers(20, 3)
    assert list(numbers) == [4, 5, 6]
    for n_groups in numbers:
        reached = set()
        for seed in range(30):
            work = working_partition(X, all_others(20), np.arange(20) % n_groups, 3)
            run_iterations(work, 3, np.random.default_rng(seed), np.array([1, NOT_DRAWN]), step, True, MANY)
            reached.add(_n_groups(work))
        others = {number for number in numbers if 0 < abs(number - n_groups) <= step}
        assert reached == (others or {n_groups})


@given(labelled(), st.integers(0, 99), st.integers(0, 3), st.booleans())
def test_iterations_keep_account(case: tuple[Problem, IntArray], random_state: int, step: int, keep: bool) -> None:
    problem, labels = case
    X, k = problem.X, problem.k
    rng = np.random.default_rng(random_state)
    work = working_partition(X, all_others(problem.n), labels, k)
    plan = np.array([0, NOT_DRAWN])
    for _ in range(4):
        before = work.labels.copy()
        plan[TO_DO] = 3
        run_iterations(work, k, rng, plan, step, keep, MANY)
        assert plan.tolist() == [0, NOT_DRAWN]
        assert _n_groups(work) in _numbers(problem.n, k)
        check_consistency(work, k)
        if not keep:
            assert naive.sse(X, work.labels) <= naive.sse(X, before) + 1e-9 * (1 + problem.sst)


def test_slices_change_nothing() -> None:
    X = heavy_tailed(1, 60)
    labels = np.arange(60) // 3
    whole = working_partition(X, all_others(60), labels, 3)
    run_iterations(whole, 3, np.random.default_rng(0), np.array([8, NOT_DRAWN]), 5, False, MANY)
    sliced = working_partition(X, all_others(60), labels, 3)
    rng = np.random.default_rng(0)
    plan = np.array([8, NOT_DRAWN])
    n_calls = 0
    while plan[TO_DO] > 0:
        run_iterations(sliced, 3, rng, plan, 5, False, 1)
        n_calls += 1
    assert n_calls > 8
    assert sliced.labels.tolist() == whole.labels.tolist()
