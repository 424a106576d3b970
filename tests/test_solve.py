"""What solve promises: limits, bounds, stages, randomness."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from microagg import (
    DoubtError,
    InputError,
    LowerBound,
    MethodError,
    Partition,
    Problem,
    Run,
    solve,
)
from microagg.bound import BOUNDS
from microagg.construct import CONSTRUCTORS
from microagg.methods import Pipeline
from microagg.model.arrays import FloatArray
from microagg.refine import REFINERS
from microagg.solve import run_pipeline


@pytest.fixture(name="X")
def _points() -> Any:
    return np.random.default_rng(0).normal(size=(40, 3))


@pytest.mark.parametrize("limit", [{"target_gap": 0.1}, {"iterations": 5}])
@pytest.mark.parametrize("method", ["mdav", "univariate"])
def test_limit_that_has_nothing_to_limit_is_refused(X: FloatArray, method: Any, limit: dict[str, Any]) -> None:
    with pytest.raises(MethodError, match=f"{next(iter(limit))} could limit"):
        solve(X[:, :1], 3, method=method, **limit)


@pytest.mark.parametrize("method", ["auto", "mdav", "column-generation"])
def test_a_bound_is_proved_where_it_is_asked_for(X: FloatArray, method: Any) -> None:
    solution = solve(X, 3, method=method, bound=True)
    assert 0.0 < solution.lower_bound <= solution.sse
    assert solution.bound.kind == "column generation"
    assert solution.bound.converged
    assert solution.reproducible
    assert "gap" in solution.summary() or "optimal" in solution.summary()
    again = solve(X, 3, method=method, bound=True)
    assert (again.lower_bound, again.labels.tolist()) == (solution.lower_bound, solution.labels.tolist())


def test_iterations_do_not_limit_a_bound(X: FloatArray) -> None:
    solution = solve(X, 3, method="mdav+recut", iterations=0, bound=True)
    assert (solution.ended_by, solution.bound.ended_by) == ("iterations", None)


def test_a_gap_that_is_small_enough_ends_the_bound_and_not_the_search(X: FloatArray) -> None:
    solution = solve(X, 3, bound=True, target_gap=0.5)
    assert solution.ended_by is None
    assert solution.bound.ended_by == "target_gap"
    assert 0.0 < solution.gap <= 0.5
    with pytest.raises(MethodError, match="target_gap could limit: leave it out, or ask for a bound"):
        solve(X, 3, target_gap=0.5)


def test_refiners_get_half_of_the_time_where_a_bound_follows(X: FloatArray) -> None:
    asked = []

    def refine(partition: Any, rng: Any, run: Any) -> Any:
        asked.append(run.limits.time_limit)
        return partition

    def bound(problem: Problem, incumbent: Any, run: Any) -> Any:
        asked.append(run.limits.time_limit)
        return LowerBound(0.0, "none"), incumbent

    bound.limits = frozenset({"time_limit"})
    for last in (bound, None):
        chosen = Pipeline("asking", CONSTRUCTORS["mdav"], (refine,), last)
        run_pipeline(chosen, Problem(X, 3), 0, Run(time_limit=8.0))
    assert asked == [4.0, 8.0, 8.0]


def test_a_generous_time_limit_changes_nothing_where_a_bound_follows(X: FloatArray) -> None:
    free = solve(X, 3, bound=True)
    limited = solve(X, 3, bound=True, time_limit=1e6)
    np.testing.assert_array_equal(limited.labels, free.labels)
    assert (limited.lower_bound, limited.iterations) == (free.lower_bound, free.iterations)


def test_a_bound_that_time_cut_short_is_not_reproducible() -> None:
    X = np.random.default_rng(0).normal(size=(400, 4))
    solution = solve(X, 3, method="mdav", bound=True, time_limit=0.05)
    assert solution.bound.ended_by == "time_limit"
    assert not solution.reproducible
    assert "ended by time_limit" in solution.summary()


def test_columns_can_be_chosen(X: FloatArray) -> None:
    frame = pd.DataFrame({"x": X[:, 0], "who": ["a"] * 40, "y": X[:, 1]})
    np.testing.assert_array_equal(solve(frame, 3, columns=["x", "y"]).labels, solve(X[:, :2], 3).labels)


def test_iterations_limit_the_refiner(X: FloatArray) -> None:
    losses = [solve(X, 3, method="mdav+recut", iterations=rounds).sse for rounds in (0, 1, 50)]
    assert losses[0] == solve(X, 3, method="mdav").sse
    assert losses[0] > losses[1] >= losses[2]


def test_solution_tells_everything(X: FloatArray) -> None:
    solution = solve(X, 5, method="mdav", standardise=True, random_state=0, time_limit=None, iterations=None)
    assert solution.labels.shape == (40,)
    assert solution.sizes.min() >= 5
    assert solution.sst == pytest.approx(40 * 3)
    assert solution.information_loss == pytest.approx(100 * solution.sse / solution.sst)
    assert (solution.lower_bound, solution.gap, solution.status, solution.method) == (None, None, "heuristic", "mdav")


def test_same_line_for_arrays_frames_and_lists(X: FloatArray) -> None:
    expected = solve(X, 4).labels
    for other in (pd.DataFrame(X), X.tolist()):
        np.testing.assert_array_equal(solve(other, 4).labels, expected)


def test_only_numbers_are_grouped_by() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 5.0], "who": ["a", "b", "c"]})
    assert solve(frame, 1).encoding.names == ("x",)
    with pytest.raises(InputError, match="row 1 holds 'a'"):
        solve(frame, 1, columns=["x", "who"])


def test_solve_guesses_no_more_than_protect() -> None:
    frame = pd.DataFrame({"income": [10.5, 22.0, 31.5, 47.0, 52.5, 68.0], "person_id": [4, 9, 2, 7, 1, 8]})
    with pytest.raises(DoubtError, match="'person_id' looks like an identifier"):
        solve(frame, 3)
    assert solve(frame, 3, exclude=["person_id"]).encoding.names == ("income",)


def test_unknown_option_gets_the_nearest_name(X: FloatArray) -> None:
    with pytest.raises(InputError, match="solve has no option 'efort': did you mean 'effort'"):
        solve(X, 3, efort="quick")
    with pytest.raises(InputError, match="solve has no option 'shuffle'"):
        solve(X, 3, shuffle=True)


class _Halves:
    """A constructor of a user's own."""

    def __call__(self, problem: Problem, rng: Any, run: Any) -> Any:
        run.tick("halves", 0.5)
        return Partition(problem, (np.arange(problem.n) >= problem.n // 2).astype(np.int64))


def _nothing_proved(problem: Problem, incumbent: Any, run: Any) -> Any:
    """A bound of a user's own."""
    return LowerBound(0.0, "mine"), incumbent


class _OnlyFew(_Halves):
    name = "only-few"
    needs = "at most 10 records"

    def supports(self, problem: Problem) -> Any:
        return problem.n <= 10


def test_a_stage_of_ones_own_works_wherever_a_name_does(X: FloatArray) -> None:
    assert solve(X, 3, method=_Halves()).n_groups == 2
    refined = solve(X, 3, method=[_Halves(), "igd"])
    assert refined.method == "_Halves+igd"
    assert refined.sse < solve(X, 3, method=_Halves()).sse
    assert solve(X, 3, method=["mdav", REFINERS["recut"]]).sse == solve(X, 3, method="mdav+recut").sse
    assert solve(X, 3, method=["mdav+recut", "igd"]).sse == solve(X, 3, method="mdav+recut+igd").sse
    assert solve(X, 3, method="mdav", bound=BOUNDS["neighbours"]).bound.kind == "neighbours"
    assert solve(X, 3, method="mdav", bound=_nothing_proved, target_gap=0.5).gap == 1.0


def test_a_stage_says_what_it_supports(X: FloatArray) -> None:
    with pytest.raises(MethodError, match="'only-few' needs at most 10 records: here are 40 records, 3 columns"):
        solve(X, 3, method=_OnlyFew())
    assert solve(X[:8], 3, method=_OnlyFew()).n_groups == 2
    with pytest.raises(MethodError, match="needs one column that varies: here are 40 records, 3 columns"):
        solve(X, 3, method="univariate")


@pytest.mark.parametrize("method", [_Halves, 5, [], ["mdav", 5], None])
def test_what_is_no_stage_is_refused(X: FloatArray, method: Any) -> None:
    with pytest.raises(MethodError, match=r"a method (is a name|needs)"):
        solve(X, 3, method=method)


def test_a_stage_that_breaks_its_promise_is_refused(X: FloatArray) -> None:
    def elsewhere(problem: Problem, rng: Any, run: Any) -> Any:
        return Partition(Problem(problem.X, problem.k), np.zeros(problem.n, dtype=np.int64))

    def worse(partition: Any, rng: Any, run: Any) -> Any:
        return Partition(partition.problem, np.zeros(partition.problem.n, dtype=np.int64))

    with pytest.raises(MethodError, match="'elsewhere' must return a Partition"):
        solve(X, 3, method=elsewhere)
    with pytest.raises(MethodError, match="made a partition worse"):
        solve(X, 3, method=["mdav", worse])


def test_scale_matters_only_where_it_is_asked_to(X: FloatArray) -> None:
    stretched = X * [1.0, 1000.0, 1e-3]
    np.testing.assert_array_equal(solve(stretched, 3).labels, solve(X, 3).labels)
    assert (solve(stretched, 3, standardise=False).labels != solve(X, 3).labels).any()


def test_constant_columns_carry_no_weight(X: FloatArray) -> None:
    with_constant = np.column_stack([X, np.full(40, 0.1)])
    np.testing.assert_array_equal(solve(with_constant, 3).labels, solve(X, 3).labels)
    assert solve(with_constant, 3).information_loss == pytest.approx(solve(X, 3).information_loss)


def test_column_with_a_huge_mean_loses_nothing() -> None:
    steps = np.random.default_rng(1).permutation(np.arange(300.0))
    near, far = solve(steps, 4, method="univariate"), solve(steps + 1e9, 4, method="univariate")
    np.testing.assert_array_equal(near.labels, far.labels)
    assert far.information_loss == pytest.approx(near.information_loss, rel=1e-12)


def test_tiny_and_large_numbers_are_standardised_alike(X: FloatArray) -> None:
    for factor in (1e-140, 1e140):
        np.testing.assert_array_equal(solve(X * factor, 3).labels, solve(X, 3).labels)


@pytest.mark.parametrize("random_state", [-1, 1.5, "a", True])
def test_random_state_is_checked(X: FloatArray, random_state: Any) -> None:
    with pytest.raises(InputError, match="random_state"):
        solve(X, 3, random_state=random_state)


def test_random_state_may_be_fresh(X: FloatArray) -> None:
    np.testing.assert_array_equal(solve(X, 3, random_state=None).labels, solve(X, 3).labels)


def test_each_stage_has_randomness_of_its_own_from_the_random_state(X: FloatArray) -> None:
    drawn = []

    def construct(problem: Problem, rng: Any, run: Any) -> Any:
        drawn.append(rng.random())
        return CONSTRUCTORS["mdav"](problem, rng, run)

    def refine(partition: Any, rng: Any, run: Any) -> Any:
        drawn.append(rng.random())
        return partition

    problem = Problem(X, 3)
    for random_state in (0, 0, 1, None, None):
        run_pipeline(Pipeline("drawing", construct, (refine,)), problem, random_state, Run())
    first, again, other, fresh, fresher = (tuple(drawn[i : i + 2]) for i in range(0, 10, 2))
    assert first == again
    assert len({*first, *other, *fresh, *fresher}) == 8


def test_time_limit_is_heard_within_a_round(X: FloatArray) -> None:
    asked = []

    class Impatient(Run):
        def ends(self, iteration: Any, sse: Any, lower_bound: Any = 0.0) -> Any:
            asked.append(iteration)
            self.log.ended_by = "time_limit"
            return len(asked) > 2

    start = Partition(Problem(X, 3), np.minimum(np.arange(40) // 3, 12))
    assert REFINERS["recut"](start, np.random.default_rng(0), Impatient()) is start
    assert asked == [0, 0, 0]


def test_progress_is_told_in_order() -> None:
    news = []
    X = np.random.default_rng(0).normal(size=(3000, 8))
    solve(X, 3, method="mdav+recut", iterations=1, progress=lambda *said: news.append(said))
    shares = [said[1] for said in news if said[0] == "mdav"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert any(said[0] == "recut" and "loss" in said[2] for said in news)


def test_groups_that_the_bound_improved_are_not_called_those_of_the_method() -> None:
    X = np.random.default_rng(3).normal(size=(60, 2))
    plain, proved = solve(X, 3, method="mdav"), solve(X, 3, method="mdav", bound=True)
    assert proved.sse < plain.sse
    assert proved.improved_by_bound
    assert "better groups that the proof of the bound met" in proved.summary()
    assert not plain.improved_by_bound
