"""Weights of records, where there are any: without them `weights` is None, and every record weighs 1.

A kernel is compiled for either, and holds nothing of the other: without weights, products with 1 are left out, and the
code is as if there had never been weights.
"""

from microagg.kernels.jit import inlined_kernel
from microagg.model.arrays import FloatArray


@inlined_kernel
def weight_of(weights: FloatArray | None, record: int) -> float:
    """Return the weight of a record."""
    if weights is None:
        return 1.0
    return weights[record]  # type: ignore[no-any-return]


@inlined_kernel
def mass_after_swap(weights: FloatArray | None, mass: float, leaving: float, arriving: float) -> float:
    """Return the weight of a group after one record has replaced another."""
    if weights is None:
        return mass
    return mass - leaving + arriving


@inlined_kernel
def mass_ratio(weights: FloatArray | None, before: float, after: float) -> float:
    """Return how many times its later weight a group weighed; 1 without weights, where only swaps are looked at."""
    if weights is None:
        return 1.0
    return before / after


@inlined_kernel
def swap_may_gain(weights: FloatArray | None, away: float, radius: float, other_radius: float) -> bool:
    """Check whether a swap between two groups may gain, by their radii and the distance of their centroids.

    Between records of different weights it may at any distance: a light record costs little, however far it is.
    """
    if weights is None:
        return away < radius + other_radius
    return True
