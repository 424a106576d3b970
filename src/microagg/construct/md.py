"""MD: maximum distance."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from microagg.construct.partial_grouping import PartialGrouping
from microagg.model.arrays import IntArray

if TYPE_CHECKING:
    from microagg.kernels.geometry.farthest_pairs import Pairs


@dataclass(frozen=True)
class Md:
    """Maximum distance: groups around the two most distant records.

    While at least 2k records are left. The one farther from the centroid of those left comes first (the papers do not
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

    def __call__(self, grouping: PartialGrouping) -> Iterator[int]:
        """Yield the two most distant records left, one after the other."""
        pairs = _LongestPairs(grouping)
        while grouping.n_left >= 2 * grouping.k:
            low, high = pairs.longest()
            first, second = (low, high) if grouping.is_outer(low, high) else (high, low)
            yield first
            # Where many are equally far, the second may have joined the first: take the next one as far.
            yield second if grouping.blocks.places[second] >= 0 else grouping.farthest_from_last()


class _LongestPairs:
    """Pairs of records by falling distance, listed many at a time."""

    def __init__(self, grouping: PartialGrouping) -> None:
        from microagg.kernels.geometry import farthest_pairs

        self._kernels = farthest_pairs
        self._grouping = grouping
        self._points = farthest_pairs.records_by_point(grouping.X)
        self._pairs: Pairs | None = None
        self._pair = 0  # the place in the list: no pair before it is left

    def longest(self) -> tuple[int, int]:
        """Return the most distant pair left, the lower index first; one record twice, where all left are equal."""
        low, high = self._longest_listed()
        if low < 0:
            self._list_pairs()
            low, high = self._longest_listed()
        if low < 0:
            low = high = int(self._records_left().min())
        return low, high

    def _records_left(self) -> IntArray:
        return self._grouping.blocks.records[: self._grouping.n_left]

    def _longest_listed(self) -> tuple[int, int]:
        """Return the first pair of the list of which both are left; (-1, -1) if there is none."""
        if self._pairs is None:
            return -1, -1
        places = self._grouping.blocks.places
        self._pair, low, high = self._kernels.farthest_records_left(places, self._points, self._pairs, self._pair)
        return low, high

    def _list_pairs(self) -> None:
        points = self._points
        left = np.flatnonzero(np.bincount(points.point_of[self._records_left()]))
        tick = partial(self._grouping.run.tick, "md: longest distances")
        self._pairs = self._kernels.farthest_pairs(self._grouping.X[points.records[points.ends[left] - 1]], left, tick)
        self._pair = 0
