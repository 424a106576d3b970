"""Leaves of records that are near each other, by which a search for neighbours can skip most records.

The records are turned to their principal axes and split at medians until LEAF are left in each leaf. A leaf stores its
points column by column, so that the distances of all of them from a point are computed by vector instructions.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.principal_axes import principal_axes
from microagg.model.arrays import BoolArray, FloatArray, IntArray

LEAF = 128  # records in a leaf; all but the last one are full
_MAX_TURNED = 100  # columns, up to which the records are turned to their principal axes: O(n·d²)
_MAX_SAMPLE = 10_000  # records that tell the principal axes
_MAX_LOOKED_AT = 128  # records that tell which column of a part is wide
_MODERATE = (1e-100, 1e100)  # sizes of numbers whose squares neither overflow nor vanish


class Leaves(NamedTuple):
    """Records in leaves: record `records[LEAF·leaf + i]` is the i-th one of a leaf."""

    records: IntArray  # (n,)
    points: FloatArray  # (n, d) as they are, in the order of `records`: exact distances are those of these points
    turned: FloatArray  # (n_leaves, d or d + 1, LEAF) the same, scaled to ±1, centred, turned; the last one repeated
    low: FloatArray  # (d or d + 1, n_leaves) the least coordinates of each leaf of `turned`
    high: FloatArray  # (d or d + 1, n_leaves) the greatest ones
    centres: FloatArray  # (d or d + 1, n_leaves) their means
    scale: float  # of `turned`, a power of two
    slack: float  # distances in `turned` are wrong by at most this, besides relative rounding errors


def make_leaves(X: FloatArray, records: IntArray) -> Leaves:
    """Put some records of X into leaves: O(n·d·(d + log n))."""
    points = X[records]
    turned, scale, slack = _turn(points)
    order = _split(turned, LEAF)
    n_columns, n = turned.shape
    n_leaves = -(-n // LEAF)
    filled = np.append(order, np.full(n_leaves * LEAF - n, order[-1]))
    by_leaf = np.ascontiguousarray(turned[:, filled].reshape(n_columns, n_leaves, LEAF).transpose(1, 0, 2))
    return Leaves(
        records=records[order],
        points=points[order],
        turned=by_leaf,
        low=np.ascontiguousarray(by_leaf.min(axis=2).T),
        high=np.ascontiguousarray(by_leaf.max(axis=2).T),
        centres=np.ascontiguousarray(by_leaf.mean(axis=2).T),
        scale=scale,
        slack=slack,
    )


def order_by_nearness(X: FloatArray, size: int) -> IntArray:
    """Return the records in an order in which each neighbourhood, so many records one after the other, is close.

    What goes from one neighbourhood to the next finds nearly all that it needs in the cache of the processor, if the
    points are in this order. The order is the same on any machine: no record is turned. O(n·d·log n).
    """
    largest = float(np.abs(X).max(initial=0.0))
    return _split(np.ascontiguousarray(X.T) / (largest or 1.0), size)


def _turn(points: FloatArray) -> tuple[FloatArray, float, float]:
    """Scale, centre and turn points to their principal axes, the widest first; return them, the scale and the slack.

    They are returned column by column: an even number of columns, as the search takes two at a time. Products are sums
    of numpy's own, not of BLAS, whose threads would wait busily on processors that other blocks use.
    """
    n, d = points.shape
    largest = float(np.abs(points).max())
    is_moderate = _MODERATE[0] < largest < _MODERATE[1]
    scale = float(2.0 ** -np.frexp(largest)[1]) if is_moderate else 1.0
    turned = np.zeros((d + d % 2, n))
    if is_moderate:
        centred = np.ascontiguousarray(points.T) * scale
        centred -= centred.mean(axis=1, keepdims=True)
        if d <= _MAX_TURNED and n > LEAF:
            some = np.ascontiguousarray(centred[:, :: -(-n // _MAX_SAMPLE)])
            axes = principal_axes(np.einsum("ir,jr->ij", some, some))
            centred = np.einsum("ij,ir->jr", axes, centred)
        turned[:d] = centred
    return turned, scale, d * d * 2.0**-50 if is_moderate else np.inf


def _split(turned: FloatArray, size: int) -> IntArray:
    """Order the points part by part, of this size each but the last: halves of a wide column, again and again."""
    order = np.arange(turned.shape[1])
    parts = [(0, len(order))]
    while parts:
        first, last = parts.pop()
        if last - first <= size:
            continue
        part = order[first:last]
        half = -(-len(part) // size) // 2 * size
        column = _widest(turned[:, part[:: -(-len(part) // _MAX_LOOKED_AT)]])
        is_below = _least(turned[column].take(part), half)
        order[first:last] = np.append(part[is_below], part[~is_below])
        parts += [(first, first + half), (first + half, last)]
    return order


def _widest(columns: FloatArray) -> int:
    """Return the column of greatest variance."""
    centred = columns - columns.mean(axis=1, keepdims=True)
    return int(np.einsum("jr,jr->j", centred, centred).argmax())


def _least(values: FloatArray, count: int) -> BoolArray:
    """Return which values are the least ones, as many as wanted: of equal ones the first."""
    border = np.partition(values, count)[count]
    is_least: BoolArray = values < border
    n_missing = count - np.count_nonzero(is_least)
    is_least[np.flatnonzero(values == border)[:n_missing]] = True
    return is_least
