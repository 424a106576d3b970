"""Pricing of all groups, under cuts and rules, finds what trying every group finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from lp_cases import Group, every_group, pricer_of, random_cuts, random_problem
from microagg import Problem
from microagg.kernels.tick import no_tick
from microagg.lp.duals import Duals
from microagg.lp.pair_rules import PairRule
from microagg.lp.pricing_result import TooExpensiveError
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import FloatArray


def _without_cuts(values: FloatArray) -> Duals:
    return Duals(values, RankOneCuts.empty(len(values)))


def _reduced_cost(problem: Problem, group: Group, duals: Duals) -> float:
    sse = naive.sse(problem.X[list(group)], np.zeros(len(group)))
    of_cuts = np.dot(naive.counted(duals.cuts, group), duals.of_cuts)
    return float(sse - duals.of_records[list(group)].sum() - of_cuts)


def _case(data: st.DataObject) -> tuple[Problem, Duals, list[PairRule]]:
    """A problem, duals of its records and of cuts, and rules on pairs."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, k = data.draw(st.integers(5, 13)), data.draw(st.integers(2, 3))
    problem = random_problem(rng, n, k, ties=data.draw(st.booleans()))
    cuts = random_cuts(rng, n, data.draw(st.integers(0, 8)))
    of_cuts = -rng.uniform(0.0, data.draw(st.sampled_from([0.1, 2.0])), size=cuts.n_cuts)
    rules: list[PairRule] = []
    for together in (True, False):
        for _ in range(data.draw(st.integers(0, 3))):
            first, second = rng.choice(n, size=2, replace=False).tolist()
            rules.append(PairRule(first, second, together))
    of_records = data.draw(st.sampled_from([0.3, 1.5])) * rng.normal(loc=0.5, size=n)
    return problem, Duals(np.concatenate([of_records, of_cuts]), cuts), rules


@settings(max_examples=80)
@given(st.data())
def test_pricing_under_cuts_and_rules_finds_what_trying_every_group_finds(data: st.DataObject) -> None:
    problem, duals, rules = _case(data)
    n, k = problem.n, problem.k
    groups = every_group(n, k, rules)
    costs = np.array([_reduced_cost(problem, group, duals) for group in groups])
    rank = np.argsort(np.argsort(-duals.of_records, kind="stable"))
    roots = np.array([rank[list(group)].min() for group in groups], dtype=np.int64)
    least = np.sort([min(0.0, costs[roots == root].min(initial=0.0)) for root in range(n)])[: n // k]
    objective = duals.of_records.sum() + np.dot(duals.of_cuts, duals.cuts.right_hand_sides)
    pricer = pricer_of(problem)
    pricer.enforce([PairRule(0, 1, True), PairRule(1, 2, False)])
    pricer.enforce(rules)
    priced = pricer.price(duals, no_tick)
    cutoff = data.draw(st.sampled_from([0.0, 0.2, 1.0]))
    listed = pricer.list_below(cutoff, duals, no_tick, 10**6)
    assert priced.lower_bound == pytest.approx(objective + least.sum(), abs=1e-8)
    assert priced.columns.reduced_costs(duals).min(initial=0.0) == pytest.approx(least.min(initial=0.0), abs=1e-9)
    below = {frozenset(group) for group, cost in zip(groups, costs, strict=True) if cost < cutoff}
    near = {frozenset(group) for group, cost in zip(groups, costs, strict=True) if abs(cost - cutoff) < 1e-9}
    assert set(listed.record_sets()) ^ below <= near
    assert listed.n_columns == len(set(listed.record_sets()))


@pytest.mark.parametrize("n", [200, None])
def test_all_groups_of_three_are_listed(n: int | None, request: pytest.FixtureRequest) -> None:
    """Records of Census, or random ones: every triple is tried."""
    if n is None:
        X = request.getfixturevalue("matrix")("census")[:500]
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    else:
        X = np.random.default_rng(0).normal(size=(n, 3))
    problem, n = Problem(X, 3), len(X)
    squares = np.square(X[:, None] - X).sum(axis=2)
    cuts = random_cuts(np.random.default_rng(1), n, 50)
    of_records = np.sort(squares, axis=1)[:, 1:6].sum(axis=1) / 10  # some roots have more groups than fit at first
    duals = Duals(np.concatenate([of_records, np.full(50, -0.1)]), cuts)
    expected = 0
    for first in range(n):
        one, other = np.triu_indices(n - first - 1, 1)
        one, other = one + first + 1, other + first + 1
        plain = (squares[first, one] + squares[first, other] + squares[one, other]) / 3
        plain -= of_records[first] + of_records[one] + of_records[other]
        for i in np.flatnonzero(plain < 0.0):  # cuts only add
            group = (first, one[i], other[i])
            expected += plain[i] - np.dot(naive.counted(cuts, group), duals.of_cuts) < 0.0
    pricer = pricer_of(problem)
    pricer.sizes = range(3, 4)
    assert expected > n
    assert pricer.list_below(0.0, duals, no_tick, 10**7).n_columns == expected


@pytest.mark.parametrize("n_workers", [1, 3])
def test_pricing_proves_the_same_on_any_number_of_workers(n_workers: int) -> None:
    problem = random_problem(1, 80, 3, d=3)
    duals = _without_cuts(np.random.default_rng(2).uniform(0.0, 1.0, size=80))
    priced, again = (pricer_of(problem, count).price(duals, no_tick) for count in (n_workers, 2))
    assert priced.lower_bound == again.lower_bound
    np.testing.assert_array_equal(priced.columns.records, again.columns.records)


def test_pricing_whose_tick_raises_ends_at_once() -> None:
    problem = random_problem(0, 400, 8)  # groups of 15: nobody would wait for the end

    class EnoughError(Exception):
        pass

    def tick(done: float | None = None) -> None:
        raise EnoughError

    pricer = pricer_of(problem)
    with pytest.raises(EnoughError):
        pricer.price(_without_cuts(np.full(400, 5.0)), tick)
    pricer.workers.close()  # which waits for those that have begun


def test_pricing_looks_at_no_more_subsets_than_it_may() -> None:
    problem = random_problem(0, 30, 3)
    pricer = pricer_of(problem)
    duals = _without_cuts(np.full(30, 0.2))
    exact = pricer.price(duals, no_tick)
    too_few, enough = 0, 10**6
    pricer.price(duals, no_tick, max_subsets_per_root=enough)
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        try:
            limited = pricer.price(duals, no_tick, max_subsets_per_root=middle)
            assert limited.lower_bound == exact.lower_bound
            enough = middle
        except TooExpensiveError:
            too_few = middle
    assert 1 < enough < 1000


def test_as_many_groups_are_listed_as_there_may_be_and_no_more() -> None:
    problem = random_problem(0, 40, 3)
    pricer = pricer_of(problem)
    duals = _without_cuts(np.full(40, 0.2))
    count = pricer.list_below(0.0, duals, no_tick, 10**6).n_columns
    assert count > 40 * 16, "some roots have more than fit at first"
    assert pricer.list_below(0.0, duals, no_tick, count).n_columns == count
    with pytest.raises(TooExpensiveError):
        pricer.list_below(0.0, duals, no_tick, count - 1)


def test_relaxed_pricing_proves_less_and_more_with_depth() -> None:
    problem = random_problem(0, 30, 4)
    pricer = pricer_of(problem)
    duals = _without_cuts(np.full(30, 0.3))
    bounds = [pricer.price(duals, no_tick, depth).lower_bound for depth in (1, 2, 3, None)]
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1]
