"""What every method promises."""

import pickle

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from microagg import Partition, Problem, Run, solve
from microagg.methods import pipeline
from microagg.model.arrays import FloatArray
from microagg.model.limits import Limits
from registered import CHEAP, EXPENSIVE, METHODS, ONE_COLUMN, RANDOM, optimum, run_method, suited, supports
from strategies import problems

SMALL = 9  # records, up to which brute force is quick
every_method = pytest.mark.parametrize("name", METHODS)


def _sample(name: str) -> Problem:
    return suited(name, Problem(np.random.default_rng(0).normal(size=(40, 3)), 4))


@every_method
def test_methods_for_one_column_are_known(name: str) -> None:
    problem = Problem(np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]), 2)
    assert all(supports(stage, problem) for stage in pipeline(name).stages) == (name not in ONE_COLUMN)


@every_method
def test_pipelines_and_solutions_pickle(name: str) -> None:
    chosen = pipeline(name)
    copy = pickle.loads(pickle.dumps(chosen))
    assert copy == chosen
    solution = run_method(name, _sample(name))
    again = pickle.loads(pickle.dumps(solution))
    np.testing.assert_array_equal(again.labels, solution.labels)
    assert (again.sse, again.lower_bound, again.method) == (solution.sse, solution.lower_bound, solution.method)
    for array in (again.labels, again.partition.problem.X):
        assert not array.flags.writeable


class _CancelledAt(Run):
    """Run that cancels itself at a progress report that is passed on, and counts those that come after."""

    def __init__(self, number: int) -> None:
        super().__init__(progress=self._receive)
        self.number = number
        self.n_after = -1

    def _receive(self, stage: str, done: float | None, note: str = "") -> None:
        if self.cancelled:
            self.n_after += 1
        elif self.number == 0:
            self.cancel()
            self.n_after = 0
        self.number -= 1


@every_method
def test_cancelled_at_any_moment_it_returns_a_legal_partition(name: str) -> None:
    """At the first reports and at later ones; `test_stopping.py` stops stages out of any kernel."""
    for number in (*range(6), 10, 20, 40):
        run = _CancelledAt(number)
        solution = run_method(name, _sample(name), run=run)
        assert solution.sizes.min() >= 4
        if not run.cancelled:
            break
        endings = {solution.ended_by, None if solution.bound is None else solution.bound.ended_by}
        assert "cancelled" in endings or run.n_after == 0, f"cancelled at report {number}, but not reported so"


@every_method
def test_without_any_time_it_returns_a_legal_partition(name: str) -> None:
    run = Run()
    with run.under_way(Limits(time_limit=1e-9)):
        solution = run_method(name, _sample(name), run=run)
    assert solution.sizes.min() >= 4
    assert not solution.reproducible
    assert solution.ended_by == "time_limit"
    assert solution.status != "optimal" or solution.sse == solution.lower_bound


def _check(name: str, problem: Problem) -> None:
    """Check that a solution is legal, deterministic, no better than possible, and that the input is untouched."""
    problem = suited(name, problem)
    before = problem.X.copy()
    solution = run_method(name, problem)
    rounding = 1e-9 * (1 + problem.sst)
    assert isinstance(solution.partition, Partition)
    assert solution.partition.problem is problem
    assert solution.sse <= problem.sst + rounding
    np.testing.assert_array_equal(solution.labels, run_method(name, problem).labels)
    np.testing.assert_array_equal(problem.X, before)
    if problem.n <= SMALL:
        least = optimum(problem)
        assert solution.sse >= least - rounding
        assert solution.bound is None or solution.bound.sse <= least + rounding
        assert solution.status != "optimal" or solution.sse == pytest.approx(least, abs=rounding)


@given(st.one_of(problems(), problems(max_n=SMALL, max_k=3)))
def test_legal_deterministic_and_no_better_than_possible(problem: Problem) -> None:
    """One test for all methods: drawing a problem takes longer than solving it."""
    for name in CHEAP:
        note(name)
        _check(name, problem)


@pytest.mark.parametrize("name", EXPENSIVE)
@settings(max_examples=12)
@given(st.one_of(problems(max_n=20), problems(max_n=SMALL, max_k=3)))
def test_expensive_methods_are_no_better_than_possible(name: str, problem: Problem) -> None:
    _check(name, problem)


@every_method
@pytest.mark.parametrize(
    ("X", "k"),
    [
        (np.arange(8.0).reshape(4, 2), 4),
        (np.arange(10.0).reshape(5, 2), 3),
        (np.arange(12.0).reshape(6, 2), 1),
        (np.ones((11, 3)), 3),
        (np.ones((1, 1)), 1),
        (np.arange(7.0)[:, None], 2),
        (np.column_stack([np.arange(9.0), np.full(9, 5.0)]), 3),
        (np.arange(14.0).reshape(7, 2) + 1e9, 2),
        (np.repeat(np.eye(3), 5, axis=0), 5),
    ],
    ids=["n=k", "n=2k-1", "k=1", "equal", "single", "column", "constant", "offset", "tight"],
)
def test_edges(name: str, X: FloatArray, k: int) -> None:
    problem = suited(name, Problem(X - X.mean(axis=0), k))
    solution = run_method(name, problem)
    assert solution.sizes.min() >= k
    assert solution.sizes.sum() == len(X)
    if k == 1 or not problem.sst:
        assert solution.information_loss == 0.0


def _without_ties(name: str) -> FloatArray:
    shape = (24, 2) if name in EXPENSIVE else (101, 1 if name in ONE_COLUMN else 4)
    return np.random.default_rng(5).normal(size=shape)


@every_method
def test_translation_changes_nothing_where_there_are_no_ties(name: str) -> None:
    X = _without_ties(name)
    here = solve(X, 4, method=name)
    for offset in (-7.0, 1e6):
        there = solve(X + offset, 4, method=name)
        np.testing.assert_array_equal(here.labels, there.labels)
        assert there.information_loss == pytest.approx(here.information_loss, rel=1e-6)


@pytest.mark.parametrize("name", [name for name in METHODS if name not in RANDOM])
def test_row_order_and_random_state_change_nothing_where_there_are_no_ties(name: str) -> None:
    X = _without_ties(name)
    order = np.random.default_rng(3).permutation(len(X))
    here = run_method(name, Problem(X, 4))
    there = run_method(name, Problem(X[order], 4), random_state=1)
    if here.bound is not None and here.status != "optimal":  # of equal vertices, the order decides which is rounded
        assert there.lower_bound == pytest.approx(here.lower_bound, rel=1e-7)
        return
    np.testing.assert_array_equal(Partition(there.partition.problem, here.labels[order]).labels, there.labels)


@pytest.mark.parametrize("name", RANDOM)
def test_random_methods_are_random(name: str) -> None:
    """Else they belong to those whose result depends on nothing but the records."""
    problem = Problem(np.random.default_rng(3).normal(size=(101, 4)), 4)
    first = run_method(name, problem).labels.tolist()
    assert any(run_method(name, problem, random_state=state).labels.tolist() != first for state in range(1, 4))
