"""Leaves of records that are near each other, by which a search for neighbours can skip most records.

The records are turned to their principal axes and split at medians until LEAF are left in each leaf. A leaf stores its
points column by column, so that the distances of all of them from a point are computed by vector instructions.
"""

from typing import NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray

LEAF = 128  # records in a leaf; all but the last one are full
_MAX_TURNED = 100  # columns, up to which the records are turned to their principal axes: O(n·d²)
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
    order = _split(turned)
    turned = turned[order]
    n, d = turned.shape
    n_leaves = -(-n // LEAF)
    filled = np.empty((n_leaves * LEAF, d))
    filled[:n] = turned
    filled[n:] = turned[-1]
    by_column = np.ascontiguousarray(filled.reshape(n_leaves, LEAF, d).transpose(0, 2, 1))
    return Leaves(
        records=records[order],
        points=points[order],
        turned=by_column,
        low=np.ascontiguousarray(by_column.min(axis=2).T),
        high=np.ascontiguousarray(by_column.max(axis=2).T),
        centres=np.ascontiguousarray(by_column.mean(axis=2).T),
        scale=scale,
        slack=slack,
    )


def _turn(points: FloatArray) -> tuple[FloatArray, float, float]:
    """Scale, centre and turn points to their principal axes, the widest first; return them, the scale and the slack.

    An even number of columns: the search takes two at a time.
    """
    n, d = points.shape
    largest = float(np.abs(points).max())
    is_moderate = _MODERATE[0] < largest < _MODERATE[1]
    scale = float(2.0 ** -np.frexp(largest)[1]) if is_moderate else 1.0
    turned = np.zeros((n, d + d % 2))
    if is_moderate:
        turned[:, :d] = points * scale
        turned -= turned.mean(axis=0)
        if d <= _MAX_TURNED and n > LEAF:
            centred = turned[:, :d].copy()
            # einsum, not @: the threads of BLAS would wait busily on processors that other blocks use
            _, axes = np.linalg.eigh(np.einsum("ri,rj->ij", centred, centred))
            np.einsum("ri,ij->rj", centred, axes[:, ::-1], out=turned[:, :d])
    return turned, scale, d * d * 2.0**-50 if is_moderate else np.inf


def _split(turned: FloatArray) -> IntArray:
    """Order the points leaf by leaf: halves of the widest column, again and again."""
    order = np.arange(len(turned))
    parts = [(0, len(turned))]
    while parts:
        first, last = parts.pop()
        if last - first <= LEAF:
            continue
        part = order[first:last]
        points = turned[part]
        half = -(-len(part) // LEAF) // 2 * LEAF
        widest = points.var(axis=0).argmax()
        order[first:last] = part[np.argpartition(points[:, widest], half)]
        parts += [(first, first + half), (first + half, last)]
    return order
