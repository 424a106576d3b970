"""Paths from every record, and groups by how often records are near on them."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.walks.path_counts import group_by_counts, insertion_path, nearest_path
from microagg.model.arrays import FloatArray
from samples import frozen, normal
from strategies import points


@given(points(min_n=1, max_n=12), st.randoms(use_true_random=False))
def test_paths_from_every_record(X: FloatArray, random: Random) -> None:
    distances = distance_matrix(frozen(X))
    np.testing.assert_allclose(distances, np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)))
    sequence = np.array(random.sample(range(len(X)), len(X)))
    start = int(sequence[0])
    assert sorted(insertion_path(distances, start, sequence)) == list(range(len(X)))
    path = nearest_path(distances, start)
    assert path[0] == start
    for step in range(1, len(X)):
        left = np.sort(path[step:])
        assert path[step] == left[distances[path[step - 1], left].argmin()]


@pytest.mark.parametrize("seed", range(20))
def test_insertion_path_is_the_naive_one(seed: int) -> None:
    distances = distance_matrix(normal(seed, 25))
    sequence = np.random.default_rng(seed).permutation(25)
    assert insertion_path(distances, 7, sequence).tolist() == naive.insertion_path(distances, 7, sequence)


@given(st.integers(4, 14), st.integers(2, 4), st.randoms(use_true_random=False))
def test_grouping_by_counts_is_the_naive_one(n: int, k: int, random: Random) -> None:
    half = np.array([[random.randint(0, 5) for _ in range(n)] for _ in range(n)])
    counts = np.triu(half, 1) + np.triu(half, 1).T
    np.testing.assert_array_equal(group_by_counts(counts, k), naive.group_by_counts(counts, k))
