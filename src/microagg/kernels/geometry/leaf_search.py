"""Search of leaves for the nearest records of each record of a leaf."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from microagg.kernels.geometry.leaf_order import keep_near, make_heap, measure_leaves, pop_nearest
from microagg.kernels.geometry.leaf_visit import begin_search, make_search, visit_leaf, widest_threshold
from microagg.kernels.geometry.record_leaves import LEAF, Leaves
from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, steps_per_tick
from microagg.model.arrays import IntArray

_SLICES = 8  # of leaves, between two ticks: each is the work of one thread


class Effort(NamedTuple):
    """How far a search goes."""

    max_leaves: int  # that are searched for the records of one leaf, nearest first
    shrink: float  # 1, or below: leaves whose squared distance from a record is above this share of T are skipped


EXACT = Effort(np.iinfo(np.int64).max, 1.0)


class ParallelMap(Protocol):
    """Function that calls another one for each item, in any order or side by side, and returns once all are done."""

    def __call__(self, function: Callable[[range], None], items: Sequence[range], /) -> object:
        """Call the function for each item."""


def one_by_one(function: Callable[[range], None], items: Sequence[range], /) -> None:
    """Call a function for each item in turn."""
    for item in items:
        function(item)


def search_leaves(
    leaves: Leaves, n_nearest: int, wanted: IntArray, effort: Effort, tick: Tick, in_parallel: ParallelMap
) -> IntArray:
    """Find the nearest records of each wanted record, itself included, by distance, then index.

    Parameters
    ----------
    leaves
        The leaves of all records.
    n_nearest
        The length of the lists, at most the number of records.
    wanted
        1 for each place of `leaves.records` whose list is wanted, otherwise 0.
    effort
        How far the search goes.
    tick
        Progress callback.
    in_parallel
        The map that shares the work among threads.

    Returns
    -------
    ndarray of shape (n, n_nearest)
        The list of each place; −1 where it is not wanted.
    """
    n_leaves, n_columns, _ = leaves.turned.shape
    lists = np.full((len(leaves.records), n_nearest), -1, dtype=np.int64)

    def search_slice(numbers: range) -> None:
        _search_slice(leaves, numbers.start, numbers.stop, effort, wanted, lists)

    step = steps_per_tick(_SLICES * LEAF * LEAF * min(n_leaves, effort.max_leaves) * n_columns / 4)
    if step >= n_leaves:
        tick(0.0)
        search_slice(range(n_leaves))
        return lists
    slices = [range(first, min(first + step, n_leaves)) for first in range(0, n_leaves, step)]
    for first in range(0, len(slices), _SLICES):
        tick(first / len(slices))
        in_parallel(search_slice, slices[first : first + _SLICES])
    return lists


@kernel
def _search_slice(leaves: Leaves, first: int, last: int, effort: Effort, wanted: IntArray, lists: IntArray) -> None:
    """Search for the nearest records of the wanted ones of the leaves first … last − 1 (OUT in `lists`)."""
    n_leaves, n_columns, _ = leaves.turned.shape
    search = make_search(n_columns, lists.shape[1])
    gaps = np.empty(n_leaves)
    away = np.empty(n_leaves)
    heap = np.empty(n_leaves, dtype=np.int64)
    for leaf in range(first, last):
        begin_search(leaves, leaf, search, wanted, lists)
        measure_leaves(leaves, leaf, gaps, away)
        away[leaf] = -1.0  # its own leaf first
        n_left = make_heap(heap, away)
        widest = np.inf
        n_visited = 0
        while n_left > 0 and n_visited < effort.max_leaves:
            other = pop_nearest(heap, n_left, away)
            n_left -= 1
            if gaps[other] > widest:
                continue
            visit_leaf(leaves, leaf, other, effort.shrink, search, lists)
            n_visited += 1
            widest = widest_threshold(search.thresholds) * effort.shrink
            if n_visited == 1:
                n_left = keep_near(heap, n_left, gaps, away, widest)
