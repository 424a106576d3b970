"""Weights of records, where there are any: without them `weights` is None, and every record weighs 1.

A kernel is compiled for either, and holds nothing of the other: without weights, products with 1 are left out, and the
code is as if there had never been weights.
"""

from typing import NamedTuple

from microagg.kernels.jit import optional_kernel
from microagg.model.arrays import FloatArray, IntArray


@optional_kernel
def weight_of(weights: FloatArray | None, record: int) -> float:
    """Return the weight of a record."""
    if weights is None:
        return 1.0
    return weights[record]  # type: ignore[no-any-return]


@optional_kernel
def mass_of(masses: FloatArray | None, sizes: IntArray, group: int) -> float:
    """Return the weight of a group: without weights, the number of its records."""
    if masses is None:
        return sizes[group]  # type: ignore[no-any-return]
    return masses[group]  # type: ignore[no-any-return]


@optional_kernel
def set_mass(masses: FloatArray | None, group: int, mass: float) -> None:
    """Set the weight of a group (OUT); without weights, its number of records is enough."""
    if masses is None:
        return
    masses[group] = mass


@optional_kernel
def amplification(weights: FloatArray | None, mass: float, leaving: float) -> float:
    """Return by how much rounding errors grow when a record leaves a group: much, if it is most of its weight.

    Without weights 1, as it is at most half of its group.
    """
    if weights is None:
        return 1.0
    return mass / (mass - leaving)


@optional_kernel
def swap_may_gain(weights: FloatArray | None, away: float, radius: float, other_radius: float) -> bool:
    """Check whether a swap between two groups may gain, by their radii and the distance of their centroids.

    Between records of different weights it may at any distance: a light record costs little, however far it is.
    """
    if weights is None:
        return away < radius + other_radius
    return True


class SwapFactors(NamedTuple):
    """Factors of the squares in the change of the sse by a swap."""

    own_here: float  # of the first record's squared distance from the centroid of its own group
    own_there: float  # and of the other group
    other_here: float  # of the second record's squared distance from the centroid of the first group
    other_there: float  # and of its own group
    between: float  # of the squared distance of the two records
    amplification: float  # by how much rounding errors grow


@optional_kernel
def swap_factors(weights: FloatArray | None, record: int, other: int, a: float, b: float) -> SwapFactors:
    """Return the factors for a swap of two records of groups that weigh a and b: see `moves/local_descent.py`."""
    if weights is None:
        return SwapFactors(1.0, 1.0, 1.0, 1.0, 1 / a + 1 / b, 1.0)
    v = weights[record]
    w = weights[other]
    a_after = a - v + w
    b_after = b - w + v
    a_ratio = a / a_after
    b_ratio = b / b_after
    between = v * w * (1 / a_after + 1 / b_after)
    larger = max(1.0, a_ratio, b_ratio)
    return SwapFactors(v * a_ratio, v * b_ratio, w * a_ratio, w * b_ratio, between, larger)
