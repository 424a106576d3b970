"""Parts solved side by side, and joined."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import MethodError, Problem, Run, Solution, protect, soft_walls, solve
from microagg.control.loss_note import LossNote
from microagg.methods import pipeline
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.division import Division, Part
from microagg.model.group_rules import GroupRules
from microagg.model.limits import Limits
from microagg.solve_blocks import solve_problem
from microagg.solve_parts import solve_parts


def solved(problem: Problem, codes: np.ndarray, method: str, *, bound: bool = False, workers: int = 2) -> Solution:
    """Solve the parts of a problem that some codes tell apart."""
    parts = tuple(Part(str(code), np.flatnonzero(codes == code)) for code in np.unique(codes))
    run = Run(workers=workers)
    with run.under_way(Limits()) as current:
        return solve_parts(pipeline(method, None, bound), problem, Division(parts), GroupRules(), 0, current)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["mdav", "mdav+descent", "univariate"]))
def test_each_part_is_solved_as_if_it_were_alone(seed: int, method: str) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.repeat(np.arange(3), 7))
    X = rng.normal(size=(21, 1 if method == "univariate" else 2))
    solution = solved(Problem(X, 3), codes, method)
    for code, one in enumerate(solution.parts):
        alone = solve(X[codes == code], 3, method=method, standardise=False)
        np.testing.assert_array_equal(one.solution.labels, alone.labels)
    crossing = np.unique(np.column_stack([solution.labels, codes]), axis=0)
    assert len(crossing) == solution.n_groups


def test_many_quick_searches_are_shorter_than_each_alone() -> None:
    rng = np.random.default_rng(7)
    codes = np.arange(5200) % 26
    problem = Problem(rng.normal(size=(5200, 2)), 3)
    solution = solved(problem, codes, "search(effort=quick)")
    length = float(np.sqrt(5000 / 5200))
    for code, one in list(enumerate(solution.parts))[:3]:
        X = problem.X[codes == code]
        alone = solve(X, 3, method="search(effort=quick)", standardise=False, random_state=0)
        shorter = solve(X, 3, method=f"search(effort=quick, length={length!r})", standardise=False, random_state=0)
        assert 0 < one.solution.iterations == shorter.iterations < alone.iterations
        np.testing.assert_array_equal(one.solution.labels, shorter.labels)


def test_progress_tells_the_loss_of_the_parts_that_are_solved() -> None:
    rng = np.random.default_rng(8)
    codes = np.repeat([0, 1, 2], [2000, 20, 20])
    problem = Problem(rng.normal(size=(2040, 2)), 3)
    parts = tuple(Part(str(code), np.flatnonzero(codes == code)) for code in range(3))
    told: list[tuple[str, float | None, str]] = []
    run = Run(progress=lambda stage, done, note="": told.append((stage, done, note)), workers=1)
    with run.under_way(Limits()) as current:
        solution = solve_parts(pipeline("mdav"), problem, Division(parts), GroupRules(), 0, current)
    of_parts = [(done, note) for stage, done, note in told if stage == "parts"]
    assert of_parts[0][0] == pytest.approx(1 / 3)
    assert of_parts[-1][0] == 1.0
    assert all(isinstance(note, LossNote) == (stage == "parts") for stage, _, note in told)
    last = of_parts[-1][1]
    assert isinstance(last, LossNote)
    assert last.loss == pytest.approx(solution.information_loss)


def test_losses_and_bounds_add_up() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40, 2))
    codes = np.arange(40) % 2
    solution = solved(Problem(X, 3), codes, "exact")
    assert solution.bound is not None
    assert solution.sse == pytest.approx(sum(one.solution.sse for one in solution.parts))
    assert solution.lower_bound == pytest.approx(sum(one.solution.lower_bound or 0.0 for one in solution.parts))
    assert solution.status == "optimal"
    whole = solve(X, 3, method="exact", standardise=False)
    assert whole.sse <= solution.sse


def test_the_number_of_threads_changes_nothing() -> None:
    rng = np.random.default_rng(6)
    problem = Problem(rng.normal(size=(90, 3)), 3)
    codes = rng.integers(0, 5, 90)
    one = solved(problem, codes, "search(effort=quick)", workers=1)
    two = solved(problem, codes, "search(effort=quick)", workers=2)
    np.testing.assert_array_equal(one.labels, two.labels)


def test_cells_that_are_missing_for_all_of_a_part_do_not_count() -> None:
    X = np.array([[0.0, 5.0], [1.0, 99.0], [7.0, -3.0], [8.0, 42.0]])
    missing = np.array([[False, True]] * 4)
    solution = solved(Problem(X, 2, None, missing), np.zeros(4, dtype=np.int64), "mdav")
    assert solution.labels.tolist() == [0, 0, 1, 1]
    assert solution.sse == 1.0


def test_nothing_is_proved_where_cells_are_left_out() -> None:
    missing = np.zeros((6, 2), dtype=np.bool_)
    missing[0, 0] = True
    problem = Problem(np.random.default_rng(0).normal(size=(6, 2)), 2, None, missing)
    with pytest.raises(
        MethodError, match="no bound can be proved where a group may hold records with different missing cells"
    ):
        solved(problem, np.zeros(6, dtype=np.int64), "mdav", bound=True)


def test_better_groups_of_parts_are_joined_beside_those_of_the_method() -> None:
    problem = Problem(np.random.default_rng(0).normal(size=(60, 3)), 3)
    codes = np.arange(60) % 2
    solution = solved(problem, codes, "mdav", bound=True)
    improved = solution.improved
    assert improved is not None
    np.testing.assert_array_equal(solution.labels, solved(problem, codes, "mdav").labels)
    assert solution.bound is not None
    assert solution.bound.sse <= improved.sse < solution.sse
    np.testing.assert_allclose(improved.sse, sum(one.solution.sse for one in improved.parts))
    assert solution.bound.information_loss == 100 * solution.bound.sse / problem.sst
    for one, better in zip(solution.parts, improved.parts, strict=True):
        of_part = improved.labels[one.part.records]
        np.testing.assert_array_equal(np.unique(of_part, return_inverse=True)[1], better.solution.labels)


def test_a_time_limit_is_shared_and_leaves_legal_groups() -> None:
    rng = np.random.default_rng(7)
    problem = Problem(rng.normal(size=(200, 3)), 3)
    codes = np.arange(200) % 4
    parts = tuple(Part(str(code), np.flatnonzero(codes == code)) for code in range(4))
    run = Run(time_limit=1e-9)
    with run.under_way(Limits()) as current:
        solution = solve_parts(pipeline("mdav+descent"), problem, Division(parts), GroupRules(), 0, current)
    assert solution.ended_by == "time_limit"
    assert solution.sizes.min() >= 3
    assert solution.fallback_share > 0


def test_the_walls_of_a_part_follow_the_rows_of_the_table_that_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft_walls, "_MIN_SAMPLE", 50)
    monkeypatch.setattr(soft_walls, "_SAMPLE_PER_BLOCK", 20)
    problem = Problem(np.random.default_rng(8).normal(size=(600, 3)), 3)
    order = np.sort(np.random.default_rng(9).choice(10**6, 600, replace=False))
    parts = tuple(Part(str(first), np.arange(first, 600, 2)) for first in range(2))
    chosen = replace(pipeline("mdav"), block_size=30)
    with Run(workers=2).under_way(Limits()) as run:
        solution = solve_parts(chosen, problem, Division(parts, order=order), GroupRules(), 0, run)
        for part, found in zip(parts, solution.parts, strict=True):
            alone = problem.part(part.records)
            expected = solve_problem(chosen, alone, GroupRules(), 0, run, order[part.records]).labels
            np.testing.assert_array_equal(found.solution.labels, expected)
            assert not np.array_equal(solve_problem(chosen, alone, GroupRules(), 0, run).labels, expected)


def test_records_that_are_left_out_do_not_change_the_rows_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[list[int]] = []

    def all_sampled(rows: IntArray, n: int, n_wanted: int) -> BoolArray:
        hashed.append(rows.tolist())
        return np.ones(len(rows), dtype=np.bool_)

    monkeypatch.setattr(soft_walls, "is_sampled", all_sampled)
    rng = np.random.default_rng(10)
    frame = pl.DataFrame({"x": rng.normal(size=200), "y": rng.normal(size=200), "r": ["a", "b"] * 100})
    frame = frame.with_columns(x=pl.when(pl.int_range(200) % 7 == 0).then(None).otherwise("x"))
    protect(frame, k=3, columns=["x", "y"], strata=["r"], missing="drop", method="mdav", block_size=20)
    kept = [row for row in range(200) if row % 7]
    assert sorted(hashed) == [[row for row in kept if row % 2 == 1], [row for row in kept if row % 2 == 0]]
