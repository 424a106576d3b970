"""GSMS: successive group selection."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.candidate_lists import candidate_groups
from microagg.construct.partial_grouping import PartialGrouping
from microagg.model.checks import positive_number


@dataclass(frozen=True)
class Gsms:
    """Successive group selection: each group around the record for which group and rest have the least sse.

    While at least k records are left. Ties go to the lowest index. The paper keeps all n² distances in queues; here
    each record keeps up to 4k of its nearest and finds more when all of these are grouped: O(n·(k + d)) memory, O(n²·d)
    time.

    Parameters
    ----------
    memory_limit
        The bytes that the lists of nearest records may take: if they need more, that is an error before any work.

    References
    ----------
    Panagiotakis & Tziritas (2013), Successive group selection for microaggregation, IEEE TKDE 25(5).
    """

    memory_limit: float = 4e9
    name: ClassVar[str] = "gsms"
    reference: ClassVar[str] = "Panagiotakis & Tziritas 2013"

    def __post_init__(self) -> None:
        object.__setattr__(self, "memory_limit", positive_number("memory_limit", self.memory_limit))

    def __call__(self, grouping: PartialGrouping) -> Iterator[int]:
        """Yield the record whose group leaves the least sse."""
        from microagg.kernels.grouping.candidate_groups import best_candidate

        candidates = candidate_groups(grouping, "gsms-nn", self.memory_limit)
        while grouping.n_left >= grouping.k:
            yield best_candidate(grouping.blocks, grouping.n_left, grouping.X, grouping.k, candidates)
