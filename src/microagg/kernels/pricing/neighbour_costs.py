"""Lower bound on the sse by what the nearest neighbours of each record cost it."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray

_PAIRS = 2**16  # whose distances are computed at a time


class NeighbourLinks(NamedTuple):
    """Symmetric neighbour graph: each record is linked to its nearest, and to those that it is among the nearest of."""

    starts: IntArray  # (n + 1,) start of each record's entries in the next three arrays
    edges: IntArray  # index of the link; its two records have an entry each
    signs: FloatArray  # 1.0 at the lower record, −1.0 at the higher
    halves: FloatArray  # half the squared distance
    radii: FloatArray  # (n,) lower bound on half the squared distance to any record without a link
    ends: IntArray  # (2, n_links) the two records of each link: the lower, and the higher


def link_neighbours(X: FloatArray, near: IntArray) -> NeighbourLinks:
    """Link each record to its nearest neighbours: O(n·neighbours·(d + log n)).

    Parameters
    ----------
    near
        The neighbours of each record by increasing distance, of shape (n, any number).
    """
    n, count = near.shape
    one, other = np.repeat(np.arange(n), count), near.ravel()
    pairs = np.unique(np.minimum(one, other) * n + np.maximum(one, other))
    low, high = pairs // n, pairs % n
    halves = 0.5 * np.concatenate(
        [
            np.square(X[low[first : first + _PAIRS]] - X[high[first : first + _PAIRS]]).sum(axis=1)
            for first in range(0, max(1, len(pairs)), _PAIRS)
        ]
    )
    numbers = np.arange(len(pairs))
    records = np.concatenate([low, high])
    order = np.argsort(records, kind="stable")
    return NeighbourLinks(
        np.concatenate([[0], np.cumsum(np.bincount(records, minlength=n))]),
        np.concatenate([numbers, numbers])[order],
        np.repeat([1.0, -1.0], len(pairs))[order],
        np.concatenate([halves, halves])[order],
        0.5 * np.square(X - X[near[:, -1]]).sum(axis=1) if count < n - 1 else np.full(n, np.inf),
        np.stack([low, high]),
    )


@kernel
def neighbour_costs(
    links: NeighbourLinks, shifts: FloatArray, k: int, first: int, last: int, slopes: FloatArray, shares: FloatArray
) -> None:
    """Compute the least cost of the records first … last − 1: O(links·k).

    A group of m records has sse Σ_a Σ_b ½d²(a, b)/m over its records a and b. A shift is added to ½d²(a, b) and
    subtracted from ½d²(b, a): no group's sse changes. So no partition has an sse below Σ_a min over m = k … 2k − 1 of
    the m − 1 smallest shifted halves of a, divided by m.

    Parameters
    ----------
    shifts
        IN: of each link.
    slopes
        OUT, of shape (2, n_links): subgradients of the costs of the lower and the higher record of each link, with
        respect to its shift; of these records.
    shares
        OUT: the least cost of each of these records, of shape (n,).
    """
    most = 2 * k - 2
    smallest = np.empty(most)  # shifted halves of one record, ascending
    entries = np.empty(most, dtype=np.int64)  # where each stands in the links; −1: the radius of all without a link
    for record in range(first, last):
        smallest[:] = links.radii[record]
        entries[:] = -1
        for entry in range(links.starts[record], links.starts[record + 1]):
            edge = links.edges[entry]
            slopes[int(links.signs[entry] < 0.0), edge] = 0.0
            value = links.halves[entry] + links.signs[entry] * shifts[edge]
            if most and value < smallest[most - 1]:
                i = most - 1
                while i > 0 and smallest[i - 1] > value:
                    smallest[i] = smallest[i - 1]
                    entries[i] = entries[i - 1]
                    i -= 1
                smallest[i] = value
                entries[i] = entry
        cost, size = _least_cost(smallest, k)
        shares[record] = cost
        for i in range(size - 1):
            if entries[i] >= 0:
                sign = links.signs[entries[i]]
                slopes[int(sign < 0.0), links.edges[entries[i]]] = sign / size


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
