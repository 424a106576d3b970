"""Keep the records that are still without a group, ready for fast passes over their distances.

The records stand column by column in blocks, and the place of a record that leaves is filled by
the last one: every pass runs over dense memory, however many have left. As the places say nothing,
ties are told by the record's own index. One pass over m records costs O(m·d).
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import kernel
from microagg.model.arrays import FloatArray, IntArray

BLOCK = 256
_INFINITY = 0x7FF0000000000000  # the bits of +inf: above those of every distance


class Blocks(NamedTuple):
    """The records in blocks.

    The bits of non-negative floats are ordered as the floats are, and numba vectorises a minimum
    or maximum over integers but not over floats: hence `bits`, and distances kept as their bits.
    """

    values: FloatArray  # (n_blocks, d, BLOCK)
    records: IntArray  # (n,) which record stands at each place
    places: IntArray  # (n,) where each record stands, -1 once it has left
    sums: FloatArray  # (d,) the column sums of the records left
    lost: FloatArray  # (d,) what rounding has taken from them: sums + lost stays exact beside outliers of one scale
    squares: FloatArray  # (BLOCK,) scratch: squared distances of one block
    bits: IntArray  # (BLOCK,) the same memory, as integers
    centroid: FloatArray  # (d,) where `farthest_from_centroid` last found it
    drift: FloatArray  # (1,) how far it has wandered since the beginning
    reach: FloatArray  # (n_blocks,) no record of the block is farther from it than reach + drift


def pack(X: FloatArray) -> Blocks:
    """Put all records of X, of shape (n, d), into blocks."""
    n, d = X.shape
    n_blocks = -(-n // BLOCK)
    padded = np.zeros((n_blocks * BLOCK, d))
    padded[:n] = X
    values = np.ascontiguousarray(padded.reshape(n_blocks, BLOCK, d).transpose(0, 2, 1))
    squares = np.empty(BLOCK)
    blocks = Blocks(
        values=values,
        records=np.arange(n, dtype=np.int64),
        places=np.arange(n, dtype=np.int64),
        sums=np.zeros(d),
        lost=np.zeros(d),
        squares=squares,
        bits=squares.view(np.int64),
        centroid=X.mean(axis=0),
        drift=np.zeros(1),
        reach=np.full(n_blocks, np.inf),
    )
    sum_anew(blocks, n)
    return blocks


@kernel
def point_at(blocks: Blocks, place: int, point: FloatArray) -> None:
    """Copy the record at `place` to `point` (OUT)."""
    for j in range(len(point)):
        point[j] = blocks.values[place // BLOCK, j, place % BLOCK]


@kernel
def measure_block(blocks: Blocks, block: int, filled: int, point: FloatArray) -> None:
    """Put the squared distances from `point` to one block's records into `blocks.squares` (OUT)."""
    squares = blocks.squares
    for i in range(filled):
        squares[i] = 0.0
    for j in range(len(point)):
        centre = point[j]
        for i in range(filled):
            difference = blocks.values[block, j, i] - centre
            squares[i] += difference * difference


@kernel
def sum_anew(blocks: Blocks, left: int) -> None:
    """Sum the columns of the `left` first places (OUT in `blocks.sums` and `blocks.lost`)."""
    blocks.sums[:] = 0.0
    blocks.lost[:] = 0.0
    for place in range(left):
        for j in range(len(blocks.sums)):
            _add(blocks.sums, blocks.lost, j, blocks.values[place // BLOCK, j, place % BLOCK])


@kernel
def _add(sums: FloatArray, lost: FloatArray, j: int, value: float) -> None:
    """Add a value to a sum, and what rounding takes away to what is lost (Neumaier)."""
    total = sums[j] + value
    if abs(sums[j]) >= abs(value):
        lost[j] += (sums[j] - total) + value
    else:
        lost[j] += (value - total) + sums[j]
    sums[j] = total


@kernel
def farthest_from_centroid(blocks: Blocks, left: int) -> int:
    """Find the place of the record farthest from the centroid of the `left` first places.

    The centroid moves little from call to call, so most blocks need not be looked at: their farthest
    record is now at most as far as it was, plus the way that the centroid has gone since.
    """
    centroid, drift, reach = blocks.centroid, blocks.drift, blocks.reach
    moved = 0.0
    for j in range(len(centroid)):
        mean = (blocks.sums[j] + blocks.lost[j]) / left
        moved += (mean - centroid[j]) ** 2
        centroid[j] = mean
    drift[0] += np.sqrt(moved)
    n_blocks = (left + BLOCK - 1) // BLOCK
    first = int(np.argmax(reach[:n_blocks]))
    best, best_bits, best_distance = -1, -1, 0.0
    for turn in range(-1, n_blocks):
        block = first if turn < 0 else turn
        rounding = 1e-9 * (drift[0] + best_distance)
        if turn == first or reach[block] + drift[0] + rounding < best_distance:
            continue
        start, filled = block * BLOCK, min(BLOCK, left - block * BLOCK)
        measure_block(blocks, block, filled, centroid)
        _, highest = _extremes(blocks.bits, filled)
        best, best_bits = _farther(blocks, start, filled, highest, best, best_bits)
        reach[block] = np.sqrt(_as_float(blocks, highest)) - drift[0]
        best_distance = max(best_distance, reach[block] + drift[0])
    return best


@kernel
def is_outer(blocks: Blocks, left: int, record: int, other: int) -> bool:
    """Say whether a record is no nearer to the centroid of the `left` first places than another."""
    here, there, squares, squares_there = blocks.places[record], blocks.places[other], 0.0, 0.0
    for j in range(len(blocks.sums)):
        mean = (blocks.sums[j] + blocks.lost[j]) / left
        squares += (blocks.values[here // BLOCK, j, here % BLOCK] - mean) ** 2
        squares_there += (blocks.values[there // BLOCK, j, there % BLOCK] - mean) ** 2
    return squares >= squares_there


@kernel
def farthest(blocks: Blocks, left: int, point: FloatArray) -> int:
    """Find the place of the record farthest from `point` among the `left` first places."""
    best, best_bits = -1, -1
    for block in range((left + BLOCK - 1) // BLOCK):
        start, filled = block * BLOCK, min(BLOCK, left - block * BLOCK)
        measure_block(blocks, block, filled, point)
        _, highest = _extremes(blocks.bits, filled)
        best, best_bits = _farther(blocks, start, filled, highest, best, best_bits)
    return best


@kernel
def nearest(blocks: Blocks, left: int, point: FloatArray, places: IntArray, distances: IntArray) -> int:
    """Find the records nearest to `point` among the `left` first places, and the farthest one.

    Parameters
    ----------
    places
        OUT: the places of the len(places) nearest, by distance, then index.
    distances
        OUT: the bits of their squared distances.

    Returns
    -------
    int
        The place of the farthest record.
    """
    records, bits = blocks.records, blocks.bits
    last = len(places) - 1
    places[:] = -1
    distances[:] = _INFINITY
    best, best_bits = -1, -1
    for block in range((left + BLOCK - 1) // BLOCK):
        start, filled = block * BLOCK, min(BLOCK, left - block * BLOCK)
        measure_block(blocks, block, filled, point)
        lowest, highest = _extremes(bits, filled)
        best, best_bits = _farther(blocks, start, filled, highest, best, best_bits)
        if lowest <= distances[last]:
            for i in range(filled):
                if bits[i] <= distances[last]:
                    _insert(records, bits[i], start + i, places, distances)
    return best


@kernel
def remove(blocks: Blocks, left: int, places: IntArray) -> int:
    """Take the records at `places` out (IN/OUT).

    Returns
    -------
    int
        How many records are left.
    """
    values, records, reach = blocks.values, blocks.records, blocks.reach
    for place in np.sort(places)[::-1]:  # from the back: a filler is never one that leaves
        left -= 1
        for j in range(len(blocks.sums)):
            _add(blocks.sums, blocks.lost, j, -values[place // BLOCK, j, place % BLOCK])
            values[place // BLOCK, j, place % BLOCK] = values[left // BLOCK, j, left % BLOCK]
        blocks.places[records[left]] = place
        blocks.places[records[place]] = -1
        records[place] = records[left]
        reach[place // BLOCK] = max(reach[place // BLOCK], reach[left // BLOCK])
    return left


@kernel
def set_aside(blocks: Blocks, left: int, place: int) -> None:
    """Exchange the record at `place` with the last one left (IN/OUT); `sums` still count it.

    Whoever does this to all records has them all back for another pass over the blocks.
    """
    values, records, places = blocks.values, blocks.records, blocks.places
    last = left - 1
    for j in range(len(blocks.sums)):
        value = values[place // BLOCK, j, place % BLOCK]
        values[place // BLOCK, j, place % BLOCK] = values[last // BLOCK, j, last % BLOCK]
        values[last // BLOCK, j, last % BLOCK] = value
    record, other = records[place], records[last]
    records[place], places[other] = other, place
    records[last], places[record] = record, last


@kernel
def _extremes(bits: IntArray, filled: int) -> tuple[int, int]:
    lowest, highest = _INFINITY, -1
    for i in range(filled):
        lowest = min(lowest, bits[i])
        highest = max(highest, bits[i])
    return lowest, highest


@kernel
def _as_float(blocks: Blocks, bits: int) -> float:
    """Give back the float that has these bits, by way of the scratch that nobody needs any more."""
    blocks.bits[0] = bits
    return float(blocks.squares[0])


@kernel
def _farther(blocks: Blocks, start: int, filled: int, highest: int, best: int, best_bits: int) -> tuple[int, int]:
    """Take the measured block's farthest record, if it beats the best so far or ties at a lower index."""
    if highest >= best_bits:
        for i in range(filled):
            if blocks.bits[i] == highest and (highest > best_bits or blocks.records[start + i] < blocks.records[best]):
                best, best_bits = start + i, highest
    return best, best_bits


@kernel
def _insert(records: IntArray, distance: int, place: int, places: IntArray, distances: IntArray) -> None:
    """Insert a record into the sorted list of the nearest (IN/OUT), if it belongs there."""
    slot = len(places)
    while slot > 0 and (
        distances[slot - 1] > distance
        or places[slot - 1] < 0
        or (distances[slot - 1] == distance and records[places[slot - 1]] > records[place])
    ):
        slot -= 1
    if slot == len(places):
        return
    for j in range(len(places) - 1, slot, -1):
        places[j] = places[j - 1]
        distances[j] = distances[j - 1]
    places[slot] = place
    distances[slot] = distance
