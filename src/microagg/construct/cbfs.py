"""CBFS: centroid-based fixed size."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.partial_grouping import PartialGrouping


@dataclass(frozen=True)
class Cbfs:
    """Centroid-based fixed size: each group around the record farthest from the centroid of those left.

    While at least k records are left. Ties go to the lowest index. O(n²·d/k).

    References
    ----------
    Laszlo & Mukherjee (2005), Minimum spanning tree partitioning algorithm for microaggregation, IEEE TKDE
    17(7); there the groups grow by `NearestToCentroid`.
    """

    name: ClassVar[str] = "cbfs"
    reference: ClassVar[str] = "Laszlo & Mukherjee 2005"

    def __call__(self, grouping: PartialGrouping) -> Iterator[int]:
        """Yield the record farthest from the centroid of those left."""
        while grouping.n_left >= grouping.k:
            yield grouping.farthest_from_centroid()
