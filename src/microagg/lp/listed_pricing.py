"""Pricing of all groups by lists of neighbours: for any number of records, in memory that is proportional to it."""

from functools import partial
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.control.workers import Workers
from microagg.kernels.tick import Tick
from microagg.lp.lagrangian_bound import rounding_error
from microagg.lp.neighbour_duals import NeighbourDuals
from microagg.lp.parallel_calls import call_in_parallel
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem

if TYPE_CHECKING:
    from microagg.kernels.pricing.listed_records import CheapestGroups, ListedRecords, RecordSlacks

_ROOTS_PER_CALL = 512
_MAX_NODES = 2_000  # of the exact search below one root


class RootBounds(NamedTuple):
    """Lower bound that duals prove, and how."""

    lower_bound: float
    cover: IntArray  # (n,) how many groups of that bound each record is in
    relaxed: IntArray  # roots whose least reduced cost is only bounded from below
    relaxed_costs: FloatArray  # these bounds


class ListedPricer:
    """Pricing of all groups, exact where a root has few candidates, else a lower bound.

    Every group has one root: its first record in the order of the duals of neighbours, the highest first. The order
    stays the same from call to call, so that the cheapest group of a root in one call is the first cutoff in the next.

    Parameters
    ----------
    problem
        The records, at least two of them in a group.
    start
        Lists of the nearest neighbours, and the split of their squared distances.
    workers
        Share the roots; how many there are changes nothing.
    """

    def __init__(self, problem: Problem, start: NeighbourDuals, workers: Workers) -> None:
        self.problem = problem
        self.workers = workers
        self.sizes = range(problem.k, min(2 * problem.k - 1, problem.n) + 1)
        self._order, self._records = _listed_records(problem, start)
        self._members = np.full((problem.n, self.sizes[-1]), -1, dtype=np.int64)
        sums = self._records.sums
        self._largest_sum = float(np.abs(sums[np.isfinite(sums)]).max())

    def price(self, duals: FloatArray, tick: Tick) -> RootBounds:
        """Bound the reduced costs of the groups of each root, and the sse by them: see `lagrangian_result`.

        Parameters
        ----------
        duals
            Any numbers, one a record.
        tick
            Called several times a second.
        """
        from microagg.kernels.pricing.listed_records import CheapestGroups, reduced_costs

        n, k = self.problem.n, self.problem.k
        laid_out = duals[self._order]
        known = np.minimum(reduced_costs(self._records.X, laid_out, self._members), 0.0)
        found = CheapestGroups(known, self._members.copy(), np.zeros(n, dtype=np.bool_), np.zeros(1, dtype=np.bool_))
        slacks = [_slacks(self._records, laid_out, size) for size in self.sizes]
        calls = (
            partial(self._price_slice, slacks, found, first, min(first + _ROOTS_PER_CALL, n))
            for first in range(0, n, _ROOTS_PER_CALL)
        )
        call_in_parallel(self.workers, calls, [found.cancelled], tick)
        relaxed = np.flatnonzero(found.relaxed)
        found.members[relaxed] = -1
        self._members = found.members
        negative = np.flatnonzero(found.costs < 0.0)
        cheapest = negative[np.lexsort((negative, found.costs[negative]))][: n // k]
        members = found.members[cheapest]
        error = rounding_error(self.problem, float(np.abs(duals).max()) + self._largest_sum)
        return RootBounds(
            fsum([*duals, *found.costs[cheapest], -error]),
            np.bincount(self._order[members[members >= 0]], minlength=n),
            self._order[relaxed],
            found.costs[relaxed],
        )

    def _price_slice(self, slacks: "list[RecordSlacks]", found: "CheapestGroups", first: int, last: int) -> None:
        """Search the groups of every size of some roots."""
        from microagg.kernels.pricing.listed_roots import price_listed_roots

        for size, of_size in zip(self.sizes, slacks, strict=True):
            price_listed_roots(self._records, of_size, size, first, last, _MAX_NODES, found)


def _slacks(records: "ListedRecords", duals: FloatArray, size: int) -> "RecordSlacks":
    """Compute what each record adds at least to the reduced cost of a group of a size."""
    from microagg.kernels.geometry.record_boxes import BOX
    from microagg.kernels.pricing.listed_records import RecordSlacks

    n = len(duals)
    slacks = records.sums[:, size - 2] / size - duals
    by_rank = np.empty(n)
    by_rank[records.ranks] = slacks
    least_after = np.append(np.minimum.accumulate(by_rank[:0:-1])[::-1], np.inf)
    return RecordSlacks(duals, slacks, least_after[records.ranks], np.minimum.reduceat(slacks, np.arange(0, n, BOX)))


def _listed_records(problem: Problem, start: NeighbourDuals) -> "tuple[IntArray, ListedRecords]":
    """Lay out the records so that those near each other follow each other; return their order too."""
    from microagg.kernels.geometry.record_boxes import make_boxes
    from microagg.kernels.pricing.listed_records import ListedRecords
    from microagg.kernels.pricing.listed_sums import listed_sums, spread_excess

    n, k = problem.n, problem.k
    boxes = make_boxes(problem.X)
    place_of = np.empty(n, dtype=np.int64)
    place_of[boxes.order] = np.arange(n)
    X = problem.X[boxes.order]
    lists = place_of[start.lists[boxes.order]]
    excess = np.zeros(lists.shape)
    spread_excess(lists, place_of[start.split.first], place_of[start.split.second], start.split.excess, excess)
    is_complete = lists.shape[1] == n - 1
    radii = np.full(n, np.inf) if is_complete else np.square(X - X[lists[:, -1]]).sum(axis=1)
    sums = listed_sums(X, lists, excess, radii, 2 * k - 3)
    ranks = np.empty(n, dtype=np.int64)
    ranks[np.argsort(-start.values[boxes.order], kind="stable")] = np.arange(n)
    return boxes.order, ListedRecords(X, lists, excess, radii, sums, ranks, boxes.low, boxes.high)
