"""Distinct points of a data set."""

import numpy as np
from hypothesis import given

from microagg.kernels.geometry.equal_records import distinct_points
from microagg.model.arrays import FloatArray
from strategies import points


@given(points())
def test_equal_records_are_one_point(X: FloatArray) -> None:
    point_of, firsts = distinct_points(X)
    assert (X[firsts][point_of] == X).all()
    assert len(np.unique(X, axis=0)) == len(firsts)
    assert (np.diff(firsts) > 0).all()
    assert (point_of[firsts] == np.arange(len(firsts))).all()


def test_equal_records_are_one_point_where_small_columns_vanish_beside_large_ones() -> None:
    point_of, firsts = distinct_points(np.array([[2.0**60, 0], [2.0**60, 1], [2.0**60, 0], [2.0**60, 1]]))
    assert (point_of.tolist(), firsts.tolist()) == ([0, 1, 0, 1], [0, 1])
