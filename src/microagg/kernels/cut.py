"""Cut an order of records into groups of k to 2k − 1 neighbours, with the least sse.

The sse of a group is summed afresh for each end by Welford's update, which loses nothing however far
the data lie from zero. The papers slide one running sum along the order instead (IMHM): the
same O(n·k·d), but its rounding errors add up over all n steps.
"""

from collections.abc import Callable

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.kernels._jit import WORK, kernel


@kernel
def _squares_back(Y: FloatArray, end: int, count: int, mean: FloatArray, squares: FloatArray) -> None:
    """Sum the squares of the groups of 1 … count records that end before position `end`.

    Parameters
    ----------
    Y
        The records in order, of shape (n, d); positions from −n to 2n − 1 go round.
    mean
        Scratch, of shape (d,).
    squares
        OUT: squares[m] is the sse of the group of m records.
    """
    n, d = Y.shape
    mean[:] = 0.0
    sse = 0.0
    for m in range(1, count + 1):
        position = end - m
        if position < 0:
            position += n
        elif position >= n:
            position -= n
        share = 1.0 / m
        for j in range(d):
            before = Y[position, j] - mean[j]
            mean[j] += before * share
            sse += before * (Y[position, j] - mean[j])
        squares[m] = sse


@kernel
def _cut_some(Y: FloatArray, k: int, first: int, last: int, best: FloatArray, start: IntArray) -> None:
    """Find the best cut up to each of the positions first … last.

    Parameters
    ----------
    best
        IN/OUT: the least sse of the records before each position, of shape (n + 1,).
    start
        OUT: where the last group starts in that cut, of shape (n + 1,).
    """
    mean = np.empty(Y.shape[1])
    squares = np.empty(2 * k)
    for end in range(first, last + 1):
        count = min(end, 2 * k - 1)
        _squares_back(Y, end, count, mean, squares)
        for m in range(k, count + 1):
            if best[end - m] + squares[m] < best[end]:
                best[end] = best[end - m] + squares[m]
                start[end] = end - m


def cut_path(X: FloatArray, order: IntArray, k: int, tick: Callable[[float], None] = lambda done: None) -> IntArray:
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
    n, d = X.shape
    Y = X[order]
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    start = np.zeros(n + 1, dtype=np.int64)
    step = max(1, int(WORK / (2 * k * d)))
    for first in range(k, n + 1, step):
        tick(first / n)
        _cut_some(Y, k, first, min(first + step - 1, n), best, start)
    cuts, end = [], n
    while end > 0:
        end = int(start[end])
        cuts.append(end)
    return np.array(cuts)


def cut_tour(
    X: FloatArray, order: IntArray, k: int, tick: Callable[[float], None] = lambda done: None
) -> tuple[IntArray, IntArray]:
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
        Y = X[order]
        total = np.empty(longest)
        together = max(1, min(longest, X.size // (2 * k)))  # all of them, but for a very large k
        step = max(1, int(WORK / (2 * k * (together + d))))
        for start in range(0, longest, together):
            best = np.full((min(together, longest - start), 2 * k), np.inf)  # of each rotation, the last 2k ends
            for first in range(start, n + longest, step):
                tick((start + together * first / (n + longest)) / (longest + together))
                _rotate_some(Y, k, start, first, min(first + step, n + longest), best, total)
        rotation = int(np.argmin(total))
    path = np.roll(order, -rotation)
    return path, cut_path(X, path, k)


@kernel
def _rotate_some(Y: FloatArray, k: int, start: int, first: int, last: int, best: FloatArray, total: FloatArray) -> None:
    """Find the best cuts up to the positions first … last − 1, from each of len(best) positions from `start` on.

    Parameters
    ----------
    best
        IN/OUT: the least sse of the records between each start and each of the last 2k ends, a ring.
    total
        OUT: the least sse of the whole tour opened at each start.
    """
    n, d = Y.shape
    longest = 2 * k - 1
    mean = np.empty(d)
    squares = np.empty(longest + 1)
    for end in range(first, last):
        _squares_back(Y, end, longest, mean, squares)
        for turn in range(len(best)):
            rotation = start + turn
            shortest = np.inf
            for m in range(k, min(longest, end - rotation) + 1):
                shortest = min(shortest, best[turn, (end - m) % (2 * k)] + squares[m])
            best[turn, end % (2 * k)] = 0.0 if end == rotation else shortest
            if end == rotation + n:
                total[rotation] = shortest


def cut_sorted(
    column: FloatArray, k: int, tick: Callable[[float], None] = lambda done: None
) -> tuple[IntArray, IntArray]:
    """Sort one column and cut it optimally: no partition has a smaller sse. O(n log n + n·k).

    Returns
    -------
    order, starts : ndarray
        The records by value, then index, and where each group starts among them.
    """
    order = np.argsort(column, kind="stable")
    return order, cut_path(column[:, None], order, k, tick)
