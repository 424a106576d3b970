"""NeighbourLinks between neighbours."""

import numpy as np
import pytest

import naive
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.pricing.neighbour_costs import link_neighbours, neighbour_bound


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
    slope, shares = np.empty_like(shifts), np.empty(9)
    bound = neighbour_bound(links, shifts, 2, slope, shares)
    assert shares.sum() == pytest.approx(bound)
    for edge in range(len(shifts)):
        step = np.zeros_like(shifts)
        step[edge] = 1e-7
        raised = neighbour_bound(links, shifts + step, 2, np.empty_like(shifts), shares)
        assert (raised - bound) / 1e-7 == pytest.approx(slope[edge], abs=1e-5)
