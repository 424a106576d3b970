"""Optimal cut of an order of records into groups of k to 2k − 1 neighbours: the least sse, by a shortest path.

The sse of each possible group is summed anew by Welford's update, which stays accurate however far the data lie from
zero. The papers slide one running sum along the order instead ([2] steps 10 to 15): the same O(n·k·d), but its rounding
errors accumulate over all n steps.

References
----------
[1] Hansen & Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation, IEEE TKDE 15(4) (MHM).
[2] Mortazavi (2020), Repeated record ordering for constrained size clustering, International Journal of
    Engineering 33(7), appendix, algorithm 2: MHM in the O(n·k) form of Mortazavi, Jalili & Gohargazi (2013) (IMHM).
[3] Mortazavi & Jalili (2015), A novel local search method for microaggregation, The ISC International Journal of
    Information Security 7(1), section 4.2, algorithm 5 (Tour2Assignment).
"""

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel, optional_kernel
from microagg.kernels.record_weights import weight_of
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_BATCH = 128  # ends of groups whose sse is summed in one loop, which the compiler vectorises


def cut_path(X: FloatArray, order: IntArray, k: int, tick: Tick = no_tick) -> IntArray:
    """Cut a path optimally ([1], [2]): a shortest path over the ends of groups, O(n·k·d).

    Ties go to the smaller last group. Fewer than 2k records are one group.

    Parameters
    ----------
    X, order
        The records, of shape (n, d), and the order in which they stand, of shape (n,).
    tick
        Called now and then with the share that is done.

    Returns
    -------
    ndarray of shape (n_groups,)
        Where each group starts in the order, the last group first.
    """
    return cut_path_with_sse(X, order, k, tick)[0]


def cut_path_with_sse(
    X: FloatArray, order: IntArray, k: int, tick: Tick = no_tick, weights: FloatArray | None = None
) -> tuple[IntArray, float]:
    """Cut a path as `cut_path` does, and return the sse too; where records have weights, the weighted one."""
    n, d = X.shape
    columns, least_sse, last_start = _start_cut(X, order, k)
    weights_in_order = None if weights is None else _columns_in_order(weights[:, None], order, k)[0]
    step = steps_per_tick(2 * k * d)
    for first in range(k, n + 1, step):
        tick(first / n)
        _extend_cut(columns, weights_in_order, k, first, min(first + step - 1, n), least_sse, last_start)
    return _trace_back(last_start), float(least_sse[n])


@inner_kernel
def cut_path_at_once(X: FloatArray, order: IntArray, k: int) -> tuple[IntArray, float]:
    """Do the same without ticks, for use in other kernels: O(n·k·d)."""
    columns, least_sse, last_start = _start_cut(X, order, k)
    _extend_cut(columns, None, k, k, len(X), least_sse, last_start)
    return _trace_back(last_start), least_sse[len(X)]


def cut_sorted(
    column: FloatArray, k: int, tick: Tick = no_tick, weights: FloatArray | None = None
) -> tuple[IntArray, IntArray]:
    """Sort one column and cut it optimally: without weights, no partition has a smaller sse ([1]). O(n log n + n·k).

    With weights, no other cut of the sorted records has a smaller one, but a partition into groups that overlap may.

    Returns
    -------
    order, starts : ndarray
        The records by value, then index, and where each group starts in that order, the last group first.
    """
    order = np.argsort(column, kind="stable")
    return order, cut_path_with_sse(column[:, None], order, k, tick, weights)[0]


def cut_tour(X: FloatArray, order: IntArray, k: int, tick: Tick = no_tick) -> tuple[IntArray, IntArray]:
    """Cut a tour optimally: open it where the path is then cut best. O(n·k·(k + d)), O(n·d) memory.

    Returns
    -------
    path, starts : ndarray
        The records in order from where the tour is opened, and where each group starts in the path, the last group
        first.
    """
    path = np.roll(order, -_best_rotation(X, order, k, tick))
    return path, cut_path(X, path, k)


def _best_rotation(X: FloatArray, order: IntArray, k: int, tick: Tick) -> int:
    """Find the position at which a tour is best opened; of equals, the first ([3] lines 28 and 29).

    A group starts at one of any 2k − 1 consecutive positions of a tour, so as many shortest paths are enough; they are
    extended together and share the sse of each group.
    """
    n, d = X.shape
    max_size = 2 * k - 1
    if n <= max_size:
        return 0
    columns = _columns_in_order(X, order, k)
    total_sse = np.empty(max_size)
    n_paths = max(1, min(max_size, X.size // (2 * k)))  # extended together: all, but for a very large k
    step = steps_per_tick(2 * k * (n_paths + d))
    for start in range(0, max_size, n_paths):
        least_sse = np.full((min(n_paths, max_size - start), 2 * k), np.inf)
        for first in range(start, n + max_size, step):
            tick((start + n_paths * first / (n + max_size)) / (max_size + n_paths))
            _extend_rotated_cuts(columns, k, start, first, min(first + step, n + max_size), least_sse, total_sse)
    return int(np.argmin(total_sse))


@kernel
def _columns_in_order(X: FloatArray, order: IntArray, k: int) -> FloatArray:
    """Return the records in order, of shape (d, n + 2(2k − 1)), with 2k − 1 of them from the other end at either end.

    O(n·d).
    """
    n, d = X.shape
    margin = 2 * k - 1
    columns = np.empty((d, n + 2 * margin))
    for place in range(n + 2 * margin):
        record = order[(place - margin) % n]
        for j in range(d):
            columns[j, place] = X[record, j]
    return columns


@inner_kernel
def _sum_group_sse(
    columns: FloatArray,
    weights: FloatArray | None,
    k: int,
    end: int,
    count: int,
    masses: FloatArray,
    means: FloatArray,
    sse: FloatArray,
) -> None:
    """Compute the sse of the groups of 1 … 2k − 1 records that end before each of the positions end … end + count − 1.

    By Welford's update ([2] steps 18 to 20), O(count·k·d).

    Parameters
    ----------
    columns
        IN: the records in order, from `_columns_in_order`.
    weights
        IN: their weights in the same order, or None.
    masses, means
        Scratch, of shape (_BATCH,) and (d, _BATCH).
    sse
        OUT: of shape (2k, _BATCH); sse[m, i] is that of the group of m records that ends before end + i.
    """
    margin = 2 * k - 1
    means[:] = 0.0
    sse[0] = 0.0
    for m in range(1, 2 * k):
        first = margin + end - m
        sse[m] = sse[m - 1]
        sums = sse[m]
        _add_weights(weights, first, count, m, masses)
        for j in range(len(columns)):
            values = columns[j, first : first + count]
            mean = means[j]
            for i in range(count):
                difference = values[i] - mean[i]
                mean[i] += difference * _share(weights, first + i, masses, i, m)
                sums[i] += difference * (values[i] - mean[i]) * weight_of(weights, first + i)


@optional_kernel
def _add_weights(weights: FloatArray | None, first: int, count: int, m: int, masses: FloatArray) -> None:
    """Add the weights at the places first … first + count − 1 to `masses` (IN/OUT), if there are weights.

    These are the m-th records of groups; the first records begin the masses.
    """
    if weights is None:
        return
    for i in range(count):
        masses[i] = weights[first + i] + (masses[i] if m > 1 else 0.0)


@optional_kernel
def _share(weights: FloatArray | None, place: int, masses: FloatArray, i: int, m: int) -> float:
    """Return the share of the record at a place in the weight of the i-th group, of m records."""
    if weights is None:
        return 1.0 / m
    return weights[place] / masses[i]  # type: ignore[no-any-return]


@kernel
def _start_cut(X: FloatArray, order: IntArray, k: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the arguments of `_extend_cut` at the beginning, columns, least_sse and last_start: O(n·d)."""
    least_sse = np.full(len(X) + 1, np.inf)
    least_sse[0] = 0.0
    return _columns_in_order(X, order, k), least_sse, np.zeros(len(X) + 1, dtype=np.int64)


@kernel
def _extend_cut(
    columns: FloatArray,
    weights: FloatArray | None,
    k: int,
    first: int,
    last: int,
    least_sse: FloatArray,
    last_start: IntArray,
) -> None:
    """Find the best cut of the records before each of the positions first … last: O((last − first)·k·d).

    Parameters
    ----------
    columns
        IN: the records in order, from `_columns_in_order`.
    weights
        IN: their weights in the same order, or None.
    least_sse
        IN/OUT: the least sse of the records before each position, of shape (n + 1,).
    last_start
        OUT: where the last group starts in that cut, of shape (n + 1,).
    """
    masses = np.empty(_BATCH)
    means = np.empty((len(columns), _BATCH))
    sse = np.empty((2 * k, _BATCH))
    for batch in range(first, last + 1, _BATCH):
        count = min(_BATCH, last + 1 - batch)
        _sum_group_sse(columns, weights, k, batch, count, masses, means, sse)
        for i in range(count):
            end = batch + i
            for m in range(k, min(end, 2 * k - 1) + 1):
                if least_sse[end - m] + sse[m, i] < least_sse[end]:
                    least_sse[end] = least_sse[end - m] + sse[m, i]
                    last_start[end] = end - m


@kernel
def _trace_back(last_start: IntArray) -> IntArray:
    """Return where each group of the best cut of all records starts, the last one first: O(n)."""
    starts = np.empty(len(last_start), dtype=np.int64)
    n_groups = 0
    end = len(last_start) - 1
    while end > 0:
        end = last_start[end]
        starts[n_groups] = end
        n_groups += 1
    return starts[:n_groups].copy()


@kernel
def _extend_rotated_cuts(
    columns: FloatArray, k: int, start: int, first: int, last: int, least_sse: FloatArray, total_sse: FloatArray
) -> None:
    """Find the best cuts up to the positions first … last − 1, from each of len(least_sse) positions from `start` on.

    O((last − first)·k·(len(least_sse) + d)).

    Parameters
    ----------
    columns
        IN: the records in order, from `_columns_in_order`.
    least_sse
        IN/OUT: by starting position, the least sse of the records between it and each of the last 2k positions: a
        ring buffer.
    total_sse
        OUT: the least sse of the whole tour opened at each starting position.
    """
    max_size = 2 * k - 1
    n = columns.shape[1] - 2 * max_size
    masses = np.empty(_BATCH)
    means = np.empty((len(columns), _BATCH))
    sse = np.empty((2 * k, _BATCH))
    for batch in range(first, last, _BATCH):
        count = min(_BATCH, last - batch)
        _sum_group_sse(columns, None, k, batch, count, masses, means, sse)
        for i in range(count):
            end = batch + i
            for row in range(len(least_sse)):
                opening = start + row
                shortest = np.inf
                for m in range(k, min(max_size, end - opening) + 1):
                    shortest = min(shortest, least_sse[row, (end - m) % (2 * k)] + sse[m, i])
                least_sse[row, end % (2 * k)] = 0.0 if end == opening else shortest
                if end == opening + n:
                    total_sse[opening] = shortest
