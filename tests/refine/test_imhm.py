"""IMHM."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem, solve
from microagg.kernels.tick import no_tick
from microagg.refine.imhm import towards_next_centroid


def test_imhm_is_no_worse_than_mdav() -> None:
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(90, 3))
        assert solve(X, 4, method="imhm").sse <= solve(X, 4, method="mdav").sse


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_walk_goes_towards_the_next_centroid(n_groups: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.append(np.repeat(np.arange(n_groups), 2), rng.integers(0, n_groups, size=5)))
    partition = Partition(Problem(rng.normal(size=(len(labels), 2)), k=2), labels)
    expected = naive.towards_next_centroid(partition.problem.X, partition.labels)
    np.testing.assert_array_equal(towards_next_centroid(partition, no_tick), expected)


def test_assignment_comes_before_the_cut() -> None:
    """One round of MDAV's groups: the naive assignment, then the cut of the naive path."""
    records = np.random.default_rng(2).normal(size=(40, 2))
    start = solve(records, 3, method="mdav").partition
    assigned = start
    n_assignments = 0
    while True:
        labels = naive.transport(start.problem.X, assigned.centroids, 3, 5)
        if not (latest := Partition(start.problem, labels)).sse < assigned.sse:
            break
        assigned = latest
        n_assignments += 1
    assert n_assignments > 1
    cut = naive.cut_path(start.problem.X, naive.towards_next_centroid(start.problem.X, assigned.labels), 3)
    assert cut < assigned.sse
    assert solve(records, 3, method="imhm", iterations=1).sse == pytest.approx(cut)


def test_groups_that_are_too_large_are_cut_first() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2))
    refined = solve(X, 3, method="mst+imhm").partition
    assert refined.sse < solve(X, 3, method="mst").sse
    assert refined.sizes.max() <= 5
