"""Put records in an order along which neighbours are near."""

from functools import partial
from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.record_blocks import Blocks, farthest_from_centroid, nearest, pack, swap_to_end
from microagg.kernels.jit import kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_BIG = 1000  # records in a group: walking through it costs the square of that


class Ground(NamedTuple):
    """Hold what every walk over the same records needs."""

    X: FloatArray  # (n, d)
    blocks: Blocks  # the records that a walk has not reached; those reached stand behind them, ready for the next walk
    near: IntArray  # (n, any number) some nearest of each record, by distance, then index
    records: (
        IntArray  # (n,) where there are such: the records as they would stand in the blocks, which stay as they are
    )
    places: IntArray  # (n,) where each stands there
    distances: FloatArray  # (n, n), or of shape (0, 0): then they are computed each time
    outermost: int  # the record farthest from the centroid of all


def survey(X: FloatArray, neighbours: IntArray | None = None, distances: FloatArray | None = None) -> Ground:
    """Prepare for walks.

    Parameters
    ----------
    X
        The records, of shape (n, d).
    neighbours
        Some nearest of each record, from `neighbours`: with them, all records left are looked at only
        where none of these is left. Worth their while where one walks often.
    distances
        Those of all records, of shape (n, n), for walks that want many of them.
    """
    blocks = pack(X)
    near = np.empty((len(X), 0), dtype=np.int64) if neighbours is None else neighbours
    return Ground(
        X=X,
        blocks=blocks,
        near=near,
        records=np.arange(len(X)),
        places=np.arange(len(X)),
        distances=np.empty((0, 0)) if distances is None else distances,
        outermost=int(blocks.records[farthest_from_centroid(blocks, len(X))]),
    )


def beside(ground: Ground) -> Ground:
    """Give ground for walks in another thread: what a walk changes is its own."""
    return survey(ground.X, ground.near, ground.distances)


def group_by_group(ground: Ground, labels: IntArray, sizes: IntArray, tick: Tick = no_tick) -> IntArray:
    """Walk through the groups: nearest record next within a group, then to the nearest record left.

    Starts at the record farthest from the centroid of all. Ties go to the lowest index. O(n²·d/k + n·k·d) for groups
    of about k; the first term is for the way between groups, and much less where the ground has neighbours.

    Parameters
    ----------
    ground
        The records, from `survey`.
    labels, sizes
        The group of each record, of shape (n,), and how many each group has.
    tick
        Is told the share that is done, every now and then.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.
    """
    members, starts = np.argsort(labels, kind="stable"), np.concatenate([[0], np.cumsum(sizes)])
    return _walk(ground, labels, members, starts, ground.outermost, False, tick)


def nearest_next(X: FloatArray, tick: Tick = no_tick) -> IntArray:
    """Walk from the record farthest from the centroid of all always to the nearest record left.

    This is the walk through groups of one record each. Ties go to the lowest index. O(n²·d).
    """
    n = len(X)
    return group_by_group(survey(X), np.arange(n), np.ones(n, dtype=np.int64), tick)


def last_joined_first(X: FloatArray, order: IntArray, starts: IntArray, tick: Tick = no_tick) -> IntArray:
    """Walk through the groups, each from the record that joined it last, to the group with the nearest record left.

    Starts with the group of the record nearest to the centroid of all. The other records of a group follow by their
    distances from the first. Ties go to the lowest index, within a group to the one that joined last. O(n²·d/k).

    Parameters
    ----------
    X
        The records, of shape (n, d).
    order, starts
        The records group by group, in the order of joining, of shape (n,), and where each group starts.
    tick
        Is told the share that is done, every now and then.

    Returns
    -------
    ndarray of shape (n,)
        The records in order.
    """
    n = len(X)
    labels = np.empty(n, dtype=np.int64)
    labels[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=n))
    here = int(np.square(X - X.mean(axis=0)).sum(axis=1).argmin())
    return _walk(survey(X), labels, order, np.append(starts, n), here, True, tick)


def _walk(
    ground: Ground,
    labels: IntArray,
    members: IntArray,
    starts: IntArray,
    here: int,
    from_last: bool,
    tick: Tick,
) -> IntArray:
    """Walk through all groups in slices, from that of the record `here`; see `_walk_on`."""
    n, d = ground.X.shape
    order, done = np.empty(n, dtype=np.int64), 0
    while done < n:
        tick(1 - (1 - done / n) ** 2)
        part = members[starts[labels[here]] : starts[labels[here] + 1]]
        size = len(part)
        if size > _BIG and not from_last:  # as a walk through groups of one record each, which can be left
            first, single = int(np.searchsorted(part, here)), np.arange(size + 1)
            before, after = ((1 - (1 - reached / n) ** 2) for reached in (done, done + size))
            within = partial(_tick_within, before, after, tick)
            inside = _walk(survey(ground.X[part]), single[:-1], single[:-1], single, first, False, within)
            order[done : done + size] = part[inside]
            done, here = leave(ground, order, done, done + size)
        else:
            groups = steps_per_tick((n - done + size**2) * (d + 4))
            done, here = _walk_on(ground, labels, members, starts, order, done, here, from_last, groups)
    return order


def _tick_within(before: float, after: float, tick: Tick, done: float) -> None:
    tick(before + (after - before) * done)


@kernel
def _walk_on(
    ground: Ground,
    labels: IntArray,
    members: IntArray,
    starts: IntArray,
    order: IntArray,
    done: int,
    here: int,
    from_last: bool,
    groups: int,
) -> tuple[int, int]:
    """Walk through some groups, from the record `here`; the blocks and `order` are IN/OUT.

    Parameters
    ----------
    members, starts
        The records group by group, and where each group starts and the last one ends.
    from_last
        Whether a group is entered at its last member and the others follow by their distances from it, or it is
        entered at `here` and the nearest record is always next.

    Returns
    -------
    done, here : int
        How many records are in order, and the next one.
    """
    for _ in range(groups):
        group = members[starts[labels[here]] : starts[labels[here] + 1]]
        if len(group) > _BIG and not from_last:
            break
        first, done = done, done + len(group)
        if from_last:
            _spread(ground.X, group[::-1], order[first:done])
        else:
            _chain(ground.X, here, group.copy(), order[first:done])
        done, here = leave(ground, order, first, done)
        if done == len(order):
            break
    return done, here


@kernel
def leave(ground: Ground, order: IntArray, first: int, done: int) -> tuple[int, int]:
    """Set the records first … done − 1 of the order aside (IN/OUT in `ground`), and find the nearest to the last.

    Returns
    -------
    done, here : int
        How many records are in order, and the nearest one left; -1 if there is none.
    """
    n, last = len(order), order[done - 1]
    if ground.near.shape[1] == 0:
        for i in range(first, done):
            swap_to_end(ground.blocks, n - i, ground.blocks.places[order[i]])
        if done == n:
            return done, -1
        place = np.empty(1, dtype=np.int64)
        nearest(ground.blocks, n - done, ground.X[last], place, np.empty(1, dtype=np.int64))
        return done, int(ground.blocks.records[place[0]])
    records, places = ground.records, ground.places
    for i in range(first, done):
        record, place, end = order[i], places[order[i]], n - i - 1
        records[place], places[records[end]] = records[end], place
        records[end], places[record] = record, end
    if done == n:
        return done, -1
    for i in range(ground.near.shape[1]):
        if places[ground.near[last, i]] < n - done:
            return done, int(ground.near[last, i])
    return done, _nearest_left(ground, last, n - done)


@kernel
def _nearest_left(ground: Ground, record: int, left: int) -> int:
    """Find the nearest to a record among the `left` first ones."""
    best, least = -1, np.inf
    if len(ground.distances):
        row = ground.distances[record]
        for place in range(left):
            other = ground.records[place]
            if row[other] < least or (row[other] == least and other < best):
                best, least = other, row[other]
        return best
    for place in range(left):
        other = ground.records[place]
        squares = 0.0
        for j in range(ground.X.shape[1]):
            difference = ground.X[other, j] - ground.X[record, j]
            squares += difference * difference
            if squares > least:
                break
        if squares < least or (squares == least and other < best):
            best, least = other, squares
    return best


@kernel
def _spread(X: FloatArray, group: IntArray, order: IntArray) -> None:
    """Put the records of a group into `order` (OUT) by their distances from the first."""
    squares = np.empty(len(group))
    for i in range(len(group)):
        squares[i] = ((X[group[i]] - X[group[0]]) ** 2).sum()
    order[:] = group[np.argsort(squares, kind="mergesort")]


@kernel
def _chain(X: FloatArray, here: int, waiting: IntArray, order: IntArray) -> None:
    """Put `here` and then always the nearest record still waiting into `order` (OUT)."""
    count = len(waiting)
    for i in range(count):
        if waiting[i] == here:
            waiting[i] = waiting[count - 1]
            break
    order[0] = here
    for step in range(1, count):
        best, best_squares = -1, np.inf
        for i in range(count - step):
            squares = 0.0
            for j in range(X.shape[1]):
                difference = X[waiting[i], j] - X[order[step - 1], j]
                squares += difference * difference
            if squares < best_squares or (squares == best_squares and waiting[i] < waiting[best]):
                best, best_squares = i, squares
        order[step] = waiting[best]
        waiting[best] = waiting[count - step - 1]
