"""Cuts are violated by fractional solutions, and by no partition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from lp_cases import fractional
from microagg import Run
from microagg.control.workers import Workers
from microagg.exact.separation import separate
from microagg.kernels.tick import no_tick
from microagg.lp.lp_solution import INTEGRALITY_TOL
from microagg.lp.restricted_master import RestrictedMaster


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(7, 10), st.integers(2, 3))
def test_cuts_are_violated_by_the_solution_and_by_no_partition(random_state: int, n: int, k: int) -> None:
    problem, columns, solution = fractional(random_state, n, k)
    values = solution.values
    cuts = separate(columns, values, 20, np.random.default_rng(0), Workers(2), no_tick)
    if not ((values > INTEGRALITY_TOL) & (values < 1 - INTEGRALITY_TOL)).any():
        assert cuts.n_cuts == 0
    coefficients = columns.cut_coefficients(cuts).toarray()
    for row, group in zip(coefficients, columns.record_sets(), strict=True):
        assert row.tolist() == naive.counted(cuts, group)
    assert (values @ coefficients > cuts.right_hand_sides).all()
    assert (cuts.weights >= 1).all()
    for partition in naive.partitions(list(range(n)), k):
        counted = np.sum([naive.counted(cuts, {*group}) for group in partition], axis=0)
        assert (counted <= cuts.right_hand_sides).all()
    tightened = RestrictedMaster(columns, cuts).solve(Run())
    assert tightened is not None
    assert solution.objective - 1e-9 <= tightened.objective <= naive.best_sse(problem.X, k) + 1e-7


def test_no_more_cuts_are_found_than_wanted_and_none_twice() -> None:
    _, columns, solution = fractional(3, 9, 2)
    found = [
        separate(columns, solution.values, max_cuts, np.random.default_rng(0), Workers(2), no_tick)
        for max_cuts in (10**6, 3, 0)
    ]
    assert found[0].n_cuts > 3
    assert [cuts.n_cuts for cuts in found[1:]] == [3, 0]
    terms = {
        (frozenset(zip(one.records.tolist(), one.weights.tolist(), strict=True)), int(one.denominators[0]))
        for one in (found[0].select(np.array([number])) for number in range(found[0].n_cuts))
    }
    assert len(terms) == found[0].n_cuts
    assert np.bincount(found[0].records).max() <= 15


def test_separation_ends_when_its_tick_raises() -> None:
    class EnoughError(Exception):
        pass

    def tick(done: float | None = None) -> None:
        raise EnoughError

    _, columns, solution = fractional(3, 9, 2)
    with pytest.raises(EnoughError):
        separate(columns, solution.values, 3, np.random.default_rng(0), Workers(2), tick)
