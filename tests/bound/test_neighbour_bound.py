"""The bound of nearest neighbours."""

import naive
from lp_cases import random_problem
from microagg import Run, solve
from microagg.bound import BOUNDS


def test_an_uneven_split_raises_the_bound() -> None:
    problem = random_problem(0, 300, 4, d=3)
    incumbent = solve(problem.X, 4, standardise=False, effort="quick").partition
    bound, partition = BOUNDS["neighbours"](problem, incumbent, Run())
    assert partition is incumbent
    assert 1.1 * naive.neighbour_bound(problem.X, 4) < bound.sse < incumbent.sse
