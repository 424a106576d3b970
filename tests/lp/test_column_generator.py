"""Column generation over small lists of groups, and its stabilisation."""

import itertools
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lp_cases import fractional, random_problem
from microagg import Run, solve
from microagg.bound.column_generation import ColumnGeneration
from microagg.exact.column_pool import ColumnPool
from microagg.lp.column_generator import ColumnGenerator
from microagg.lp.dual_stabilisation import DualStabilisation
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.pricing_result import PricingResult, TooExpensiveError
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.lp.restricted_master import RestrictedMaster
from microagg.model.arrays import FloatArray, IntArray


def _generator(pool: ColumnPool, start: GroupColumns, centre: FloatArray) -> ColumnGenerator:
    generator = ColumnGenerator(RestrictedMaster(start), Run())
    generator.start(centre, pool(Duals(centre, RankOneCuts.empty(pool.problem.n))).lower_bound, "")
    return generator


def test_duals_that_are_too_expensive_are_drawn_to_the_centre() -> None:
    problem, columns, solution = fractional(3, 9, 2)
    pool, centre = ColumnPool(problem, columns), solution.duals.values * 1.5
    start = columns.select(np.flatnonzero(solution.values))
    distances: list[float] = []
    affordable = 0.002 * np.abs(solution.duals.values - centre).max()

    def expensive(duals: Duals) -> PricingResult:
        distances.append(float(np.abs(duals.values - centre).max()))
        if distances[-1] > affordable:
            raise TooExpensiveError
        return pool(duals)

    free = _generator(pool, start, centre)
    assert free.converge(pool, "", DualStabilisation(0.0)) is None
    boxed = _generator(pool, start, centre)
    assert boxed.converge(pool, "", DualStabilisation(0.0, 0.01)) is None
    assert boxed.lower_bound == pytest.approx(free.lower_bound, rel=1e-9)
    assert free.lower_bound == pytest.approx(solution.objective, rel=1e-7)
    with pytest.raises(TooExpensiveError):
        _generator(pool, start, centre).converge(expensive, "", DualStabilisation(0.0))
    assert np.all(np.diff(distances) < 0)
    assert len(distances) > 3


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, np.inf]), st.floats(0.01, 2.0))
def test_generation_ends_wherever_pricing_is_too_expensive(random_state: int, radius: float, threshold: float) -> None:
    """Near the first centre pricing works, elsewhere it does not: it converges, or raises the error."""
    rng = np.random.default_rng(random_state)
    problem, columns, solution = fractional(random_state % 7, 9, 2)
    best = solution.duals.values
    pool, centre = ColumnPool(problem, columns), best * rng.uniform(0.3, 1.7, size=9)
    start = columns.select(np.union1d(np.flatnonzero(solution.values), rng.choice(columns.n_columns, size=9)))
    generator = _generator(pool, start, centre)
    calls = itertools.count()

    def expensive(duals: Duals) -> PricingResult:
        assert next(calls) < 400
        if np.abs(duals.values - centre).max() > threshold * np.abs(best - centre).max():
            raise TooExpensiveError
        return pool(duals)

    with suppress(TooExpensiveError):
        assert generator.converge(expensive, "", DualStabilisation(0.2, radius)) is None
        assert generator.lower_bound == pytest.approx(solution.objective, rel=1e-7, abs=1e-9)
    assert generator.lower_bound <= solution.objective * (1 + 1e-9) + 1e-9


def test_a_target_and_a_tolerance_end_generation_early() -> None:
    problem, columns, solution = fractional(3, 9, 2)
    pool, centre = ColumnPool(problem, columns), solution.duals.values * 1.5
    start = columns.select(np.flatnonzero(solution.values))
    bounds = [pool(Duals(centre, RankOneCuts.empty(9))).lower_bound]
    for target, tolerance in ((bounds[0], 1e-9), (np.inf, 0.99), (np.inf, 1e-9)):
        generator = _generator(pool, start, centre)
        assert generator.converge(pool, "", DualStabilisation(0.9), tolerance, target) is None
        bounds.append(generator.lower_bound)
    assert bounds[0] == bounds[1]
    assert bounds[1] <= bounds[2] <= bounds[3]
    assert bounds[0] < bounds[3]


def test_expensive_columns_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(0, 60, 3, d=3)
    incumbent = solve(problem.X, 3, standardise=False, method="mdav").partition
    expected, _ = ColumnGeneration("branch-and-bound")(problem, incumbent, Run())
    monkeypatch.setattr("microagg.lp.column_generator.MAX_COLUMNS_PER_RECORD", 2)
    kept: list[int] = []
    keep_columns = RestrictedMaster.keep_columns

    def spied(self: RestrictedMaster, which: IntArray) -> None:
        assert self.columns.n_columns > 120
        kept.append(len(which))
        keep_columns(self, which)

    monkeypatch.setattr(RestrictedMaster, "keep_columns", spied)
    bound, _ = ColumnGeneration("branch-and-bound")(problem, incumbent, Run())
    assert kept
    assert bound.sse == pytest.approx(expected.sse, rel=1e-8)
