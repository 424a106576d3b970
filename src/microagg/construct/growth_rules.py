"""Two rules by which a group grows to k records."""

from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.partial_grouping import GrowthKernel


@dataclass(frozen=True)
class Nearest:
    """Growth by the k − 1 records nearest to the first (NN)."""

    weighted: ClassVar[bool] = True

    def __call__(self) -> GrowthKernel:
        """Return the kernel."""
        from microagg.kernels.grouping.growth import take_nearest

        return take_nearest


@dataclass(frozen=True)
class NearestToCentroid:
    """Growth by the record nearest to the centroid of the group, k − 1 times (NC)."""

    def __call__(self) -> GrowthKernel:
        """Return the kernel."""
        from microagg.kernels.grouping.growth import take_nearest_to_centroid

        return take_nearest_to_centroid
