"""Pricing by lists of neighbours proves what trying every group proves, or less where that is too expensive."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import naive
import naive_listed
from lp_cases import one_group, random_problem
from microagg import Problem, Run
from microagg.control.workers import Workers
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.tick import no_tick
from microagg.lp import listed_pricing
from microagg.lp.duals import Duals
from microagg.lp.group_pricing import BranchAndBoundPricer
from microagg.lp.listed_pricing import ListedPricer
from microagg.lp.neighbour_duals import NeighbourDuals, neighbour_duals
from microagg.lp.pricing_distances import DistanceSplit
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import FloatArray, IntArray


def _start(problem: Problem, rng: np.random.Generator, n_neighbours: int) -> tuple[NeighbourDuals, IntArray]:
    """Lists of any length, any split, and any order of the roots."""
    lists = neighbours(problem.X, n_neighbours)
    pairs = sorted({(min(a, b), max(a, b)) for a in range(problem.n) for b in lists[a].tolist()})
    first, second = np.array(pairs).T.copy()
    split = DistanceSplit(first, second, 0.2 * rng.normal(size=len(pairs)))
    ranks = rng.permutation(problem.n)
    return NeighbourDuals(-ranks.astype(np.float64), 0.0, split, lists, None), ranks


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_it_proves_what_trying_every_group_proves(data: st.DataObject, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, k = data.draw(st.integers(4, 11)), data.draw(st.integers(2, 3))
    problem = random_problem(rng, n, k, d=data.draw(st.integers(1, 3)), ties=data.draw(st.booleans()))
    start, ranks = _start(problem, rng, data.draw(st.integers(1, n - 1)))
    max_nodes = data.draw(st.sampled_from([0, 1, 3, 10_000]))
    monkeypatch.setattr(listed_pricing, "_MAX_NODES", max_nodes)
    pricer = ListedPricer(problem, start, Workers(1))
    for scale in (0.3, 1.5, 0.7):
        duals = scale * rng.normal(loc=0.5, size=n)
        expected = naive_listed.lagrangian_bound(problem.X, k, duals, ranks)
        priced = pricer.price(duals, no_tick)
        assert priced.lower_bound <= expected + 1e-12 * (1 + abs(expected))
        if max_nodes == 10_000:
            assert len(priced.relaxed) == 0
            assert priced.lower_bound == pytest.approx(expected, abs=1e-9)


def test_duals_of_two_blocks_that_cut_a_cluster_are_corrected() -> None:
    clusters = np.repeat([[0.0, 0.0], [10.0, 0.0]], 3, axis=0) + np.random.default_rng(0).normal(size=(6, 2))
    problem = Problem(clusters - clusters.mean(axis=0), 3)
    duals = np.empty(6)
    for block in ([0, 1, 3], [2, 4, 5]):  # each has one group: its duals share out what that loses
        duals[block] = naive.sse(problem.X[block], np.zeros(3)) / 3
    optimum = naive.best_sse(problem.X, 3)
    start = neighbour_duals(problem, one_group(problem), Run())
    assert duals.sum() > 5 * optimum
    assert ListedPricer(problem, start, Workers(1)).price(duals, no_tick).lower_bound <= optimum


def _raised(problem: Problem, by: float) -> tuple[NeighbourDuals, FloatArray]:
    start = neighbour_duals(problem, one_group(problem), Run())
    return start, by * start.values


def _exact(problem: Problem, start: NeighbourDuals, duals: FloatArray) -> float:
    pricer = BranchAndBoundPricer(problem, 1.0, start.split, Workers(2))
    return pricer.price(Duals(duals, RankOneCuts.empty(problem.n)), no_tick).lower_bound


@pytest.mark.parametrize("by", [1.1, 1.3, 2.0])
def test_among_many_records_it_proves_what_exact_pricing_proves(by: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 3)) * np.exp(rng.normal(size=(700, 1)))
    problem = Problem(X - X.mean(axis=0), 3)
    start, duals = _raised(problem, by)
    priced = ListedPricer(problem, start, Workers(2)).price(duals, no_tick)
    assert priced.lower_bound == pytest.approx(_exact(problem, start, duals))


def test_a_root_with_too_many_candidates_is_bounded() -> None:
    X = 0.01 * np.random.default_rng(0).normal(size=(600, 3))
    X[0] += 10.0
    problem = Problem(X - X.mean(axis=0), 3)
    start, duals = _raised(problem, 1.0)
    duals[0] *= 2.05  # all groups with the outlier have nearly the same reduced cost, just below 0
    priced = ListedPricer(problem, start, Workers(2)).price(duals, no_tick)
    exact = _exact(problem, start, duals)
    assert priced.relaxed.tolist() == [0]
    assert -0.06 * duals[0] < priced.relaxed_costs[0] < exact - duals.sum() < -0.01 * duals[0]
    assert priced.lower_bound == pytest.approx(duals.sum() + priced.relaxed_costs[0])


def test_the_number_of_workers_changes_nothing() -> None:
    problem = random_problem(0, 1200, 3, d=4)
    start, duals = _raised(problem, 1.3)
    one = ListedPricer(problem, start, Workers(1)).price(duals, no_tick)
    three = ListedPricer(problem, start, Workers(3)).price(duals, no_tick)
    assert one.lower_bound == three.lower_bound
    np.testing.assert_array_equal(one.cover, three.cover)


def test_most_records_may_be_equal() -> None:
    rng = np.random.default_rng(0)
    X = np.zeros((400, 2))
    X[:60] = rng.normal(size=(60, 2))
    problem = Problem(X - X.mean(axis=0), 3)
    start, duals = _raised(problem, 1.3)
    expected = _exact(problem, start, duals)
    priced = ListedPricer(problem, start, Workers(2)).price(duals, no_tick)
    assert 0.9 * expected <= priced.lower_bound <= expected * (1 + 1e-12)
