"""Contexts of walks: which records are unvisited, and which of them is nearest."""

import numpy as np
import pytest

import naive
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.walks.walk_context import (
    WalkContext,
    copy_walk_context,
    group_of,
    group_records,
    leave_group,
    make_walk_context,
)
from microagg.model.arrays import FloatArray


def _context(X: FloatArray, known: str) -> WalkContext:
    near = None if known == "nothing" else neighbours(X, min(3, len(X) - 1))
    return make_walk_context(X, near, distance_matrix(X) if known == "distances" else None)


@pytest.mark.parametrize("known", ["nothing", "neighbours", "distances"])
@pytest.mark.parametrize("ties", [False, True])
def test_next_is_the_nearest_unvisited_record(known: str, ties: bool) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(40, 2)).astype(float) if ties else rng.normal(size=(40, 2))
    context = _context(X, known)
    for _ in range(2):  # after a walk over all records, all are unvisited again
        order = rng.permutation(40)
        for done in range(1, 40):
            here = leave_group(context, order, done - 1, done)
            left = np.sort(order[done:])
            assert here == left[naive.squares(X[left], X[order[done - 1]]).argmin()]
        assert leave_group(context, order, 39, 40) == -1


@pytest.mark.parametrize("known", ["nothing", "neighbours", "distances"])
def test_a_copy_is_not_changed_by_walks_in_the_original(known: str) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    context = _context(X, known)
    copy = copy_walk_context(context)
    order = np.random.default_rng(1).permutation(20)
    expected = [leave_group(_context(X, known), order, 0, 5), leave_group(_context(X, known), order, 0, 12)]
    assert leave_group(context, order, 0, 12) == expected[1]
    assert leave_group(copy, order, 0, 5) == expected[0]


def test_walks_start_at_the_record_farthest_from_the_centroid() -> None:
    X = np.array([[0.0, 0], [1, 0], [-7, 1], [2, 2]])
    assert make_walk_context(X).outermost == 2
    assert make_walk_context(np.array([[-1.0], [1.0]])).outermost == 0, "ties go to the lowest index"


def test_groups_have_their_records_by_index() -> None:
    labels = np.array([1, 0, 1, 2, 0, 1])
    labels.setflags(write=False)
    groups = group_records(labels, np.bincount(labels))
    assert [group_of(groups, record).tolist() for record in range(6)] == [
        [0, 2, 5],
        [1, 4],
        [0, 2, 5],
        [3],
        [1, 4],
        [0, 2, 5],
    ]
    assert groups.starts.tolist() == [0, 2, 5, 6]
