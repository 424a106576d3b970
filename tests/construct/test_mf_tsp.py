"""MF-TSP against the worked example of its paper."""

import numpy as np
import pytest
from numpy.random import Generator

from microagg import InputError, MethodError, Problem, Run
from microagg.construct.mf_tsp import MfTsp
from microagg.kernels.walks.path_counts import count_near_pairs, group_by_counts
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest


def _make(constructor: MfTsp, problem: Problem) -> IntArray:
    return constructor(problem, np.random.default_rng(0), Run()).labels


# The worked example of the MF-TSP paper: the eleven companies of examples/companies.csv at k = 3. Of table IV, the rows
# that can be read in our copy; of table V, the upper triangle.
TABLE_IV = [
    [1, 3, 4, 6, 7, 11, 10, 8, 9, 5, 2],
    [3, 1, 2, 5, 4, 6, 7, 11, 10, 8, 9],
    [5, 2, 1, 3, 4, 6, 9, 8, 10, 11, 7],
    [6, 5, 2, 1, 3, 4, 7, 11, 10, 8, 9],
    [7, 8, 10, 11, 4, 3, 1, 2, 5, 6, 9],
    [8, 10, 11, 7, 9, 5, 2, 1, 3, 4, 6],
    [9, 6, 5, 2, 1, 3, 4, 11, 10, 8, 7],
    [10, 11, 8, 7, 9, 6, 4, 3, 1, 2, 5],
    [11, 10, 8, 7, 9, 6, 4, 5, 2, 3, 1],
]


TABLE_V = """
    11 11 8 11 0 1 0 1 1 1
    10 2 10 3 2 0 4 1 1
    9 3 5 1 1 1 0 3
    3 8 4 1 4 2 3
    6 2 1 6 1 2
    7 4 7 1 3
    6 5 10 9
    10 11 8
    6 3
    11
"""


def _table_v() -> IntArray:
    counts = np.zeros((11, 11), dtype=np.int64)
    for row, line in enumerate(TABLE_V.split("\n")[1:-1]):
        counts[row, row + 1 :] = line.split()
    return counts + counts.T


def test_counting_explains_the_papers_table_v() -> None:
    """Two of the eleven paths are missing: each can add one to a pair. Three printed cells contradict the paths."""
    counts = np.zeros((11, 11), dtype=np.int64)
    for path in TABLE_IV:
        count_near_pairs(np.array(path) - 1, 2, counts)
    assert (counts.sum(axis=1) == 4 * len(TABLE_IV)).all(), "each record has four near it on each closed path"
    assert np.isin(_table_v().sum(axis=1), 4 * 11).sum() == 6
    missing = (_table_v() - counts)[np.triu_indices(11, 1)]
    assert ((missing >= 0) & (missing <= 2)).sum() == 52


def test_grouping_follows_the_papers_table_vi() -> None:
    """The first two groups are printed so; the third would be 4 6 5, but in table V as printed 7 is nearer to 6."""
    labels = group_by_counts(_table_v(), 3)
    assert [set(np.flatnonzero(labels == group) + 1) for group in range(3)] == [{1, 2, 3}, {8, 10, 11}, {4, 6, 7}]


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
