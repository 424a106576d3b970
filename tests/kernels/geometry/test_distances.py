"""Squared distances and the matrix of all distances."""

import numpy as np
from hypothesis import given

import naive
from microagg.kernels.geometry.distances import distance_matrix, squared_distance
from microagg.model.arrays import FloatArray
from samples import frozen
from strategies import points


@given(points(min_n=2))
def test_squared_distances_are_those_of_the_definition(X: FloatArray) -> None:
    squares = [squared_distance(X, record, X, 1) for record in range(len(X))]
    np.testing.assert_allclose(squares, naive.squares(X, X[1]))
    assert squares == [squared_distance(X, 1, X, record) for record in range(len(X))], "exactly symmetric"
    assert squares == [squared_distance(X, record, np.asfortranarray(X), 1) for record in range(len(X))]


@given(points(max_n=12))
def test_all_distances_are_exactly_symmetric(X: FloatArray) -> None:
    distances = distance_matrix(frozen(X))
    np.testing.assert_allclose(distances, np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)))
    np.testing.assert_array_equal(distances, distances.T)
    assert not np.diag(distances).any()
