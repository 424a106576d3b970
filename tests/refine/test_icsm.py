"""ICSM: where it ends, its limits and its starts."""

import numpy as np
import pytest

import naive
from microagg import InputError, Partition, Problem, Run, solve
from microagg.kernels.moves.cycles import find_cycle, least_score
from microagg.kernels.moves.exchange import measure_groups
from microagg.refine.icsm import Icsm
from samples import heavy_tailed


@pytest.mark.parametrize("pool", [1, 100])
@pytest.mark.parametrize("pairs", ["once", "both"])
@pytest.mark.parametrize("cycles", ["best", "first", "all"])
def test_icsm_leaves_nothing_to_gain(pool: int, pairs: str, cycles: str) -> None:
    X = heavy_tailed(3, 48)
    problem = Problem(X, 3)
    start = Partition(problem, np.arange(48) // 3)
    icsm = Icsm(pool=pool, pairs=pairs, cycles=cycles)
    labels = icsm(start, np.random.default_rng(0), Run()).labels.copy()
    assert naive.changes_that_gain(X, labels, 3) == []
    groups = measure_groups(X, labels, labels.max() + 1)
    assert len(find_cycle(X, groups, 3, least_score(groups))) == 0


@pytest.mark.parametrize("cycles", ["best", "first", "all"])
def test_a_second_run_of_icsm_gains_nothing(cycles: str) -> None:
    icsm = Icsm(cycles=cycles)
    for seed in range(24):
        problem = Problem(heavy_tailed(seed, 120), 4)
        start = Partition(problem, np.arange(120) // 4)
        first = icsm(start, np.random.default_rng(0), Run())
        assert icsm(first, np.random.default_rng(0), Run()).sse == pytest.approx(first.sse, rel=1e-12)


def test_the_switches_of_icsm_take_other_ways() -> None:
    X = heavy_tailed(6, 200)
    switches = ("pool=100", "pool=10", "pool=10, pairs=both", "cycles=first", "cycles=all")
    solutions = [solve(X, 3, method=f"icsm({switch})") for switch in switches]
    assert len({(solution.sse, solution.iterations) for solution in solutions}) == len(solutions)
    assert solutions[1].iterations > solutions[0].iterations
    one_by_one = solve(X, 3, method="icsm(pool=1)", iterations=1)
    assert one_by_one.sse > solve(X, 3, method="icsm", iterations=1).sse


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        ("pool=0", "pool must be at least 1, found 0"),
        ("pairs=twice", "pairs must be one of once, both, found 'twice'"),
        ("cycles=none", "cycles must be one of best, first, all, found 'none'"),
    ],
)
def test_unknown_switches_of_icsm_are_refused(parameter: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        solve(heavy_tailed(6, 20), 3, method=f"icsm({parameter})")


def test_icsm_rounds_are_limited_by_either_name() -> None:
    X = heavy_tailed(4, 150)
    limited = [solve(X, 3, method=f"icsm(max_iterations={rounds})").sse for rounds in (0, 1, 3, 500)]
    assert limited == [solve(X, 3, method="icsm", iterations=rounds).sse for rounds in (0, 1, 3, 500)]
    assert limited[0] == solve(X, 3, method="mdav").sse
    assert limited[0] > limited[1] > limited[2] > limited[3] == solve(X, 3, method="icsm").sse


def test_more_starts_are_no_worse_whichever_is_perturbed() -> None:
    X = heavy_tailed(5, 150)
    one = solve(X, 3, method="icsm").sse
    several = solve(X, 3, method="icsm(starts=20)").sse
    assert several < one
    assert solve(X, 3, method="icsm(starts=20, perturb=best)").sse < one
    assert several != solve(X, 3, method="icsm(starts=20)", random_state=1).sse
    with pytest.raises(InputError, match="perturb must be one of start, best, found 'all'"):
        solve(X, 3, method="icsm(perturb=all)")
    with pytest.raises(InputError, match="perturb=best needs several starts"):
        solve(X, 3, method="icsm(perturb=best)")
    assert solve(X, 3, method="icsm(perturb=best, starts=2)").sse <= one
    with pytest.raises(InputError, match="starts must be at least 1, found 0"):
        solve(X, 3, method="icsm(starts=0)")
