"""Lists of the nearest neighbours of each record, computed once for many uses."""

import numpy as np

from microagg.kernels.geometry.equal_records import distinct_points
from microagg.kernels.geometry.leaf_search import EXACT, Effort, ParallelMap, one_by_one, search_leaves
from microagg.kernels.geometry.record_leaves import make_leaves
from microagg.kernels.tick import Tick, no_tick
from microagg.model.arrays import FloatArray, IntArray

_ROWS = 2**16  # of the lists, copied at a time


def neighbours(
    X: FloatArray, n_neighbours: int, tick: Tick = no_tick, in_parallel: ParallelMap = one_by_one
) -> IntArray:
    """Find the nearest other records of each record, by distance, then index: O(n²·d) at worst, mostly far less.

    Parameters
    ----------
    X
        The points of the records, of shape (n, d).
    n_neighbours
        The length of the lists, below n.
    tick
        Progress callback.
    in_parallel
        The map that shares the work among threads, such as `Workers.map`; it changes no result.

    Returns
    -------
    ndarray of shape (n, n_neighbours)
    """
    return search_lists(X, n_neighbours, EXACT, tick, in_parallel)


def search_lists(X: FloatArray, n_neighbours: int, effort: Effort, tick: Tick, in_parallel: ParallelMap) -> IntArray:
    """Find near records of each record with some effort; the nearest ones if it is `EXACT`.

    Of equal records, only the first n_neighbours + 1 can be neighbours of any, and all have the same list but for the
    record itself: however many are equal, that makes the search shorter.
    """
    n = len(X)
    point_of, firsts = distinct_points(X)
    records = np.flatnonzero(_ranks(point_of, len(firsts)) <= n_neighbours)
    leaves = make_leaves(X, records)
    is_first = np.zeros(n, dtype=np.int64)
    is_first[firsts] = 1
    found = search_leaves(leaves, n_neighbours + 1, is_first[leaves.records], effort, tick, in_parallel)
    place_of = np.empty(n, dtype=np.int64)
    place_of[leaves.records] = np.arange(len(records))
    place_of = place_of[firsts][point_of]
    lists = np.empty((n, n_neighbours), dtype=np.int64)
    for first in range(0, n, _ROWS):
        rows = np.arange(first, min(first + _ROWS, n))
        lists[rows] = _without(found[place_of[rows]], rows)
    return lists


def _ranks(point_of: IntArray, n_points: int) -> IntArray:
    """Count, for each record, the records of its point that have a lower index."""
    n = len(point_of)
    if n_points == n:
        return np.zeros(n, dtype=np.int64)
    order = np.argsort(point_of, kind="stable")
    sizes = np.bincount(point_of)
    ranks = np.empty(n, dtype=np.int64)
    ranks[order] = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ranks


def _without(lists: IntArray, records: IntArray) -> IntArray:
    """Return the lists without the record of each row, or without their last one where it is not in them."""
    is_record = lists == records[:, None]
    is_record[:, -1] |= ~is_record.any(axis=1)
    others: IntArray = lists[~is_record].reshape(len(records), -1)
    return others
