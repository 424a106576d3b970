"""Short tours through all records: nearest next, improved by 2-opt and Or-opt moves.

A kernel of our own and not a library: those that are maintained either need a matrix of all n² distances or bring a
compiler of their own, and the cut gains nothing from a tour that is some percent shorter.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.approximate_neighbours import neighbours_near
from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.jit import inner_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.kernels.walks.orderings import nearest_next, tick_within
from microagg.model.arrays import FloatArray, IntArray

_N_NEIGHBOURS = 10
_MAX_SEGMENT = 3  # records that an Or-opt move relocates together
_MAX_RATIO = 1 - 1e-12  # of the lengths after and before a move: any closer to 1, rounding could repeat moves for ever
_NEXT, _COUNT = 0, 1  # indices into `Tour.queue_state`


class Tour(NamedTuple):
    """Tour that is being improved, and the queue of records at which a move may shorten it."""

    order: IntArray  # (n,) the records along the tour
    position: IntArray  # (n,) of each record in `order`
    queue: IntArray  # (n,) ring buffer of the records whose surroundings have changed since moves were tried there
    queued: IntArray  # (n,) 1 for the records in the queue, otherwise 0
    queue_state: IntArray  # (2,) index of the next record in `queue`, and number of records in it


def short_tour(X: FloatArray, tick: Tick = no_tick) -> IntArray:
    """Find a tour that no 2-opt or Or-opt move between near records shortens: O(n²·d), O(n) memory besides X.

    Opened at its longest edge, so that it serves as a path too. Ties go to the lowest index.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.
    """
    n, d = X.shape
    order = nearest_next(X, partial(tick_within, 0.0, 0.3, tick))
    if n < 5:
        return order
    near = neighbours_near(X, min(n - 1, _N_NEIGHBOURS), partial(tick_within, 0.3, 0.7, tick))
    tour = _make_tour(order)
    steps = steps_per_tick(100 * _N_NEIGHBOURS * d)
    share_left = 0.3
    improved = True
    while improved:  # a move may allow another at a record that is not queued: until a pass over all finds none
        improved = False
        _enqueue_all(tour)
        while tour.queue_state[_COUNT]:
            tick(1 - share_left * (0.5 + 0.5 * tour.queue_state[_COUNT] / n))
            improved |= improve_tour(X, near, tour, steps)
        share_left /= 2
    return np.roll(order, -_after_longest_edge(X, order))


def _make_tour(order: IntArray) -> Tour:
    """Return a tour in this order, which is changed in place, with an empty queue."""
    n = len(order)
    position = np.empty(n, dtype=np.int64)
    position[order] = np.arange(n)
    return Tour(
        order=order,
        position=position,
        queue=np.empty(n, dtype=np.int64),
        queued=np.zeros(n, dtype=np.int64),
        queue_state=np.zeros(2, dtype=np.int64),
    )


def _enqueue_all(tour: Tour) -> None:
    """Queue all records in the order of the tour."""
    tour.queue[:] = tour.order
    tour.queued[:] = 1
    tour.queue_state[_NEXT] = 0
    tour.queue_state[_COUNT] = len(tour.order)


@kernel
def improve_tour(X: FloatArray, near: IntArray, tour: Tour, max_records: int) -> bool:
    """Take up to `max_records` records from the queue, and make the moves there that shorten the tour (IN/OUT).

    O(n_neighbours·d) a record, and O(n) at worst for a move.

    Parameters
    ----------
    near
        IN: the nearest others of each record, nearest first, of shape (n, n_neighbours).

    Returns
    -------
    bool
        Whether a move was made.
    """
    n = len(tour.order)
    state = tour.queue_state
    improved = False
    for _ in range(max_records):
        if state[_COUNT] == 0:
            break
        record = tour.queue[state[_NEXT]]
        state[_NEXT] = (state[_NEXT] + 1) % n
        state[_COUNT] -= 1
        tour.queued[record] = 0
        if _improve_at(X, near, tour, record):
            improved = True
            _enqueue(tour, record)
    return improved


@inner_kernel
def _improve_at(X: FloatArray, near: IntArray, tour: Tour, a: int) -> bool:
    """Make the first move that puts record `a` next to a nearer one, c, and shortens the tour (IN/OUT).

    b is next to a, and d next to c, in the same direction: 1 along the tour, -1 against it.

    Returns
    -------
    bool
        Whether a move was made.
    """
    for direction in (1, -1):
        b = _adjacent(tour, a, direction)
        ab = _distance(X, a, b)
        for c in near[a]:
            ac = _distance(X, a, c)
            if ac >= ab:
                break
            d = _adjacent(tour, c, direction)
            if c != b and d != a and ac + _distance(X, b, d) < (ab + _distance(X, c, d)) * _MAX_RATIO:
                _two_opt(tour, a, b, c, d, direction)
                return True
            if _or_opt(X, tour, a, b, c, direction, ab, ac):
                return True
    return False


@inner_kernel
def _two_opt(tour: Tour, a: int, b: int, c: int, d: int, direction: int) -> None:
    """Replace the edges a–b and c–d of the tour (IN/OUT) by a–c and b–d: O(n)."""
    if direction > 0:  # a b … c d
        _reverse(tour, tour.position[b], tour.position[c])
    else:  # d c … b a
        _reverse(tour, tour.position[c], tour.position[b])
    for record in (a, b, c, d):
        _enqueue(tour, record)


@inner_kernel
def _or_opt(X: FloatArray, tour: Tour, a: int, b: int, c: int, direction: int, ab: float, ac: float) -> bool:
    """Move a segment of up to three records that begins with a away from b and next to c (IN/OUT), if that is shorter.

    b is next to a in `direction`, the segment extends against it. ab and ac are the distances of these records.

    Returns
    -------
    bool
        Whether the move was made.
    """
    end = a
    for length in range(1, min(_MAX_SEGMENT, len(tour.order) - 3) + 1):
        if length > 1:
            end = _adjacent(tour, end, -direction)
        if end == c:
            return False
        beyond = _adjacent(tour, end, -direction)
        removed = ab + _distance(X, end, beyond)
        added = ac + _distance(X, b, beyond)
        for side in (1, -1):
            f = _adjacent(tour, c, side)
            if (c == b and f == a) or (c == beyond and f == end):
                continue
            if added + _distance(X, end, f) < (removed + _distance(X, c, f)) * _MAX_RATIO:
                _relocate(tour, a, end, length, c, f, direction, side)
                for record in (a, b, c, end, beyond, f):
                    _enqueue(tour, record)
                return True
    return False


@inner_kernel
def _relocate(tour: Tour, a: int, end: int, length: int, c: int, f: int, direction: int, side: int) -> None:
    """Put the segment a … end between c and f, a beside c, in the tour (IN/OUT): O(n).

    The records between the old and the new place are shifted, whichever way round there are fewer.

    Parameters
    ----------
    direction
        Where a stands in the segment: at its end (1) or its beginning (-1).
    side
        Where f stands: after c (1) or before it (-1).
    """
    n = len(tour.order)
    segment = np.empty(length, dtype=np.int64)
    start = tour.position[end] if direction > 0 else tour.position[a]
    for i in range(length):
        segment[i] = tour.order[(start + i) % n]
    before, after = (c, f) if side > 0 else (f, c)
    if (segment[0] == a) != (before == c):
        segment = segment[::-1].copy()
    n_forward = (tour.position[before] - start - length + 1) % n  # records to shift if the segment moves forward
    n_backward = (start - tour.position[after]) % n
    if n_forward <= n_backward:
        for i in range(n_forward):
            _put(tour, (start + i) % n, tour.order[(start + length + i) % n])
        start += n_forward
    else:
        for i in range(1, n_backward + 1):
            _put(tour, (start + length - i) % n, tour.order[(start - i) % n])
        start -= n_backward
    for i in range(length):
        _put(tour, (start + i) % n, segment[i])


@inner_kernel
def _reverse(tour: Tour, first: int, last: int) -> None:
    """Reverse the positions first … last of the tour (IN/OUT), or all the others, which gives the same tour: O(n)."""
    n = len(tour.order)
    count = (last - first) % n + 1
    if 2 * count > n:
        first, last = last + 1, first - 1
        count = n - count
    for i in range(count // 2):
        left = (first + i) % n
        right = (last - i) % n
        left_record = tour.order[left]
        right_record = tour.order[right]
        _put(tour, left, right_record)
        _put(tour, right, left_record)


@inner_kernel
def _put(tour: Tour, position: int, record: int) -> None:
    """Put a record at a position of the tour (OUT)."""
    tour.order[position] = record
    tour.position[record] = position


@inner_kernel
def _adjacent(tour: Tour, record: int, direction: int) -> int:
    """Return the record after (direction 1) or before (-1) this one."""
    return int(tour.order[(tour.position[record] + direction) % len(tour.order)])


@inner_kernel
def _enqueue(tour: Tour, record: int) -> None:
    """Append a record to the queue (IN/OUT) unless it is there."""
    if not tour.queued[record]:
        tour.queued[record] = 1
        state = tour.queue_state
        tour.queue[(state[_NEXT] + state[_COUNT]) % len(tour.order)] = record
        state[_COUNT] += 1


@inner_kernel
def _distance(X: FloatArray, one: int, other: int) -> float:
    """Return the distance between two records: O(d)."""
    return float(np.sqrt(squared_distance(X, one, X, other)))


@kernel
def _after_longest_edge(X: FloatArray, order: IntArray) -> int:
    """Find the position after the longest edge of a tour; of equals, the first: O(n·d)."""
    best = 0
    longest = -1.0
    for position in range(len(order)):
        edge = _distance(X, order[position - 1], order[position])
        if edge > longest:
            best = position
            longest = edge
    return best
