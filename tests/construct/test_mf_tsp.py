"""MF-TSP against the worked example of its paper."""

import numpy as np
import pytest
from numpy.random import Generator

from microagg import InputError, MethodError, Problem, Run
from microagg.construct.mf_tsp import MfTsp
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest


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
    with pytest.raises(InputError, match="path must be one of insertion, nearest, found 5"):
        MfTsp(path=5)  # type: ignore[arg-type]
