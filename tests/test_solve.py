"""What solve promises: limits, bounds, stages, randomness."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

from microagg import (
    DoubtError,
    InputError,
    Limits,
    LowerBound,
    MethodError,
    Partition,
    Problem,
    Run,
    Table,
    lower_bound,
    read,
    solve,
)
from microagg.bound import BOUNDS
from microagg.construct import CONSTRUCTORS
from microagg.methods import Pipeline, pipeline
from microagg.model.arrays import FloatArray
from microagg.refine import REFINERS
from microagg.run_pipeline import check_limits, known_random_state, run_pipeline

Stage = Callable[..., Any]


@pytest.fixture(name="X")
def _points() -> FloatArray:
    return np.random.default_rng(0).normal(size=(40, 3))


@pytest.fixture(name="clock")
def _clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until a test sets it."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def _in_pairs(problem: Problem, rng: Generator, run: Run) -> Partition:
    """A constructor: the first record goes with the second, and so on; the last ones make one group."""
    return Partition(problem, np.minimum(np.arange(problem.n) // problem.k, problem.n // problem.k - 1))


def _all_in_one(partition: Partition, rng: Generator, run: Run) -> Partition:
    """A refiner that makes every partition worse."""
    return Partition(partition.problem, np.zeros(partition.problem.n, dtype=np.int64))


def _unchanged(partition: Partition, rng: Generator, run: Run) -> Partition:
    return partition


def _nothing_proved(problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
    """A bound of a user's own."""
    return LowerBound(0.0, "mine"), incumbent


class _Halves:
    """A constructor of a user's own."""

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        run.tick("halves", 0.5)
        return Partition(problem, (np.arange(problem.n) >= problem.n // 2).astype(np.int64))


class _OnlyFew(_Halves):
    name = "only-few"
    needs = "at most 10 records"

    def supports(self, problem: Problem) -> bool:
        return problem.n <= 10


def _stages(construct: Any = _in_pairs, refiners: tuple[Any, ...] = (), bound: Any = None) -> Pipeline:
    return Pipeline("own", construct, refiners, bound)


# Limits.


@pytest.mark.parametrize("limit", [{"target_gap": 0.1}, {"iterations": 5}])
@pytest.mark.parametrize("method", ["mdav", "univariate"])
def test_limit_that_has_nothing_to_limit_is_refused(X: FloatArray, method: str, limit: dict[str, Any]) -> None:
    with pytest.raises(MethodError, match=f"{next(iter(limit))} could limit"):
        solve(X[:, :1], 3, method=method, **limit)


@pytest.mark.parametrize(
    ("name", "limits", "words"),
    [
        ("mdav", Limits(iterations=1), "'mdav' has nothing that iterations could limit: leave it out"),
        ("mdav", Limits(1.0, 1), "'mdav' has nothing that iterations could limit: leave it out"),
        (
            "mdav",
            Limits(iterations=1, target_gap=0.5),
            "'mdav' has nothing that iterations or target_gap could limit: leave it out, or ask for a bound",
        ),
        ("univariate", Limits(target_gap=0.5), "'univariate' has nothing that target_gap could limit: leave it out"),
    ],
)
def test_limits_that_are_ignored_are_named(name: str, limits: Limits, words: str) -> None:
    with pytest.raises(MethodError) as caught:
        check_limits(pipeline(name), limits)
    assert str(caught.value) == f"method {words}"
    check_limits(pipeline(name), Limits(time_limit=1.0))
    check_limits(pipeline("mdav+recut"), Limits(time_limit=1.0, iterations=0))


def test_limits_are_checked_before_anything_is_read() -> None:
    with pytest.raises(MethodError, match="iterations could limit"):
        solve("no such file.csv", 3, method="mdav", iterations=5)
    with pytest.raises(MethodError, match="iterations could limit"):
        solve("no such file.csv", 3, method="mdav", run=Run(iterations=5))


def test_reading_is_not_solving(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    elapsed: list[float] = []

    def slow(source: Any) -> Table:
        clock[0] += 60.0
        return read(source)

    def construct(problem: Problem, rng: Generator, run: Run) -> Partition:
        elapsed.append(run.elapsed)
        return _in_pairs(problem, rng, run)

    monkeypatch.setattr(sys.modules["microagg.solve"], "read", slow)
    solve([[1.0], [2.0], [3.0]], 3, method=construct, time_limit=10.0)
    assert elapsed == [0.0]


def test_run_pipeline_checks_limits_too() -> None:
    with pytest.raises(MethodError, match="iterations could limit"):
        run_pipeline(_stages(), Problem(np.ones((3, 1)), 2), 0, Run(iterations=3))


def test_iterations_limit_the_refiner(X: FloatArray) -> None:
    losses = [solve(X, 3, method="mdav+recut", iterations=rounds).sse for rounds in (0, 1, 50)]
    assert losses[0] == solve(X, 3, method="mdav").sse
    assert losses[0] > losses[1] >= losses[2]


def test_iterations_do_not_limit_a_bound(X: FloatArray) -> None:
    solution = solve(X, 3, method="mdav+recut", iterations=0, bound=True)
    assert solution.bound is not None
    assert (solution.ended_by, solution.bound.ended_by) == ("iterations", None)


@pytest.mark.parametrize(("used", "shares"), [(0.0, [4.0, 8.0]), (2.0, [5.0, 8.0]), (8.0, [8.0, 8.0])])
def test_stages_before_a_bound_get_half_of_the_time_left(clock: list[float], used: float, shares: list[float]) -> None:
    given: list[Limits] = []

    def construct(problem: Problem, rng: Generator, run: Run) -> Partition:
        given.append(run.limits)
        return _in_pairs(problem, rng, run)

    def bound(problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        given.append(run.limits)
        return LowerBound(0.0, "none"), incumbent

    run = Run(8.0, 7, 0.5)
    with run.under_way(Limits()):
        clock[0] += used
        run_pipeline(_stages(construct, (_unchanged,), bound), Problem(np.arange(6.0)[:, None], 2), 0, run)
    assert given == [Limits(shares[0], 7), Limits(shares[1], None, 0.5)]


@pytest.mark.parametrize("limits", [Limits(), Limits(time_limit=8.0)])
def test_all_of_the_time_is_for_the_stages_where_no_bound_follows(limits: Limits) -> None:
    given: list[Limits] = []

    def construct(problem: Problem, rng: Generator, run: Run) -> Partition:
        given.append(run.limits)
        return _in_pairs(problem, rng, run)

    run_pipeline(_stages(construct), Problem(np.arange(6.0)[:, None], 2), 0, Run(limits.time_limit))
    assert given == [limits]
    run_pipeline(_stages(construct, (), _nothing_proved), Problem(np.arange(6.0)[:, None], 2), 0, Run())
    assert given[1] == Limits()


def test_a_limit_that_is_over_at_once_is_a_limit(clock: list[float]) -> None:
    given: list[float | None] = []

    def construct(problem: Problem, rng: Generator, run: Run) -> Partition:
        given.append(run.limits.time_limit)
        return _in_pairs(problem, rng, run)

    run = Run(1e-9)
    with run.under_way(Limits()):
        run_pipeline(_stages(construct, (), _nothing_proved), Problem(np.arange(6.0)[:, None], 2), 0, run)
    assert given == [1e-9]


def test_a_generous_time_limit_changes_nothing_where_a_bound_follows(X: FloatArray) -> None:
    free = solve(X[:20], 3, bound=True)
    limited = solve(X[:20], 3, bound=True, time_limit=1e6)
    np.testing.assert_array_equal(limited.labels, free.labels)
    assert (limited.lower_bound, limited.iterations) == (free.lower_bound, free.iterations)


def test_time_limit_is_checked_within_a_round(X: FloatArray) -> None:
    asked = []

    class Impatient(Run):
        def ends(self, iteration: int, sse: float, lower_bound: float = 0.0) -> bool:
            asked.append(iteration)
            self.log.ended_by = "time_limit"
            return len(asked) > 2

    start = Partition(Problem(X, 3), np.minimum(np.arange(40) // 3, 12))
    assert REFINERS["recut"](start, np.random.default_rng(0), Impatient()) is start
    assert asked == [0, 0, 0]


# Runs that end early.


def test_a_constructor_that_is_stopped_leaves_its_records_to_the_fallback() -> None:
    def stopped(problem: Problem, rng: Generator, run: Run) -> Partition:
        run.stop("time_limit")

    solution = run_pipeline(_stages(stopped), Problem(np.arange(7.0)[:, None], 3), 0, Run())
    assert (solution.fallback_share, solution.ended_by) == (1.0, "time_limit")
    assert solution.sizes.min() >= 3
    assert not solution.reproducible
    assert run_pipeline(_stages(), Problem(np.arange(7.0)[:, None], 3), 0, Run()).fallback_share == 0.0


def test_a_refiner_that_is_stopped_ends_the_refining_with_the_best_so_far() -> None:
    called = []

    def improve(partition: Partition, rng: Generator, run: Run) -> Partition:
        called.append("improve")
        return Partition(partition.problem, np.array([0, 1, 0, 1]))

    def stopped(partition: Partition, rng: Generator, run: Run) -> Partition:
        called.append("stopped")
        run.stop("iterations")

    def late(partition: Partition, rng: Generator, run: Run) -> Partition:
        called.append("late")
        return partition

    problem = Problem(np.array([[0.0], [5.0], [1.0], [6.0]]), 2)
    solution = run_pipeline(_stages(_in_pairs, (improve, stopped, late)), problem, 0, Run())
    assert called == ["improve", "stopped"]
    assert (solution.labels.tolist(), solution.ended_by) == ([0, 1, 0, 1], "iterations")


def test_no_refiner_begins_in_a_run_that_has_ended() -> None:
    def cancelling(problem: Problem, rng: Generator, run: Run) -> Partition:
        run.cancel()
        return _in_pairs(problem, rng, run)

    def late(partition: Partition, rng: Generator, run: Run) -> Partition:
        raise AssertionError("it has begun")

    solution = run_pipeline(_stages(cancelling, (late,)), Problem(np.arange(4.0)[:, None], 2), 0, Run())
    assert (solution.ended_by, solution.labels.tolist()) == ("cancelled", [0, 0, 1, 1])
    assert not solution.reproducible


def test_a_bound_that_is_stopped_proves_nothing() -> None:
    def stopped(problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        run.stop("effort")

    solution = run_pipeline(_stages(_in_pairs, (), stopped), Problem(np.arange(4.0)[:, None], 2), 0, Run())
    assert solution.bound == LowerBound(0.0, "none", "effort")
    assert (solution.status, solution.gap, solution.ended_by) == ("bounded", 1.0, None)
    assert solution.labels.tolist() == [0, 0, 1, 1]


def test_a_bound_that_time_cut_short_is_not_reproducible(X: FloatArray, clock: list[float]) -> None:
    def slow(problem: Problem, rng: Generator, run: Run) -> Partition:
        clock[0] += 9.0
        return _in_pairs(problem, rng, run)

    solution = solve(X, 3, method=slow, bound=True, time_limit=5.0)
    assert solution.bound is not None
    assert solution.bound.ended_by == "time_limit"
    assert solution.ended_by is None
    assert not solution.reproducible
    assert "time_limit" in solution.summary()


# Bounds.


@pytest.mark.parametrize("method", ["auto", "mdav", "column-generation"])
def test_a_bound_is_proved_where_it_is_asked_for(X: FloatArray, method: str) -> None:
    solution = solve(X[:21], 3, method=method, bound=True)
    assert solution.lower_bound is not None
    assert solution.bound is not None
    assert 0.0 < solution.lower_bound <= solution.sse
    assert solution.bound.kind == "column generation"
    assert solution.bound.converged
    assert solution.reproducible
    assert "gap" in solution.summary() or "optimal" in solution.summary()
    again = solve(X[:21], 3, method=method, bound=True)
    assert (again.lower_bound, again.labels.tolist()) == (solution.lower_bound, solution.labels.tolist())


def test_a_gap_that_is_small_enough_ends_the_bound_and_not_the_search(X: FloatArray) -> None:
    solution = solve(X, 3, bound=True, target_gap=0.5)
    assert solution.ended_by is None
    assert solution.bound is not None
    assert solution.bound.ended_by == "target_gap"
    assert solution.gap is not None
    assert 0.0 < solution.gap <= 0.5
    with pytest.raises(MethodError, match="target_gap could limit: leave it out, or ask for a bound"):
        solve(X, 3, target_gap=0.5)


def _crossed(problem: Problem, rng: Generator, run: Run) -> Partition:
    return Partition(problem, np.array([0, 1, 0, 1]))


def _found(labels: list[int]) -> Any:
    def prove(problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        return LowerBound(1.0, "mine"), Partition(problem, np.array(labels))

    return prove


_FOUR = Problem(np.array([[0.0], [1.0], [5.0], [6.0]]), 2)


@pytest.mark.parametrize(("labels", "improved"), [([0, 0, 1, 1], True), ([0, 1, 0, 1], False)])
def test_groups_that_the_bound_improved_are_reported(labels: list[int], improved: bool) -> None:
    stages = replace(_stages(_crossed, (), _found(labels)), takes_improved=True)
    solution = run_pipeline(stages, _FOUR, 0, Run())
    assert solution.labels.tolist() == labels
    assert solution.improved_by_bound is improved
    assert solution.improved is None
    assert json.loads(solution.to_json())["improved_by_bound"] is improved


def test_a_bound_never_replaces_the_groups_of_a_method_that_does_not_take_better_ones() -> None:
    own = run_pipeline(_stages(_crossed), _FOUR, 0, Run())
    solution = run_pipeline(_stages(_crossed, (), _found([0, 0, 1, 1])), _FOUR, 0, Run())
    assert solution.labels.tolist() == own.labels.tolist() == [0, 1, 0, 1]
    assert (solution.sse, solution.gap, solution.improved_by_bound) == (own.sse, 1 - 1 / own.sse, False)
    improved = solution.improved
    assert improved is not None
    assert (improved.method, improved.labels.tolist(), improved.sse) == ("own, improved by mine", [0, 0, 1, 1], 1.0)
    assert (improved.status, improved.improved_by_bound, improved.improved) == ("optimal", True, None)
    told = json.loads(solution.to_json())["improved"]
    assert (told["method"], told["sse"], told["gap"]) == ("own, improved by mine", 1.0, 0.0)
    assert "better groups" in solution.summary()
    assert json.loads(own.to_json())["improved"] is None


@pytest.mark.parametrize("method", ["mdav", "mdav+igd", "icsm", "mdav+search(effort=quick)", "imhm"])
def test_a_named_method_loses_as_much_with_a_bound_as_without(X: FloatArray, method: str) -> None:
    bounded = solve(X[:30], 3, method=method, bound=True, random_state=0)
    plain = solve(X[:30], 3, method=method, random_state=0)
    assert bounded.method == plain.method
    np.testing.assert_array_equal(bounded.labels, plain.labels)


@pytest.mark.parametrize("method", ["mdav+search(length=0.001)", "search(length=0.001)"])
@pytest.mark.parametrize("bound", [True, "neighbours"])
def test_a_thorough_search_keeps_its_short_proof_with_a_bound(method: str, bound: bool | str) -> None:
    table = np.random.default_rng(3).normal(size=(120, 3))
    plain = solve(table, 3, method=method, effort="thorough", random_state=0)
    bounded = solve(table, 3, method=method, effort="thorough", bound=bound, random_state=0)
    assert bounded.sse <= plain.sse


def test_one_column_keeps_its_optimum_with_a_named_bound() -> None:
    column = np.random.default_rng(1).lognormal(size=(60, 1))
    found = solve(column, 3, bound="neighbours")
    assert (found.method, found.sse) == ("univariate", solve(column, 3).sse)


@pytest.mark.parametrize("method", ["auto", "search", "exact", "search(effort=quick)"])
def test_a_search_for_the_best_groups_takes_what_a_proof_finds(method: str) -> None:
    assert pipeline(method, bound=method != "exact").takes_improved


def test_a_bound_is_chosen_by_its_name(X: FloatArray) -> None:
    assert solve(X[:30], 3, bound="automatic").bound == solve(X[:30], 3, bound=True).bound
    found = solve(X[:30], 3, method="mdav", bound="neighbours").bound
    assert found is not None
    assert found.kind == "neighbours"
    relaxed = solve(X[:30], 3, method="mdav", bound="Column-Generation(pricing=relaxed)").bound
    assert relaxed is not None
    assert "relaxed" in relaxed.kind


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ("neighbour", "there is no bound 'neighbour': did you mean 'neighbours'"),
        ("mdav", "there is no bound 'mdav': known are 'sorted-cut', 'column-generation', 'neighbours'"),
        ("neighbours+exact", "a bound is one stage, as 'column-generation', found 'neighbours\\+exact'"),
        ("neighbours(k=3)", "'neighbours' has no parameter 'k': it has none"),
        ("sorted-cut", "needs one column that varies: .*; choose another bound"),
    ],
)
def test_a_bound_of_a_name_that_cannot_be_is_refused(X: FloatArray, bound: str, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        solve(X, 3, bound=bound)


def test_a_bound_needs_no_method(X: FloatArray) -> None:
    bound = lower_bound(X[:30], 3, "neighbours", standardise=False)
    assert bound.information_loss is not None
    assert bound.sse == solve(X[:30], 3, method="mdav", bound="neighbours", standardise=False).lower_bound
    np.testing.assert_allclose(bound.information_loss, 100 * bound.sse / np.square(X[:30] - X[:30].mean(axis=0)).sum())
    assert LowerBound(1.0, "mine").information_loss is None
    with pytest.raises(InputError, match="lower_bound has no option 'method'"):
        lower_bound(X, 3, method="mdav")  # type: ignore[call-arg]
    with pytest.raises(InputError, match="bound must be a bound's name or a stage, found False"):
        lower_bound(X, 3, False)  # type: ignore[arg-type]


# Records and columns.


def test_columns_can_be_chosen(X: FloatArray) -> None:
    frame = pd.DataFrame({"x": X[:, 0], "who": ["a"] * 40, "y": X[:, 1]})
    expected = solve(X[:, :2], 3, method="mdav").labels
    np.testing.assert_array_equal(solve(frame, 3, columns=["x", "y"], method="mdav").labels, expected)


def test_same_line_for_arrays_frames_and_lists(X: FloatArray) -> None:
    expected = solve(X, 4, method="mdav").labels
    for other in (pd.DataFrame(X), X.tolist()):
        np.testing.assert_array_equal(solve(other, 4, method="mdav").labels, expected)


def test_only_numbers_are_grouped_by_unless_other_columns_are_named() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 5.0], "who": ["a", "b", "c"]})
    solution = solve(frame, 1)  # k = 1 may be asked about: nothing is released
    assert solution.encoding is not None
    assert solution.encoding.names == ("x",)
    assert solution.sse == 0.0
    mixed = solve(frame, 1, columns=["x", "who"])
    assert mixed.encoding is not None
    assert mixed.encoding.names == ("x", "who")


def test_solve_guesses_no_more_than_protect() -> None:
    frame = pd.DataFrame({"income": [10.5, 22.0, 31.5, 47.0, 52.5, 68.0], "person_id": [4, 9, 2, 7, 1, 8]})
    with pytest.raises(DoubtError, match="'person_id' looks like an identifier"):
        solve(frame, 3)
    solution = solve(frame, 3, exclude=["person_id"])
    assert solution.encoding is not None
    assert solution.encoding.names == ("income",)


def test_solution_has_everything(X: FloatArray) -> None:
    solution = solve(X, 5, method="mdav", standardise=True, random_state=4, time_limit=None, iterations=None)
    assert solution.labels.shape == (40,)
    assert solution.sizes.min() >= 5
    assert solution.sst == pytest.approx(40 * 3)
    assert solution.information_loss == pytest.approx(100 * solution.sse / solution.sst)
    assert (solution.lower_bound, solution.gap, solution.status, solution.method) == (None, None, "heuristic", "mdav")
    assert (solution.random_state, solution.iterations, solution.ended_by) == (4, 0, None)
    assert [(step.iteration, step.sse) for step in solution.history] == [(0, solution.sse), (0, solution.sse)]


def test_history_ends_with_the_solution(X: FloatArray) -> None:
    solution = solve(X, 3, method="mdav+recut", iterations=2)
    first, *_, last = solution.history
    assert first.sse == solve(X, 3, method="mdav").sse
    assert (last.iteration, last.sse) == (solution.iterations, solution.sse) == (2, solution.sse)


def test_unknown_option_gets_the_nearest_name(X: FloatArray) -> None:
    wrong: dict[str, Any] = {"efort": "quick"}
    with pytest.raises(InputError, match="solve has no option 'efort': did you mean 'effort'"):
        solve(X, 3, **wrong)
    wrong = {"shuffle": True}
    with pytest.raises(InputError, match="solve has no option 'shuffle'"):
        solve(X, 3, **wrong)


def test_scale_matters_only_where_it_is_asked_to(X: FloatArray) -> None:
    expected = solve(X, 3, method="mdav").labels
    stretched = X * [1.0, 1000.0, 1e-3]
    np.testing.assert_array_equal(solve(stretched, 3, method="mdav").labels, expected)
    assert (solve(stretched, 3, method="mdav", standardise=False).labels != expected).any()


def test_constant_columns_carry_no_weight(X: FloatArray) -> None:
    plain = solve(X, 3, method="mdav")
    with_constant = solve(np.column_stack([X, np.full(40, 0.1)]), 3, method="mdav")
    np.testing.assert_array_equal(with_constant.labels, plain.labels)
    assert with_constant.information_loss == pytest.approx(plain.information_loss)


def test_column_with_a_huge_mean_loses_nothing() -> None:
    steps = np.random.default_rng(1).permutation(np.arange(300.0))
    near = solve(steps, 4, method="univariate")
    far = solve(steps + 1e9, 4, method="univariate")
    np.testing.assert_array_equal(near.labels, far.labels)
    assert far.information_loss == pytest.approx(near.information_loss, rel=1e-12)


@pytest.mark.parametrize("factor", [1e-140, 1e140])
def test_tiny_and_large_numbers_are_standardised_alike(X: FloatArray, factor: float) -> None:
    np.testing.assert_array_equal(solve(X * factor, 3, method="mdav").labels, solve(X, 3, method="mdav").labels)


# Randomness.


@pytest.mark.parametrize("random_state", [-1, 1.5, "a", True])
def test_random_state_is_checked(X: FloatArray, random_state: Any) -> None:
    with pytest.raises(InputError, match="random_state"):
        solve(X, 3, random_state=random_state)


def test_random_state_may_be_fresh(X: FloatArray) -> None:
    fresh = solve(X[:15], 3, effort="quick", random_state=None)
    assert isinstance(fresh.random_state, int)
    again = solve(X[:15], 3, effort="quick", random_state=fresh.random_state)
    np.testing.assert_array_equal(fresh.labels, again.labels)


def test_a_fresh_random_state_fits_into_64_bits_with_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda bits: 2**bits - 1)
    assert known_random_state(None) == 2**63 - 1
    assert [known_random_state(given) for given in (0, 1, 7)] == [0, 1, 7]


def test_each_stage_has_randomness_of_its_own_from_the_random_state(X: FloatArray) -> None:
    drawn: list[float] = []

    def construct(problem: Problem, rng: Generator, run: Run) -> Partition:
        drawn.append(rng.random())
        return _in_pairs(problem, rng, run)

    def refine(partition: Partition, rng: Generator, run: Run) -> Partition:
        drawn.append(rng.random())
        return partition

    problem = Problem(X, 3)
    for random_state in (0, 0, 1, None, None):
        run_pipeline(_stages(construct, (refine,)), problem, random_state, Run())
    first, again, other, fresh, fresher = (tuple(drawn[i : i + 2]) for i in range(0, 10, 2))
    assert first == again
    assert len({*first, *other, *fresh, *fresher}) == 8
    expected = [np.random.default_rng(seed).random() for seed in np.random.SeedSequence(0).spawn(2)]
    assert list(first) == expected


# Stages of a user's own.


def test_a_stage_of_ones_own_works_wherever_a_name_does(X: FloatArray) -> None:
    assert solve(X, 3, method=_Halves()).n_groups == 2
    refined = solve(X, 3, method=[_Halves(), "igd"])
    assert refined.method == "_Halves+igd"
    assert refined.sse < solve(X, 3, method=_Halves()).sse
    assert solve(X, 3, method=["mdav", REFINERS["recut"]]).sse == solve(X, 3, method="mdav+recut").sse
    assert solve(X, 3, method=["mdav+recut", "igd"]).sse == solve(X, 3, method="mdav+recut+igd").sse
    proved = solve(X, 3, method="mdav", bound=BOUNDS["neighbours"]).bound
    assert proved is not None
    assert proved.kind == "neighbours"
    assert solve(X, 3, method="mdav", bound=_nothing_proved, target_gap=0.5).gap == 1.0


def test_a_stage_says_what_it_supports(X: FloatArray) -> None:
    with pytest.raises(MethodError) as caught:
        solve(X, 3, method=_OnlyFew())
    assert str(caught.value) == (
        "'only-few' needs at most 10 records: here are 40 records, 3 columns that vary and k = 3; choose another method"
    )
    assert solve(X[:8], 3, method=_OnlyFew()).n_groups == 2
    with pytest.raises(MethodError, match="needs one column that varies: here are 40 records, 3 columns"):
        solve(X, 3, method="univariate")


def test_a_stage_need_not_say_what_it_needs(X: FloatArray) -> None:
    class Never(_Halves):
        def supports(self, problem: Problem) -> bool:
            return False

    with pytest.raises(MethodError, match="'Never' needs another problem: here are"):
        solve(X, 3, method=Never())


@pytest.mark.parametrize("method", [_Halves, 5, [], ["mdav", 5], None])
def test_what_is_no_stage_is_refused(X: FloatArray, method: Any) -> None:
    with pytest.raises(MethodError, match=r"a method (is a name|needs)"):
        solve(X, 3, method=method)


def test_a_stage_that_breaks_its_promise_is_refused(X: FloatArray) -> None:
    def elsewhere(problem: Problem, rng: Generator, run: Run) -> Partition:
        return _in_pairs(Problem(problem.X, problem.k), rng, run)

    def labels_only(problem: Problem, rng: Generator, run: Run) -> Any:
        return np.zeros(problem.n, dtype=np.int64)

    def refined_elsewhere(partition: Partition, rng: Generator, run: Run) -> Partition:
        return elsewhere(partition.problem, rng, run)

    def bounded_elsewhere(problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        return LowerBound(0.0, "mine"), elsewhere(problem, np.random.default_rng(0), run)

    problem = Problem(X, 3)
    for stages, name, found in (
        (_stages(elsewhere), "elsewhere", "Partition"),
        (_stages(labels_only), "labels_only", "ndarray"),
        (_stages(_in_pairs, (refined_elsewhere,)), "refined_elsewhere", "Partition"),
        (_stages(_in_pairs, (), bounded_elsewhere), "bounded_elsewhere", "Partition"),
    ):
        with pytest.raises(MethodError) as caught:
            run_pipeline(stages, problem, 0, Run())
        expected = f"{name!r} must return a Partition(problem, labels) of its problem, found {found}"
        assert str(caught.value) == expected


def test_a_refiner_may_not_make_a_partition_worse(X: FloatArray) -> None:
    problem = Problem(X, 3)
    assert run_pipeline(_stages(_in_pairs, (_unchanged,)), problem, 0, Run()).n_groups == 13
    with pytest.raises(MethodError, match="'_all_in_one' made a partition worse, which no refiner may: correct it"):
        run_pipeline(_stages(_in_pairs, (_all_in_one,)), problem, 0, Run())


def test_progress_is_reported_in_order() -> None:
    news: list[tuple[Any, ...]] = []
    X = np.random.default_rng(0).normal(size=(600, 4))
    solve(X, 3, method="mdav+recut", iterations=1, progress=lambda *said: news.append(said))
    shares = [said[1] for said in news if said[0] == "mdav"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert any(said[0] == "recut" and "loss" in said[2] for said in news)


def test_stages_that_a_name_stands_for_are_run(X: FloatArray) -> None:
    partition = CONSTRUCTORS["mdav"](Problem(X, 3), np.random.default_rng(0), Run())
    np.testing.assert_array_equal(solve(X, 3, method="mdav", standardise=False).labels, partition.labels)
