"""MD: maximum distance."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from microagg.construct.fixed_size import Forming


@dataclass(frozen=True)
class Md:
    """Start a group at either of the two most distant records.

    While at least 2k are left. The one farther from the centroid of those left comes first (the papers do not
    say which); ties go to the lowest indices. Also known as DBFS, diameter-based fixed size.
    The distances only lose pairs, so the longest ones are listed many at a time, and the list serves until none of
    its pairs is left: mostly O(n²·d/k), in many columns up to O(n²·d).

    References
    ----------
    Domingo-Ferrer & Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical disclosure
    control, IEEE TKDE 14(1); Laszlo & Mukherjee (2005), IEEE TKDE 17(7) (DBFS).
    """

    name: ClassVar[str] = "md"
    reference: ClassVar[str] = "Domingo-Ferrer & Mateo-Sanz 2002"

    def __call__(self, forming: Forming) -> Iterator[int]:
        """Yield the one and the other, again and again."""
        from microagg.kernels.geometry.farthest_pairs import farthest_pairs, farthest_records_left, records_by_point

        X, places = forming.X, forming.blocks.places
        listing = partial(forming.run.tick, "md: longest distances")
        points, pairs, pair, low = records_by_point(X), None, 0, -1
        while forming.left >= 2 * forming.k:
            if pairs is not None:
                pair, low, high = farthest_records_left(places, points, pairs, pair)
            if low < 0:
                left = np.flatnonzero(np.bincount(points.point_of[forming.blocks.records[: forming.left]]))
                pairs = farthest_pairs(X[points.records[points.ends[left] - 1]], left, listing)
                pair, low, high = farthest_records_left(places, points, pairs, 0)
            if low < 0:  # one point is left
                low = high = int(forming.blocks.records[: forming.left].min())
            one, other = (low, high) if forming.is_outer(low, high) else (high, low)
            yield one
            # Where many are equally far, the other may have gone with the one: take the next like it.
            yield other if places[other] >= 0 else forming.farthest_from_last()
