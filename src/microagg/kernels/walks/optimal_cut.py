"""Cut an order of records into groups of k to 2k − 1 neighbours, with the least sse.

The sse of a group is summed afresh for each end by Welford's update, which loses nothing however far
the data lie from zero. The papers slide one running sum along the order instead (IMHM): the
same O(n·k·d), but its rounding errors add up over all n steps.
"""

import numpy as np

from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_ENDS = 128  # of groups that are summed side by side, so that several go into one instruction


@kernel
def _columns(X: FloatArray, order: IntArray, k: int) -> FloatArray:
    """Give the records in order, column by column, with 2k − 1 from the other end at either end."""
    n, d = X.shape
    margin = 2 * k - 1
    columns = np.empty((d, n + 2 * margin))
    for place in range(n + 2 * margin):
        record = order[(place - margin) % n]
        for j in range(d):
            columns[j, place] = X[record, j]
    return columns


@kernel
def _sum_squares(columns: FloatArray, k: int, end: int, count: int, means: FloatArray, squares: FloatArray) -> None:
    """Sum the squares of the groups of 1 … 2k − 1 records that end before each of `count` positions from `end` on.

    Parameters
    ----------
    columns
        The records, from `_columns`.
    means
        Scratch, of shape (d, _ENDS).
    squares
        OUT: squares[m, i] is the sse of the group of m records that ends before end + i.
    """
    margin = 2 * k - 1
    means[:] = 0.0
    squares[0] = 0.0
    for m in range(1, 2 * k):
        share = 1.0 / m
        squares[m] = squares[m - 1]
        sums, first = squares[m], margin + end - m
        for j in range(len(columns)):
            values, mean = columns[j, first : first + count], means[j]
            for i in range(count):
                before = values[i] - mean[i]
                mean[i] += before * share
                sums[i] += before * (values[i] - mean[i])


@kernel
def _cut_some(columns: FloatArray, k: int, first: int, last: int, best: FloatArray, start: IntArray) -> None:
    """Find the best cut up to each of the positions first … last.

    Parameters
    ----------
    best
        IN/OUT: the least sse of the records before each position, of shape (n + 1,).
    start
        OUT: where the last group starts in that cut, of shape (n + 1,).
    """
    means, squares = np.empty((len(columns), _ENDS)), np.empty((2 * k, _ENDS))
    for block in range(first, last + 1, _ENDS):
        count = min(_ENDS, last + 1 - block)
        _sum_squares(columns, k, block, count, means, squares)
        for i in range(count):
            end = block + i
            for m in range(k, min(end, 2 * k - 1) + 1):
                if best[end - m] + squares[m, i] < best[end]:
                    best[end] = best[end - m] + squares[m, i]
                    start[end] = end - m


def cut_path(X: FloatArray, order: IntArray, k: int, tick: Tick = no_tick) -> IntArray:
    """Cut a path optimally: a shortest path over the ends of groups, O(n·k·d).

    Ties go to the smaller last group. Fewer than 2k records are one group.

    Parameters
    ----------
    X, order
        The records, of shape (n, d), and the order in which they stand, of shape (n,).
    tick
        Is told the share that is done, every now and then.

    Returns
    -------
    ndarray of shape (n_groups,)
        Where each group starts in the order, the last group first.

    References
    ----------
    Hansen & Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation, IEEE
    TKDE 15(4); in the O(n·k) form of Mortazavi & Erfani, Repeated record ordering for constrained
    size clustering, appendix, algorithm 2 (IMHM).
    """
    return best_cut(X, order, k, tick)[0]


def best_cut(X: FloatArray, order: IntArray, k: int, tick: Tick = no_tick) -> tuple[IntArray, float]:
    """Cut a path as `cut_path` does, and give the sse too."""
    n, d = X.shape
    columns, best, start = _open(X, order, k)
    step = steps_per_tick(2 * k * d)
    for first in range(k, n + 1, step):
        tick(first / n)
        _cut_some(columns, k, first, min(first + step - 1, n), best, start)
    return _trace(start), float(best[n])


@kernel
def cut_at_once(X: FloatArray, order: IntArray, k: int) -> tuple[IntArray, float]:
    """Do the same within a kernel."""
    columns, best, start = _open(X, order, k)
    _cut_some(columns, k, k, len(X), best, start)
    return _trace(start), best[len(X)]


@kernel
def _open(X: FloatArray, order: IntArray, k: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Give what `_cut_some` wants: the columns, and the best cut of no records."""
    best = np.full(len(X) + 1, np.inf)
    best[0] = 0.0
    return _columns(X, order, k), best, np.zeros(len(X) + 1, dtype=np.int64)


@kernel
def _trace(start: IntArray) -> IntArray:
    """Give where each group starts, the last one first."""
    cuts, count, end = np.empty(len(start), dtype=np.int64), 0, len(start) - 1
    while end > 0:
        end = start[end]
        cuts[count] = end
        count += 1
    return cuts[:count].copy()


def cut_tour(X: FloatArray, order: IntArray, k: int, tick: Tick = no_tick) -> tuple[IntArray, IntArray]:
    """Cut a tour optimally: open it where the path is then cut best. O(n·k·(k + d)), O(n·d) memory.

    One of any 2k − 1 neighbouring positions of a tour starts a group, so as many
    shortest paths are enough; they run side by side and share each group's sse.

    Returns
    -------
    path, starts : ndarray
        The records in order from where the tour was opened, and where each group starts among them.

    References
    ----------
    Mortazavi & Jalili (2015), ICSM, section 4.2, algorithm 5 (Tour2Assignment).
    """
    n, d = X.shape
    longest = 2 * k - 1
    rotation = 0
    if n > longest:
        columns = _columns(X, order, k)
        total = np.empty(longest)
        together = max(1, min(longest, X.size // (2 * k)))  # all of them, but for a very large k
        step = steps_per_tick(2 * k * (together + d))
        for start in range(0, longest, together):
            best = np.full((min(together, longest - start), 2 * k), np.inf)  # of each rotation, the last 2k ends
            for first in range(start, n + longest, step):
                tick((start + together * first / (n + longest)) / (longest + together))
                _rotate_some(columns, k, start, first, min(first + step, n + longest), best, total)
        rotation = int(np.argmin(total))
    path = np.roll(order, -rotation)
    return path, cut_path(X, path, k)


@kernel
def _rotate_some(
    columns: FloatArray, k: int, start: int, first: int, last: int, best: FloatArray, total: FloatArray
) -> None:
    """Find the best cuts up to the positions first … last − 1, from each of len(best) positions from `start` on.

    Parameters
    ----------
    best
        IN/OUT: the least sse of the records between each start and each of the last 2k ends, a ring.
    total
        OUT: the least sse of the whole tour opened at each start.
    """
    longest = 2 * k - 1
    n = columns.shape[1] - 2 * longest
    means, squares = np.empty((len(columns), _ENDS)), np.empty((2 * k, _ENDS))
    for block in range(first, last, _ENDS):
        count = min(_ENDS, last - block)
        _sum_squares(columns, k, block, count, means, squares)
        for i in range(count):
            end = block + i
            for turn in range(len(best)):
                rotation = start + turn
                shortest = np.inf
                for m in range(k, min(longest, end - rotation) + 1):
                    shortest = min(shortest, best[turn, (end - m) % (2 * k)] + squares[m, i])
                best[turn, end % (2 * k)] = 0.0 if end == rotation else shortest
                if end == rotation + n:
                    total[rotation] = shortest


def cut_sorted(column: FloatArray, k: int, tick: Tick = no_tick) -> tuple[IntArray, IntArray]:
    """Sort one column and cut it optimally: no partition has a smaller sse. O(n log n + n·k).

    Returns
    -------
    order, starts : ndarray
        The records by value, then index, and where each group starts among them.
    """
    order = np.argsort(column, kind="stable")
    return order, cut_path(column[:, None], order, k, tick)
