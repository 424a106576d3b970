"""CBFS: centroid-based fixed size."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.fixed_size import Forming


@dataclass(frozen=True)
class Cbfs:
    """Start each group at the record farthest from the centroid of those left.

    Until fewer than k are left. Ties go to the lowest index. O(n²·d/k).

    References
    ----------
    Laszlo & Mukherjee (2005), Minimum spanning tree partitioning algorithm for microaggregation, IEEE TKDE
    17(7); there the groups grow by `NearestToCentroid`.
    """

    name: ClassVar[str] = "cbfs"
    reference: ClassVar[str] = "Laszlo & Mukherjee 2005"

    def __call__(self, forming: Forming) -> Iterator[int]:
        """Yield first records."""
        while forming.left >= forming.k:
            yield forming.farthest_from_centroid()
