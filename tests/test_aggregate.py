"""Group means: kept, exact where values are equal, blind to other groups."""

import numpy as np
import pytest
from hypothesis import given

from microagg import Partition, Problem, read
from microagg.aggregate import GroupMeans, aggregate
from microagg.encode import encode
from microagg.measure import measure_tables
from microagg.model.arrays import FloatArray, IntArray
from strategies import labelled, points


@given(labelled())
def test_means_are_kept_and_groups_are_equal(case: tuple[Problem, IntArray]) -> None:
    problem, labels = case
    partition = Partition(problem, labels)
    table = read(np.array(problem.X))
    released = aggregate(table, partition, table.names)
    measures = measure_tables(table, released, encode(table, table.names, problem.k)[0])
    assert measures.k_reached >= problem.k
    for column in measures.columns:
        scale = 1e-9 * (1 + np.abs(problem.X).max())
        assert column.mean_after == pytest.approx(column.mean_before, abs=scale)
        assert column.variance_after <= column.variance_before * (1 + 1e-9) + scale**2
    for group in range(partition.n_groups):
        for name in table.names:
            assert len(set(released.numbers(name)[partition.labels == group])) == 1


@given(points())
def test_group_of_equal_values_keeps_them_exactly(X: FloatArray) -> None:
    values = X[:, 0]
    _, labels = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(GroupMeans(labels)(values)[labels], values)


@pytest.mark.parametrize(("outlier", "offset"), [(1e16, 0.0), (5.0, 1e9), (-1e16, 1e3), (1e100, -1.0)])
def test_group_means_do_not_feel_what_lies_elsewhere(outlier: float, offset: float) -> None:
    values = np.array([0.125, 0.25, 0.75, outlier, outlier, outlier]) + offset
    assert GroupMeans(np.array([0, 0, 0, 1, 1, 1]))(values).tolist() == [0.375 + offset, outlier + offset]
