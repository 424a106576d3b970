"""Minimum spanning trees, and where they are cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg.kernels.grouping.spanning_tree import cut_tree, spanning_tree
from microagg.model.arrays import FloatArray, IntArray
from strategies import points


def _cut(X: FloatArray, k: int) -> IntArray:
    visited, parents, squares = spanning_tree(X)
    longest = np.argsort(-squares, kind="stable")
    return cut_tree(visited, parents, longest[parents[longest] >= 0], k)


@given(points(min_n=2, max_n=25), st.integers(1, 4))
def test_spanning_tree_is_cut_where_both_sides_keep_k(X: FloatArray, k: int) -> None:
    """Cutting at equal edges may differ; without ties the subtrees are those of Kruskal's tree."""
    X = X + np.random.default_rng(0).normal(size=X.shape) * 1e-3
    labels = _cut(X, k)
    expected = naive.mst_parts(X, k)
    for subtree in np.unique(labels):
        assert len(np.unique(expected[labels == subtree])) == 1
    assert len(np.unique(labels)) == len(np.unique(expected))


@pytest.mark.parametrize(("k", "expected"), [(2, [0, 0, 1, 1, 1]), (3, [0, 0, 0, 0, 0])])
def test_both_sides_of_a_cut_keep_exactly_k(k: int, expected: list[int]) -> None:
    assert _cut(np.array([[0.0], [1.0], [9.0], [10.0], [11.0]]), k).tolist() == expected
