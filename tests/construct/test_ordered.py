"""Cuts of paths and tours."""

import numpy as np
import pytest

import naive
from microagg import Problem, Run, solve
from microagg.construct.record_orders import NearestNext
from samples import normal


@pytest.mark.parametrize("base", ["npn", "md", "mdav", "cbfs", "pca", "zscore", "tsp"])
def test_tour_is_no_worse_than_its_path(base: str) -> None:
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(61, 3))
        path, tour = (solve(X, 4, method=f"{base}-mhm{cut}").sse for cut in ("", "-tour"))
        assert tour <= path * (1 + 1e-12), f"seed {seed}"


@pytest.mark.parametrize("ties", [False, True])
def test_npn_starts_at_one_of_the_two_most_distant_records(ties: bool) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    problem = Problem(X.round() if ties else X, 3)
    first, _ = naive.most_distant_records(problem.X)
    expected = naive.nearest_next(problem.X, first)
    np.testing.assert_array_equal(NearestNext()(problem, Run()), expected)
    assert first != naive.nearest_next(problem.X)[0]
    outermost = NearestNext("outermost")(problem, Run())
    np.testing.assert_array_equal(outermost, naive.nearest_next(problem.X))


def test_npn_of_equal_records_starts_at_the_first() -> None:
    assert NearestNext()(Problem(np.ones((7, 2)), 3), Run()).tolist() == list(range(7))


@pytest.mark.parametrize("base", ["pca", "zscore"])
@pytest.mark.parametrize(("n", "sizes"), [(12, [4, 4, 4]), (13, [4, 4, 5]), (15, [4, 4, 7])])
def test_fixed_cut_makes_runs_of_k_and_the_last_takes_the_rest(base: str, n: int, sizes: list[int]) -> None:
    X = normal(n, n, 1)
    solution = solve(X, 4, method=f"{base}-fixed")
    runs = solution.labels[np.argsort(X[:, 0])]
    assert [int(solution.sizes[label]) for label in dict.fromkeys(runs.tolist())] == sizes
    assert (np.diff(runs) != 0).sum() == 2
