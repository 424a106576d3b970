"""Search of leaves for the nearest records of each record of a leaf."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from microagg.kernels.geometry.leaf_distances import (
    active_queries,
    centre_leaf,
    growth_of,
    margins_of,
    measure_leaf,
    reach,
    select_near,
)
from microagg.kernels.geometry.record_leaves import LEAF, Leaves
from microagg.kernels.jit import inlined_kernel, kernel
from microagg.kernels.tick import Tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_NO_RECORD = np.iinfo(np.int64).max  # above every record: ties go to the lowest index
_SLICES = 8  # of leaves, between two ticks: each is the work of one thread


class ParallelMap(Protocol):
    """Function that calls another one for each item, in any order or side by side, and returns once all are done."""

    def __call__(self, function: Callable[[range], None], items: Sequence[range], /) -> object:
        """Call the function for each item."""


def one_by_one(function: Callable[[range], None], items: Sequence[range], /) -> None:
    """Call a function for each item in turn."""
    for item in items:
        function(item)


def search_leaves(
    leaves: Leaves, n_nearest: int, wanted: IntArray, max_leaves: int, tick: Tick, in_parallel: ParallelMap
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
    max_leaves
        The number of leaves that are searched for the records of one, nearest first; if these are all, lists are exact.
    tick
        Progress callback.
    in_parallel
        The map that shares the work among threads.

    Returns
    -------
    ndarray of shape (n, n_nearest)
        The list of each place; −1 where it is not wanted.
    """
    n_leaves, d, _ = leaves.turned.shape
    lists = np.full((len(leaves.records), n_nearest), -1, dtype=np.int64)

    def search_slice(slice_of_leaves: range) -> None:
        for leaf in slice_of_leaves:
            order, bounds = _near_leaves(leaves, leaf, max_leaves)
            _search(leaves, leaf, order, bounds, wanted, lists)

    step = steps_per_tick(_SLICES * LEAF * LEAF * min(n_leaves, max_leaves) * d / 4)
    slices = [range(first, min(first + step, n_leaves)) for first in range(0, n_leaves, step)]
    for first in range(0, len(slices), _SLICES):
        tick(first / len(slices))
        in_parallel(search_slice, slices[first : first + _SLICES])
    return lists


def _near_leaves(leaves: Leaves, leaf: int, max_leaves: int) -> tuple[IntArray, FloatArray]:
    """Return the leaves nearest to one, by their centres, and lower bounds of the squared distances between them."""
    away = np.square(leaves.centres - leaves.centres[leaf]).sum(axis=1)
    away[leaf] = -1.0
    order = np.argsort(away, kind="stable")[:max_leaves]
    gaps = np.maximum(leaves.low[order] - leaves.high[leaf], leaves.low[leaf] - leaves.high[order])
    return order, np.square(np.maximum(gaps, 0.0)).sum(axis=1)


@kernel
def _search(leaves: Leaves, leaf: int, order: IntArray, bounds: FloatArray, wanted: IntArray, lists: IntArray) -> None:
    """Search leaves, in an order, for the nearest records of the wanted ones of a leaf (OUT in `lists`)."""
    n, n_nearest = lists.shape
    n_columns = leaves.turned.shape[1]
    start = leaf * LEAF
    centre = leaves.centres[leaf]
    queries = np.empty((n_columns, LEAF), dtype=np.float32)
    others = np.empty((n_columns, LEAF), dtype=np.float32)
    centre_leaf(leaves.turned[leaf], centre, queries)
    margins = margins_of(queries, leaves.slack)
    growth = growth_of(n_columns)
    thresholds = np.full(LEAF, np.float32(-1.0))  # of what is not wanted: no distance is below
    for i in range(min(LEAF, n - start)):
        if wanted[start + i]:
            thresholds[i] = np.inf
            lists[start + i] = _NO_RECORD
    threshold_bits = thresholds.view(np.int32)
    square_lists = np.full((LEAF, n_nearest), np.inf)
    squares = np.empty(LEAF, dtype=np.float32)
    bits = squares.view(np.int32)
    active = np.empty(LEAF, dtype=np.int64)
    hits = np.empty(LEAF, dtype=np.int64)
    widest = np.inf
    for turn in range(len(order)):
        if bounds[turn] > widest:
            continue
        other = order[turn]
        n_active = active_queries(queries, leaves.low[other], leaves.high[other], centre, thresholds, squares, active)
        if n_active == 0:
            continue
        centre_leaf(leaves.turned[other], centre, others)
        n_filled = min(LEAF, n - other * LEAF)
        for query in active[:n_active]:
            measure_leaf(others, queries, query, squares)
            if thresholds[query] == np.inf and n_filled >= n_nearest:
                threshold_bits[query] = reach(bits, n_filled, n_nearest)
                for _ in range(2):  # single precision may be wrong in both directions
                    thresholds[query] = thresholds[query] * growth + margins[query]
            n_hits = select_near(bits, n_filled, threshold_bits[query], hits)
            for i in hits[:n_hits]:
                if squares[i] <= thresholds[query]:
                    place = other * LEAF + i
                    last = _insert(leaves, start + query, place, lists[start + query], square_lists[query])
                    if last < np.inf:
                        thresholds[query] = last * leaves.scale * leaves.scale * growth + margins[query]
        widest = 0.0
        for query in range(LEAF):
            widest = max(widest, thresholds[query])


@inlined_kernel
def _insert(leaves: Leaves, query: int, place: int, nearest: IntArray, squares: FloatArray) -> float:
    """Insert a record into the sorted list of a query (IN/OUT), if it belongs there; return the last squared distance.

    The distance is that of `distances.squared_distance`, to the bit.
    """
    square = 0.0
    for j in range(leaves.points.shape[1]):
        difference = leaves.points[place, j] - leaves.points[query, j]
        square += difference * difference
    record = leaves.records[place]
    slot = len(nearest)
    while slot > 0 and (squares[slot - 1] > square or (squares[slot - 1] == square and nearest[slot - 1] > record)):
        slot -= 1
        if slot + 1 < len(nearest):
            nearest[slot + 1] = nearest[slot]
            squares[slot + 1] = squares[slot]
    if slot < len(nearest):
        nearest[slot] = record
        squares[slot] = square
    return float(squares[-1])
