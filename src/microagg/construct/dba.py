"""DBA: density-based algorithm."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.candidate_lists import candidate_groups
from microagg.construct.partial_grouping import PartialGrouping
from microagg.model.checks import positive_number, whole_number


@dataclass(frozen=True)
class Dba:
    """Density-based algorithm, first phase: each group around the record of highest k-density of those left.

    The k-density of a record is 1 / sse of the group that it would form with its k − 1 nearest of those left; it
    changes as these are grouped. While at least k records are left. Ties go to the lowest index. O(n·(k + d)) memory,
    O(n²·d) time. Followed by `Decompose`, this is DBA-2.

    With this reading all eight figures of DBA-1 (Tarragona and Census, k = 3, 4, 5, 10) are reproduced to the last of
    their six decimals. Other readings are not: densities that stay what they were at the beginning (Tarragona, k = 3:
    19.946, published 20.699), squared distances from the record instead of the centroid (20.169), distances that are
    not squared (18.834; from the record 20.364), the distance of the farthest neighbour (19.746).

    Parameters
    ----------
    p
        The number of groups that are formed first, around the records of *lowest* k-density: the preprocessing of
        DBA-2P, which leaves fewer outliers to the end. The paper leaves p to the user.
    memory_limit
        The bytes that the lists of nearest records may take: if they need more, that is an error before any work.

    References
    ----------
    Lin, Wen, Hsieh & Chang (2010), Density-based microaggregation for statistical disclosure control, Expert Systems
    with Applications 37(4).
    """

    p: int = 0
    memory_limit: float = 4e9
    name: ClassVar[str] = "dba-1"
    reference: ClassVar[str] = "Lin, Wen, Hsieh & Chang 2010"

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", whole_number("p", self.p, at_least=0))
        object.__setattr__(self, "memory_limit", positive_number("memory_limit", self.memory_limit))

    def __call__(self, grouping: PartialGrouping) -> Iterator[int]:
        """Yield the records of lowest density p times, then those of highest."""
        from microagg.kernels.grouping.candidate_groups import extreme_candidate

        candidates = candidate_groups(grouping, self.name, self.memory_limit)
        n_formed = 0
        while grouping.n_left >= grouping.k:
            densest = n_formed >= self.p
            yield extreme_candidate(grouping.blocks, grouping.n_left, grouping.X, grouping.k, candidates, densest)
            n_formed += 1
