"""Solutions: what is proved of them."""

from typing import Any

import numpy as np
import pytest

from microagg import (
    LowerBound,
    Partition,
    Problem,
    Solution,
    VerificationError,
)


@pytest.fixture
def problem() -> Any:
    return Problem(np.arange(12.0).reshape(6, 2), 2)


def test_solution_says_what_is_proved(problem: Problem) -> None:
    partition = Partition(problem, np.array([0, 0, 1, 1, 2, 2]))
    heuristic = Solution(partition, "mdav")
    assert (heuristic.status, heuristic.gap, heuristic.lower_bound) == ("heuristic", None, None)
    bounded = Solution(partition, "mdav", LowerBound(partition.sse * 0.75, "test"))
    assert (bounded.status, bounded.gap) == ("bounded", 0.25)
    optimal = Solution(partition, "mdav", LowerBound(partition.sse, "test"))
    assert (optimal.status, optimal.gap) == ("optimal", 0.0)
    for gap, status in ((0.9e-7, "optimal"), (1.1e-7, "bounded")):
        assert Solution(partition, "mdav", LowerBound(partition.sse * (1 - gap), "test")).status == status
    with pytest.raises(VerificationError, match="lies above"):
        Solution(partition, "mdav", LowerBound(partition.sse * 1.01, "test"))


def test_gap_of_a_perfect_partition_is_zero() -> None:
    problem = Problem(np.zeros((4, 1)), 2)
    solution = Solution(Partition(problem, np.zeros(4, dtype=int)), "mdav", LowerBound(0.0, "test"))
    assert (solution.gap, solution.information_loss, solution.status) == (0.0, 0.0, "optimal")
