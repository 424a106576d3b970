"""Lower bound on the sse by what the nearest neighbours of each record cost it."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray


class NeighbourLinks(NamedTuple):
    """Symmetric neighbour graph: each record is linked to its nearest, and to those that it is among the nearest of."""

    starts: IntArray  # (n + 1,) start of each record's entries in the next three arrays
    edges: IntArray  # index of the link; its two records have an entry each
    signs: FloatArray  # 1.0 at the lower record, −1.0 at the higher; 0.0 where the other record is outside
    halves: FloatArray  # half the squared distance
    radii: FloatArray  # (n,) lower bound on half the squared distance to any record without a link
    ends: IntArray  # (2, n_links) the two records of each link: that of sign 1, and that of sign −1


def link_neighbours(X: FloatArray, near: IntArray, records: IntArray | None = None) -> NeighbourLinks:
    """Link each record to its nearest neighbours: O(n·neighbours·(d + log n)).

    Parameters
    ----------
    X
        The points of all records.
    near
        The neighbours of each record of `records` by increasing distance, of shape (n, any number).
    records
        Some records, ascending: neighbours outside have an entry, but no link, as their own costs are not known. None:
        all records.
    """
    records = np.arange(len(X)) if records is None else records
    n, count = near.shape
    place_of = np.full(len(X), -1)
    place_of[records] = np.arange(n)
    one, other = np.repeat(np.arange(n), count), place_of[near.ravel()]
    outside = np.flatnonzero(other < 0)
    one_inside, other_inside = one[other >= 0], other[other >= 0]
    pairs = np.unique(np.minimum(one_inside, other_inside) * n + np.maximum(one_inside, other_inside))
    low, high = pairs // n, pairs % n
    halves = 0.5 * np.square(X[records[low]] - X[records[high]]).sum(axis=1)
    halves_outside = 0.5 * np.square(X[records[one[outside]]] - X[near.ravel()[outside]]).sum(axis=1)
    owners = np.concatenate([low, high, one[outside]])
    order = np.argsort(owners, kind="stable")
    numbers = np.arange(len(pairs))
    return NeighbourLinks(
        np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=n))]),
        np.concatenate([numbers, numbers, np.zeros(len(outside), dtype=np.int64)])[order],
        np.repeat([1.0, -1.0, 0.0], [len(pairs), len(pairs), len(outside)])[order],
        np.concatenate([halves, halves, halves_outside])[order],
        0.5 * np.square(X[records] - X[near[:, -1]]).sum(axis=1) if count < len(X) - 1 else np.full(n, np.inf),
        np.stack([low, high]),
    )


@kernel
def neighbour_bound(links: NeighbourLinks, shifts: FloatArray, k: int, slope: FloatArray, shares: FloatArray) -> float:
    """Return a lower bound on the sse: the least cost of each record, added up. O(links·k).

    A group of m records has sse Σ_a Σ_b ½d²(a, b)/m over its records a and b. A shift is added to ½d²(a, b) and
    subtracted from ½d²(b, a): no group's sse changes. So no partition has an sse below Σ_a min over m = k … 2k − 1 of
    the m − 1 smallest shifted halves of a, divided by m.

    Parameters
    ----------
    shifts
        IN: of each link; at least one number, also where there is no link.
    slope
        OUT: subgradient of the bound with respect to the shifts.
    shares
        OUT: the least cost of each record, of shape (n,).
    """
    n = len(links.starts) - 1
    most = 2 * k - 2
    smallest = np.empty(most)  # shifted halves of one record, ascending
    entries = np.empty(most, dtype=np.int64)  # where each stands in the links; −1: the radius of all without a link
    slope[:] = 0.0
    total = 0.0
    for record in range(n):
        smallest[:] = links.radii[record]
        entries[:] = -1
        for entry in range(links.starts[record], links.starts[record + 1]):
            value = links.halves[entry] + links.signs[entry] * shifts[links.edges[entry]]
            if most and value < smallest[most - 1]:
                i = most - 1
                while i > 0 and smallest[i - 1] > value:
                    smallest[i] = smallest[i - 1]
                    entries[i] = entries[i - 1]
                    i -= 1
                smallest[i] = value
                entries[i] = entry
        cost, size = _least_cost(smallest, k)
        total += cost
        shares[record] = cost
        for i in range(size - 1):
            if entries[i] >= 0:
                slope[links.edges[entries[i]]] += links.signs[entries[i]] / size
    return total


@inner_kernel
def _least_cost(smallest: FloatArray, k: int) -> tuple[float, int]:
    """Return the least of the m − 1 smallest halves over m, for m = k … 2k − 1, and its m."""
    least = np.inf
    size = k
    added = 0.0
    for i in range(k - 2):
        added += smallest[i]
    for m in range(k, 2 * k):
        if m > 1:
            added += smallest[m - 2]
        if added / m < least:
            least = added / m
            size = m
    return least, size
