"""Bound the sse from below by what each record's nearest neighbours cost it."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray


class Links(NamedTuple):
    """Hold who is linked to whom: each record to its nearest, and to those whose nearest it is among."""

    starts: IntArray  # (n + 1,) where the links of each record start among
    edges: IntArray  # the number of each link; two records share one
    signs: FloatArray  # 1.0 at the one of the two, −1.0 at the other
    halves: FloatArray  # half the squared distance
    radii: FloatArray  # (n,) at least this is half the squared distance to any record without a link


def link(X: FloatArray, near: IntArray) -> Links:
    """Link each record to its nearest.

    Parameters
    ----------
    near
        The nearest of each record, by distance, of shape (n, any number).
    """
    n, count = near.shape
    one, other = np.repeat(np.arange(n), count), near.ravel()
    pairs = np.unique(np.minimum(one, other) * n + np.maximum(one, other))
    low, high = pairs // n, pairs % n
    halves = 0.5 * np.square(X[low] - X[high]).sum(axis=1)
    numbers = np.arange(len(pairs))
    records = np.concatenate([low, high])
    order = np.argsort(records, kind="stable")
    return Links(
        np.concatenate([[0], np.cumsum(np.bincount(records, minlength=n))]),
        np.concatenate([numbers, numbers])[order],
        np.repeat([1.0, -1.0], len(pairs))[order],
        np.concatenate([halves, halves])[order],
        0.5 * np.square(X - X[near[:, -1]]).sum(axis=1) if count < n - 1 else np.full(n, np.inf),
    )


def ends(links: Links) -> tuple[IntArray, IntArray]:
    """Give the two records of each link: that whose sign is 1, and the other."""
    records = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
    one, other = np.empty((2, len(records) // 2), dtype=np.int64)
    one[links.edges[links.signs > 0]] = records[links.signs > 0]
    other[links.edges[links.signs < 0]] = records[links.signs < 0]
    return one, other


@kernel
def half_squares(links: Links, shifts: FloatArray, k: int, slope: FloatArray, shares: FloatArray) -> float:
    """Add up the least that each record can cost: O(links·k).

    A group of m loses Σ_a Σ_b ½d²(a, b)/m over its records a and b. A shift is added to ½d²(a, b) and taken from
    ½d²(b, a): that changes nothing in any group, but lets the two share the burden. So no partition loses less than
    Σ_a min over m of the m − 1 smallest shifted halves of a, divided by m.

    Parameters
    ----------
    shifts
        Of each link.
    slope
        OUT: how the bound grows with each shift.
    shares
        OUT: the least that each record can cost, of shape (n,).
    """
    n, most = len(links.starts) - 1, 2 * k - 2
    least, who = np.empty(most), np.empty(most, dtype=np.int64)
    slope[:] = 0.0
    total = 0.0
    for record in range(n):
        for i in range(most):
            least[i], who[i] = links.radii[record], -1
        for at in range(links.starts[record], links.starts[record + 1]):
            value = links.halves[at] + links.signs[at] * shifts[links.edges[at]]
            if most and value < least[most - 1]:
                i = most - 1
                while i > 0 and least[i - 1] > value:
                    least[i], who[i] = least[i - 1], who[i - 1]
                    i -= 1
                least[i], who[i] = value, at
        lowest, size, added = np.inf, k, 0.0
        for i in range(k - 2):
            added += least[i]
        for m in range(k, 2 * k):
            if m > 1:
                added += least[m - 2]
            if added / m < lowest:
                lowest, size = added / m, m
        total += lowest
        shares[record] = lowest
        for i in range(size - 1):
            if who[i] >= 0:
                slope[links.edges[who[i]]] += links.signs[who[i]] / size
    return total
