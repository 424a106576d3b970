"""The pricing of the column generation paper: greedy growth, and enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from microagg.kernels.pricing.fixed_size_pricing import enumerate_groups, grow_groups
from pricing_cases import draw_case, squared_distances


@settings(max_examples=60)
@given(st.data(), st.sampled_from([-1e-9, 0.7]))
def test_groups_grow_as_the_paper_says(draw: st.DataObject, cutoff: float) -> None:
    X, duals, size = draw_case(draw)
    squares = squared_distances(X)
    if len(np.unique(duals)) < len(duals) or len(np.unique(np.round(squares, 9))) < len(X) * (len(X) - 1) // 2:
        return  # ties: either of two is right
    grown = grow_groups(squares, duals, size, cutoff)
    assert grown.tolist() == naive.grow_groups(X, duals, size, cutoff)


@settings(max_examples=60)
@given(st.data())
def test_enumeration_finds_the_cheapest(draw: st.DataObject) -> None:
    X, duals, size = draw_case(draw)
    members, costs = np.zeros((len(X), size), dtype=np.int64), np.full(len(X), np.inf)
    for root in range(len(X) - size + 1):
        enumerate_groups(squared_distances(X), duals, root, np.zeros(1, dtype=np.bool_), members, costs)
    for root, every in enumerate(naive.cheapest_groups(X, duals, np.arange(len(X)), size)):
        assert costs[root] == pytest.approx(min(every, default=np.inf), abs=1e-9)
        if every:
            chosen = X[members[root]]
            cost = np.square(chosen - chosen.mean(axis=0)).sum() - duals[members[root]].sum()
            assert cost == pytest.approx(costs[root], abs=1e-9)


def test_enumeration_ends_when_it_is_cancelled() -> None:
    X = np.random.default_rng(0).normal(size=(8, 2))
    members, costs = np.full((8, 3), -1, dtype=np.int64), np.zeros(8)
    enumerate_groups(squared_distances(X), np.ones(8), 0, np.ones(1, dtype=np.bool_), members, costs)
    assert costs[0] == np.inf
    assert (members == -1).all()
