"""MF-TSP against the worked example of its paper and a slow version."""

import numpy as np
import pytest
from numpy.random import Generator

import naive
import naive_paths
from microagg import InputError, MethodError, Partition, Problem, Run
from microagg.construct.mf_tsp import IMPROVEMENTS, MfTsp
from microagg.construct.path_heuristics import PATH_HEURISTICS
from microagg.kernels.geometry.distances import distance_matrix
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest
from samples import heavy_tailed


def _make(constructor: MfTsp, problem: Problem) -> IntArray:
    return constructor(problem, np.random.default_rng(0), Run()).labels


def test_last_records_join_as_in_the_papers_tables_vii_and_viii() -> None:
    surface = [790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50]
    employees = [55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12]
    X = np.column_stack([surface, employees]).astype(float)
    labels = np.array([0, 0, 0, 2, 2, 2, -1, 1, -1, 1, 1])
    join_nearest((X - X.mean(axis=0)) / X.std(axis=0), labels, np.array([6, 8]))
    assert labels[[6, 8]].tolist() == [1, 2]
    means = [X[labels == group].mean(axis=0) for group in range(3)]
    np.testing.assert_allclose(means, [[743.33, 43.66], [385, 39.75], [695, 12.5]], atol=0.01)


def test_mf_tsp_takes_any_path_heuristic() -> None:
    """On given paths nothing is random: two clusters, always walked through one after the other."""
    X = np.array([0.0, 1, 2, 3, 100, 101, 102, 103])[:, None]

    def along(distances: FloatArray, start: int, rng: Generator) -> IntArray:
        return np.arange(8)

    assert _make(MfTsp(path=along), Problem(X - X.mean(), 4)).tolist() == [0] * 4 + [1] * 4


def test_mf_tsp_refuses_what_is_no_path() -> None:
    with pytest.raises(MethodError, match="the path from record 0 must go through each of the 12 records once"):
        _make(MfTsp(path=lambda distances, start, rng: np.zeros(3, int)), Problem(np.arange(12.0)[:, None], 3))
    with pytest.raises(InputError, match=r"path must be one of nearest, nearest-insertion, .*, found 5"):
        MfTsp(path=5)  # type: ignore[arg-type]


def test_paths_are_closed_to_tours_when_pairs_are_counted() -> None:
    """Each record has k − 1 others before it and k − 1 after it on every path."""
    for k in (2, 3, 4):
        paths = [np.random.default_rng(seed).permutation(11).tolist() for seed in range(11)]
        assert (naive_paths.count_near_pairs(paths, k - 1).sum(axis=1) == 2 * (k - 1) * 11).all()


@pytest.mark.parametrize("path", PATH_HEURISTICS)
@pytest.mark.parametrize("improve", IMPROVEMENTS)
@pytest.mark.parametrize("steps", [None, 1, 4])
def test_groups_follow_from_the_paths_of_every_heuristic(path: str, improve: str, steps: int | None) -> None:
    X = heavy_tailed(3, 26)
    distances = distance_matrix(X)
    rng = np.random.default_rng(0)
    paths = [PATH_HEURISTICS[path](distances, start, rng).tolist() for start in range(26)]
    if improve == "2-opt":
        paths = [naive_paths.two_opt(distances, one) for one in paths]
    labels = naive.group_by_counts(naive_paths.count_near_pairs(paths, steps or 2), 3)
    naive.join_nearest(X, labels, np.flatnonzero(labels < 0))
    problem = Problem(X, 3)
    np.testing.assert_array_equal(_make(MfTsp(path, improve, steps=steps), problem), Partition(problem, labels).labels)


def test_the_number_of_paths_counts() -> None:
    starts: list[int] = []

    def along(distances: FloatArray, start: int, rng: Generator) -> IntArray:
        starts.append(start)
        return np.arange(4)

    _make(MfTsp(along, paths=6), Problem(np.arange(4.0)[:, None], 2))
    assert starts == [0, 1, 2, 3, 0, 1]
    with pytest.raises(InputError, match="paths must be at least 1, found 0"):
        MfTsp(paths=0)
    with pytest.raises(InputError, match="steps must be at least 1, found 0"):
        MfTsp(steps=0)
    with pytest.raises(InputError, match="improve must be one of none, 2-opt, found '3-opt'"):
        MfTsp(improve="3-opt")


def test_a_path_that_is_handed_in_stays_as_it_is() -> None:
    """2-opt moves change a copy."""
    zigzag = np.array([0, 3, 1, 4, 2, 5])
    _make(MfTsp(lambda distances, start, rng: zigzag, "2-opt"), Problem(np.arange(6.0)[:, None], 2))
    assert zigzag.tolist() == [0, 3, 1, 4, 2, 5]
