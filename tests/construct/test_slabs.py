"""The fallback of constructors that are stopped."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from microagg.construct.slabs import group_in_slabs, group_rest_in_slabs, principal_coordinates
from microagg.model.arrays import FloatArray
from strategies import points


@given(points(), st.data())
def test_slabs_are_the_naive_ones(X: FloatArray, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(X)))
    labels = group_in_slabs(X, k)
    np.testing.assert_array_equal(labels, naive.group_in_slabs(principal_coordinates(X).T, k))
    sizes = np.bincount(labels)
    assert sizes.min() == k or len(sizes) == 1
    assert sizes.max() <= 2 * k - 1
    assert len(sizes) == len(X) // k


@pytest.mark.parametrize(("n", "d", "k"), [(1000, 3, 3), (1000, 5, 7), (20_001, 2, 10), (300, 1, 4), (64, 3, 1)])
def test_slabs_of_many_records_are_the_naive_ones(n: int, d: int, k: int) -> None:
    X = np.random.default_rng(n).standard_t(2, size=(n, d))
    np.testing.assert_array_equal(group_in_slabs(X, k), naive.group_in_slabs(principal_coordinates(X).T, k))


def test_slabs_keep_near_records_together() -> None:
    """Twenty-seven far clusters of five: three slabs of three of three."""
    rng = np.random.default_rng(0)
    corners = np.array(list(itertools.product([0, 10, 20], [0, 11, 22], [0, 12, 24])), dtype=float)
    which = rng.permutation(np.repeat(np.arange(27), 5))
    labels = group_in_slabs(corners[which] + 0.1 * rng.normal(size=(135, 3)), 5)
    assert len(set(zip(which, labels, strict=True))) == 27


@pytest.mark.parametrize(("n", "k"), [(7, 7), (7, 4), (9, 3), (1, 1)])
def test_equal_records_are_cut_by_index(n: int, k: int) -> None:
    expected = np.minimum(np.arange(n) // k, n // k - 1)
    np.testing.assert_array_equal(group_in_slabs(np.full((n, 3), 0.1), k), expected)


@given(points(min_n=2))
def test_principal_coordinates_are_those_of_the_largest_variances(X: FloatArray) -> None:
    coordinates = principal_coordinates(X)
    centred = X - X.mean(axis=0)
    variances = np.square(np.linalg.svd(centred, compute_uv=False))
    assert len(coordinates) <= 3
    rounding = 1e-9 * variances.sum()
    np.testing.assert_allclose(np.square(coordinates).sum(axis=1), variances[: len(coordinates)], atol=rounding)
    assert variances[len(coordinates) : 3].sum() <= rounding
    equal = (X[0] == X).all(axis=1)
    assert (coordinates[:, equal] == coordinates[:, :1]).all()


@pytest.mark.parametrize(("n_left", "share"), [(2, 0.0), (3, 0.3)])
def test_fewer_than_k_records_join_the_nearest_groups(n_left: int, share: float) -> None:
    X = np.arange(10.0)[:, None]
    labels = np.array([0] * 4 + [1] * (6 - n_left) + [-1] * n_left)
    assert group_rest_in_slabs(X, labels, 3) == pytest.approx(share)
    expected = [0] * 4 + [1] * 6 if n_left < 3 else [0] * 4 + [1] * 3 + [2] * 3
    assert labels.tolist() == expected
