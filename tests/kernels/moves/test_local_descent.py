"""Local search between neighbouring groups."""

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg import Partition, Problem, Run
from microagg.kernels.moves.local_descent import NO_LIMIT, descend
from microagg.kernels.moves.working_partition import total_sse, working_partition
from microagg.model.arrays import IntArray
from microagg.refine.descent import Descent
from strategies import labelled
from working_partitions import all_others, check_consistency


@given(labelled(max_n=14))
def test_descent_ends_where_no_change_gains(case: tuple[Problem, IntArray]) -> None:
    problem, labels = case
    groups = working_partition(problem.X, all_others(problem.n), labels, problem.k)
    assert descend(groups, problem.k, False, NO_LIMIT)
    check_consistency(groups, problem.k)
    here = naive.sse(problem.X, groups.labels)
    rounding = 1e-9 * (1 + problem.sst)
    assert here <= naive.sse(problem.X, labels) + rounding
    assert naive.best_change(problem.X, groups.labels, problem.k) >= here - rounding


@pytest.mark.parametrize(
    ("x", "labels", "best"),
    [
        ([0.0, 100.0, 0.1, 0.2, 100.1, 100.2], [0, 0, 1, 1, 2, 2], [0, 1, 0, 0, 1, 1]),
        ([0.0, 0.1, 50.0, 0.2, 0.3, 50.1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 1]),
    ],
    ids=["dissolve", "extract"],
)
def test_groups_are_dissolved_and_extracted(x: list[float], labels: list[int], best: list[int]) -> None:
    problem = Problem(np.array(x)[:, None] - np.mean(x), 2)
    start = Partition(problem, np.array(labels))
    groups = working_partition(problem.X, all_others(6), start.labels, 2)
    descend(groups, 2, False, NO_LIMIT)
    assert total_sse(groups) > 1000
    assert Descent()(start, np.random.default_rng(0), Run()).labels.tolist() == best
