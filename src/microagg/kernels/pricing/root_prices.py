"""Groups that pricing has found, by root."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel
from microagg.model.arrays import BoolArray, FloatArray, IntArray


class RootPrices(NamedTuple):
    """Groups of one size found by pricing, by root: the cheapest ones, or all."""

    first: int  # place of the first root in the order; the others follow it
    members: IntArray  # (n_roots, capacity, size)
    costs: FloatArray  # (n_roots, capacity) reduced costs; inf where there is no group
    counts: IntArray  # (n_roots,) groups found, stored or not
    list_all: bool  # whether groups are stored as they are found, up to the capacity; else the cheapest, in order
    cancelled: BoolArray  # (1,) whether pricing is cancelled, by any thread: then the groups are incomplete


def empty_prices(roots: int, kept: int, size: int, every: bool = False, first: int = 0) -> RootPrices:
    """Return empty prices for consecutive roots.

    Parameters
    ----------
    roots
        Number of roots.
    kept
        Groups stored for each root, at most.
    size
        Records of a group.
    every
        Whether all groups are wanted: those beyond `kept` are only counted.
    first
        Place of the first root in the order.
    """
    return RootPrices(
        first,
        np.zeros((roots, kept, size), dtype=np.int64),
        np.full((roots, kept), np.inf),
        np.zeros(roots, dtype=np.int64),
        every,
        np.zeros(1, dtype=np.bool_),
    )


@inner_kernel
def store_group(prices: RootPrices, row: int, cost: float, group: IntArray) -> None:
    """Store a group among those of its root: as it comes if all are wanted, else in the order of costs."""
    costs, members = prices.costs[row], prices.members[row]
    i = prices.counts[row] if prices.list_all else len(costs) - 1
    prices.counts[row] += 1
    if i >= len(costs):
        return
    while not prices.list_all and i > 0 and costs[i - 1] > cost:
        costs[i] = costs[i - 1]
        members[i] = members[i - 1]
        i -= 1
    costs[i] = cost
    members[i] = group
