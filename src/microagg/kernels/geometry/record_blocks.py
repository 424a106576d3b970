"""Records without a group, laid out for fast passes over their distances from a point.

The records are stored column by column in blocks, and the place of a record that leaves is filled by
the last one: every pass runs over dense memory, however many have left. As the order of the places is
arbitrary, ties are broken by the index of the record. One pass over the n_left records left costs O(n_left·d).
"""

from typing import NamedTuple

import numpy as np

from microagg.kernels.jit import inner_kernel, kernel, optional_kernel
from microagg.model.arrays import FloatArray, IntArray

BLOCK = 256  # records in a block
_INFINITY_BITS = 0x7FF0000000000000  # the bits of +inf: above those of every squared distance


class Mass(NamedTuple):
    """Weights of records."""

    weights: FloatArray  # (n,) of each record
    total: FloatArray  # (2,) of the records left, and its rounding error


class Blocks(NamedTuple):
    """Records in blocks; those left are at the places 0 … n_left − 1.

    The bits of non-negative floats are ordered as the floats are, and numba vectorises a minimum
    or maximum over integers but not over floats: hence `bits`, and squared distances kept as their bits.
    """

    values: FloatArray  # (n_blocks, d, BLOCK)
    records: IntArray  # (n,) the record at each place
    places: IntArray  # (n,) the place of each record, -1 once it has left
    mass: Mass | None  # None: every record weighs 1
    sums: FloatArray  # (d,) column sums of the records left, weighted
    compensation: FloatArray  # (d,) rounding error of `sums`: added to them, it keeps them exact beside outliers
    squares: FloatArray  # (BLOCK,) scratch: squared distances of one block
    bits: IntArray  # (BLOCK,) the same memory, as integers
    centroid: FloatArray  # (d,) the centroid of the records left at the last `farthest_from_centroid`
    drift: FloatArray  # (1,) length of the way that the centroid has moved since the beginning
    radii: FloatArray  # (n_blocks,) no record of the block is farther from the centroid than radii[block] + drift


def pack(X: FloatArray, weights: FloatArray | None = None) -> Blocks:
    """Put all records of X, of shape (n, d), into blocks: O(n·d)."""
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
        mass=None if weights is None else Mass(weights, np.zeros(2)),
        sums=np.zeros(d),
        compensation=np.zeros(d),
        squares=squares,
        bits=squares.view(np.int64),
        centroid=X.mean(axis=0),
        drift=np.zeros(1),
        radii=np.full(n_blocks, np.inf),
    )
    recompute_sums(blocks, n)
    return blocks


@inner_kernel
def copy_point(values: FloatArray, place: int, point: FloatArray) -> None:
    """Copy the record at a place of `Blocks.values` to `point` (OUT): O(d)."""
    for j in range(len(point)):
        point[j] = values[place // BLOCK, j, place % BLOCK]


@inner_kernel
def squared_distance_at(values: FloatArray, place: int, point: FloatArray) -> float:
    """Return the squared distance of the record at a place of `Blocks.values` from a point: O(d).

    The sum of `distances.squared_distance`, for the layout of the blocks.
    """
    squares = 0.0
    for j in range(len(point)):
        difference = values[place // BLOCK, j, place % BLOCK] - point[j]
        squares += difference * difference
    return squares


@inner_kernel
def measure_block(blocks: Blocks, block: int, filled: int, point: FloatArray) -> None:
    """Compute the squared distances of the first `filled` records of a block from a point: O(filled·d).

    OUT in `blocks.squares`. The inner loop runs over records, which LLVM vectorises; each record's columns are
    still summed in the order of `distances.squared_distance`.
    """
    squares = blocks.squares
    for i in range(filled):
        squares[i] = 0.0
    for j in range(len(point)):
        coordinate = point[j]
        for i in range(filled):
            difference = blocks.values[block, j, i] - coordinate
            squares[i] += difference * difference


@kernel
def recompute_sums(blocks: Blocks, n_left: int) -> None:
    """Recompute the column sums of the records left (OUT in `sums` and `compensation`): O(n_left·d)."""
    _set_mass_to_zero(blocks.mass)
    blocks.sums[:] = 0.0
    blocks.compensation[:] = 0.0
    for place in range(n_left):
        weight = _weight_of(blocks.mass, blocks.records[place])
        _add_to_mass(blocks.mass, weight)
        for j in range(len(blocks.sums)):
            _add(blocks.sums, blocks.compensation, j, weight * blocks.values[place // BLOCK, j, place % BLOCK])


@inner_kernel
def _add(sums: FloatArray, compensation: FloatArray, j: int, value: float) -> None:
    """Add a value to a column's sum and its rounding error to the compensation (IN/OUT; Neumaier): O(1)."""
    total = sums[j] + value
    if abs(sums[j]) >= abs(value):
        compensation[j] += (sums[j] - total) + value
    else:
        compensation[j] += (value - total) + sums[j]
    sums[j] = total


@optional_kernel
def _weight_of(mass: Mass | None, record: int) -> float:
    """Return the weight of a record: O(1)."""
    if mass is None:
        return 1.0
    return mass.weights[record]  # type: ignore[no-any-return]


@optional_kernel
def _set_mass_to_zero(mass: Mass | None) -> None:
    """Set the total weight (OUT) to 0, if there are weights: O(1)."""
    if mass is None:
        return
    mass.total[:] = 0.0


@optional_kernel
def _add_to_mass(mass: Mass | None, weight: float) -> None:
    """Add a weight to the total weight (IN/OUT), if there are weights: O(1)."""
    if mass is None:
        return
    _add(mass.total[:1], mass.total[1:], 0, weight)


@optional_kernel
def _mass_left(mass: Mass | None, n_left: int) -> float:
    """Return the total weight of the records left, which is their number without weights: O(1)."""
    if mass is None:
        return n_left
    return mass.total[0] + mass.total[1]  # type: ignore[no-any-return]


@inner_kernel
def compute_centroid(blocks: Blocks, n_left: int, centroid: FloatArray) -> None:
    """Compute the centroid (OUT) of the records left from their sums: O(d)."""
    mass = _mass_left(blocks.mass, n_left)
    for j in range(len(centroid)):
        centroid[j] = (blocks.sums[j] + blocks.compensation[j]) / mass


@kernel
def farthest_from_centroid(blocks: Blocks, n_left: int) -> int:
    """Find the place of the record left that is farthest from the centroid of those left: O(n_left·d) at worst.

    The centroid moves little from call to call, so most blocks can be skipped: their farthest record is now
    at most as far away as when it was measured, plus the way that the centroid has moved since.
    IN/OUT: `centroid`, `drift` and `radii`.
    """
    _move_centroid(blocks, n_left)
    drift = blocks.drift[0]
    radii = blocks.radii
    n_blocks = (n_left + BLOCK - 1) // BLOCK
    widest = 0
    for block in range(n_blocks):
        if radii[block] > radii[widest]:
            widest = block
    best = -1
    best_bits = -1
    best_distance = 0.0
    for turn in range(-1, n_blocks):  # the widest block first: then most others can be skipped
        block = widest if turn < 0 else turn
        rounding = 1e-9 * (drift + best_distance)
        if turn == widest or radii[block] + drift + rounding < best_distance:
            continue
        start = block * BLOCK
        filled = min(BLOCK, n_left - start)
        measure_block(blocks, block, filled, blocks.centroid)
        _, highest = _min_and_max(blocks.bits, filled)
        best, best_bits = _farther(blocks.bits, blocks.records, start, filled, highest, best, best_bits)
        blocks.bits[0] = highest  # squares[0], the same memory, is the float of these bits
        radii[block] = np.sqrt(blocks.squares[0]) - drift
        best_distance = max(best_distance, radii[block] + drift)
    return best


@inner_kernel
def _move_centroid(blocks: Blocks, n_left: int) -> None:
    """Recompute the centroid, and add the way that it has moved to the drift (IN/OUT): O(d)."""
    centroid = blocks.centroid
    mass = _mass_left(blocks.mass, n_left)
    squares = 0.0
    for j in range(len(centroid)):
        mean = (blocks.sums[j] + blocks.compensation[j]) / mass
        difference = mean - centroid[j]
        squares += difference * difference
        centroid[j] = mean
    blocks.drift[0] += np.sqrt(squares)


@kernel
def is_outer(blocks: Blocks, n_left: int, record: int, other: int) -> bool:
    """Check whether a record is at least as far from the centroid of those left as another: O(d)."""
    centroid = np.empty(len(blocks.sums))
    compute_centroid(blocks, n_left, centroid)
    squares = squared_distance_at(blocks.values, blocks.places[record], centroid)
    other_squares = squared_distance_at(blocks.values, blocks.places[other], centroid)
    return squares >= other_squares


@kernel
def farthest(blocks: Blocks, n_left: int, point: FloatArray) -> int:
    """Find the place of the record left that is farthest from a point: O(n_left·d)."""
    best = -1
    best_bits = -1
    for block in range((n_left + BLOCK - 1) // BLOCK):
        start = block * BLOCK
        filled = min(BLOCK, n_left - start)
        measure_block(blocks, block, filled, point)
        _, highest = _min_and_max(blocks.bits, filled)
        best, best_bits = _farther(blocks.bits, blocks.records, start, filled, highest, best, best_bits)
    return best


@inner_kernel
def nearest(blocks: Blocks, n_left: int, point: FloatArray, places: IntArray, square_bits: IntArray) -> int:
    """Find the records left that are nearest to a point, and the farthest one: mostly O(n_left·d).

    Parameters
    ----------
    places
        OUT: the places of the len(places) nearest, by distance, then index.
    square_bits
        OUT: the bits of their squared distances.

    Returns
    -------
    int
        The place of the farthest record.
    """
    records = blocks.records
    bits = blocks.bits
    last = len(places) - 1
    places[:] = -1
    square_bits[:] = _INFINITY_BITS
    best = -1
    best_bits = -1
    for block in range((n_left + BLOCK - 1) // BLOCK):
        start = block * BLOCK
        filled = min(BLOCK, n_left - start)
        measure_block(blocks, block, filled, point)
        lowest, highest = _min_and_max(bits, filled)
        best, best_bits = _farther(bits, records, start, filled, highest, best, best_bits)
        if lowest <= square_bits[last]:
            for i in range(filled):
                if bits[i] <= square_bits[last]:
                    _insert(records, bits[i], start + i, places, square_bits)
    return best


@inner_kernel
def remove(blocks: Blocks, n_left: int, places: IntArray) -> int:
    """Remove the records at `places` from the blocks (IN/OUT): O(d + len(places)) each.

    Returns
    -------
    int
        How many records are left.
    """
    values = blocks.values
    records = blocks.records
    radii = blocks.radii
    for place in _falling(places):  # from the back: the record that fills a gap is never one to be removed
        n_left -= 1
        weight = _weight_of(blocks.mass, records[place])
        _add_to_mass(blocks.mass, -weight)
        for j in range(len(blocks.sums)):
            _add(blocks.sums, blocks.compensation, j, -weight * values[place // BLOCK, j, place % BLOCK])
            values[place // BLOCK, j, place % BLOCK] = values[n_left // BLOCK, j, n_left % BLOCK]
        blocks.places[records[n_left]] = place
        blocks.places[records[place]] = -1
        records[place] = records[n_left]
        radii[place // BLOCK] = max(radii[place // BLOCK], radii[n_left // BLOCK])
    return n_left


@inner_kernel
def _falling(places: IntArray) -> IntArray:
    """Return the places in falling order, by insertion sort: O(len(places)²).

    Cheaper than the search that found them; np.sort alone would take a second to compile.
    """
    ordered = np.empty(len(places), dtype=np.int64)
    for i in range(len(places)):
        slot = i
        while slot > 0 and ordered[slot - 1] < places[i]:
            ordered[slot] = ordered[slot - 1]
            slot -= 1
        ordered[slot] = places[i]
    return ordered


@inner_kernel
def swap_to_end(blocks: Blocks, n_left: int, place: int) -> None:
    """Exchange the record at `place` with the last one left (IN/OUT); `sums` still count it: O(d).

    Unlike `remove`, this keeps all records: once every one has been swapped, the blocks serve another pass.
    """
    values = blocks.values
    last = n_left - 1
    for j in range(len(blocks.sums)):
        value = values[place // BLOCK, j, place % BLOCK]
        values[place // BLOCK, j, place % BLOCK] = values[last // BLOCK, j, last % BLOCK]
        values[last // BLOCK, j, last % BLOCK] = value
    record = blocks.records[place]
    other = blocks.records[last]
    blocks.records[place] = other
    blocks.places[other] = place
    blocks.records[last] = record
    blocks.places[record] = last


@inner_kernel
def _min_and_max(bits: IntArray, filled: int) -> tuple[int, int]:
    """Return the least and the greatest of the first `filled` numbers: O(filled)."""
    lowest = _INFINITY_BITS
    highest = -1
    for i in range(filled):
        lowest = min(lowest, bits[i])
        highest = max(highest, bits[i])
    return lowest, highest


@inner_kernel
def _farther(
    bits: IntArray, records: IntArray, start: int, filled: int, highest: int, best: int, best_bits: int
) -> tuple[int, int]:
    """Return the measured block's farthest place, if it beats the best so far or ties at a lower record: O(filled)."""
    if highest >= best_bits:
        for i in range(filled):
            if bits[i] == highest and (highest > best_bits or records[start + i] < records[best]):
                best = start + i
                best_bits = highest
    return best, best_bits


@inner_kernel
def _insert(records: IntArray, bits: int, place: int, places: IntArray, square_bits: IntArray) -> None:
    """Insert a place into the sorted list of the nearest (IN/OUT), if it belongs there: O(len(places))."""
    slot = len(places)
    while slot > 0 and (
        square_bits[slot - 1] > bits
        or places[slot - 1] < 0
        or (square_bits[slot - 1] == bits and records[places[slot - 1]] > records[place])
    ):
        slot -= 1
    if slot == len(places):
        return
    for j in range(len(places) - 1, slot, -1):
        places[j] = places[j - 1]
        square_bits[j] = square_bits[j - 1]
    places[slot] = place
    square_bits[slot] = bits
