"""Checks of the partition that moves change in place."""

import numpy as np
import pytest

import naive_weights
from microagg.kernels.moves.working_partition import WorkingPartition
from microagg.model.arrays import IntArray


def all_others(n: int) -> IntArray:
    """Return neighbour lists of every other record, of shape (n, n − 1)."""
    return np.array([[j for j in range(n) if j != i] for i in range(n)], dtype=np.int64).reshape(n, n - 1)


def check_consistency(groups: WorkingPartition, k: int) -> None:
    """Check that all arrays agree with each other, and with what is computed anew from the labels."""
    assert np.bincount(groups.labels, minlength=len(groups.sizes)).tolist() == groups.sizes.tolist()
    there = np.flatnonzero(groups.sizes)
    rounding = 1e-9 * (1 + np.square(groups.X).max())
    assert groups.sizes[there].min() >= k
    assert groups.sizes.max() <= 2 * k - 1
    for group in there:
        members = groups.members[group, : groups.sizes[group]]
        assert sorted(members) == np.flatnonzero(groups.labels == group).tolist()
        np.testing.assert_array_equal(groups.members[group, groups.slots[members]], members)
        X = groups.X[members]
        weights = np.ones(len(members)) if groups.weights is None else groups.weights[members]
        assert groups.masses is None or groups.masses[group] == pytest.approx(weights.sum())
        np.testing.assert_allclose(groups.centroids[group], naive_weights.centroid(X, weights), atol=rounding)
        assert groups.sses[group] == pytest.approx(naive_weights.group_sse(X, weights), abs=rounding)
        assert weights @ groups.squares[members] == pytest.approx(groups.sses[group], abs=rounding)
