"""Pricing by branch and bound finds what trying every group finds."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from microagg.kernels.pricing.branch_and_bound import FULL_DEPTH, MAX_LOCAL_CANDIDATES, NO_NODE_LIMIT, price_roots
from microagg.kernels.pricing.nearest_sums import nearest_sums
from microagg.kernels.pricing.root_prices import RootPrices, empty_prices
from microagg.model.arrays import FloatArray, IntArray
from pricing_cases import Case, Cut, as_arrays, draw_case, draw_cuts, no_links, reduced_costs, squared_distances


def _price(
    case: Case,
    prices: RootPrices,
    cutoff: float,
    *,
    max_local: int = MAX_LOCAL_CANDIDATES,
    depth: int = FULL_DEPTH,
    max_nodes: int = NO_NODE_LIMIT,
    split: float = 0.0,
    cuts: Sequence[Cut] = (),
    squares: FloatArray | None = None,
    linked: IntArray | None = None,
    last: int | None = None,
) -> tuple[IntArray, int]:
    """Price the roots from `prices.first` on; return the order and the number of nodes."""
    n = len(case.X)
    squares = squared_distances(case.X) if squares is None else squares
    uneven = split * np.random.default_rng(0).normal(size=(n, n))
    halves = squares / 2 + uneven - uneven.T
    order = np.argsort(-case.duals, kind="stable")
    n_nodes = price_roots(
        squares,
        halves,
        nearest_sums(halves, max(0, case.size - 2)),
        case.duals,
        no_links(n) if linked is None else linked,
        as_arrays(cuts, n),
        order,
        prices.first,
        n if last is None else last,
        cutoff,
        max_local,
        depth,
        max_nodes,
        prices,
    )
    return order, n_nodes


@settings(max_examples=60)
@given(
    st.data(),
    st.integers(1, 4),
    st.sampled_from([0.0, -0.5, 0.5, np.inf]),
    st.sampled_from([0, MAX_LOCAL_CANDIDATES]),
    st.sampled_from([0.0, 0.3]),
)
def test_pricing_finds_the_cheapest_groups(
    draw: st.DataObject, kept: int, cutoff: float, max_local: int, split: float
) -> None:
    case = draw_case(draw)
    prices = empty_prices(len(case.X), kept, case.size)
    order, _ = _price(case, prices, cutoff, max_local=max_local, split=split)
    for place, costs in enumerate(naive.cheapest_groups(case.X, case.duals, order, case.size)):
        below = [cost for cost in costs if cost < cutoff][:kept]
        found = prices.costs[place][np.isfinite(prices.costs[place])]
        assert found == pytest.approx(below, abs=1e-9)
        for group, cost in zip(prices.members[place], found, strict=False):
            assert group[0] == order[place]
            assert len(set(group.tolist())) == case.size
            members = case.X[group]
            sse = np.square(members - members.mean(axis=0)).sum()
            assert sse - case.duals[group].sum() == pytest.approx(cost, abs=1e-9)


def _draw_pairs(draw: st.DataObject, n: int) -> list[tuple[int, int, bool]]:
    rng = np.random.default_rng(draw.draw(st.integers(0, 2**32 - 1)))
    pairs = []
    for together in (True, False):
        for _ in range(draw.draw(st.integers(0, 2))):
            one, other = rng.choice(n, size=2, replace=False).tolist()
            pairs.append((one, other, together))
    return pairs


def _restricted(case: Case, pairs: Sequence[tuple[int, int, bool]]) -> tuple[Case, FloatArray, IntArray]:
    """Write pairs as pricing reads them: squared distances of 0 and inf, shared duals, and must-link sets."""
    n = len(case.X)
    original = squared_distances(case.X)
    squares, duals = original.copy(), case.duals.copy()
    sets = [{record} for record in range(n)]
    for one, other, together in pairs:
        if together and sets[one] is not sets[other]:
            joined = sets[one] | sets[other]
            for record in joined:
                sets[record] = joined
    linked = np.full((n, n), -1, dtype=np.int64)
    for members in {id(members): sorted(members) for members in sets}.values():
        within = original[np.ix_(members, members)].sum() / 2
        duals[members] = (case.duals[members].sum() - within / case.size) / len(members)
        squares[np.ix_(members, members)] = 0.0
        for record in members:
            linked[record, : len(members) - 1] = [other for other in members if other != record]
    for one, other, together in pairs:
        if not together:
            squares[one, other] = np.inf
            squares[other, one] = np.inf
    return case._replace(duals=duals), squares, linked


@settings(max_examples=80)
@given(st.data(), st.sampled_from([0.0, 0.4]), st.sampled_from([0, MAX_LOCAL_CANDIDATES]))
def test_pricing_under_cuts_and_pairs_lists_every_group_below_the_cutoff(
    draw: st.DataObject, cutoff: float, max_local: int
) -> None:
    case = draw_case(draw, max_n=9)
    n = len(case.X)
    cuts, pairs = draw_cuts(draw, n), _draw_pairs(draw, n)
    costs = reduced_costs(case, cuts, pairs)
    prices = empty_prices(n, 200, case.size, every=True)
    restricted, squares, linked = _restricted(case, pairs)
    _price(restricted, prices, cutoff, max_local=max_local, cuts=cuts, squares=squares, linked=linked)
    found = {
        tuple(sorted(group.tolist())): cost
        for members, groups_costs, count in zip(prices.members, prices.costs, prices.counts, strict=True)
        for group, cost in zip(members[:count], groups_costs[:count], strict=True)
    }
    assert len(found) == prices.counts.sum()
    assert {group for group, cost in costs.items() if cost < cutoff - 1e-9} <= set(found)
    for group, cost in found.items():
        assert cost == pytest.approx(costs[group], abs=1e-9)
        assert cost < cutoff


@settings(max_examples=40)
@given(st.data(), st.sampled_from([0, MAX_LOCAL_CANDIDATES]), st.sampled_from([0.0, 0.3]))
def test_relaxed_pricing_is_below_every_group_and_rises_with_depth(
    draw: st.DataObject, max_local: int, split: float
) -> None:
    case = draw_case(draw)
    n = len(case.X)
    order = np.argsort(-case.duals, kind="stable")
    costs = naive.cheapest_groups(case.X, case.duals, order, case.size)
    exact = np.array([min(of_root, default=np.inf) for of_root in costs])
    before = np.full(n, -np.inf)
    for depth in range(1, case.size):
        prices = empty_prices(n, 1, case.size)
        _price(case, prices, np.inf, max_local=max_local, depth=depth, split=split)
        relaxed = prices.costs[:, 0]
        assert (relaxed <= exact + 1e-9).all()
        assert (relaxed >= before - 1e-9).all()
        before = relaxed
    assert before == pytest.approx(exact, abs=1e-9)


@pytest.fixture
def spread_out() -> Case:
    """Sixty records, three in a group, of which a few hundred are cheap."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    return Case(X, np.full(60, 0.15), 3)


def test_groups_beyond_the_capacity_are_counted(spread_out: Case) -> None:
    every = empty_prices(60, 300, 3, every=True)
    _price(spread_out, every, 0.0)
    few = empty_prices(60, 2, 3, every=True)
    _price(spread_out, few, 0.0)
    assert few.counts.tolist() == every.counts.tolist()
    assert every.counts.max() > 2
    np.testing.assert_array_equal(few.members, every.members[:, :2])


def test_roots_are_priced_slice_by_slice(spread_out: Case) -> None:
    whole = empty_prices(60, 2, 3)
    _price(spread_out, whole, 0.0)
    part = empty_prices(20, 2, 3, first=30)
    _price(spread_out, part, 0.0, last=50)
    np.testing.assert_array_equal(part.costs, whole.costs[30:50])
    np.testing.assert_array_equal(part.members, whole.members[30:50])


def test_pricing_ends_when_it_is_cancelled() -> None:
    case = Case(np.random.default_rng(0).normal(size=(60, 2)), np.full(60, 10.0), 9)
    prices = empty_prices(60, 5, 9)
    prices.cancelled[0] = True
    assert _price(case, prices, 0.0)[1] == 0


def test_more_nodes_than_allowed_cancel_the_pricing(spread_out: Case) -> None:
    _, n_nodes = _price(spread_out, empty_prices(1, 1, 3), 0.0, last=1)
    assert n_nodes > 1
    enough = empty_prices(1, 1, 3)
    assert _price(spread_out, enough, 0.0, last=1, max_nodes=n_nodes)[1] == n_nodes
    assert not enough.cancelled[0]
    too_few = empty_prices(1, 1, 3)
    assert _price(spread_out, too_few, 0.0, last=1, max_nodes=n_nodes - 1)[1] == n_nodes
    assert too_few.cancelled[0]


def test_pricing_visits_few_nodes_where_duals_are_small() -> None:
    case = Case(np.random.default_rng(0).normal(size=(200, 3)), np.full(200, 0.01), 3)
    assert _price(case, empty_prices(200, 1, 3), 0.0)[1] < 200
