"""MDAV: maximum distance to average vector."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.partial_grouping import PartialGrouping
from microagg.model.checks import one_of

_RESTS = ("group", "nearest")


@dataclass(frozen=True)
class Mdav:
    """Maximum distance to average vector: groups around the record farthest from the centroid, then from that.

    While at least 2k records are left: r is the one farthest from the centroid of those left, s the one farthest
    from r. With `Nearest`, r and its k − 1 nearest are a group, then s and its k − 1 nearest of those left. Ties go to
    the lowest index. O(n²·d/k). Where records have weights, the centroid is the weighted one.

    Parameters
    ----------
    rest
        What becomes of k to 2k − 1 records that are left in the end. "group": they are the last group, as in [2] line
        6. "nearest": the one farthest from their centroid starts one more group of k, and the others join the nearest
        groups; so the IGD paper's figures for Tarragona at k = 10, 20 and 30 were made.

    References
    ----------
    [1] Domingo-Ferrer & Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through
        microaggregation, Data Mining and Knowledge Discovery 11(2).
    [2] Mortazavi & Jalili (2015), ICSM, algorithm 1: this form of it.
    """

    rest: str = "group"
    name: ClassVar[str] = "mdav"
    reference: ClassVar[str] = "Domingo-Ferrer & Torra 2005"
    weighted: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of("rest", self.rest, _RESTS)

    def __call__(self, grouping: PartialGrouping) -> Iterator[int]:
        """Yield r and s in turn."""
        while grouping.n_left >= 2 * grouping.k:  # [2] line 5
            yield grouping.farthest_from_centroid()
            yield grouping.farthest_from_last()
        if self.rest == "nearest" and grouping.n_left >= grouping.k:
            yield grouping.farthest_from_centroid()
