"""Hamiltonian paths, against slow versions."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_paths
from microagg.kernels.geometry.distances import distance_matrix
from microagg.kernels.walks.hamiltonian_paths import (
    cheapest_insertion_path,
    distance_insertion_path,
    insertion_path,
    nearest_path,
    shorten_path,
)
from microagg.model.arrays import FloatArray
from strategies import points
from ticks import RecordedTicks


@given(points(min_n=1, max_n=12), st.randoms(use_true_random=False))
def test_paths_visit_every_record_once_from_the_start(X: FloatArray, random: Random) -> None:
    distances = distance_matrix(X)
    np.testing.assert_allclose(distances, np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)))
    insertion_order = np.array(random.sample(range(len(X)), len(X)))
    start = random.randrange(len(X))
    paths = [
        nearest_path(distances, start),
        insertion_path(distances, start, insertion_order),
        distance_insertion_path(distances, start, False),
        distance_insertion_path(distances, start, True),
        cheapest_insertion_path(distances, start),
    ]
    for path in paths:
        shortened = path.copy()
        while shorten_path(distances, shortened):
            pass
        for one in (path, shortened):
            assert one[0] == start
            assert sorted(one) == list(range(len(X)))


@given(points(min_n=1, max_n=12), st.data())
def test_nearest_path_goes_to_the_nearest_unvisited_record(X: FloatArray, data: st.DataObject) -> None:
    distances = distance_matrix(X)
    path = nearest_path(distances, data.draw(st.integers(0, len(X) - 1)))
    for step in range(1, len(X)):
        left = np.sort(path[step:])
        assert path[step] == left[distances[path[step - 1], left].argmin()]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_insertion_path_is_the_naive_one(seed: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(25, 1)).astype(float) if ties else rng.normal(size=(25, 2))
    distances = distance_matrix(X)
    insertion_order = rng.permutation(25)
    expected = naive.insertion_path(distances, 7, insertion_order)
    assert insertion_path(distances, 7, insertion_order).tolist() == expected


@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.booleans())
def test_the_next_record_is_the_nearest_or_the_farthest(seed: int, n: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, 2)).astype(float) if ties else rng.normal(size=(n, 2))
    distances = distance_matrix(X)
    start = int(rng.integers(n))
    nearest = distance_insertion_path(distances, start, False)
    farthest = distance_insertion_path(distances, start, True)
    assert nearest.tolist() == naive_paths.nearest_insertion(distances, start)
    assert farthest.tolist() == naive_paths.farthest_insertion(distances, start)


@given(st.integers(0, 2**32 - 1), st.integers(1, 25))
def test_the_next_record_is_the_cheapest(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    distances = distance_matrix(rng.normal(size=(n, 2)))
    start = int(rng.integers(n))
    assert cheapest_insertion_path(distances, start).tolist() == naive_paths.cheapest_insertion(distances, start)


def test_cheapest_insertion_goes_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    distances = distance_matrix(np.random.default_rng(0).normal(size=(20, 2)))
    at_once = cheapest_insertion_path(distances, 3)
    monkeypatch.setattr("microagg.kernels.tick.WORK_PER_TICK", 4.0 * 20 * 20)
    ticks = RecordedTicks()
    assert cheapest_insertion_path(distances, 3, ticks).tolist() == at_once.tolist()
    assert len(ticks.reported) == 5  # 19 records, four at a time


@given(st.integers(0, 2**32 - 1), st.integers(1, 20))
def test_no_2_opt_move_is_left(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    distances = distance_matrix(rng.normal(size=(n, 2)))
    path = rng.permutation(n)
    expected = naive_paths.two_opt(distances, path.tolist())
    while shorten_path(distances, path):
        pass
    assert path.tolist() == expected


def test_the_end_of_a_path_may_be_turned() -> None:
    """The last part is reversed at the cost of one edge."""
    distances = distance_matrix(np.array([[0.0], [3.0], [2.0], [1.0]]))
    path = np.arange(4)
    assert shorten_path(distances, path)
    assert path.tolist() == [0, 3, 2, 1]
    assert not shorten_path(distances, path)
