"""Forests of near records, and the cuts of their trees."""

import numpy as np
import pytest

import naive_forest
from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.grouping.neighbour_forest import (
    NONE,
    cut_component,
    grow_forest,
    label_components,
    make_trees,
    root_at_last,
)
from microagg.model.arrays import FloatArray, IntArray
from samples import grid, normal


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("X", [normal(0, 60), grid(1, 60)], ids=["normal", "grid"])
def test_edges_are_those_of_the_oracle(X: FloatArray, k: int) -> None:
    parents = grow_forest(neighbours(X, k - 1))
    assert {i: p for i, p in enumerate(parents.tolist()) if p != NONE} == naive_forest.grow_forest(X, k)


def test_trees_hang_from_their_last_records() -> None:
    parents = np.array([2, 0, -1, 0, -1, 2])
    root_at_last(parents)
    assert parents.tolist() == [2, 0, 5, 0, -1, -1]


def _cut(parents: list[int], k: int, copies: tuple[int, ...] = ()) -> tuple[int, list[int]]:
    """Cut the tree of record 0, children listed by index; return the other root and the component of each record."""
    trees = make_trees(np.array(parents), np.arange(len(parents))[::-1].copy())
    for node in copies:
        trees.records[node] = NONE
        above = node
        while above != NONE:
            trees.sizes[above] -= 1
            above = trees.parents[above]
    other = cut_component(trees, 0, len(parents), k)
    labels: IntArray = label_components(trees, len(parents))
    return other, [int(labels[i]) for i in range(len(parents)) if i not in copies]


def test_large_subtree_is_cut_off_where_k_records_are_left() -> None:
    assert _cut([-1, 0, 1, 1, 0, 0], 3) == (1, [0, 1, 1, 1, 0, 0])


def test_where_k_minus_1_are_left_they_keep_the_root_of_the_subtree() -> None:
    copy = 6
    assert _cut([-1, 0, 0, 2, 2, 2], 3) == (copy, [0, 0, 0, copy, copy, copy])


def test_subtree_of_k_minus_1_takes_the_candidate_along() -> None:
    copy = 6
    assert _cut([-1, 0, 0, 2, 0, 0], 3) == (copy, [copy, 0, copy, copy, 0, 0])


def test_small_subtrees_are_gathered_and_take_the_candidate_along_if_they_have_k_minus_1_records() -> None:
    copy = 9
    assert _cut([-1, 0, 0, 0, 0, 0, 0, 0, 0], 3) == (copy, [copy, copy, copy, 0, 0, 0, 0, 0, 0])


def test_more_than_k_minus_1_gathered_records_leave_the_candidate() -> None:
    copy = 9
    assert _cut([-1, 0, 1, 0, 3, 0, 5, 0, 7], 4) == (copy, [0, copy, copy, copy, copy, 0, 0, 0, 0])


def test_below_a_copy_k_records_are_gathered() -> None:
    copy = 11
    parents = [-1, 0, 1, 2, 0, 4, 5, 0, 7, 0, 9]
    assert _cut(parents, 4, copies=(0,)) == (copy, [copy] * 6 + [0] * 4)


def test_component_of_a_copy_is_not_cut_where_too_few_records_would_be_left() -> None:
    assert _cut([-1, 0, 1, 2, 0, 4, 5, 0, 7], 4, copies=(0,)) == (NONE, [0] * 8)


def test_copy_is_no_record_to_be_kept() -> None:
    """Two records beside a copy with large subtrees: the search for a cut goes on below it."""
    parents = [-1, 0, 0, 2, 3, 3, 2, 6]
    assert _cut(parents, 3, copies=(2,)) == (3, [0, 0, 3, 3, 3, 0, 0])
