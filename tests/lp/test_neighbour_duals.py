"""Duals from nearest neighbours, and the kernel that adds them up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from lp_cases import every_group, one_group, random_problem
from microagg import Run
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.pricing.neighbour_costs import NeighbourLinks, link_neighbours, neighbour_costs
from microagg.lp.neighbour_duals import neighbour_duals
from microagg.model.arrays import FloatArray
from runs import cancelled


def _bound(links: NeighbourLinks, shifts: FloatArray, k: int) -> float:
    n = len(links.radii)
    shares = np.empty(n)
    neighbour_costs(links, shifts, k, 0, n, np.empty((2, len(shifts))), shares)
    return float(shares.sum())


@settings(max_examples=60)
@given(st.data())
def test_neighbour_bounds_are_those_of_the_oracle(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n = data.draw(st.integers(2, 9))
    k = min(n, data.draw(st.integers(1, 3)))
    X = rng.integers(0, 4, size=(n, 2)).astype(np.float64)
    links = link_neighbours(X, neighbours(X, n - 1))
    even = np.zeros(links.ends.shape[1])
    assert _bound(links, even, k) == pytest.approx(naive.neighbour_bound(X, k), abs=1e-12)
    some = link_neighbours(X, neighbours(X, data.draw(st.integers(1, n - 1))))
    shifts = rng.normal(size=some.ends.shape[1])
    assert _bound(some, shifts, k) <= naive.best_sse(X, k) + 1e-9


@pytest.mark.parametrize("random_state", range(3))
def test_no_group_loses_less_than_its_duals(random_state: int) -> None:
    problem = random_problem(random_state, 10, 3, ties=random_state == 2)
    duals = neighbour_duals(problem, one_group(problem), Run())
    assert duals.ended_by is None
    for group in every_group(10, 3):
        members = list(group)
        assert duals.values[members].sum() <= naive.sse(problem.X[members], np.zeros(len(group))) + 1e-12


def test_a_cancelled_ascent_still_proves_something_or_nothing() -> None:
    problem = random_problem(0, 20, 3)
    duals = neighbour_duals(problem, one_group(problem), cancelled())
    assert duals.ended_by == "cancelled"
    assert 0.0 <= duals.values.sum() <= problem.sst
