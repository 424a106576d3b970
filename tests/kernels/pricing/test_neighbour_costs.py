"""NeighbourLinks between neighbours."""

import numpy as np
import pytest

import naive
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.pricing.neighbour_costs import link_neighbours, neighbour_costs


@pytest.mark.parametrize("count", [1, 3, 6])
def test_each_link_has_two_ends(count: int) -> None:
    X = np.random.default_rng(0).normal(size=(7, 2))
    near = neighbours(X, count)
    links = link_neighbours(X, near)
    one, other = links.ends
    expected = {(min(a, b), max(a, b)) for a in range(7) for b in near[a].tolist()}
    assert set(zip(one.tolist(), other.tolist(), strict=True)) == expected
    assert len(one) == len(expected)
    for record in range(7):
        own = slice(links.starts[record], links.starts[record + 1])
        for edge, sign, half in zip(links.edges[own], links.signs[own], links.halves[own], strict=True):
            assert (one if sign > 0 else other)[edge] == record
            assert half == pytest.approx(naive.squares(X[[one[edge]]], X[other[edge]])[0] / 2)
        farthest = naive.squares(X, X[record])[near[record]].max() / 2
        assert links.radii[record] == (np.inf if count == 6 else pytest.approx(farthest))


def test_the_slope_is_that_of_the_bound() -> None:
    X = np.random.default_rng(1).normal(size=(9, 2))
    links = link_neighbours(X, neighbours(X, 5))
    shifts = 0.1 * np.random.default_rng(2).normal(size=len(links.halves) // 2)
    slopes, shares, raised = np.empty((2, len(shifts))), np.empty(9), np.empty(9)
    neighbour_costs(links, shifts, 2, 0, 9, slopes, shares)
    for edge in range(len(shifts)):
        step = np.zeros_like(shifts)
        step[edge] = 1e-7
        neighbour_costs(links, shifts + step, 2, 0, 9, np.empty_like(slopes), raised)
        assert (raised.sum() - shares.sum()) / 1e-7 == pytest.approx(slopes[:, edge].sum(), abs=1e-5)


def test_records_may_be_taken_slice_by_slice() -> None:
    X = np.random.default_rng(1).normal(size=(9, 2))
    links = link_neighbours(X, neighbours(X, 3))
    shifts = 0.1 * np.random.default_rng(2).normal(size=len(links.halves) // 2)
    slopes, shares = np.empty((2, len(shifts))), np.empty(9)
    neighbour_costs(links, shifts, 2, 0, 9, slopes, shares)
    in_two, shares_in_two = np.full((2, len(shifts)), np.nan), np.full(9, np.nan)
    neighbour_costs(links, shifts, 2, 4, 9, in_two, shares_in_two)
    neighbour_costs(links, shifts, 2, 0, 4, in_two, shares_in_two)
    np.testing.assert_array_equal(slopes, in_two)
    np.testing.assert_array_equal(shares, shares_in_two)
