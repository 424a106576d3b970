"""Sums of what records bear of their squared distances, from lists of neighbours."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive_listed
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.pricing.listed_records import reduced_costs
from microagg.kernels.pricing.listed_sums import listed_sums, spread_excess


@settings(max_examples=60)
@given(st.data())
def test_sums_are_those_of_all_records_or_below(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n = data.draw(st.integers(2, 12))
    count = data.draw(st.integers(1, n - 1))
    ties = data.draw(st.booleans())
    X = rng.integers(0, 3, size=(n, 2)).astype(np.float64) if ties else rng.normal(size=(n, 2))
    lists = neighbours(X, count)
    pairs = sorted({(min(a, b), max(a, b)) for a in range(n) for b in lists[a].tolist()})
    excess = 0.3 * rng.normal(size=len(pairs))
    spread = np.zeros(lists.shape)
    first, second = np.array(pairs).T.copy()
    spread_excess(lists, first, second, excess, spread)
    radii = np.full(n, np.inf) if count == n - 1 else np.square(X - X[lists[:, -1]]).sum(axis=1)
    sums = listed_sums(X, lists, spread, radii, 4)
    borne = naive_listed.shares(X, pairs, excess)
    for record in range(n):
        smallest = np.sort(np.delete(borne[record], record))
        for number in range(5):
            if number >= n:
                assert sums[record, number] == np.inf or count < n - 1
            elif count == n - 1:
                assert sums[record, number] == pytest.approx(smallest[:number].sum(), abs=1e-12)
            else:
                assert sums[record, number] <= smallest[:number].sum() + 1e-12


def test_reduced_costs_are_those_of_the_oracle() -> None:
    rng = np.random.default_rng(0)
    X, duals = rng.normal(size=(9, 3)), rng.normal(size=9)
    members = np.array([[0, 4, 2, -1], [8, 1, 3, 5], [-1, -1, -1, -1]])
    costs = reduced_costs(X, duals, members)
    assert costs[0] == pytest.approx(naive_listed.reduced_cost(X, duals, [0, 4, 2]))
    assert costs[1] == pytest.approx(naive_listed.reduced_cost(X, duals, [8, 1, 3, 5]))
    assert costs[2] == 0.0
