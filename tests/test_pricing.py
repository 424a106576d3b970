"""Pricing by branch and bound finds what trying every group finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from microagg.kernels.pricing import FEW, nearest_sums, no_prices, price_roots


def _squares(X):
    return np.square(X[:, None] - X).sum(axis=2)


def _priced(X, duals, size, kept, ceiling, few=FEW):
    order = np.argsort(-duals, kind="stable")
    prices, squares = no_prices(len(X), kept, size), _squares(X)
    price_roots(squares, nearest_sums(squares, size - 2), duals, order, 0, len(X), ceiling, few, prices)
    return order, prices


@settings(max_examples=60)
@given(st.data())
def test_pricing_finds_the_cheapest_groups(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, size, d = data.draw(st.integers(2, 10)), data.draw(st.integers(2, 5)), data.draw(st.integers(1, 3))
    X = rng.integers(0, 4, size=(n, d)).astype(np.float64) if data.draw(st.booleans()) else rng.normal(size=(n, d))
    duals = data.draw(st.sampled_from([0.1, 1.0, 5.0])) * rng.normal(loc=0.5, size=n)
    kept, ceiling = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([0.0, -0.5, 0.5, np.inf]))
    order, prices = _priced(X, duals, size, kept, ceiling, data.draw(st.sampled_from([0, FEW])))
    for place, costs in enumerate(naive.cheapest_groups(X, duals, order, size)):
        below = [cost for cost in costs if cost < ceiling][:kept]
        found = prices.costs[place][np.isfinite(prices.costs[place])]
        assert found == pytest.approx(below, abs=1e-9)
        for group, cost in zip(prices.members[place], found, strict=False):
            assert group[0] == order[place]
            assert len(set(group.tolist())) == size
            members = X[group]
            assert np.square(members - members.mean(axis=0)).sum() - duals[group].sum() == pytest.approx(cost, abs=1e-9)


def test_pricing_ends_when_told():
    X = np.random.default_rng(0).normal(size=(60, 2))
    squares, prices = _squares(X), no_prices(60, 5, 9)
    prices.told[0] = True
    duals, order = np.full(60, 10.0), np.arange(60)
    looks = price_roots(squares, nearest_sums(squares, 7), duals, order, 0, 60, 0.0, FEW, prices)
    assert looks == 0


def test_pricing_looks_at_few_groups_where_duals_are_small():
    X = np.random.default_rng(0).normal(size=(200, 3))
    squares = _squares(X)
    prices = no_prices(200, 1, 3)
    duals = np.full(200, 0.01)
    looks = price_roots(
        squares, nearest_sums(squares, 1), duals, np.arange(200, dtype=np.int64), 0, 200, 0.0, FEW, prices
    )
    assert looks < 200
