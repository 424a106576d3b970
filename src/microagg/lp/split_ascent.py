"""Subgradient ascent on the split of squared distances between neighbours."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from microagg.control.workers import Workers
from microagg.lp.adam_ascent import AdamAscent
from microagg.lp.pricing_distances import DistanceSplit
from microagg.model.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from microagg.kernels.pricing.neighbour_costs import NeighbourLinks

Item = TypeVar("Item")

_STEPS = 300
_STEPS_OF_MANY = 100  # which are as good but for the fifth digit
_MANY_RECORDS = 2**13
_FIRST_STEP = 0.3  # in shares of half the squared distance
_LAST_STEP = 0.003
_EPSILON = 1e-2  # Adam's ε
_RECORDS_PER_CALL = 2**13
_LINKS_PER_CALL = 2**17


class SplitAscent:
    """Best split so far of squared distances between neighbours, and the duals that it proves.

    Parameters
    ----------
    X
        The points of the records.
    k
        Smallest group allowed.
    near
        The nearest neighbours of each record, the nearest first.
    workers
        Share the records; how many there are changes nothing.
    """

    def __init__(self, X: FloatArray, k: int, near: IntArray, workers: Workers) -> None:
        self.X = X
        self.k = k
        self.near = near
        self.workers = workers
        self.split = DistanceSplit.even()
        self.values = np.zeros(len(X))
        self.lower_bound = 0.0

    def climb(self, tick: Callable[[float], None]) -> None:
        """Link neighbours, and shift the squared distance of each two from the one to the other.

        Parameters
        ----------
        tick
            Called after each step with the share of the steps that are done; may raise an exception to end the ascent.
        """
        from microagg.kernels.pricing.neighbour_costs import link_neighbours

        links = link_neighbours(self.X, self.near)
        n_steps = _STEPS if len(self.X) <= _MANY_RECORDS else _STEPS_OF_MANY
        shifts = np.zeros(links.ends.shape[1])
        slopes = np.empty(links.ends.shape)
        values = np.empty(len(self.X))
        steps = _LinkSteps(links, n_steps)
        for step in range(n_steps + 1):
            self._evaluate(links, shifts, slopes, values)
            total = float(values.sum())
            if step == 0 or total > self.lower_bound:
                self.lower_bound = total
                self.values = values.copy()
                self.split = DistanceSplit(links.ends[0], links.ends[1], shifts)
            tick(step / n_steps)
            shifts = steps.take(shifts, slopes, self.workers)

    def _evaluate(self, links: "NeighbourLinks", shifts: FloatArray, slopes: FloatArray, values: FloatArray) -> None:
        """Compute the least cost of each record (OUT in `values`), and its subgradients (OUT in `slopes`)."""
        from microagg.kernels.pricing.neighbour_costs import neighbour_costs

        def evaluate(records: range) -> None:
            neighbour_costs(links, shifts, self.k, records.start, records.stop, slopes, values)

        _for_each(evaluate, _slices(len(values), _RECORDS_PER_CALL), self.workers)


class _LinkSteps:
    """Steps of the shifts of all links, taken slice by slice, so that few numbers are in memory besides."""

    def __init__(self, links: "NeighbourLinks", n_steps: int) -> None:
        scales = np.empty(links.ends.shape[1])
        scales[links.edges] = links.halves
        self.slices = _slices(len(scales), _LINKS_PER_CALL)
        self.ascents = [
            AdamAscent(scales[links.start : links.stop], n_steps, _FIRST_STEP, _LAST_STEP, _EPSILON)
            for links in self.slices
        ]

    def take(self, shifts: FloatArray, slopes: FloatArray, workers: Workers) -> FloatArray:
        """Return the shifts after the next step."""
        moved = np.empty_like(shifts)

        def move(number: int) -> None:
            inside = slice(self.slices[number].start, self.slices[number].stop)
            moved[inside] = shifts[inside] + self.ascents[number](slopes[0, inside] + slopes[1, inside])

        _for_each(move, range(len(self.slices)), workers)
        return moved


def _slices(count: int, size: int) -> list[range]:
    """Cut the numbers below `count` into slices."""
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def _for_each(function: Callable[[Item], None], items: Sequence[Item], workers: Workers) -> None:
    """Call a function for each item, in parallel if there are several."""
    if len(items) == 1:
        function(items[0])
    else:
        workers.map(function, items)
