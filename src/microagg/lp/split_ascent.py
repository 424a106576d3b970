"""Subgradient ascent on the split of squared distances between neighbours."""

from collections.abc import Callable

import numpy as np

from microagg.lp.adam_ascent import AdamAscent
from microagg.lp.pricing_distances import DistanceSplit
from microagg.model.arrays import FloatArray, IntArray

N_STEPS = 300
_FIRST_STEP = 0.3  # in shares of half the squared distance
_LAST_STEP = 0.003
_EPSILON = 1e-2  # Adam's ε


class SplitAscent:
    """Best split so far of squared distances between neighbours of one block of records, and the duals that it proves.

    The squared distance of a record from one outside the block is split into halves: any split is valid, as long as
    both records bear all of it.

    Parameters
    ----------
    X
        The points of all records.
    k
        Smallest group allowed.
    records
        The records of the block, ascending.
    near
        Their nearest neighbours among all records, the nearest first.
    """

    def __init__(self, X: FloatArray, k: int, records: IntArray, near: IntArray) -> None:
        self.X = X
        self.k = k
        self.records = records
        self.near = near
        self.split = DistanceSplit.even()
        self.values = np.zeros(len(records))
        self.lower_bound = 0.0

    def climb(self, tick: Callable[[int], None]) -> None:
        """Link neighbours, and shift the squared distance of each two from the one to the other.

        Parameters
        ----------
        tick
            Called after each step with its number; may raise an exception to end the ascent.
        """
        from microagg.kernels.pricing.neighbour_costs import link_neighbours, neighbour_bound

        links = link_neighbours(self.X, self.near, self.records)
        first, second = self.records[links.ends]
        shifts = np.zeros(max(1, len(first)))
        subgradient = np.empty_like(shifts)
        scales = np.zeros_like(shifts)
        inside = links.signs != 0.0
        scales[links.edges[inside]] = links.halves[inside]
        values = np.empty(len(self.records))
        ascent = AdamAscent(scales, N_STEPS, _FIRST_STEP, _LAST_STEP, _EPSILON)
        for step in range(N_STEPS + 1):
            total = neighbour_bound(links, shifts, self.k, subgradient, values)
            if step == 0 or total > self.lower_bound:
                self.lower_bound = total
                self.values = values.copy()
                self.split = DistanceSplit(first, second, shifts[: len(first)])
            tick(step)
            shifts = shifts + ascent(subgradient)
