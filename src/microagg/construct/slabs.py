"""Group records in haste: slabs along principal axes, where a run ends before its method has grouped them."""

from itertools import pairwise

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.nearest_group import join_nearest
from microagg.model.partition import labels_along

_AXES = 3  # at most: so many levels of slabs
_SAMPLE = 10_000  # records that the principal axes are found from
_FLAT = 1e-12  # of the largest variance: an axis along which nothing varies


def finish(X: FloatArray, labels: IntArray, k: int) -> float:
    """Group the records whose label is −1 (OUT in `labels`): by slabs, or, if they are fewer than k, as leftovers.

    Returns
    -------
    float
        The share of all records that were grouped in slabs.
    """
    rest = np.flatnonzero(labels < 0)
    if len(rest) < k:
        join_nearest(X, labels, rest)
        return 0.0
    labels[rest] = labels.max() + 1 + in_slabs(X[rest], k)
    return len(rest) / len(X)


def in_slabs(X: FloatArray, k: int) -> IntArray:
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
    return cut_slabs(principal_coordinates(X), k)


def cut_slabs(coordinates: FloatArray, k: int) -> IntArray:
    """Group records by slabs along each of their coordinates in turn, of shape (axes, n)."""
    axes, n = coordinates.shape
    n_groups = n // k
    order = np.arange(n)
    slabs = np.array([0, n_groups])  # where each starts, counted in groups, and where the last one ends
    for number, along in enumerate(coordinates):
        for first, last in pairwise(slabs.tolist()):
            inside = slice(k * first, k * last if last < n_groups else n)
            records = np.sort(order[inside])
            order[inside] = records[np.argsort(along[records], kind="stable")]
        if number + 1 < axes:
            slabs = _cut(slabs, axes - number)
    return labels_along(order, k * np.arange(n_groups))


def _cut(slabs: IntArray, axes: int) -> IntArray:
    """Cut each slab into as many pieces as leave the same for each of the axes that are left."""
    starts = [
        first + np.arange(pieces) * (last - first) // pieces
        for first, last in pairwise(slabs.tolist())
        for pieces in [round((last - first) ** (1 / axes))]
    ]
    return np.concatenate([*starts, slabs[-1:]])


def principal_coordinates(X: FloatArray) -> FloatArray:
    """Give where the records lie along their first principal axes, of shape (axes, n), at most three.

    The axes are those of a regular sample; each points to where the column that weighs most in it is high. Equal
    records have equal coordinates, whatever numpy's matrix product would make of them.
    """
    sample = X[:: max(1, len(X) // _SAMPLE)]
    centre = sample.mean(axis=0)
    scale = np.abs(sample - centre).max()
    coordinates = np.zeros((0, len(X)))
    if scale > 0:
        axes = _principal_axes((sample - centre) / scale)
        coordinates = np.zeros((len(axes), len(X)))
        for weights, column, middle in zip(axes.T, X.T, centre, strict=True):
            coordinates += np.multiply.outer(weights, column - middle)
    return coordinates


def _principal_axes(centred: FloatArray) -> FloatArray:
    """Give the first principal axes of centred records, of shape (axes, d)."""
    variances, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, variances > _FLAT * variances[-1]].T[::-1][:_AXES]
    heaviest = np.abs(axes).argmax(axis=1)
    signed: FloatArray = axes * np.sign(axes[np.arange(len(axes)), heaviest])[:, None]
    return signed
