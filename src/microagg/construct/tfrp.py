"""TFRP: two fixed reference points."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import ClassVar

from microagg.construct.fixed_size import Forming


@dataclass(frozen=True)
class Tfrp:
    """Start the groups in turn at the record farthest from the columns' maxima, and from their minima.

    Until fewer than k are left. This order and this end give the published figures (IGD paper, tables 2–4);
    the minima first do not. Ties go to the lowest index. O(n²·d/k).

    References
    ----------
    Chang, Li & Huang (2007), TFRP: an efficient microaggregation algorithm for statistical disclosure
    control, Journal of Systems and Software 80(11): its first phase, with `Nearest`.
    """

    name: ClassVar[str] = "tfrp"
    reference: ClassVar[str] = "Chang, Li & Huang 2007"

    def __call__(self, forming: Forming) -> Iterator[int]:
        """Yield first records."""
        references = cycle([forming.X.max(axis=0), forming.X.min(axis=0)])
        while forming.left >= forming.k:
            yield forming.farthest_from(next(references))
