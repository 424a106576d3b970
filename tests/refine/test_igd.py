"""TFRP2 and IGD, step by step against their slow version."""

import numpy as np
import pytest

import naive
from microagg import InputError, Partition, Problem, Run, solve
from microagg.refine.igd import Igd, Tfrp2
from samples import heavy_tailed, random_labels


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("name", ["tfrp2", "igd"])
def test_decompose_and_shrink_are_those_of_the_paper(seed: int, moved: bool, name: str) -> None:
    X, k = heavy_tailed(seed, 60), 2 + seed % 3
    problem = Problem(X, k)
    made = solve(X, k, method="mdav", standardise=False).labels
    start = Partition(problem, random_labels(np.random.default_rng(seed), len(X), k) if seed % 2 else made)
    centroids = "moved" if moved else "fixed"
    refiner = Igd(centroids) if name == "igd" else Tfrp2(centroids)
    once = refiner(start, np.random.default_rng(0), Run(iterations=1))
    expected = Partition(problem, naive.igd_round(X, k, start.labels, moved, name == "igd"))
    better = expected if expected.sse < naive.sse(X, start.labels) else start
    np.testing.assert_array_equal(once.labels, better.labels)


def test_tfrp2_is_the_first_step_of_igd() -> None:
    X = heavy_tailed(1, 120)
    assert solve(X, 3, method="mdav+tfrp2").sse == solve(X, 3, method="mdav+tfrp2", iterations=1).sse
    assert solve(X, 3, method="mdav+igd").sse < solve(X, 3, method="mdav+tfrp2").sse < solve(X, 3, method="mdav").sse


def test_exact_judgement_dissolves_more() -> None:
    X = heavy_tailed(2, 300)
    assert solve(X, 3, method="mdav+igd(centroids=moved)").sse < solve(X, 3, method="mdav+igd").sse
    with pytest.raises(InputError, match="centroids must be one of fixed, moved, found 'wandering'"):
        solve(X, 3, method="mdav+igd(centroids=wandering)")
