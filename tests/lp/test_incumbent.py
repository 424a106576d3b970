"""The best partition, which is offered others."""

from collections.abc import Iterator

import numpy as np
import pytest

from lp_cases import columns_of, every_group, one_group, random_problem, relaxed
from microagg import Partition, Problem
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.incumbent import Incumbent, bounds_note
from microagg.lp.lp_solution import LpSolution
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import FloatArray


def _scaled(partition: Partition) -> Incumbent:
    incumbent = Incumbent.scaled(partition.problem, partition)
    assert incumbent is not None
    return incumbent


def test_a_group_of_the_incumbent_loses_one_on_average() -> None:
    partition = Partition(random_problem(0, 6, 2), np.array([0, 0, 0, 1, 1, 1]))
    incumbent = _scaled(partition)
    assert incumbent.scale * partition.sse == pytest.approx(2.0)
    assert incumbent.cutoff == pytest.approx(2.0, rel=1e-7)
    assert incumbent.cutoff < incumbent.scale * partition.sse


def test_where_nothing_can_be_lost_there_is_no_incumbent() -> None:
    for X, k in ((np.eye(4), 1), (np.ones((4, 2)), 2), (np.repeat(np.eye(2), 2, axis=0), 2)):
        problem = Problem(X, k)
        assert Incumbent.scaled(problem, Partition(problem, np.array([0, 0, 1, 1]))) is None


def test_only_a_better_partition_takes_its_place() -> None:
    problem = Problem(np.array([0.0, 1.0, 0.0, 1.0, 9.0, 9.0])[:, None], 2)
    first = Partition(problem, np.array([0, 0, 1, 1, 2, 2]))
    equal = Partition(problem, np.array([0, 1, 1, 0, 2, 2]))
    better = Partition(problem, np.array([0, 1, 0, 1, 2, 2]))
    incumbent = _scaled(first)
    incumbent.offer(equal, one_group(problem))
    assert incumbent.best is first
    incumbent.offer(equal, better)
    assert incumbent.best is better


def test_solutions_are_offered_and_rounded_where_they_are_no_better() -> None:
    problem = random_problem(1, 8, 2)
    columns = columns_of(problem, every_group(8, 2))
    rounded: list[FloatArray] = []

    def rounding(given: Problem, of: GroupColumns, values: FloatArray) -> Iterator[Partition]:
        assert given is problem
        rounded.append(values)
        yield one_group(problem)

    start = one_group(problem)
    incumbent = Incumbent(problem, start, 1.0, (rounding,))
    pairs = [columns.record_sets().index(frozenset({i, i + 1})) for i in range(0, 8, 2)]
    values = np.zeros(columns.n_columns)
    values[pairs] = 1.0
    solution = LpSolution(0.0, Duals(np.zeros(8), RankOneCuts.empty(8)), values)
    incumbent.offer_solution(columns, solution)
    assert incumbent.best.labels.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert rounded == []
    incumbent.offer_solution(columns, solution)
    incumbent.offer_solution(columns, solution._replace(values=0.5 * values))
    assert len(rounded) == 2
    assert incumbent.best.n_groups == 4
    assert relaxed(columns).objective <= incumbent.best.sse


def test_the_note_tells_loss_bound_and_gap_rounded_down() -> None:
    partition = Partition(random_problem(0, 6, 2), np.array([0, 0, 0, 1, 1, 1]))
    percent = 100 * partition.sse / partition.problem.sst
    note = bounds_note(partition, 0.75 * partition.sse)
    assert note == f"loss {percent:.4f} %, bound {np.floor(75e2 * percent) / 1e4:.4f} %, gap 25.00%"
    assert bounds_note(partition, -1.0).endswith("bound 0.0000 %, gap 100.00%")
