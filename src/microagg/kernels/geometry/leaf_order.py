"""Leaves in the order of their distance from one, as a heap: few of them are ever asked for."""

from microagg.kernels.geometry.record_leaves import Leaves
from microagg.kernels.jit import inlined_kernel, inner_kernel
from microagg.model.arrays import FloatArray, IntArray


@inlined_kernel
def measure_leaves(leaves: Leaves, leaf: int, gaps: FloatArray, away: FloatArray) -> None:
    """Compute the squared distances (OUT) of all leaves from one: between their boxes, and between their centres."""
    gaps[:] = 0.0
    away[:] = 0.0
    for j in range(len(leaves.low)):
        low = leaves.low[j, leaf]
        high = leaves.high[j, leaf]
        centre = leaves.centres[j, leaf]
        for other in range(len(gaps)):
            gap = max(max(leaves.low[j, other] - high, low - leaves.high[j, other]), 0.0)
            gaps[other] += gap * gap
            shift = leaves.centres[j, other] - centre
            away[other] += shift * shift


@inlined_kernel
def make_heap(heap: IntArray, keys: FloatArray) -> int:
    """Make a heap (OUT) of all leaves, the one with the least key on top, and return its length."""
    for place in range(len(heap)):
        heap[place] = place
    for place in range(len(heap) // 2 - 1, -1, -1):
        _sift_down(heap, len(heap), place, keys)
    return len(heap)


@inlined_kernel
def keep_near(heap: IntArray, n_left: int, gaps: FloatArray, keys: FloatArray, widest: float) -> int:
    """Remove leaves that are too far away from the heap (IN/OUT), and return its length."""
    n_kept = 0
    for place in range(n_left):
        leaf = heap[place]
        heap[n_kept] = leaf
        n_kept += gaps[leaf] <= widest
    for place in range(n_kept // 2 - 1, -1, -1):
        _sift_down(heap, n_kept, place, keys)
    return n_kept


@inlined_kernel
def pop_nearest(heap: IntArray, length: int, keys: FloatArray) -> int:
    """Remove the leaf with the least key from a heap of this length (IN/OUT), and return it."""
    leaf = heap[0]
    heap[0] = heap[length - 1]
    _sift_down(heap, length - 1, 0, keys)
    return int(leaf)


@inner_kernel
def _sift_down(heap: IntArray, length: int, place: int, keys: FloatArray) -> None:
    """Move the leaf at a place of the heap (IN/OUT) down to where it belongs: O(log(length))."""
    leaf = heap[place]
    while 2 * place + 1 < length:
        child = 2 * place + 1
        if child + 1 < length and keys[heap[child + 1]] < keys[heap[child]]:
            child += 1
        if keys[leaf] <= keys[heap[child]]:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = leaf
