"""Search of one leaf for neighbours of the records of another."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.leaf_distances import (
    BitsArray,
    SingleArray,
    centre_leaf,
    compute_margins,
    growth_of,
    measure_leaf,
    reach,
    select_near,
)
from microagg.kernels.geometry.record_leaves import LEAF, Leaves
from microagg.kernels.jit import inlined_kernel
from microagg.model.arrays import FloatArray, IntArray

_NO_RECORD = np.iinfo(np.int64).max  # above every record: ties go to the lowest index


class Search(NamedTuple):
    """State of the search for the neighbours of the records of one leaf: the queries."""

    queries: SingleArray  # (n_columns, LEAF) their points, relative to the centre of their leaf
    points: SingleArray  # (n_columns, LEAF) those of the leaf that is being searched, relative to the same centre
    margins: FloatArray  # (LEAF,) see `leaf_distances`
    thresholds: SingleArray  # (LEAF,) of squared distances; −1 for records that are no queries
    threshold_bits: BitsArray  # (LEAF,) the same memory, as integers
    square_lists: FloatArray  # (LEAF, n_nearest) squared distances of the records in the lists so far
    squares: SingleArray  # (LEAF,) scratch: squared distances of a leaf's points from one query
    bits: BitsArray  # (LEAF,) the same memory, as integers
    active: IntArray  # (LEAF,) scratch: queries that may have a neighbour in a leaf
    hits: IntArray  # (LEAF,) scratch: points that may be neighbours of a query


@inlined_kernel
def make_search(n_columns: int, n_nearest: int) -> Search:
    """Return the memory of a search."""
    thresholds = np.empty(LEAF, dtype=np.float32)
    squares = np.empty(LEAF, dtype=np.float32)
    return Search(
        queries=np.empty((n_columns, LEAF), dtype=np.float32),
        points=np.empty((n_columns, LEAF), dtype=np.float32),
        margins=np.empty(LEAF),
        thresholds=thresholds,
        threshold_bits=thresholds.view(np.int32),
        square_lists=np.empty((LEAF, n_nearest)),
        squares=squares,
        bits=squares.view(np.int32),
        active=np.empty(LEAF, dtype=np.int64),
        hits=np.empty(LEAF, dtype=np.int64),
    )


@inlined_kernel
def begin_search(leaves: Leaves, leaf: int, search: Search, wanted: IntArray, lists: IntArray) -> None:
    """Begin the search for the neighbours of a leaf's records (OUT in `search` and `lists`)."""
    start = leaf * LEAF
    centre_leaf(leaves.turned[leaf], leaves.centres, leaf, search.queries)
    compute_margins(search.queries, leaves.slack, search.margins)
    search.thresholds[:] = -1.0
    search.square_lists[:] = np.inf
    for i in range(min(LEAF, len(lists) - start)):
        if wanted[start + i]:
            search.thresholds[i] = np.inf
            lists[start + i] = _NO_RECORD


@inlined_kernel
def widest_threshold(thresholds: SingleArray) -> float:
    """Return the greatest threshold of all queries."""
    widest = np.float32(0.0)
    for i in range(LEAF):
        widest = max(widest, thresholds[i])
    return float(widest)


@inlined_kernel
def visit_leaf(leaves: Leaves, leaf: int, other: int, shrink: float, search: Search, lists: IntArray) -> None:
    """Search another leaf for neighbours of a leaf's records (IN/OUT in `search` and `lists`)."""
    n, n_nearest = lists.shape
    start = leaf * LEAF
    thresholds = search.thresholds
    margins = search.margins
    n_active = _active_queries(leaves, leaf, other, shrink, search)
    if n_active == 0:
        return
    centre_leaf(leaves.turned[other], leaves.centres, leaf, search.points)
    growth = growth_of(len(search.points))
    n_filled = min(LEAF, n - other * LEAF)
    for query in search.active[:n_active]:
        measure_leaf(search.points, search.queries, query, search.squares)
        if thresholds[query] == np.inf and n_filled >= n_nearest:
            search.threshold_bits[query] = reach(search.bits, n_filled, n_nearest)
            for _ in range(2):  # single precision may be wrong in both directions
                thresholds[query] = thresholds[query] * growth + margins[query]
        n_hits = select_near(search.bits, n_filled, search.threshold_bits[query], search.hits)
        for i in search.hits[:n_hits]:
            if search.squares[i] <= thresholds[query]:
                place = other * LEAF + i
                last = _insert(leaves, start + query, place, lists[start + query], search.square_lists[query])
                if last < np.inf:
                    thresholds[query] = last * leaves.scale * leaves.scale * growth + margins[query]


@inlined_kernel
def _active_queries(leaves: Leaves, leaf: int, other: int, shrink: float, search: Search) -> int:
    """Find the queries (OUT in `search.active`) whose thresholds reach the box of a leaf, and return their number.

    Rounding is monotone, and the sums are those of `measure_leaf`: no record inside is nearer than the gap.
    """
    gaps = search.squares
    for i in range(LEAF):
        gaps[i] = 0.0
    for j in range(len(search.queries)):
        below = np.float32(leaves.low[j, other] - leaves.centres[j, leaf])
        above = np.float32(leaves.high[j, other] - leaves.centres[j, leaf])
        coordinates = search.queries[j]
        for i in range(LEAF):
            gap = max(max(below - coordinates[i], coordinates[i] - above), np.float32(0.0))
            gaps[i] += gap * gap
    n_active = 0
    for i in range(LEAF):
        search.active[n_active] = i
        n_active += gaps[i] <= search.thresholds[i] * shrink
    return n_active


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
