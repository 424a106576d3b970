"""Most distant pairs of points, and of the records left."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg.kernels.geometry.farthest_pairs import farthest_pairs, farthest_records_left, records_by_point
from microagg.model.arrays import FloatArray
from strategies import points


@given(points(min_n=2, max_n=14))
def test_most_distant_pairs_are_listed_in_order(X: FloatArray) -> None:
    X = np.unique(X, axis=0)
    n = len(X)
    pairs = farthest_pairs(X, np.arange(n))
    every = sorted((-naive.squares(X[[j]], X[i])[0], i, j) for i, j in combinations(range(n), 2))
    found = len(pairs.squares)
    assert list(zip(pairs.first, pairs.second, strict=True)) == [(i, j) for _, i, j in every[:found]]
    np.testing.assert_array_equal(pairs.squares, [-squares for squares, _, _ in every[:found]])
    if found < len(every):
        assert every[found - 1][0] < every[found][0], "all pairs that tie are listed"


@given(points(min_n=2, max_n=14), st.data())
def test_most_distant_records_left_are_found_while_records_leave(X: FloatArray, data: st.DataObject) -> None:
    points = records_by_point(X)
    pairs = farthest_pairs(X[points.records[points.ends - 1]], np.arange(len(points.ends)))
    places = np.arange(len(X))
    pair = 0
    while True:
        pair, low, high = farthest_records_left(places, points, pairs, pair)
        left = np.flatnonzero(places >= 0)
        every = sorted((-naive.squares(X[[j]], X[i])[0], i, j) for i, j in combinations(left.tolist(), 2))
        if low < 0:
            assert (pair, high) == (len(pairs.squares), -1)
            assert not every or -every[0][0] < pairs.squares.min(initial=np.inf), "a pair of the list is left"
            break
        assert (low, high) == every[0][1:]
        places[data.draw(st.sampled_from(left.tolist()))] = -1
