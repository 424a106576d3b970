"""Distances of the points of a leaf in single precision, by which most records are ruled out as neighbours.

They are computed between points relative to the centre of the leaf that neighbours are searched for. Only records whose
distance is not above a threshold are looked at closer. Let T be the squared distance of the last record of a list, q
the point whose list it is, and u = 2⁻²⁴. A record at a distance of D ≤ √T has a computed squared distance of at most
(D·(1 + 2u) + 4u·|q| + slack)²·(1 + (d + 3)·2u), and (a + b)² ≤ (1 + β)·a² + (1 + 1/β)·b². The threshold
T·growth + margin is above that: no record is missed.
"""

import numpy as np
import numpy.typing as npt

from microagg.kernels.geometry.record_leaves import LEAF
from microagg.kernels.jit import inlined_kernel
from microagg.model.arrays import FloatArray, IntArray

SingleArray = npt.NDArray[np.float32]
BitsArray = npt.NDArray[np.int32]  # bits of non-negative single-precision numbers: they are ordered as these are

_BETA = 2.0**-12
_ROUNDING = 2.0**-22  # 4u
_INFINITY_BITS = np.int32(0x7F800000)
_SURPLUS = 4  # records that a first threshold may let pass above the number wanted


@inlined_kernel
def growth_of(n_columns: int) -> float:
    """Return the factor of a squared distance in its threshold: see above."""
    return 1.0 + 2.0 * _BETA + n_columns * 2.0**-20


@inlined_kernel
def reach(bits: BitsArray, n_filled: int, n_nearest: int) -> int:
    """Find, by bisection, a number that is not below `n_nearest` of the first `n_filled` ones, nor below many more."""
    low = np.int32(0)
    high = _INFINITY_BITS
    count = n_filled
    while high - low > 1 and count > n_nearest + _SURPLUS:
        middle = low + (high - low) // 2
        n_below = 0
        for i in range(n_filled):
            n_below += bits[i] <= middle
        if n_below >= n_nearest:
            high = middle
            count = n_below
        else:
            low = middle
    return int(high)


@inlined_kernel
def centre_leaf(turned: FloatArray, centres: FloatArray, leaf: int, points: SingleArray) -> None:
    """Compute the points (OUT) of any leaf relative to the centre of one."""
    for j in range(len(centres)):
        centre = centres[j, leaf]
        for i in range(LEAF):
            points[j, i] = turned[j, i] - centre


@inlined_kernel
def compute_margins(queries: SingleArray, slack: float, margins: FloatArray) -> None:
    """Compute what is added to the threshold of each query (OUT) for its rounding errors: see above."""
    margins[:] = 0.0
    for j in range(len(queries)):
        for i in range(LEAF):
            margins[i] += np.float64(queries[j, i]) * np.float64(queries[j, i])
    for i in range(LEAF):
        error = _ROUNDING * np.sqrt(margins[i]) + slack
        margins[i] = (1.0 + 1.0 / _BETA) * 1.01 * error * error


@inlined_kernel
def measure_leaf(points: SingleArray, queries: SingleArray, query: int, squares: SingleArray) -> None:
    """Compute the squared distances (OUT) of all points of a leaf from one query: two columns at a time."""
    for i in range(LEAF):
        squares[i] = 0.0
    for j in range(0, len(points), 2):
        one = points[j]
        other = points[j + 1]
        at_one = queries[j, query]
        at_other = queries[j + 1, query]
        for i in range(LEAF):
            x = one[i] - at_one
            y = other[i] - at_other
            squares[i] = squares[i] + x * x + y * y


@inlined_kernel
def select_near(bits: BitsArray, n_filled: int, threshold: int, hits: IntArray) -> int:
    """List the points (OUT) that are not above a threshold, and return their number.

    Most leaves have none: hence the minimum first, which numba vectorises over integers but not over floats.
    """
    lowest = _INFINITY_BITS
    for i in range(LEAF):
        lowest = min(lowest, bits[i])
    if lowest > threshold:
        return 0
    n_hits = 0
    for i in range(n_filled):
        hits[n_hits] = i
        n_hits += bits[i] <= threshold
    return n_hits
