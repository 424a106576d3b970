"""What every method promises, checked for each one in the registries."""

import pickle

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg import LowerBound, Partition, Problem, Run, solve
from microagg.bound import BOUNDS as OTHER_BOUNDS
from microagg.construct import CONSTRUCTORS
from microagg.exact import EXACT
from microagg.methods import SYSTEMS, methods, pipeline
from microagg.model.limits import Limits
from microagg.refine import REFINERS
from microagg.solve import run_pipeline
from strategies import labelled, problems

BOUNDS = OTHER_BOUNDS | EXACT

FEWER = {  # two hundred starts for every example would take an hour
    "reporder": "reporder(starts=3)",
    "auto": "auto(effort=quick)",
    "search": "search(effort=quick)",
    "column-generation": "column-generation(pricing=branch-and-bound)",  # seconds of HiGHS otherwise
}
REFINED = [f"mdav+{refiner}" for refiner in REFINERS if refiner not in SYSTEMS]  # else the system is just that
NAMES = sorted(FEWER.get(name, name) for name in {*SYSTEMS, *CONSTRUCTORS, *REFINED})
every_method = pytest.mark.parametrize("name", NAMES)
every_refiner = pytest.mark.parametrize("name", sorted(REFINERS))


def _solve(name, problem, random_state=0):
    return run_pipeline(pipeline(name), problem, random_state, Run())


def _supports(stage, problem):
    return not hasattr(stage, "supports") or stage.supports(problem)


TWO_COLUMNS = Problem(np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]), 2)
ONE_COLUMN = {name for name in NAMES if not all(_supports(stage, TWO_COLUMNS) for stage in pipeline(name).stages)}


def _for(name, problem):
    """Give a problem that the method can do."""
    return Problem(problem.X[:, :1], problem.k) if name in ONE_COLUMN else problem


def test_one_column_methods_are_known():
    assert sorted(ONE_COLUMN) == ["univariate"]


@every_method
def test_pipelines_and_solutions_pickle(name):
    chosen = pipeline(name)
    assert pickle.loads(pickle.dumps(chosen)) == chosen
    problem = _for(name, Problem(np.random.default_rng(0).normal(size=(30, 2)), 3))
    solution = run_pipeline(pickle.loads(pickle.dumps(chosen)), problem, 0, Run())
    again = pickle.loads(pickle.dumps(solution))
    np.testing.assert_array_equal(again.labels, solution.labels)
    assert (again.sse, again.lower_bound, again.method) == (solution.sse, solution.lower_bound, solution.method)
    for array in (again.labels, again.partition.problem.X):
        assert not array.flags.writeable


@every_method
def test_cancelled_at_any_moment_a_legal_partition_comes(name):
    """Cancel at the first words of progress, and at later ones; `test_stopping.py` stops stages out of any kernel."""
    problem = _for(name, Problem(np.random.default_rng(0).normal(size=(60, 3)), 4))
    for moment in (*range(6), 10, 20, 40):
        run = _CancelledAt(moment)
        solution = run_pipeline(pipeline(name), problem, 0, run)
        assert solution.sizes.min() >= 4
        if not run.cancelled:
            break
        endings = {solution.ended_by, None if solution.bound is None else solution.bound.ended_by}
        assert "cancelled" in endings or run.left == 0, f"cancelled at word {moment}, and nothing tells of it"


class _CancelledAt(Run):
    """A run that cancels itself at its so manieth word, and counts those that come after."""

    def __init__(self, moment):
        super().__init__(progress=self._hear)
        self.moment, self.left = moment, -1

    def _hear(self, stage, done, note=""):
        if self.cancelled:
            self.left += 1
        elif self.moment == 0:
            self.cancel()
            self.left = 0
        self.moment -= 1


@every_method
def test_no_time_at_all_is_enough_for_a_legal_partition(name):
    problem = _for(name, Problem(np.random.default_rng(0).normal(size=(60, 3)), 4))
    run = Run()
    with run.under_way(Limits(time_limit=1e-9)):
        solution = run_pipeline(pipeline(name), problem, 0, run)
    assert solution.sizes.min() >= 4
    assert not solution.reproducible
    assert solution.status != "optimal" or solution.sse == solution.lower_bound


@every_method
@given(problems())
def test_legal_deterministic_and_never_better_than_possible(name, problem):
    problem = _for(name, problem)
    before = problem.X.copy()
    solution = _solve(name, problem)
    assert isinstance(solution.partition, Partition)
    assert solution.partition.problem is problem
    assert solution.sse <= problem.sst * (1 + 1e-9) + 1e-9
    np.testing.assert_array_equal(solution.labels, _solve(name, problem).labels)
    np.testing.assert_array_equal(problem.X, before)


@every_method
@given(problems(max_n=9, max_k=3))
def test_no_better_than_brute_force(name, problem):
    problem = _for(name, problem)
    solution, best = _solve(name, problem), naive.best_sse(problem.X, problem.k)
    assert solution.sse >= best - 1e-9 * (1 + problem.sst)
    if solution.bound is not None:
        assert solution.bound.sse <= best + 1e-9 * (1 + problem.sst)
    if solution.status == "optimal":
        assert solution.sse == pytest.approx(best, abs=1e-9 * (1 + problem.sst))


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
def test_edges(name, X, k):
    problem = _for(name, Problem(X - X.mean(axis=0), k))
    solution = _solve(name, problem)
    assert solution.sizes.min() >= k
    assert solution.sizes.sum() == len(X)
    if k == 1 or not problem.sst:
        assert solution.information_loss == 0.0


@every_method
@pytest.mark.parametrize("offset", [-7.0, 1e6])
def test_translation_changes_nothing_where_there_are_no_ties(name, offset):
    X = np.random.default_rng(5).normal(size=(101, 1 if name in ONE_COLUMN else 4))
    here, there = solve(X, 4, method=name), solve(X + offset, 4, method=name)
    np.testing.assert_array_equal(here.labels, there.labels)
    assert there.information_loss == pytest.approx(here.information_loss, rel=1e-6)


@every_method
def test_row_order_changes_nothing_where_there_are_no_ties(name):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(101, 1 if name in ONE_COLUMN else 4))
    if (_solve(name, Problem(X, 4)).labels != _solve(name, Problem(X, 4), random_state=1).labels).any():
        pytest.skip(f"{name} is random: its draws fall on other records")
    order = rng.permutation(len(X))
    here, there = _solve(name, Problem(X, 4)), _solve(name, Problem(X[order], 4))
    if here.bound is not None and here.status != "optimal":  # of equal vertices, the order decides which is rounded
        assert there.lower_bound == pytest.approx(here.lower_bound, rel=1e-7)
        return
    np.testing.assert_array_equal(Partition(there.partition.problem, here.labels[order]).labels, there.labels)


@every_refiner
@given(labelled())
def test_refiner_is_never_worse(name, case):
    problem, labels = case
    start = Partition(problem, labels)
    refined = REFINERS[name](start, np.random.default_rng(0), Run())
    assert refined.sse <= start.sse
    assert refined.problem is problem


@every_refiner
@given(labelled())
def test_refiner_stops_when_told(name, case):
    start = Partition(*case)
    rounds = []
    stopped = REFINERS[name](
        start, np.random.default_rng(0), Run(iterations=0, progress=lambda *news: rounds.append(news))
    )
    np.testing.assert_array_equal(stopped.labels, start.labels)
    assert rounds, "a refiner says how far it is"


@pytest.mark.parametrize("name", sorted(BOUNDS))
@given(problems(max_n=9, max_k=3))
def test_bound_is_never_above_the_optimum(name, problem):
    worst = Partition(problem, np.zeros(problem.n, dtype=np.int64))
    if not _supports(BOUNDS[name], problem):
        assert len(problem.varying) > 1
        return
    bound, partition = BOUNDS[name](problem, worst, Run())
    assert isinstance(bound, LowerBound)
    assert bound.sse <= naive.best_sse(problem.X, problem.k) * (1 + 1e-14)
    assert partition.sse <= worst.sse


def test_every_method_is_described():
    described = methods()
    assert {method.name for method in described} == {*SYSTEMS, *CONSTRUCTORS, *(f"+{name}" for name in REFINERS)}
    for method in described:
        assert method.summary.endswith(".")
        assert method.reference
