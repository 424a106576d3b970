"""Cuts of paths and tours."""

import numpy as np
import pytest

from microagg import solve
from samples import normal


@pytest.mark.parametrize("base", ["npn", "md", "mdav", "cbfs", "pca", "zscore", "tsp"])
def test_tour_is_no_worse_than_its_path(base: str) -> None:
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(61, 3))
        path, tour = (solve(X, 4, method=f"{base}-mhm{cut}").sse for cut in ("", "-tour"))
        assert tour <= path * (1 + 1e-12), f"seed {seed}"


@pytest.mark.parametrize("base", ["pca", "zscore"])
@pytest.mark.parametrize(("n", "sizes"), [(12, [4, 4, 4]), (13, [4, 4, 5]), (15, [4, 4, 7])])
def test_fixed_cut_makes_runs_of_k_and_the_last_takes_the_rest(base: str, n: int, sizes: list[int]) -> None:
    X = normal(n, n, 1)
    solution = solve(X, 4, method=f"{base}-fixed")
    runs = solution.labels[np.argsort(X[:, 0])]
    assert [int(solution.sizes[label]) for label in dict.fromkeys(runs.tolist())] == sizes
    assert (np.diff(runs) != 0).sum() == 2
