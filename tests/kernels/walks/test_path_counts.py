"""Counts of MF-TSP, against slow versions and the worked example of its paper."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_paths
from microagg.kernels.walks.path_counts import count_near_pairs, group_by_counts
from reproduction.companies import TABLE_IV, table_v


@pytest.mark.parametrize(
    ("n", "max_steps", "partners"),
    [(6, 1, [1, 5]), (6, 2, [1, 2, 4, 5]), (6, 3, [1, 2, 4, 5]), (7, 3, [1, 2, 3, 4, 5, 6]), (4, 2, [1, 3])],
)
def test_pairs_are_counted_round_the_closed_path_but_for_opposite_ones(
    n: int, max_steps: int, partners: list[int]
) -> None:
    counts = np.zeros((n, n), dtype=np.int64)
    count_near_pairs(np.arange(n), max_steps, counts)
    np.testing.assert_array_equal(counts, counts.T)
    assert np.flatnonzero(counts[0]).tolist() == partners
    assert counts.max() == 1
    if 2 * max_steps < n:
        np.testing.assert_array_equal(counts, naive_paths.count_near_pairs([list(range(n))], max_steps))


@given(st.integers(4, 14), st.integers(2, 4), st.randoms(use_true_random=False))
def test_grouping_by_counts_is_the_naive_one(n: int, k: int, random: Random) -> None:
    half = np.array([[random.randint(0, 5) for _ in range(n)] for _ in range(n)])
    counts = np.triu(half, 1) + np.triu(half, 1).T
    np.testing.assert_array_equal(group_by_counts(counts, k), naive.group_by_counts(counts, k))


@pytest.mark.parametrize(("n", "n_groups"), [(4, 0), (5, 1), (7, 1), (8, 2)])
def test_groups_are_formed_while_2k_minus_1_records_are_left(n: int, n_groups: int) -> None:
    labels = group_by_counts(np.ones((n, n), dtype=np.int64), 3)
    assert labels.max() + 1 == n_groups
    assert np.count_nonzero(labels >= 0) == 3 * n_groups


def test_counting_explains_the_papers_table_v() -> None:
    """Two of the eleven paths are missing: each can add one to a pair. Three printed cells contradict the paths."""
    counts = np.zeros((11, 11), dtype=np.int64)
    for path in TABLE_IV:
        count_near_pairs(np.array(path) - 1, 2, counts)
    assert (counts.sum(axis=1) == 4 * len(TABLE_IV)).all(), "each record has four near it on each closed path"
    assert np.isin(table_v().sum(axis=1), 4 * 11).sum() == 6
    missing = (table_v() - counts)[np.triu_indices(11, 1)]
    assert ((missing >= 0) & (missing <= 2)).sum() == 52


def test_grouping_follows_the_papers_table_vi() -> None:
    """The first two groups are printed so; the third would be 4 6 5, but in table V as printed 7 is nearer to 6."""
    labels = group_by_counts(table_v(), 3)
    assert [set(np.flatnonzero(labels == group) + 1) for group in range(3)] == [{1, 2, 3}, {8, 10, 11}, {4, 6, 7}]
