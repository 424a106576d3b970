"""Partitions: only legal ones, renumbered, with exact squares."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import naive
import naive_weights
from microagg import Partition, PartitionError, Problem
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import labels_along
from strategies import labelled, weighted


@pytest.fixture(name="problem")
def _problem() -> Problem:
    return Problem(np.arange(12.0).reshape(6, 2), 2)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0, 0, 0, 0, 0, 1], "1 of 2 groups hold fewer than k = 2 records, the smallest 1"),
        ([0, 1, 2, 2, 3, 4], "4 of 5 groups hold fewer than k = 2 records, the smallest 1"),
        ([0, 0, 0, 1, 1], r"expected 6 labels, one a record, found an array of shape \(5,\)"),
        ([[0, 0, 0, 1, 1, 1]], r"expected 6 labels, one a record, found an array of shape \(1, 6\)"),
        ([0, 0, 0, 1, 1, -1], "record 5 has no group: its label is -1"),
        ([0, 0, -2, 1, 1, -1], "record 2 has no group: its label is -2"),
        ([0.0, 0, 0, 1, 1, 1], "labels must be integers, found float64"),
        ([], "expected 6 labels"),
    ],
)
def test_partition_refuses_an_illegal_grouping(problem: Problem, labels: Any, words: str) -> None:
    with pytest.raises(PartitionError, match=words):
        Partition(problem, np.array(labels))


@pytest.mark.parametrize(("size", "legal"), [(2, False), (3, True), (4, True)])
def test_groups_reach_k_and_no_less(size: int, legal: bool) -> None:
    problem = Problem(np.arange(9.0)[:, None], 3)
    labels = (np.arange(9) >= size).astype(np.int64)
    if legal:
        assert Partition(problem, labels).sizes.tolist() == [size, 9 - size]
        return
    with pytest.raises(PartitionError, match=f"fewer than k = 3 records, the smallest {size}"):
        Partition(problem, labels)


def test_partition_below_k_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="fewer than k = 3"):
        Partition(Problem(np.ones((5, 1)), 3), np.array([0, 0, 0, 1, 1]))


def test_partition_numbers_groups_by_their_first_record(problem: Problem) -> None:
    partition = Partition(problem, np.array([7, 3, 7, 3, 9, 9]))
    assert partition.labels.tolist() == [0, 1, 0, 1, 2, 2]
    assert partition.sizes.tolist() == [2, 2, 2]
    assert partition.n_groups == 3
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
    assert partition.losses.sum() == pytest.approx(partition.sse, abs=tolerance)
    assert partition.losses.shape == (partition.problem.n,)


@given(weighted())
def test_weighted_squares_add_up(case: tuple[Problem, FloatArray, IntArray]) -> None:
    problem, weights, labels = case
    partition = Partition(problem, labels)
    X = problem.X
    tolerance = 1e-9 * (1 + problem.sst)
    assert partition.sse == pytest.approx(naive_weights.sse(X, labels, weights), abs=tolerance)
    assert partition.losses.sum() == pytest.approx(partition.sse, abs=tolerance)
    one_group = Partition(problem, np.zeros(problem.n, dtype=np.int64))
    assert one_group.sse == pytest.approx(problem.sst, abs=tolerance)
    totals = np.bincount(partition.labels, weights=weights)
    between = float((totals[:, None] * (partition.centroids - one_group.centroids) ** 2).sum())
    assert partition.sse + between == pytest.approx(problem.sst, abs=tolerance)
    groups = [np.flatnonzero(partition.labels == group) for group in range(partition.n_groups)]
    assert partition.sse == pytest.approx(sum(problem.part(group).sst for group in groups), abs=tolerance)


@given(weighted(), st.sampled_from([1e-30, 0.3, 7.0, 1e30]))
def test_information_loss_depends_on_ratios_of_weights_only(
    case: tuple[Problem, FloatArray, IntArray], factor: float
) -> None:
    problem, weights, labels = case
    loss = Partition(problem, labels).information_loss
    scaled = Problem(problem.X, problem.k, factor * weights)
    assert Partition(scaled, labels).information_loss == pytest.approx(loss, rel=1e-9, abs=1e-9)


@given(labelled(max_n=15), st.data())
def test_a_whole_weight_is_as_many_records(case: tuple[Problem, IntArray], data: st.DataObject) -> None:
    problem, labels = case
    times = data.draw(hnp.arrays(np.int64, problem.n, elements=st.integers(1, 4)))
    weights: FloatArray = times.astype(np.float64)
    partition = Partition(Problem(problem.X, problem.k, weights), labels)
    repeated = naive.sse(problem.X.repeat(times, axis=0), labels.repeat(times))
    expected = repeated / weights.mean()
    assert partition.sse == pytest.approx(expected, abs=1e-9 * (1 + problem.sst))


def test_losses_by_hand() -> None:
    problem = Problem(np.array([[0.0, 1.0], [2.0, 1.0], [5.0, 5.0], [5.0, 9.0]]), 2)
    partition = Partition(problem, np.array([0, 0, 1, 1]))
    assert partition.centroids.tolist() == [[1.0, 1.0], [5.0, 7.0]]
    assert partition.losses.tolist() == [1.0, 1.0, 4.0, 4.0]
    assert partition.sse == 10.0
    assert partition.information_loss == 100.0 * 10.0 / problem.sst
    equal = Partition(Problem(np.ones((4, 1)), 2), np.zeros(4, dtype=np.int64))
    assert equal.information_loss == 0.0


def test_groups_along_an_order(problem: Problem) -> None:
    order = np.array([5, 0, 3, 1, 2, 4])
    assert labels_along(order, np.array([0, 2, 4])).tolist() == [0, 1, 2, 1, 2, 0]
    assert Partition.along(problem, order, np.array([0, 2, 4])).labels.tolist() == [0, 1, 2, 1, 2, 0]
    assert Partition.along(problem, order, np.array([0])).n_groups == 1
    with pytest.raises(PartitionError):
        Partition.along(problem, order, np.array([0, 1]))


def test_representation_shows_no_labels(problem: Problem) -> None:
    assert repr(Partition(problem, np.zeros(6, dtype=np.int64))) == "Partition(problem=Problem(k=2))"
