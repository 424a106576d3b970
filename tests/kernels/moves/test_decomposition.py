"""Operations of IGD on linked groups."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg import Partition, Problem
from microagg.kernels.moves.decomposition import decompose, shrink, split
from microagg.kernels.moves.linked_groups import link_groups
from microagg.model.arrays import IntArray
from samples import frozen
from strategies import labelled


@given(labelled(), st.booleans(), st.booleans())
def test_every_operation_keeps_the_groups_legal(case: tuple[Problem, IntArray], moved: bool, above_k: bool) -> None:
    start = Partition(*case)
    problem = start.problem
    X, k = problem.X, problem.k
    min_left = k + above_k
    groups = link_groups(X, start.labels, start.n_groups, 3 * (problem.n // k))
    operations: list[tuple[Callable[[], None], bool]] = [
        (lambda: decompose(X, groups, moved), True),
        (lambda: split(X, groups, k, min_left), False),
        (lambda: shrink(X, groups, k), True),
        (lambda: split(X, groups, k, min_left), False),
    ]
    for operation, is_no_worse in operations:
        before = naive.sse(X, groups.labels)
        operation()
        partition = Partition(problem, groups.labels)
        np.testing.assert_array_equal(np.bincount(groups.labels, minlength=len(groups.sizes)), groups.sizes)
        if is_no_worse:
            assert partition.sse <= before * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize(
    ("size", "min_left", "sizes"),
    [(5, 3, [5]), (6, 3, [3, 3]), (8, 3, [3, 5]), (9, 3, [3, 3, 3]), (6, 4, [6]), (7, 4, [3, 4]), (9, 4, [3, 6])],
)
def test_groups_of_2k_and_more_are_split_into_groups_of_k(size: int, min_left: int, sizes: list[int]) -> None:
    """The records left over, at most k = 3, join the nearest group."""
    X = frozen(np.arange(float(size))[:, None] ** 2)
    groups = link_groups(X, np.zeros(size, dtype=np.int64), 1, 1 + size // 3)
    split(X, groups, 3, min_left)
    assert sorted(groups.sizes[groups.sizes > 0].tolist()) == sizes


@pytest.mark.parametrize(("k", "size"), [(3, 3), (2, 2)])
def test_groups_shrink_to_k_at_most(k: int, size: int) -> None:
    """One far record, or two, of the first group are at the centroid of the second."""
    X = frozen(np.array([0.0, 0.1, 10.0, 10.0, 9.0, 10.0, 11.0])[:, None])
    groups = link_groups(X, np.array([0, 0, 0, 0, 1, 1, 1]), 2, 6)
    shrink(X, groups, k)
    assert groups.sizes[:2].tolist() == [size, 7 - size]
