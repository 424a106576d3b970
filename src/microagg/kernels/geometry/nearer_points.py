"""Points that are nearer to a record than its own one: by how many, and how many are at the same distance.

A record needs no list of its nearest points: its search is over once it has met two that are nearer, and goes no
farther than its own point. Points are in boxes, and boxes that are too far away are skipped. Rounding is monotone, and
the distance to a box is summed in the order of the columns, as that to a point is: no point inside has a smaller one.
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.geometry.distances import squared_distance
from microagg.kernels.geometry.leaf_order import make_heap, pop_nearest
from microagg.kernels.geometry.leaf_search import ParallelMap, one_by_one
from microagg.kernels.geometry.record_boxes import BOX, make_boxes
from microagg.kernels.jit import inlined_kernel, kernel
from microagg.kernels.tick import Tick, no_tick, steps_per_tick
from microagg.model.arrays import FloatArray, IntArray

_BLOCK = 256  # records that are near each other, and share the order in which boxes are searched
_SLICES = 8  # of blocks, between two ticks: each is the work of one thread
_LANES = 4  # elementary operations that a processor does at a time, about
_ROUNDING = 2.0**-40  # relative: squared distances that differ by less are the same
_ENOUGH = 2  # points that are nearer: more are not counted


class NearerPoints(NamedTuple):
    """What there is in the way from each record to its own point."""

    n_nearer: IntArray  # (n,) points that are nearer than its own: 0, 1, or 2 for two and more
    n_tied: IntArray  # (n,) weight of all points at the distance of its own, that included; where none is nearer


class _Boxes(NamedTuple):
    """Points in boxes, each stored column by column; what is left of the last box is infinitely far away."""

    points: FloatArray  # (n_boxes, d, BOX)
    weights: IntArray  # (n_boxes, BOX)
    low: FloatArray  # (n_boxes, d) least coordinates
    high: FloatArray  # (n_boxes, d) greatest ones


class _Records(NamedTuple):
    """Records in an order in which those near each other follow each other."""

    X: FloatArray  # (n, d) as they are
    order: IntArray  # (n,)
    points: FloatArray  # (n_points, d)
    own: IntArray  # (n,) the point of each record


class _Scratch(NamedTuple):
    """Memory of the search for one block."""

    low: FloatArray  # (d,) box of the records of a block
    high: FloatArray  # (d,)
    near: IntArray  # (n_boxes,) boxes that may hold what is searched for
    away: FloatArray  # (n_boxes,) squared distances of their centres
    heap: IntArray  # (n_boxes,)
    squares: FloatArray  # (BOX,)


def count_nearer(
    X: FloatArray,
    points: FloatArray,
    weights: IntArray,
    own: IntArray,
    tick: Tick = no_tick,
    in_parallel: ParallelMap = one_by_one,
) -> NearerPoints:
    """Count, for each record, the points that are nearer than its own, and those at the same distance.

    O(n·n_points·d) at worst, mostly far less. Distances whose squares differ by less than 2⁻⁴⁰ of them are the same.

    Parameters
    ----------
    X
        The records, of shape (n, d), d ≥ 1.
    points
        Points, of shape (n_points, d), no two of them equal.
    weights
        How often each point counts where it is at the same distance, of shape (n_points,).
    own
        The point of each record, of shape (n,).
    tick
        Progress callback.
    in_parallel
        The map that shares the work among threads, such as `Workers.map`; it changes no result.
    """
    n = len(X)
    boxes, place_of = _make_boxes(points, weights)
    records = _Records(X, np.argsort(place_of[own], kind="stable"), points, own)
    found = NearerPoints(np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))

    def search_slice(blocks: range) -> None:
        _search_slice(boxes, records, blocks.start, blocks.stop, _make_scratch(boxes), found)

    n_blocks = -(-n // _BLOCK)
    step = steps_per_tick(_SLICES * _BLOCK * points.size / _LANES)
    slices = [range(first, min(first + step, n_blocks)) for first in range(0, n_blocks, step)]
    for first in range(0, len(slices), _SLICES):
        tick(first / len(slices))
        in_parallel(search_slice, slices[first : first + _SLICES])
    return found


def _make_boxes(points: FloatArray, weights: IntArray) -> tuple[_Boxes, IntArray]:
    """Put points into boxes; return these, and the place of each point."""
    n, d = points.shape
    made = make_boxes(points)
    n_boxes = len(made.low)
    filled = np.full((n_boxes * BOX, d), np.inf)
    filled[:n] = points[made.order]
    padded = np.zeros(n_boxes * BOX, dtype=np.int64)
    padded[:n] = weights[made.order]
    by_box = np.ascontiguousarray(filled.reshape(n_boxes, BOX, d).transpose(0, 2, 1))
    place_of = np.empty(n, dtype=np.int64)
    place_of[made.order] = np.arange(n)
    return _Boxes(by_box, padded.reshape(n_boxes, BOX), made.low, made.high), place_of


def _make_scratch(boxes: _Boxes) -> _Scratch:
    n_boxes, d, _ = boxes.points.shape
    return _Scratch(
        low=np.empty(d),
        high=np.empty(d),
        near=np.empty(n_boxes, dtype=np.int64),
        away=np.empty(n_boxes),
        heap=np.empty(n_boxes, dtype=np.int64),
        squares=np.empty(BOX),
    )


@kernel
def _search_slice(
    boxes: _Boxes, records: _Records, first: int, last: int, scratch: _Scratch, found: NearerPoints
) -> None:
    """Count the points that are nearer for the records of the blocks first … last − 1 (OUT in `found`)."""
    n = len(records.order)
    for block in range(first, last):
        start = block * _BLOCK
        end = min(start + _BLOCK, n)
        reach = _surround(records, start, end, scratch.low, scratch.high)
        n_near = _near_boxes(boxes, reach, scratch)
        for place in range(start, end):
            _search(boxes, records, records.order[place], n_near, scratch, found)


@inlined_kernel
def _surround(records: _Records, start: int, end: int, low: FloatArray, high: FloatArray) -> float:
    """Compute the box (OUT) of the records of a block, and return how far one of them searches at most, squared."""
    for j in range(len(low)):
        low[j] = np.inf
        high[j] = -np.inf
    reach = 0.0
    for place in range(start, end):
        record = records.order[place]
        reach = max(reach, squared_distance(records.X, record, records.points, records.own[record]))
        for j in range(len(low)):
            low[j] = min(low[j], records.X[record, j])
            high[j] = max(high[j], records.X[record, j])
    return reach * (1.0 + _ROUNDING)


@inlined_kernel
def _near_boxes(boxes: _Boxes, reach: float, scratch: _Scratch) -> int:
    """List the boxes that a block reaches (OUT in `scratch.near`), those of near centres first; return how many."""
    low = scratch.low
    high = scratch.high
    away = scratch.away
    for box in range(len(away)):
        gap = 0.0
        squares = 0.0
        for j in range(len(low)):
            below = boxes.low[box, j]
            above = boxes.high[box, j]
            apart = max(max(below - high[j], low[j] - above), 0.0)
            gap += apart * apart
            shift = 0.5 * (below + above) - 0.5 * (low[j] + high[j])
            squares += shift * shift
        away[box] = squares if gap <= reach else np.inf
    n_left = make_heap(scratch.heap, away)
    n_near = 0
    while n_left > 0 and away[scratch.heap[0]] < np.inf:
        scratch.near[n_near] = pop_nearest(scratch.heap, n_left, away)
        n_near += 1
        n_left -= 1
    return n_near


@inlined_kernel
def _search(boxes: _Boxes, records: _Records, record: int, n_near: int, scratch: _Scratch, found: NearerPoints) -> None:
    """Search the listed boxes for points that are nearer to a record than its own (OUT in `found`)."""
    own = squared_distance(records.X, record, records.points, records.own[record])
    nearer = own * (1.0 - _ROUNDING)
    farthest = own * (1.0 + _ROUNDING)
    squares = scratch.squares
    n_nearer = 0
    n_tied = 0
    for number in range(n_near):
        box = scratch.near[number]
        if _gap(boxes, box, records.X, record) > farthest:
            continue
        _measure_box(boxes, box, records.X, record, squares)
        n_hits = 0
        for i in range(BOX):
            n_hits += squares[i] <= farthest
        if n_hits == 0:
            continue
        for i in range(BOX):
            if squares[i] < nearer:
                n_nearer += 1
            elif squares[i] <= farthest:
                n_tied += boxes.weights[box, i]
        if n_nearer >= _ENOUGH:
            break
    found.n_nearer[record] = min(n_nearer, _ENOUGH)
    found.n_tied[record] = n_tied


@inlined_kernel
def _gap(boxes: _Boxes, box: int, X: FloatArray, record: int) -> float:
    """Return the squared distance of a record from a box: O(d)."""
    squares = 0.0
    for j in range(X.shape[1]):
        at = X[record, j]
        apart = max(max(boxes.low[box, j] - at, at - boxes.high[box, j]), 0.0)
        squares += apart * apart
    return squares


@inlined_kernel
def _measure_box(boxes: _Boxes, box: int, X: FloatArray, record: int, squares: FloatArray) -> None:
    """Compute the squared distances (OUT) of all points of a box from a record: O(d·BOX)."""
    for i in range(BOX):
        squares[i] = 0.0
    for j in range(X.shape[1]):
        at = X[record, j]
        coordinates = boxes.points[box, j]
        for i in range(BOX):
            difference = coordinates[i] - at
            squares[i] += difference * difference
