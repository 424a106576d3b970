"""Find a short tour through all records: nearest next, improved by 2-opt and Or-opt.

Our own kernel and not a library: those that are well kept either want a matrix of all n² distances or bring a
compiler of their own, and a tour within some percent of the shortest is all that the cut can use.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.neighbour_lists import neighbours
from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.kernels.walks.orderings import nearest_next
from microagg.model.arrays import FloatArray, IntArray

_NEIGHBOURS = 10
_SEGMENT = 3  # Or-opt moves up to so many records at a time
_SHORTER = 1 - 1e-12  # a move that shortens by less than that may be rounding, and go round for ever


class Tour(NamedTuple):
    """A tour that is being improved."""

    order: IntArray  # (n,) the records along the tour
    position: IntArray  # (n,) where each stands
    queue: IntArray  # (n,) a ring of the records that have not been looked at since their surroundings changed
    queued: IntArray  # (n,) 1 for those in it
    ends: IntArray  # (2,) where the ring starts, and how many stand in it


def short_tour(X: FloatArray, tick: Tick = no_tick) -> IntArray:
    """Find a tour that no 2-opt or Or-opt move between near records shortens: O(n²·d), O(n) memory besides X.

    Opened at its longest edge, so that it serves as a path too. Ties go to the lowest index.
    """
    n, d = X.shape
    order = nearest_next(X, lambda done: tick(0.3 * done))
    if n < 5:
        return order
    near = neighbours(X, min(n - 1, _NEIGHBOURS), lambda done: tick(0.3 + 0.4 * done))
    position, queue, queued = np.empty((3, n), dtype=np.int64)
    position[order] = np.arange(n)
    tour = Tour(order, position, queue, queued, ends=np.zeros(2, dtype=np.int64))
    steps = steps_per_tick(100 * _NEIGHBOURS * d)
    improved, share = True, 0.3
    while improved:  # a move may make another possible where nobody looks again: go on until a whole round finds none
        improved = False
        queue[:], queued[:], tour.ends[:] = order, 1, (0, n)
        while tour.ends[1]:
            tick(1 - share * (0.5 + 0.5 * tour.ends[1] / n))
            improved |= improve_tour(X, near, tour, steps)
        share /= 2
    return np.roll(order, -_longest_edge(X, order))


@kernel
def improve_tour(X: FloatArray, near: IntArray, tour: Tour, steps: int) -> bool:
    """Look at up to `steps` records in the queue, and make every move that shortens the tour (IN/OUT).

    Returns
    -------
    bool
        Whether there was one.
    """
    n, improved = len(tour.order), False
    for _ in range(steps):
        if tour.ends[1] == 0:
            break
        record = tour.queue[tour.ends[0]]
        tour.ends[0] = (tour.ends[0] + 1) % n
        tour.ends[1] -= 1
        tour.queued[record] = 0
        if _improve_at(X, near, tour, record):
            improved = True
            _look_again(tour, record)
    return improved


@kernel
def _improve_at(X: FloatArray, near: IntArray, tour: Tour, a: int) -> bool:
    """Make the first move that brings a record next to a nearer one and shortens the tour; say if there was one."""
    for side in (1, -1):
        b = _next(tour, a, side)
        before = _distance(X, a, b)
        for c in near[a]:
            across = _distance(X, a, c)
            if across >= before:
                break
            d = _next(tour, c, side)
            if c != b and d != a:
                old, new = before + _distance(X, c, d), across + _distance(X, b, d)
                if new < old * _SHORTER:
                    _swap_edges(tour, a, b, c, d, side)
                    return True
            if _move_next_to(X, tour, a, b, c, side, before, across):
                return True
    return False


@kernel
def _swap_edges(tour: Tour, a: int, b: int, c: int, d: int, side: int) -> None:
    """Replace the edges a–b and c–d by a–c and b–d: 2-opt."""
    if side > 0:  # a b … c d
        _reverse(tour, tour.position[b], tour.position[c])
    else:  # d c … b a
        _reverse(tour, tour.position[c], tour.position[b])
    _look_again(tour, a)
    _look_again(tour, b)
    _look_again(tour, c)
    _look_again(tour, d)


@kernel
def _move_next_to(X: FloatArray, tour: Tour, a: int, b: int, c: int, side: int, before: float, across: float) -> bool:
    """Move up to three records, the first of them a, away from b and next to c, if that shortens the tour: Or-opt.

    `before` is the length of a–b, `across` that of a–c.
    """
    n = len(tour.order)
    end = a
    for length in range(1, min(_SEGMENT, n - 3) + 1):
        if length > 1:
            end = _next(tour, end, -side)
        if end == c:
            return False
        beyond = _next(tour, end, -side)
        freed, closed = before + _distance(X, end, beyond), across + _distance(X, b, beyond)
        for way in (1, -1):
            f = _next(tour, c, way)
            if (c == b and f == a) or (c == beyond and f == end):
                continue
            if closed + _distance(X, end, f) < (freed + _distance(X, c, f)) * _SHORTER:
                _move(tour, a, end, length, c, f, side, way)
                for record in (a, b, c, end, beyond, f):
                    _look_again(tour, record)
                return True
    return False


@kernel
def _move(tour: Tour, a: int, end: int, length: int, c: int, f: int, side: int, way: int) -> None:
    """Put the records a … end between c and f, a beside c, by shifting what is between, on the shorter way round."""
    n = len(tour.order)
    segment = np.empty(length, dtype=np.int64)
    start = tour.position[end] if side > 0 else tour.position[a]
    for i in range(length):
        segment[i] = tour.order[(start + i) % n]
    before, after = (c, f) if way > 0 else (f, c)
    if (segment[0] == a) != (before == c):
        segment = segment[::-1].copy()
    forward = (tour.position[before] - start - length + 1) % n  # how many records stand between it and its new place
    backward = (start - tour.position[after]) % n
    if forward <= backward:
        for i in range(forward):
            _put(tour, (start + i) % n, tour.order[(start + length + i) % n])
        start += forward
    else:
        for i in range(1, backward + 1):
            _put(tour, (start + length - i) % n, tour.order[(start - i) % n])
        start -= backward
    for i in range(length):
        _put(tour, (start + i) % n, segment[i])


@kernel
def _reverse(tour: Tour, first: int, last: int) -> None:
    """Turn the positions first … last round, or all the others: the tour is the same."""
    n = len(tour.order)
    inside = (last - first) % n + 1
    if 2 * inside > n:
        first, last = last + 1, first - 1
        inside = n - inside
    for i in range(inside // 2):
        left, right = (first + i) % n, (last - i) % n
        one, other = tour.order[left], tour.order[right]
        _put(tour, left, other)
        _put(tour, right, one)


@kernel
def _put(tour: Tour, position: int, record: int) -> None:
    tour.order[position] = record
    tour.position[record] = position


@kernel
def _next(tour: Tour, record: int, side: int) -> int:
    """Give the record before (side −1) or after (side 1) this one."""
    return int(tour.order[(tour.position[record] + side) % len(tour.order)])


@kernel
def _look_again(tour: Tour, record: int) -> None:
    if not tour.queued[record]:
        tour.queued[record] = 1
        tour.queue[(tour.ends[0] + tour.ends[1]) % len(tour.order)] = record
        tour.ends[1] += 1


@kernel
def _distance(X: FloatArray, one: int, other: int) -> float:
    squares = 0.0
    for j in range(X.shape[1]):
        difference = X[one, j] - X[other, j]
        squares += difference * difference
    return float(np.sqrt(squares))


@kernel
def _longest_edge(X: FloatArray, order: IntArray) -> int:
    """Find the position after the longest edge of a tour."""
    best, longest = 0, -1.0
    for position in range(len(order)):
        edge = _distance(X, order[position - 1], order[position])
        if edge > longest:
            best, longest = position, edge
    return best
