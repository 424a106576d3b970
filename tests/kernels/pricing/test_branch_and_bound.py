"""Pricing by branch and bound finds what trying every group finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from microagg.kernels.pricing.branch_and_bound import EXACT, FEW, NO_END, no_prices, price_roots
from microagg.kernels.pricing.fixed_size_pricing import grow_groups, try_all
from microagg.kernels.pricing.nearest_sums import nearest_sums
from microagg.lp.duals import Duals
from microagg.lp.group_pricing import kernel_cuts
from microagg.lp.pair_rules import must_link_partners
from microagg.lp.rank_one_cuts import RankOneCuts


def _squares(X):
    return np.square(X[:, None] - X).sum(axis=2)


def _cuts(rows, prices):
    return kernel_cuts(Duals(np.concatenate([np.zeros(rows.n), -np.array(prices, dtype=np.float64)]), rows))


def _priced(X, duals, size, kept, ceiling, few=FEW, depth=EXACT, split=0.0, cuts=None, every=False):
    """Price all roots, squares between two records being split unevenly by up to some number."""
    order = np.argsort(-duals, kind="stable")
    prices, squares = no_prices(len(X), kept, size, every), _squares(X)
    uneven = split * np.random.default_rng(0).normal(size=squares.shape)
    halves = squares / 2 + uneven - uneven.T
    sums = nearest_sums(halves, size - 2)
    cuts = _cuts(RankOneCuts.empty(len(X)), []) if cuts is None else cuts
    alone = must_link_partners(len(X), ())
    price_roots(squares, halves, sums, duals, alone, cuts, order, 0, len(X), ceiling, few, depth, NO_END, prices)
    return order, prices


def _case(data, max_n=10, max_size=5):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, size, d = data.draw(st.integers(2, max_n)), data.draw(st.integers(2, max_size)), data.draw(st.integers(1, 3))
    X = rng.integers(0, 4, size=(n, d)).astype(np.float64) if data.draw(st.booleans()) else rng.normal(size=(n, d))
    return X, data.draw(st.sampled_from([0.1, 1.0, 5.0])) * rng.normal(loc=0.5, size=n), size


@settings(max_examples=60)
@given(st.data())
def test_pricing_finds_the_cheapest_groups(data):
    X, duals, size = _case(data)
    kept, ceiling = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([0.0, -0.5, 0.5, np.inf]))
    few, split = data.draw(st.sampled_from([0, FEW])), data.draw(st.sampled_from([0.0, 0.3]))
    order, prices = _priced(X, duals, size, kept, ceiling, few, split=split)
    for place, costs in enumerate(naive.cheapest_groups(X, duals, order, size)):
        below = [cost for cost in costs if cost < ceiling][:kept]
        found = prices.costs[place][np.isfinite(prices.costs[place])]
        assert found == pytest.approx(below, abs=1e-9)
        for group, cost in zip(prices.members[place], found, strict=False):
            assert group[0] == order[place]
            assert len(set(group.tolist())) == size
            members = X[group]
            assert np.square(members - members.mean(axis=0)).sum() - duals[group].sum() == pytest.approx(cost, abs=1e-9)


@settings(max_examples=60)
@given(st.data())
def test_relaxed_pricing_is_below_every_group_and_rises_with_depth(data):
    X, duals, size = _case(data)
    few, split = data.draw(st.sampled_from([0, FEW])), data.draw(st.sampled_from([0.0, 0.3]))
    order, _ = _priced(X, duals, size, 1, np.inf)
    exact = np.array([min(costs, default=np.inf) for costs in naive.cheapest_groups(X, duals, order, size)])
    before = np.full(len(X), -np.inf)
    for depth in range(1, size):
        _, prices = _priced(X, duals, size, 1, np.inf, few, depth, split)
        relaxed = prices.costs[:, 0]
        assert (relaxed <= exact + 1e-9).all()
        assert (relaxed >= before - 1e-9).all()
        before = relaxed
    assert before == pytest.approx(exact, abs=1e-9)


@settings(max_examples=60)
@given(st.data())
def test_groups_grow_as_the_paper_says(data):
    X, duals, size = _case(data)
    if len(np.unique(duals)) < len(duals) or len(np.unique(np.round(_squares(X), 9))) < len(X) * (len(X) - 1) // 2:
        return  # ties: either of two is right
    grown = grow_groups(_squares(X), duals, size, -1e-9)
    assert grown.tolist() == naive.grow_groups(X, duals, size, -1e-9)


@settings(max_examples=60)
@given(st.data())
def test_trying_all_groups_finds_the_cheapest(data):
    X, duals, size = _case(data)
    members, costs = np.zeros((len(X), size), dtype=np.int64), np.full(len(X), np.inf)
    for root in range(len(X) - size + 1):
        try_all(_squares(X), duals, root, np.zeros(1, dtype=np.bool_), members, costs)
    for root, every in enumerate(naive.cheapest_groups(X, duals, np.arange(len(X)), size)):
        assert costs[root] == pytest.approx(min(every, default=np.inf), abs=1e-9)
        if every:
            chosen = X[members[root]]
            cost = np.square(chosen - chosen.mean(axis=0)).sum() - duals[members[root]].sum()
            assert cost == pytest.approx(costs[root], abs=1e-9)


def test_pricing_ends_when_told():
    X = np.random.default_rng(0).normal(size=(60, 2))
    squares, prices = _squares(X), no_prices(60, 5, 9)
    prices.told[0] = True
    duals, order = np.full(60, 10.0), np.arange(60)
    halves, alone = squares / 2, must_link_partners(60, ())
    cuts = _cuts(RankOneCuts.empty(60), [])
    looks = price_roots(
        squares, halves, nearest_sums(halves, 7), duals, alone, cuts, order, 0, 60, 0.0, FEW, EXACT, NO_END, prices
    )
    assert looks == 0


def test_pricing_looks_at_few_groups_where_duals_are_small():
    X = np.random.default_rng(0).normal(size=(200, 3))
    squares = _squares(X)
    prices = no_prices(200, 1, 3)
    duals = np.full(200, 0.01)
    halves, order, alone = squares / 2, np.arange(200), must_link_partners(200, ())
    cuts = _cuts(RankOneCuts.empty(200), [])
    looks = price_roots(
        squares, halves, nearest_sums(halves, 1), duals, alone, cuts, order, 0, 200, 0.0, FEW, EXACT, NO_END, prices
    )
    assert looks < 200
