"""Recombination of the groups of several partitions."""

import numpy as np
import pytest

from microagg import Partition, Problem, Run
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lp_solution import LpSolution
from microagg.refine.recombine import VisitedGroups, crossover, recombine
from runs import cancelled


def _nothing_visited(k: int) -> VisitedGroups:
    empty = np.empty(0, dtype=np.int64)
    return VisitedGroups(np.empty((0, 2 * k - 1), dtype=np.int64), empty, np.empty(0), empty)


def _two() -> tuple[Partition, Partition]:
    """Two partitions, each better than the other in one half."""
    X = np.array([0.0, 0.1, 5.0, 5.1, 100.0, 100.1, 105.0, 105.1])[:, None]
    problem = Problem(X - X.mean(), 2)
    return (
        Partition(problem, np.array([0, 0, 1, 1, 2, 3, 2, 3])),
        Partition(problem, np.array([0, 1, 0, 1, 2, 2, 3, 3])),
    )


def test_crossover_takes_the_better_of_each_part() -> None:
    one, other = _two()
    np.testing.assert_array_equal(crossover(one, other).labels, [0, 0, 1, 1, 2, 2, 3, 3])
    found = recombine(one, [other], _nothing_visited(2), 10, Run())
    assert found is not None
    assert found.sse == pytest.approx(0.02)


def test_groups_that_were_visited_are_chosen_too() -> None:
    one, _ = _two()
    X = one.problem.X
    groups = np.array([[4, 5, 0], [6, 7, 0], [5, 4, 0]])  # the last one is the first again
    sses = np.array([float(np.square(X[group[:2]] - X[group[:2]].mean(axis=0)).sum()) for group in groups])
    visited = VisitedGroups(groups, np.full(3, 2), sses, np.array([7, 8, 7]))
    found = recombine(one, [], visited, 1000, Run())
    assert found is not None
    np.testing.assert_array_equal(found.labels, [0, 0, 1, 1, 2, 2, 3, 3])
    assert recombine(one, [], visited, 1000, cancelled()) is None


def test_only_so_many_records_are_recombined_by_set_partitioning(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []

    def spied(columns: GroupColumns, run: Run) -> LpSolution | None:
        solved.append(columns.n)
        return None

    monkeypatch.setattr("microagg.refine.recombine.solve_relaxation", spied)
    for n in (20_000, 20_001):
        problem = Problem(np.arange(float(n))[:, None] - n / 2, 2)
        best = Partition(problem, np.minimum(np.arange(n) // 2, n // 2 - 1))
        found = recombine(best, [], _nothing_visited(2), 10, Run())
        assert found is (None if n == 20_000 else best)
    assert solved == [20_000]
