"""Set partitioning over the groups found."""

import itertools

import numpy as np
import pytest

import naive
from microagg import Partition, Problem, Run
from microagg.lp import choose, relax
from microagg.lp.group_columns import Columns
from microagg.refine.recombine import Pool, crossed, recombined


def _all_columns(problem):
    groups = [
        group for size in range(problem.k, 2 * problem.k) for group in itertools.combinations(range(problem.n), size)
    ]
    sizes = [len(group) for group in groups]
    sses = [naive.sse(problem.X[list(group)], np.zeros(len(group))) for group in groups]
    return Columns(problem.n, np.concatenate([[0], np.cumsum(sizes)]), np.concatenate(groups), np.array(sses)), groups


@pytest.mark.parametrize("random_state", range(5))
def test_set_partitioning_finds_the_optimum(random_state):
    problem = Problem(np.random.default_rng(random_state).normal(size=(8, 2)), 2)
    columns, groups = _all_columns(problem)
    incumbent = np.array([groups.index((i, i + 1)) for i in range(0, 8, 2)])
    optimum = naive.best_sse(problem.X, 2)
    relaxation = relax(columns)
    assert relaxation.sse <= optimum + 1e-7
    assert relaxation.sse == pytest.approx(relaxation.duals.sum(), abs=1e-7)
    assert columns.reduced_costs(relaxation.duals).min() >= -1e-6
    chosen = choose(columns, incumbent, 1000)
    assert columns.sses[chosen].sum() == pytest.approx(optimum, abs=1e-7)
    assert Partition(problem, columns.labels(chosen)).sse == pytest.approx(optimum, abs=1e-7)


def test_set_partitioning_says_when_time_is_up():
    columns, groups = _all_columns(Problem(np.random.default_rng(0).normal(size=(8, 2)), 2))
    incumbent = np.array([groups.index((i, i + 1)) for i in range(0, 8, 2)])
    assert choose(columns, incumbent, 1000, time_limit=0.0) is None
    assert relax(columns, time_limit=0.0) is None
    assert choose(columns, incumbent, 1000, told=lambda: True) is None


def test_crossing_takes_the_better_of_each_part():
    X = np.array([0.0, 0.1, 5.0, 5.1, 100.0, 100.1, 105.0, 105.1])[:, None]
    problem = Problem(X - X.mean(), 2)
    one, other = (
        Partition(problem, np.array(labels)) for labels in ([0, 0, 1, 1, 2, 3, 2, 3], [0, 1, 0, 1, 2, 2, 3, 3])
    )
    np.testing.assert_array_equal(crossed(one, other).labels, [0, 0, 1, 1, 2, 2, 3, 3])
    empty = np.empty(0, dtype=np.int64)
    pool = Pool(np.empty((0, 3), dtype=np.int64), empty, np.empty(0), empty)
    assert recombined(one, [other], pool, 10, Run()).sse == pytest.approx(0.02)
