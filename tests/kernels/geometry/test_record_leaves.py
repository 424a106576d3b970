"""Leaves of records: every record once, in parts of one size, whose records are near each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.kernels.geometry.record_leaves import LEAF, make_leaves, order_by_nearness
from microagg.model.arrays import FloatArray
from samples import heavy_tailed, normal
from strategies import points


@given(points(max_n=80), st.integers(1, 20))
def test_every_record_is_there_once(X: FloatArray, size: int) -> None:
    assert sorted(order_by_nearness(X, size).tolist()) == list(range(len(X)))


def test_records_of_a_neighbourhood_are_near_each_other() -> None:
    X = normal(0, 800, 2)
    order = order_by_nearness(X, 50)
    within = sum(float(np.square(part - part.mean(axis=0)).sum()) for part in np.split(X[order], 16))
    assert within < 0.15 * np.square(X - X.mean(axis=0)).sum()


def test_one_column_is_cut_into_intervals() -> None:
    X = np.random.default_rng(0).permutation(np.arange(90.0))[:, None]
    parts = [set(part.ravel().tolist()) for part in np.split(X[order_by_nearness(X, 30)], 3)]
    assert sorted(map(min, parts)) == [0, 30, 60]
    assert {max(part) - min(part) for part in parts} == {29}


def test_equal_records_keep_their_order() -> None:
    assert order_by_nearness(np.ones((300, 3)), 50).tolist() == list(range(300))


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200])
def test_leaves_hold_every_record_once(scale: float) -> None:
    X = scale * heavy_tailed(0, 500, 5)
    leaves = make_leaves(X, np.arange(500))
    assert sorted(leaves.records.tolist()) == list(range(500))
    np.testing.assert_array_equal(leaves.points, X[leaves.records])
    assert leaves.turned.shape == (4, 6, LEAF)
    last = leaves.turned[-1, :, 499 - 3 * LEAF]
    assert np.all(leaves.turned[-1, :, 500 - 3 * LEAF :] == last[:, None]), "the last record fills its leaf"


def test_turned_records_keep_their_distances() -> None:
    X = heavy_tailed(1, 400, 7)
    leaves = make_leaves(X, np.arange(400))
    turned = leaves.turned.transpose(0, 2, 1).reshape(-1, 8)[:400]
    squares = np.square(X[leaves.records][:, None] - X[leaves.records]).sum(axis=2) * leaves.scale**2
    found = np.square(turned[:, None] - turned).sum(axis=2)
    np.testing.assert_allclose(found, squares, rtol=1e-9, atol=1e-12)


def test_numbers_of_any_size_are_ordered() -> None:
    X = normal(2, 300, 2)
    for scale in (1e-300, 1e150, 1e300):
        assert order_by_nearness(X * scale, 40).tolist() == order_by_nearness(X, 40).tolist()
