"""Our own solver: the descent, the search, and what recombines groups."""

import csv
import itertools
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from microagg import MethodError, Partition, Problem, Run, solve
from microagg.kernels.moves.local_descent import NO_END, descend
from microagg.kernels.moves.ruin_recreate import search, start_walk
from microagg.kernels.moves.working_partition import (
    begin,
    change_of,
    draft,
    measure,
    put_in,
    save,
    sse_of,
    take_out,
    undo,
)
from microagg.lp import choose, relax
from microagg.lp.group_columns import Columns
from microagg.refine import REFINERS
from microagg.refine.recombine import Pool, crossed, recombined
from microagg.refine.search import Search
from runs import CancelledAt
from strategies import labelled, problems

CEILINGS = list(csv.reader((Path(__file__).parent / "golden" / "quick.csv").read_text().splitlines()[1:]))


def _everyone(n):
    """Every other record as a neighbour of each."""
    return np.array([[j for j in range(n) if j != i] for i in range(n)], dtype=np.int64).reshape(n, n - 1)


def _check(groups, k):
    """A draft agrees with itself, and with what is computed anew."""
    assert np.bincount(groups.labels, minlength=len(groups.sizes)).tolist() == groups.sizes.tolist()
    there, rounding = np.flatnonzero(groups.sizes), 1e-9 * (1 + np.square(groups.X).max())
    assert groups.sizes[there].min() >= k
    assert groups.sizes.max() <= 2 * k - 1
    for group in there:
        members = groups.members[group, : groups.sizes[group]]
        assert sorted(members) == np.flatnonzero(groups.labels == group).tolist()
        np.testing.assert_array_equal(groups.members[group, groups.places[members]], members)
        centroid = groups.X[members].mean(axis=0)
        np.testing.assert_allclose(groups.centroids[group], centroid, atol=rounding)
        assert groups.sses[group] == pytest.approx(naive.sse(groups.X[members], np.zeros(len(members))), abs=rounding)
        assert groups.squares[members].sum() == pytest.approx(groups.sses[group], abs=rounding)


@given(labelled(max_n=14))
def test_descent_ends_where_no_change_gains(case):
    problem, labels = case
    groups = draft(problem.X, _everyone(problem.n), labels, problem.k)
    assert descend(groups, problem.k, False, NO_END)
    _check(groups, problem.k)
    here = naive.sse(problem.X, groups.labels)
    rounding = 1e-9 * (1 + problem.sst)
    assert here <= naive.sse(problem.X, labels) + rounding
    assert naive.best_change(problem.X, groups.labels, problem.k) >= here - rounding


@given(labelled(), st.integers(0, 99))
def test_what_is_undone_was_not(case, random_state):
    problem, labels = case
    rng, n = np.random.default_rng(random_state), problem.n
    groups = draft(problem.X, _everyone(n), labels, problem.k)
    before, lost = groups.labels.copy(), groups.sses.copy()
    begin(groups)
    for _ in range(5):
        record, other = rng.integers(n, size=2)
        here, there = groups.labels[[record, other]]
        if here != there and groups.sizes[here] > 1 and groups.sizes[there] < groups.members.shape[1]:
            for group in (here, there):
                save(groups, group)
            take_out(groups, record)
            put_in(groups, record, there)
            measure(groups, here)
            measure(groups, there)
    change, _ = change_of(groups)
    assert change == pytest.approx(
        naive.sse(problem.X, groups.labels) - naive.sse(problem.X, before), abs=1e-6 * (1 + problem.sst)
    )
    undo(groups)
    np.testing.assert_array_equal(groups.labels, before)
    np.testing.assert_array_equal(groups.sses[groups.sizes > 0], lost[groups.sizes > 0])
    _check(groups, problem.k)


@given(labelled(), st.integers(0, 99), st.booleans())
@settings(max_examples=100)
def test_search_keeps_account(case, random_state, regroup):
    problem, labels = case
    X, k = problem.X, problem.k
    walk = start_walk(X, _everyone(problem.n), labels, k, 50)
    if problem.n >= 2 * k:
        rng = np.random.default_rng(random_state)
        search(walk, k, rng, 0, 40, 40, 0.5, regroup, NO_END)
    _check(walk.draft, k)
    sses = [naive.sse(X, walk.draft.labels), naive.sse(X, walk.best)]
    np.testing.assert_allclose(walk.sses, sses, rtol=1e-6, atol=1e-6 * (1 + problem.sst))
    assert Partition(problem, walk.best).sse <= naive.sse(X, labels) + 1e-9 * (1 + problem.sst)
    for place in range(min(int(walk.met.n_met[0]), 50)):
        members = walk.met.members[place, : walk.met.sizes[place]]
        assert len(set(members)) == len(members) >= k
        assert walk.met.sses[place] == pytest.approx(
            naive.sse(X[members], np.zeros(len(members))), abs=1e-6 * (1 + problem.sst)
        )


@pytest.mark.parametrize(
    ("x", "labels", "best"),
    [
        ([0.0, 100.0, 0.1, 0.2, 100.1, 100.2], [0, 0, 1, 1, 2, 2], [0, 1, 0, 0, 1, 1]),
        ([0.0, 0.1, 50.0, 0.2, 0.3, 50.1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 1]),
    ],
    ids=["dissolve", "distil"],
)
def test_groups_are_dissolved_and_distilled(x, labels, best):
    problem = Problem(np.array(x)[:, None] - np.mean(x), 2)
    start = Partition(problem, np.array(labels))
    groups = draft(problem.X, _everyone(6), start.labels, 2)
    descend(groups, 2, False, NO_END)
    assert sse_of(groups) > 1000
    np.testing.assert_array_equal(REFINERS["descent"](start, np.random.default_rng(0), Run()).labels, np.array(best))


@given(problems(max_n=9, max_k=3))
def test_search_finds_the_optimum_of_small_problems(problem):
    start = Partition(problem, np.zeros(problem.n, dtype=np.int64))
    found = Search()(start, np.random.default_rng(0), Run())
    assert found.sse == pytest.approx(naive.best_sse(problem.X, problem.k), abs=1e-9 * (1 + problem.sst))


def _all_columns(problem):
    groups = [
        group for size in range(problem.k, 2 * problem.k) for group in itertools.combinations(range(problem.n), size)
    ]
    sizes = [len(group) for group in groups]
    sses = [naive.sse(problem.X[list(group)], np.zeros(len(group))) for group in groups]
    return Columns(problem.n, np.concatenate([[0], np.cumsum(sizes)]), np.concatenate(groups), np.array(sses)), groups


@pytest.mark.parametrize("random_state", range(5))
def test_set_partitioning_finds_the_optimum(random_state):
    problem = Problem(np.random.default_rng(random_state).normal(size=(8, 2)), 2)
    columns, groups = _all_columns(problem)
    incumbent = np.array([groups.index((i, i + 1)) for i in range(0, 8, 2)])
    optimum = naive.best_sse(problem.X, 2)
    relaxation = relax(columns)
    assert relaxation.sse <= optimum + 1e-7
    assert relaxation.sse == pytest.approx(relaxation.duals.sum(), abs=1e-7)
    assert columns.reduced_costs(relaxation.duals).min() >= -1e-6
    chosen = choose(columns, incumbent, 1000)
    assert columns.sses[chosen].sum() == pytest.approx(optimum, abs=1e-7)
    assert Partition(problem, columns.labels(chosen)).sse == pytest.approx(optimum, abs=1e-7)


def test_set_partitioning_says_when_time_is_up():
    columns, groups = _all_columns(Problem(np.random.default_rng(0).normal(size=(8, 2)), 2))
    incumbent = np.array([groups.index((i, i + 1)) for i in range(0, 8, 2)])
    assert choose(columns, incumbent, 1000, time_limit=0.0) is None
    assert relax(columns, time_limit=0.0) is None
    assert choose(columns, incumbent, 1000, told=lambda: True) is None


def test_crossing_takes_the_better_of_each_part():
    X = np.array([0.0, 0.1, 5.0, 5.1, 100.0, 100.1, 105.0, 105.1])[:, None]
    problem = Problem(X - X.mean(), 2)
    one, other = (
        Partition(problem, np.array(labels)) for labels in ([0, 0, 1, 1, 2, 3, 2, 3], [0, 1, 0, 1, 2, 2, 3, 3])
    )
    np.testing.assert_array_equal(crossed(one, other).labels, [0, 0, 1, 1, 2, 2, 3, 3])
    empty = np.empty(0, dtype=np.int64)
    pool = Pool(np.empty((0, 3), dtype=np.int64), empty, np.empty(0), empty)
    assert recombined(one, [other], pool, 10, Run()).sse == pytest.approx(0.02)


@pytest.fixture(scope="module", name="X")
def skewed():
    return np.random.default_rng(1).normal(size=(150, 3)) ** 3


def test_workers_change_nothing(X):
    labels = [solve(X, 3, method="search", effort="quick", run=Run(workers=workers)).labels for workers in (1, 3)]
    np.testing.assert_array_equal(*labels)


@pytest.mark.parametrize("word", [5, 12, 40])
def test_a_run_that_was_cancelled_can_be_repeated_by_its_iterations(X, word):
    cancelled = solve(X, 3, method="search", effort="thorough", run=CancelledAt(word))
    assert (cancelled.ended_by, cancelled.reproducible) == ("cancelled", False)
    again = solve(X, 3, method="search", effort="thorough", iterations=cancelled.iterations)
    assert (again.ended_by, again.reproducible, again.iterations) == ("iterations", True, cancelled.iterations)
    np.testing.assert_array_equal(again.labels, cancelled.labels)


def test_more_effort_loses_no_more(X):
    quick, standard, thorough = (solve(X, 4, effort=effort) for effort in ("quick", "standard", "thorough"))
    assert quick.sse >= standard.sse >= thorough.sse
    assert quick.iterations < standard.iterations < thorough.iterations
    np.testing.assert_array_equal(solve(X, 4).labels, standard.labels)
    assert solve(X, 4, method="search(effort=quick)").sse == quick.sse
    assert solve(X, 4, method="search", effort="quick", iterations=10).iterations == 10


def test_history_tells_how_the_loss_fell(X):
    solution = solve(X, 3)
    assert solution.history[0].sse == pytest.approx(solve(X, 3, method="mdav").sse)
    assert solution.history[-1].sse == solution.sse
    assert solution.history[-1].iteration == solution.iterations
    for earlier, later in itertools.pairwise(solution.history):
        assert earlier.seconds <= later.seconds
        assert earlier.sse >= later.sse * (1 - 1e-12)


@pytest.mark.parametrize("scale", [2.0**40, 1e100, 2.0**-40])
def test_the_unit_changes_nothing(X, scale):
    one, other = (solve(X * unit, 3, method="search", effort="quick", standardise=False) for unit in (1.0, scale))
    assert other.information_loss == pytest.approx(one.information_loss, rel=1e-3)


def test_stages_remember_what_ended_them(X):
    solution = solve(X, 3, method="search+descent", iterations=3)
    assert (solution.ended_by, solution.iterations) == ("iterations", 3)
    with pytest.raises(MethodError, match="the effort is given twice"):
        solve(X, 3, method="search(effort=thorough)", effort="quick")


def test_a_descent_that_time_ends_is_none_of_the_search(X, monkeypatch):
    class Impatient(Run):
        def ends(self, iteration, sse, lower_bound=0.0):
            asked.append(sse)
            self.log.ended_by = "time_limit"
            return len(asked) > 20

    asked = []
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 1.0)  # one look at a group between two questions
    start = solve(X, 3, method="mdav").partition
    assert Search()(start, np.random.default_rng(0), Impatient()) is start
    assert asked[-1] < start.sse


def test_one_column_is_cut_optimally_by_default(X):
    solution = solve(X[:, :1], 3, time_limit=1e9)
    assert (solution.method, solution.status, solution.ended_by) == ("univariate", "optimal", None)
    assert solve(X[:, :1], 3, method="search").status == "heuristic"
    assert solve(X, 3, iterations=0).method == "search"
    with pytest.raises(MethodError, match="knows no effort"):
        solve(X, 3, method="icsm", effort="quick")


def test_cancelling_gives_the_best_so_far(X):
    def cancel(stage, done, note=""):
        if stage == "search" and done:
            run.cancel()

    run = Run(progress=cancel)
    solution = solve(X, 3, effort="thorough", run=run)
    assert (solution.ended_by, solution.reproducible) == ("cancelled", False)
    assert solution.sse < solve(X, 3, method="mdav").sse


def test_search_runs_in_any_thread(X):
    found = []
    thread = threading.Thread(target=lambda: found.append(solve(X, 3, effort="quick").labels))
    thread.start()
    thread.join()
    np.testing.assert_array_equal(found[0], solve(X, 3, effort="quick").labels)


@pytest.mark.parametrize(("name", "k", "ceiling"), CEILINGS)
def test_quick_effort_stays_below_its_ceiling(name, k, ceiling, matrix):
    assert solve(matrix(name), int(k), effort="quick").information_loss <= float(ceiling)
