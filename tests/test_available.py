"""Grouping by the cells that are there, against its oracle."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg import Partition, Problem, Run, available, protect
from microagg.available import fill_by_neighbours, solve_available
from microagg.control.stopping import StoppedError
from microagg.methods import pipeline
from microagg.model.limits import Limits
from microagg.run_pipeline import run_pipeline
from naive_available import available_sse, blank_total, filled_cell


def problem_of(seed: int, n: int = 14, d: int = 3) -> Problem:
    """Return a random problem in which each record and each column has some cell."""
    rng = np.random.default_rng(seed)
    missing = rng.random((n, d)) < 0.3
    missing[np.arange(n), rng.integers(0, d, n)] = False
    missing[:2] = False
    missing[-1, 0] = True
    missing[-1, 1] = False
    return Problem(rng.normal(size=(n, d)), 3, None, missing)


@given(st.integers(0, 2**32 - 1))
def test_missing_cells_do_not_count_in_the_loss(seed: int) -> None:
    problem = problem_of(seed)
    assert problem.missing is not None
    labels = np.random.default_rng(seed).permutation(np.arange(problem.n) // 4).clip(max=2)
    partition = Partition(problem, labels)
    assert partition.sse == pytest.approx(available_sse(problem.X, problem.missing, partition.labels))
    one_group = available_sse(problem.X, problem.missing, np.zeros(problem.n, dtype=np.int64))
    assert problem.sst == pytest.approx(one_group)


@given(st.integers(0, 2**32 - 1))
def test_cells_are_filled_in_by_the_nearest_records_that_have_them(seed: int) -> None:
    problem = problem_of(seed)
    assert problem.missing is not None
    filled = fill_by_neighbours(problem.X, problem.missing)
    np.testing.assert_array_equal(filled[~problem.missing], problem.X[~problem.missing])
    for record, column in np.argwhere(problem.missing):
        expected = filled_cell(problem.X, problem.missing, record, column, n_donors=5)
        assert filled[record, column] == pytest.approx(expected)


@given(st.integers(0, 2**32 - 1))
def test_turns_of_filling_and_descending_never_lose_more_than_the_first_grouping(seed: int) -> None:
    problem = problem_of(seed)
    assert problem.missing is not None
    run = Run()
    with run.under_way(Limits()) as current:
        solution = solve_available(pipeline("mdav"), problem, 0, current)
    filled = problem.filled(fill_by_neighbours(problem.X, problem.missing))
    first = run_pipeline(pipeline("mdav"), filled, 0, Run())
    assert solution.sse <= Partition(problem, first.labels).sse
    assert solution.partition.problem is problem


def test_a_record_without_any_cell_is_grouped_too() -> None:
    X = np.array([[0.0], [0.1], [5.0], [5.1], [0.0]])
    missing = np.array([[False], [False], [False], [False], [True]])
    run = Run()
    with run.under_way(Limits()) as current:
        solution = solve_available(pipeline("mdav"), Problem(X, 2, None, missing), 0, current)
    assert solution.sizes.min() >= 2


def test_cells_that_are_left_when_the_work_ends_get_the_means_of_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(available, "_CELLS_PER_BLOCK", 1)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    missing = rng.random((30, 3)) < 0.3

    def stop_half_way(done: float | None = None) -> None:
        if done is not None and done >= 0.5:
            raise StoppedError("cancelled")

    filled = fill_by_neighbours(X, missing, stop_half_way)
    whole = fill_by_neighbours(X, missing)
    means = np.array([X[~missing[:, j], j].mean() for j in range(3)])
    incomplete = np.flatnonzero(missing.any(axis=1))
    first, rest = incomplete[: -(-len(incomplete) // 2)], incomplete[-(-len(incomplete) // 2) :]
    np.testing.assert_array_equal(filled[first], whole[first])
    np.testing.assert_allclose(filled[rest], np.where(missing[rest], means, X[rest]))


@given(st.integers(0, 99), st.integers(1, 9))
def test_nearest_are_those_of_a_stable_sort(seed: int, n: int) -> None:
    distances = np.random.default_rng(seed).integers(0, 4, (5, n)).astype(np.float64)
    expected = np.argsort(distances, axis=1, kind="stable")[:, : available._DONORS]
    np.testing.assert_array_equal(available._nearest(distances), expected)


@given(st.integers(0, 2**32 - 1))
def test_blanked_cells_lose_their_price(seed: int) -> None:
    problem = problem_of(seed).with_prices()
    assert problem.missing is not None
    assert problem.prices is not None
    present = ~problem.missing
    for j in range(problem.d):
        column = problem.X[present[:, j], j]
        np.testing.assert_allclose(problem.prices[:, j], [column.mean(), column.var()])
    labels = np.random.default_rng(seed).permutation(np.arange(problem.n) // 4).clip(max=2)
    partition = Partition(problem, labels)
    assert partition.sse == pytest.approx(blank_total(problem.X, problem.missing, problem.prices, partition.labels))
    halves = [np.flatnonzero(partition.labels == 0), np.flatnonzero(partition.labels != 0)]
    parts = [Partition(problem.part(half), partition.labels[half]) for half in halves]
    assert sum(part.sse for part in parts) == pytest.approx(partition.sse)
    left = partition.with_blanks()
    still_missing = np.zeros_like(problem.missing) if left.problem.missing is None else left.problem.missing
    lacking = np.array([problem.missing[partition.labels == label].any(axis=0) for label in range(3)])
    lacking[:, lacking.all(axis=0)] = False  # of a column that all groups lack, nothing is left to be missing
    assert (still_missing == lacking[partition.labels]).all()
    assert left.sse == pytest.approx(available_sse(left.problem.X, still_missing, partition.labels))


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_descent_with_blanks_keeps_its_sums_and_never_loses_more(seed: int, weighted: bool) -> None:
    from microagg.kernels.moves.blank_descent import blanking_groups, descend_blanks

    rng = np.random.default_rng(seed)
    problem = problem_of(seed, n=24)
    weights = rng.uniform(0.5, 2, 24) if weighted else None
    problem = Problem(problem.X, 3, weights, problem.missing).with_prices()
    assert problem.missing is not None
    assert problem.prices is not None
    start = Partition(problem, rng.permutation(np.arange(24) // 4))
    X = np.where(problem.missing, 0.0, problem.X - problem.prices[0])
    each = np.ones(24) if problem.weights is None else problem.weights
    prices = np.where(problem.missing, 0.0, np.maximum(problem.prices[1], np.square(X))) * each[:, None]
    groups = blanking_groups(X, problem.missing, each, prices, start.labels)
    assert groups.losses.sum() == pytest.approx(start.sse)
    near = np.array([np.roll(np.arange(24), -record)[1:] for record in range(24)])
    n_changes = descend_blanks(X, problem.missing, each, prices, near, 3, groups, 0, 24)
    found = Partition(problem, groups.labels)
    assert groups.losses.sum() == pytest.approx(found.sse)
    assert found.sizes.max() <= 5
    assert found.sse < start.sse or n_changes == 0
    assert n_changes == 0 or found.sse != start.sse


def test_few_cells_are_blanked_where_records_lack_the_same() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    missing = np.zeros((200, 3), dtype=np.bool_)
    missing[::5, 1] = True
    problem = Problem(X, 4, None, missing).with_prices()
    assert problem.prices is not None
    with Run().under_way(Limits()) as current:
        found = solve_available(pipeline("mdav"), problem, 0, current).partition
    means = problem.filled(np.where(missing, problem.prices[0], X))
    plain = Partition(problem, run_pipeline(pipeline("mdav"), means, 0, Run()).labels)
    assert found.sse < 0.8 * plain.sse
    assert _n_blank(found) == missing.sum() < _n_blank(plain)


def _n_blank(partition: Partition) -> int:
    missing = partition.with_blanks().problem.missing
    assert missing is not None
    return int(missing.sum())


def test_a_single_column_is_blanked_with_the_methods_for_it() -> None:
    X = np.array([[0.0], [0.1], [5.0], [5.1], [0.0], [0.0]])
    missing = np.array([[False], [False], [False], [False], [True], [True]])
    with Run().under_way(Limits()) as current:
        solution = solve_available(pipeline("mdav"), Problem(X, 2, None, missing).with_prices(), 0, current)
    assert solution.labels.tolist() == [0, 0, 1, 1, 2, 2]


def test_rules_are_kept_at_the_cost_of_few_blanked_cells() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    frame = frame.mask(rng.random(frame.shape) < 0.1).assign(illness=rng.choice(list("xyz"), 200))
    columns = ["a", "b", "c"]
    options: dict[str, Any] = {"columns": columns, "method": "mdav", "missing": "blank", "confidential": ["illness"]}
    plain = protect(frame, 4, **options)
    diverse = protect(frame, 4, **options, l_diversity=3)
    classes = diverse.data.groupby(columns, dropna=False)
    assert classes.size().min() >= 4
    assert classes["illness"].nunique().min() == 3
    assert plain.data.groupby(columns, dropna=False)["illness"].nunique().min() < 3
    assert diverse.measures.n_suppressed < 2 * plain.measures.n_suppressed
