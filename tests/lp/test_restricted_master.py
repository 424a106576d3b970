"""The restricted master: columns and cuts that come and go, records left out, and runs that end."""

from itertools import combinations

import numpy as np
import pytest

from lp_cases import columns_of, fractional, no_records, random_problem, relaxed
from microagg import Run
from microagg.control.workers import Workers
from microagg.exact.separation import separate
from microagg.kernels.tick import no_tick
from microagg.lp.lp_solution import LpSolution
from microagg.lp.pair_rules import PairRule
from microagg.lp.restricted_master import RestrictedMaster
from runs import cancelled


def _solved(master: RestrictedMaster) -> LpSolution:
    solution = master.solve(Run())
    assert solution is not None
    return solution


def test_a_linear_programme_ends_when_the_run_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = columns_of(random_problem(0, 12, 2), list(combinations(range(12), 2)))
    assert RestrictedMaster(columns).solve(cancelled()) is not None, "so small ones are not interrupted"
    monkeypatch.setattr("microagg.lp.restricted_master._INTERRUPTIBLE_FROM", 12)
    master = RestrictedMaster(columns)
    assert master.solve(cancelled()) is None
    assert _solved(master).objective == pytest.approx(relaxed(columns).objective, abs=1e-7)


def test_a_linear_programme_ends_with_the_time() -> None:
    columns = columns_of(random_problem(0, 12, 2), list(combinations(range(12), 2)))
    run = Run(time_limit=1e-9)
    run.start_clock()
    master = RestrictedMaster(columns)
    assert master.solve(run) is None
    limited = Run(time_limit=1e9)
    limited.start_clock()
    solution = master.solve(limited)
    assert solution is not None
    assert solution.objective == pytest.approx(relaxed(columns).objective, abs=1e-7)


def test_a_master_adds_what_is_new() -> None:
    problem = random_problem(0, 6, 2)
    pairs = list(combinations(range(6), 2))
    first = np.array([pairs.index(pair) for pair in ((0, 1), (2, 3), (4, 5))])
    columns = columns_of(problem, pairs)
    master = RestrictedMaster(columns.select(first))
    before = _solved(master)
    assert before.objective == pytest.approx(columns.sses[first].sum())
    assert before.duals.values.sum() == pytest.approx(before.objective)
    assert master.add_columns(columns) == len(pairs) - 3
    assert master.add_columns(columns) == 0
    solution = _solved(master)
    assert solution.objective == pytest.approx(relaxed(columns).objective, abs=1e-7)
    master.keep_columns(np.flatnonzero(solution.values))
    assert master.columns.n_columns < len(pairs)
    assert _solved(master).objective == pytest.approx(solution.objective)
    assert master.add_columns(columns) == len(pairs) - np.count_nonzero(solution.values)
    solution = _solved(master)
    assert master.columns.reduced_costs(solution.duals).min() >= -1e-6
    assert solution.values @ master.columns.sses == pytest.approx(solution.objective)


def test_cuts_raise_the_objective_and_can_be_dropped() -> None:
    _, columns, fractional_solution = fractional(3, 9, 2)
    cuts = separate(columns, fractional_solution.values, 20, np.random.default_rng(0), Workers(2), no_tick)
    assert cuts.n_cuts > 1
    master = RestrictedMaster(columns)
    before = _solved(master).objective
    master.add_cuts(cuts)
    after = _solved(master)
    assert after.objective > before + 1e-9
    assert len(after.duals.of_cuts) == cuts.n_cuts
    assert (after.duals.of_cuts <= 0.0).all()
    master.keep_cuts(np.flatnonzero(after.duals.of_cuts))
    assert _solved(master).objective == pytest.approx(after.objective, abs=1e-7)
    master.keep_cuts(no_records())
    assert _solved(master).objective == pytest.approx(before, abs=1e-7)


def test_records_are_left_out_at_a_penalty() -> None:
    _, columns, _ = fractional(3, 9, 2)
    together = columns.select(np.flatnonzero(columns.allowed_by(PairRule(0, 1, True))))
    master = RestrictedMaster(together, penalty=100.0)
    free = _solved(master)
    assert free.uncovered == pytest.approx(0.0, abs=1e-7)
    assert free.objective == pytest.approx(relaxed(together).objective, abs=1e-7)
    alone = _solved(RestrictedMaster(columns.select(np.array([0])), penalty=3.0))
    assert alone.uncovered == pytest.approx(7.0)
    assert alone.objective == pytest.approx(21.0 + columns.sses[0])
    assert alone.integral_columns() is None


def test_columns_are_left_out_for_a_moment() -> None:
    _, columns, _ = fractional(3, 9, 2)
    master = RestrictedMaster(columns, penalty=100.0)
    free = _solved(master)
    apart = columns.allowed_by(PairRule(0, 2, False))
    without = RestrictedMaster(columns.select(np.flatnonzero(apart)), penalty=100.0)
    assert master.objective_without(np.flatnonzero(~apart)) == pytest.approx(_solved(without).objective, abs=1e-7)
    assert master.objective_without(np.arange(columns.n_columns)) == pytest.approx(900.0)
    assert _solved(master).objective == pytest.approx(free.objective, abs=1e-7)
    assert RestrictedMaster(columns).objective_without(np.arange(columns.n_columns)) == np.inf
