"""Context of walks over the same records: which are unvisited, and which of them is nearest."""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.record_blocks import Blocks, farthest_from_centroid, nearest, pack, swap_to_end
from microagg.kernels.jit import inner_kernel, kernel
from microagg.model.arrays import FloatArray, IntArray, read_only


class WalkContext(NamedTuple):
    """Records to walk over, and which of them are unvisited.

    Without neighbour lists `blocks` keeps the unvisited records, with them `unvisited` and `slots` do. Either way a
    visited record changes places with the last unvisited one, so after a walk over all records the next one can begin.
    """

    X: FloatArray  # (n, d)
    blocks: Blocks
    neighbours: IntArray  # (n, n_neighbours) the nearest others of each record, by distance, then index; or (n, 0)
    unvisited: IntArray  # (n,) permutation of all records, the unvisited ones first
    slots: IntArray  # (n,) index of each record in `unvisited`
    distances: FloatArray  # (n, n) between all records; or (0, 0): computed when needed
    outermost: int  # the record farthest from the centroid of all, where most walks start


def make_walk_context(
    X: FloatArray, neighbours: IntArray | None = None, distances: FloatArray | None = None
) -> WalkContext:
    """Return a context in which all records are unvisited: O(n·d).

    Parameters
    ----------
    X
        The records, of shape (n, d).
    neighbours
        The nearest others of each record, of shape (n, n_neighbours): all unvisited records are searched only where
        none of these is unvisited. Worth computing for several walks over the same records.
    distances
        The distances between all records, of shape (n, n), for walks that need many of them.
    """
    n = len(X)
    blocks = pack(X)
    X = X.view()
    read_only(X)  # whether or not the caller may write to it: numba would compile every kernel for either
    return WalkContext(
        X=X,
        blocks=blocks,
        neighbours=np.empty((n, 0), dtype=np.int64) if neighbours is None else neighbours,
        unvisited=np.arange(n),
        slots=np.arange(n),
        distances=np.empty((0, 0)) if distances is None else distances,
        outermost=int(blocks.records[farthest_from_centroid(blocks, n)]),
    )


def copy_walk_context(context: WalkContext) -> WalkContext:
    """Return a context over the same records for another thread: it shares only what no walk changes."""
    return make_walk_context(context.X, context.neighbours, context.distances)


class GroupedRecords(NamedTuple):
    """Groups of any size, and their records group by group."""

    labels: IntArray  # (n,) the group of each record: 0, 1, …
    members: IntArray  # (n,) the records group by group
    starts: IntArray  # (n_groups + 1,) where each group starts in `members`, and where the last one ends


def group_records(labels: IntArray, sizes: IntArray) -> GroupedRecords:
    """Return the records group by group, within a group by index: O(n log n).

    Parameters
    ----------
    labels, sizes
        The group of each record, of shape (n,), and the size of each group, of shape (n_groups,).
    """
    writable = labels.copy()  # whether or not the caller's are: numba would compile every kernel for either
    return GroupedRecords(writable, np.argsort(labels, kind="stable"), np.append(0, np.cumsum(sizes)))


@kernel
def group_of(groups: GroupedRecords, record: int) -> IntArray:
    """Return the members of the group of a record, as a view: O(1)."""
    group = groups.labels[record]
    return groups.members[groups.starts[group] : groups.starts[group + 1]]


@kernel
def leave_group(context: WalkContext, order: IntArray, first: int, done: int) -> int:
    """Mark the records order[first:done] as visited, and find the unvisited one nearest to the last of them.

    Ties go to the lowest index. O((done − first)·d + n·d); with neighbour lists mostly
    O(done − first + n_neighbours).

    Parameters
    ----------
    context
        IN/OUT: the unvisited records.
    order
        IN: the walk so far, of shape (n,), filled up to `done`.

    Returns
    -------
    int
        The nearest unvisited record; -1 if there is none.
    """
    n = len(order)
    last = order[done - 1]
    if context.neighbours.shape[1] == 0:
        return _leave_in_blocks(context.blocks, context.X[last], order, first, done)
    _mark_visited(context.unvisited, context.slots, order, first, done)
    if done == n:
        return -1
    for neighbour in context.neighbours[last]:
        if context.slots[neighbour] < n - done:
            return int(neighbour)
    return _nearest_unvisited(context, last, n - done)


@inner_kernel
def _leave_in_blocks(blocks: Blocks, point: FloatArray, order: IntArray, first: int, done: int) -> int:
    """Do what `leave_group` does, without neighbour lists; `blocks` is IN/OUT, `point` the last record visited."""
    n = len(order)
    for i in range(first, done):
        swap_to_end(blocks, n - i, blocks.places[order[i]])
    if done == n:
        return -1
    place = np.empty(1, dtype=np.int64)
    distance = np.empty(1, dtype=np.int64)
    nearest(blocks, n - done, point, place, distance)
    return int(blocks.records[place[0]])


@inner_kernel
def _mark_visited(unvisited: IntArray, slots: IntArray, order: IntArray, first: int, done: int) -> None:
    """Exchange each of the records order[first:done] with the last unvisited one; `unvisited`, `slots` are IN/OUT."""
    for i in range(first, done):
        record = order[i]
        slot = slots[record]
        end = len(order) - i - 1
        moved = unvisited[end]
        unvisited[slot] = moved
        slots[moved] = slot
        unvisited[end] = record
        slots[record] = end


@inner_kernel
def _nearest_unvisited(context: WalkContext, record: int, n_unvisited: int) -> int:
    """Find the unvisited record nearest to a record; ties go to the lowest index. O(n·d), or O(n) with distances.

    The sum of squares is written out here, and not called, since only this lets it end early at no extra cost.
    """
    best = -1
    least = np.inf
    if len(context.distances):
        row = context.distances[record]
        for slot in range(n_unvisited):
            other = context.unvisited[slot]
            if row[other] < least or (row[other] == least and other < best):
                best = other
                least = row[other]
        return best
    for slot in range(n_unvisited):
        other = context.unvisited[slot]
        squares = 0.0
        for j in range(context.X.shape[1]):
            difference = context.X[other, j] - context.X[record, j]
            squares += difference * difference
            if squares > least:
                break
        if squares < least or (squares == least and other < best):
            best = other
            least = squares
    return best
