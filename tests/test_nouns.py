"""The nouns refuse what they must not be, and compute what they say."""

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg import (
    InputError,
    LowerBound,
    MicroaggError,
    Partition,
    PartitionError,
    Problem,
    Solution,
    VerificationError,
)
from strategies import labelled


@pytest.fixture
def problem():
    return Problem(np.arange(12.0).reshape(6, 2), 2)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0, 0, 0, 0, 0, 1], "1 of 2 groups hold fewer than k = 2 records, the smallest 1"),
        ([0, 0, 0, 1, 1], "expected 6 labels"),
        ([[0, 0, 0, 1, 1, 1]], "expected 6 labels"),
        ([0, 0, 0, 1, 1, -1], "record 5 has no group"),
        ([0.0, 0, 0, 1, 1, 1], "must be integers"),
        ([], "expected 6 labels"),
    ],
)
def test_partition_refuses_an_illegal_grouping(problem, labels, words):
    with pytest.raises(PartitionError, match=words):
        Partition(problem, np.array(labels))


def test_partition_numbers_groups_by_their_first_record(problem):
    partition = Partition(problem, np.array([7, 3, 7, 3, 9, 9]))
    assert partition.labels.tolist() == [0, 1, 0, 1, 2, 2]
    assert partition.sizes.tolist() == [2, 2, 2]
    for array in (partition.labels, partition.sizes, partition.centroids):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_partition_does_not_touch_what_it_was_given(problem):
    labels = np.array([7, 3, 7, 3, 9, 9])
    Partition(problem, labels)
    labels[0] = 3
    assert labels.tolist() == [3, 3, 7, 3, 9, 9]


@given(labelled())
def test_squares_add_up(case):
    partition = Partition(*case)
    X = partition.problem.X
    between = float((partition.sizes[:, None] * (partition.centroids - X.mean(axis=0)) ** 2).sum())
    tolerance = 1e-9 * (1 + partition.problem.sst)
    assert partition.sse == pytest.approx(naive.sse(X, partition.labels), abs=tolerance)
    assert partition.sse + between == pytest.approx(partition.problem.sst, abs=tolerance)


@pytest.mark.parametrize("k", [0, -1, 7, 2.0, "2", None, True])
def test_problem_refuses_k(k):
    with pytest.raises(InputError, match="k "):
        Problem(np.ones((6, 2)), k)


@pytest.mark.parametrize(
    "X", [np.empty((0, 2)), np.empty((3, 0)), np.ones(3), np.array([[np.nan]]), np.array([[np.inf]])]
)
def test_problem_refuses_points(X):
    with pytest.raises(InputError, match="a problem needs"):
        Problem(X, 1)


def test_problem_is_a_copy_that_cannot_be_written():
    X = np.ones((3, 1))
    problem = Problem(X, 2)
    X[0] = 5.0
    assert problem.X[0] == 1.0
    assert not problem.X.flags.writeable


def test_solution_says_what_is_proved(problem):
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


def test_gap_of_a_perfect_partition_is_zero():
    problem = Problem(np.zeros((4, 1)), 2)
    solution = Solution(Partition(problem, np.zeros(4, dtype=int)), "mdav", LowerBound(0.0, "test"))
    assert (solution.gap, solution.information_loss, solution.status) == (0.0, 0.0, "optimal")


def test_every_error_is_one_of_ours():
    assert issubclass(InputError, MicroaggError)
    assert issubclass(InputError, ValueError)
    assert issubclass(PartitionError, MicroaggError)
