"""Partitions: only legal ones, renumbered, with exact squares."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

import naive
from microagg import (
    Partition,
    PartitionError,
    Problem,
)
from microagg.model.arrays import IntArray
from strategies import labelled


@pytest.fixture
def problem() -> Any:
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
def test_partition_refuses_an_illegal_grouping(problem: Problem, labels: Any, words: str) -> None:
    with pytest.raises(PartitionError, match=words):
        Partition(problem, np.array(labels))


def test_partition_numbers_groups_by_their_first_record(problem: Problem) -> None:
    partition = Partition(problem, np.array([7, 3, 7, 3, 9, 9]))
    assert partition.labels.tolist() == [0, 1, 0, 1, 2, 2]
    assert partition.sizes.tolist() == [2, 2, 2]
    for array in (partition.labels, partition.sizes, partition.centroids):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_partition_does_not_touch_what_it_was_given(problem: Problem) -> None:
    labels = np.array([7, 3, 7, 3, 9, 9])
    Partition(problem, labels)
    labels[0] = 3
    assert labels.tolist() == [3, 3, 7, 3, 9, 9]


@given(labelled())
def test_squares_add_up(case: tuple[Problem, IntArray]) -> None:
    partition = Partition(*case)
    X = partition.problem.X
    between = float((partition.sizes[:, None] * (partition.centroids - X.mean(axis=0)) ** 2).sum())
    tolerance = 1e-9 * (1 + partition.problem.sst)
    assert partition.sse == pytest.approx(naive.sse(X, partition.labels), abs=tolerance)
    assert partition.sse + between == pytest.approx(partition.problem.sst, abs=tolerance)


def test_partition_below_k_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="fewer than k = 3"):
        Partition(Problem(np.ones((5, 1)), 3), np.array([0, 0, 0, 1, 1]))
