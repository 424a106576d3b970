"""Solutions: what is proved of them."""

from typing import Any

import numpy as np
import pytest

from microagg import LowerBound, Partition, Problem, Solution, Step, VerificationError


@pytest.fixture(name="partition")
def _partition() -> Partition:
    return Partition(Problem(np.arange(12.0).reshape(6, 2), 2), np.array([0, 0, 1, 1, 2, 2]))


def test_solution_says_what_is_proved(partition: Partition) -> None:
    heuristic = Solution(partition, "mdav")
    assert (heuristic.status, heuristic.gap, heuristic.lower_bound) == ("heuristic", None, None)
    bounded = Solution(partition, "mdav", LowerBound(partition.sse * 0.75, "test"))
    assert (bounded.status, bounded.gap) == ("bounded", 0.25)
    assert bounded.lower_bound == partition.sse * 0.75
    optimal = Solution(partition, "mdav", LowerBound(partition.sse, "test"))
    assert (optimal.status, optimal.gap) == ("optimal", 0.0)


@pytest.mark.parametrize(
    ("gap", "status"), [(0.9e-7, "optimal"), (1.1e-7, "bounded"), (1e-6, "bounded"), (0.01, "bounded")]
)
def test_optimal_is_a_gap_that_rounding_leaves(partition: Partition, gap: float, status: str) -> None:
    assert Solution(partition, "mdav", LowerBound(partition.sse * (1 - gap), "test")).status == status


def test_optimal_includes_the_tolerance_itself() -> None:
    partition = Partition(Problem(np.array([[0.0], [20000.0]]), 2), np.array([0, 0]))
    assert partition.sse == 2e8
    solution = Solution(partition, "mdav", LowerBound(2e8 - 20, "test"))
    assert (solution.gap, solution.status) == (1e-7, "optimal")


def test_bound_may_reach_the_loss_but_not_exceed_it(partition: Partition) -> None:
    for excess in (1e-12, 0.01):
        with pytest.raises(VerificationError) as caught:
            Solution(partition, "mdav", LowerBound(partition.sse * (1 + excess), "test"))
    assert str(caught.value) == f"a test bound of {partition.sse * 1.01} lies above a partition of sse {partition.sse}"


def test_gap_of_a_perfect_partition_is_zero() -> None:
    problem = Problem(np.zeros((4, 1)), 2)
    solution = Solution(Partition(problem, np.zeros(4, dtype=int)), "mdav", LowerBound(0.0, "test"))
    assert (solution.gap, solution.information_loss, solution.status) == (0.0, 0.0, "optimal")


@pytest.mark.parametrize(
    ("ended_by", "bound_ended_by", "reproducible"),
    [
        (None, None, True),
        ("iterations", None, True),
        ("time_limit", None, False),
        ("cancelled", None, False),
        (None, "target_gap", True),
        (None, "effort", True),
        (None, "time_limit", False),
        (None, "cancelled", False),
    ],
)
def test_what_time_or_a_person_ended_is_not_reproducible(
    partition: Partition, ended_by: Any, bound_ended_by: Any, reproducible: bool
) -> None:
    bound = LowerBound(0.0, "test", bound_ended_by)
    assert bound.converged is (bound_ended_by is None)
    assert Solution(partition, "mdav", bound, ended_by=ended_by).reproducible is reproducible
    if bound_ended_by is None:
        assert Solution(partition, "mdav", ended_by=ended_by).reproducible is reproducible


def test_solution_has_what_its_partition_has(partition: Partition) -> None:
    solution = Solution(partition, "mdav")
    assert solution.labels is partition.labels
    assert solution.sizes is partition.sizes
    assert (solution.n_groups, solution.sse, solution.sst) == (3, partition.sse, partition.problem.sst)
    assert solution.information_loss == partition.information_loss
    assert (solution.history, solution.iterations, solution.ended_by) == ((), 0, None)
    assert (solution.fallback_share, solution.improved_by_bound) == (0.0, False)
    assert (solution.random_state, solution.encoding) == (None, None)
    assert repr(solution) == "Solution(6 records in 3 groups, k = 2, 8.5714 % lost, heuristic)"


def test_bounds_are_equal_whatever_proves_them() -> None:
    assert LowerBound(1.0, "test", proof=lambda: ()) == LowerBound(1.0, "test")
    assert "proof" not in repr(LowerBound(1.0, "test", proof=lambda: ()))
    assert LowerBound(1.0, "test") != LowerBound(1.0, "test", "effort")
    assert LowerBound(1.0, "test").converged
    assert LowerBound(1.0, "test").proof is None


def test_steps_are_plain_tuples() -> None:
    assert Step(1.0, 2, 3.0) == (1.0, 2, 3.0)
