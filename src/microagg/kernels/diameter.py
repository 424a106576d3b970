"""Find the most distant pairs of records."""

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.kernels._jit import kernel


@kernel
def longest_pairs(Y: FloatArray, norms: FloatArray, records: IntArray, first: IntArray, second: IntArray) -> int:
    """List the most distant pairs, the farthest first; ties by the lower, then the higher record.

    Two records are at most as far apart as their distances from one centre add up to: with the records in
    falling order of these, whole rows of pairs are shorter than all that are listed already. O(m²·d) at
    worst, mostly a few hundredths of it.

    Parameters
    ----------
    Y, norms, records
        The points, of shape (m, d), how far each is from some centre, falling, and which record it is.
    first, second
        OUT: the pairs, first < second.

    Returns
    -------
    int
        How many pairs were found: len(first), if there are as many.
    """
    wanted, count = len(first), 0
    squares = np.empty(wanted)
    shortest = -1.0  # a heap: the shortest of the listed pairs stands first
    for a in range(1, len(Y)):
        if (norms[a] + norms[0]) * (1 + 1e-9) < shortest:
            break
        for b in range(a):
            if (norms[a] + norms[b]) * (1 + 1e-9) < shortest:
                break
            pair = 0.0
            for j in range(Y.shape[1]):
                difference = Y[a, j] - Y[b, j]
                pair += difference * difference
            low, high = min(records[a], records[b]), max(records[a], records[b])
            if count < wanted:
                _sift_up(squares, first, second, count, pair, low, high)
                count += 1
            elif _after(squares[0], first[0], second[0], pair, low, high):
                _sift_down(squares, first, second, wanted, pair, low, high)
            if count == wanted:
                shortest = np.sqrt(squares[0])
    for last in range(count - 1, 0, -1):  # take the shortest out again and again: the longest comes to stand first
        pair, low, high = squares[last], first[last], second[last]
        squares[last], first[last], second[last] = squares[0], first[0], second[0]
        _sift_down(squares, first, second, last, pair, low, high)
    return count


@kernel
def first_left(places: IntArray, first: IntArray, second: IntArray, start: int) -> int:
    """Find the first pair from `start` on of which both records are left; len(first) if there is none."""
    for pair in range(start, len(first)):
        if places[first[pair]] >= 0 and places[second[pair]] >= 0:
            return pair
    return len(first)


@kernel
def _after(squares: float, first: int, second: int, other: float, low: int, high: int) -> bool:
    """Say whether the first pair stands after the other one in the list."""
    if squares != other:
        return squares < other
    return first > low or (first == low and second > high)


@kernel
def _sift_up(
    squares: FloatArray, first: IntArray, second: IntArray, slot: int, pair: float, low: int, high: int
) -> None:
    """Put a pair into the heap (IN/OUT), which has `slot` of them."""
    while slot > 0:
        above = (slot - 1) // 2
        if not _after(pair, low, high, squares[above], first[above], second[above]):
            break
        squares[slot], first[slot], second[slot] = squares[above], first[above], second[above]
        slot = above
    squares[slot], first[slot], second[slot] = pair, low, high


@kernel
def _sift_down(
    squares: FloatArray, first: IntArray, second: IntArray, size: int, pair: float, low: int, high: int
) -> None:
    """Put a pair into the heap (IN/OUT) of `size` of them, in the place of the first one."""
    slot = 0
    while 2 * slot + 1 < size:
        below = 2 * slot + 1
        right = below + 1
        if right < size and _after(
            squares[right], first[right], second[right], squares[below], first[below], second[below]
        ):
            below = right
        if not _after(squares[below], first[below], second[below], pair, low, high):
            break
        squares[slot], first[slot], second[slot] = squares[below], first[below], second[below]
        slot = below
    squares[slot], first[slot], second[slot] = pair, low, high
