"""MD: maximum distance."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microagg.arrays import IntArray
from microagg.construct.fixed_size import Forming


@dataclass(frozen=True)
class Md:
    """Start two groups at the two most distant records.

    While at least 2k are left. The one farther from the centroid of those left comes first (the papers do not
    say which); ties go to the lowest indices. Also known as DBFS, diameter-based fixed size.
    The distances only lose pairs, so the longest ones are listed n at a time, and the list serves until none of
    its pairs is left: O(n²·d/k) in practice; O(n³·d/k) where nearly all pairs are equally long.

    References
    ----------
    Domingo-Ferrer & Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical disclosure
    control, IEEE TKDE 14(1); Laszlo & Mukherjee (2005), IEEE TKDE 17(7) (DBFS).
    """

    name: ClassVar[str] = "md"
    reference: ClassVar[str] = "Domingo-Ferrer & Mateo-Sanz 2002"

    def __call__(self, forming: Forming) -> Iterator[int]:
        """Yield the one and the other, again and again."""
        from microagg.kernels.diameter import first_left

        first = second = np.empty(0, dtype=np.int64)
        pair = 0
        while forming.left >= 2 * forming.k:
            pair = first_left(forming.blocks.places, first, second, pair)
            if pair == len(first):
                (first, second), pair = _most_distant(forming), 0
            forming.mend_sums()
            ends = np.array([first[pair], second[pair]])
            outer = np.square(forming.X[ends] - forming.blocks.sums / forming.left).sum(axis=1).argmax()
            one, other = int(ends[outer]), int(ends[1 - outer])
            yield one
            # Where many are equally far, the other may have gone with the one: take the next like it.
            yield other if forming.blocks.places[other] >= 0 else forming.farthest_from_last()


def _most_distant(forming: Forming) -> tuple[IntArray, IntArray]:
    """List the most distant pairs of the records left, as many as there are records."""
    from microagg.kernels.diameter import longest_pairs

    records = np.sort(forming.blocks.records[: forming.left])
    Y = forming.X[records]
    first, second = np.empty((2, forming.left), dtype=np.int64)
    if (Y[0] == Y).all():  # no pair is longer than another
        return records[:1], records[1:2]
    norms = np.sqrt(np.square(Y - Y.mean(axis=0)).sum(axis=1))
    falling = np.argsort(-norms, kind="stable")
    found = longest_pairs(Y[falling], norms[falling], records[falling], first, second)
    return first[:found], second[:found]
