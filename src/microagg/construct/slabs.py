"""Slabs along principal axes: the fallback for records that a stopped constructor has not grouped."""

from itertools import pairwise

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest
from microagg.model.partition import labels_along

_MAX_AXES = 3
_SAMPLE_SIZE = 10_000  # records from which the principal axes are computed
_MIN_VARIANCE = 1e-12  # share of the largest variance: an axis with less is constant but for rounding


def group_rest_in_slabs(X: FloatArray, labels: IntArray, k: int) -> float:
    """Group the records whose label is −1 (OUT in `labels`): in slabs, or in the nearest groups if fewer than k.

    Returns
    -------
    float
        The share of all records that were grouped in slabs.
    """
    rest = np.flatnonzero(labels < 0)
    if len(rest) < k:
        join_nearest(X, labels, rest)
        return 0.0
    labels[rest] = labels.max() + 1 + group_in_slabs(X[rest], k)
    return len(rest) / len(X)


def group_in_slabs(X: FloatArray, k: int) -> IntArray:
    """Group records by sort-tile-recursive packing: about a second for a million records, nothing to compile.

    The records are sorted along their first principal axis and cut into slabs of equal numbers of groups; each slab is
    sorted and cut along the second axis, each piece sorted along the third. Runs of k records are the groups, and the
    last one takes the rest. Ties go to the lowest index. O(n·d + n·log n).

    Parameters
    ----------
    X
        The records, of shape (n, d).
    k
        The smallest group allowed, 1 ≤ k ≤ n.

    Returns
    -------
    ndarray of shape (n,)
        The group of each record: all have k records but one, which has k to 2k − 1.

    References
    ----------
    Leutenegger, López & Edgington (1997), STR: a simple and efficient algorithm for R-tree packing, ICDE.
    """
    return _cut_slabs(principal_coordinates(X), k)


def _cut_slabs(coordinates: FloatArray, k: int) -> IntArray:
    """Group records in slabs along each of their coordinates in turn, of shape (n_axes, n)."""
    n_axes, n = coordinates.shape
    n_groups = n // k
    order = np.arange(n)
    slabs = np.array([0, n_groups])  # where each starts, counted in groups, and where the last one ends
    for axis, along in enumerate(coordinates):
        for first, last in pairwise(slabs.tolist()):
            inside = slice(k * first, k * last if last < n_groups else n)
            records = np.sort(order[inside])
            order[inside] = records[np.argsort(along[records], kind="stable")]
        if axis + 1 < n_axes:
            slabs = _subdivide(slabs, n_axes - axis)
    return labels_along(order, k * np.arange(n_groups))


def _subdivide(slabs: IntArray, n_axes: int) -> IntArray:
    """Cut each slab into as many pieces as leave the same number of cuts for each of the axes to come."""
    starts = [
        first + np.arange(n_pieces) * (last - first) // n_pieces
        for first, last in pairwise(slabs.tolist())
        for n_pieces in [round((last - first) ** (1 / n_axes))]
    ]
    return np.concatenate([*starts, slabs[-1:]])


def principal_coordinates(X: FloatArray) -> FloatArray:
    """Compute the coordinates of the records along their first principal axes, of shape (n_axes, n), at most three.

    The axes are those of a regular sample; each points to where its heaviest column is high. Equal records have
    equal coordinates, which numpy's matrix product does not promise.
    """
    sample = X[:: max(1, len(X) // _SAMPLE_SIZE)]
    centre = sample.mean(axis=0)
    scale = np.abs(sample - centre).max()
    if scale == 0:
        return np.zeros((0, len(X)))
    axes = _principal_axes((sample - centre) / scale)
    coordinates = np.zeros((len(axes), len(X)))
    for weights, column, middle in zip(axes.T, X.T, centre, strict=True):
        coordinates += np.multiply.outer(weights, column - middle)
    return coordinates


def _principal_axes(centred: FloatArray) -> FloatArray:
    """Compute the first principal axes of centred records, of shape (n_axes, d)."""
    variances, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, variances > _MIN_VARIANCE * variances[-1]].T[::-1][:_MAX_AXES]
    heaviest = np.abs(axes).argmax(axis=1)
    signed: FloatArray = axes * np.sign(axes[np.arange(len(axes)), heaviest])[:, None]
    return signed
