"""Two ways to grow a group to k."""

from dataclasses import dataclass

from microagg.construct.fixed_size import Take


@dataclass(frozen=True)
class Nearest:
    """Grow it by the k − 1 records nearest to its first (NN)."""

    def __call__(self) -> Take:
        """Give the kernel."""
        from microagg.kernels.grouping.growth import take_nearest

        return take_nearest


@dataclass(frozen=True)
class NearestToCentroid:
    """Grow it by the record nearest to its centroid, again and again (NC)."""

    def __call__(self) -> Take:
        """Give the kernel."""
        from microagg.kernels.grouping.growth import take_nearest_to_centroid

        return take_nearest_to_centroid
