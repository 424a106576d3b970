"""GSMS: successive group selection."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.memory_check import check_memory
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
        from microagg.kernels.grouping.candidate_groups import (
            best_candidate,
            candidate_bytes,
            empty_candidates,
            fill_candidates,
        )
        from microagg.kernels.tick import steps_per_tick

        X, k = grouping.X, grouping.k
        nearest = f"the nearest of {len(X)} records at k = {k}"
        check_memory("gsms-nn", nearest, candidate_bytes(X, k), self.memory_limit, "cbfs-nn")
        candidates = empty_candidates(X, k)
        n_points = len(candidates.points)
        step = steps_per_tick(X.size + 8 * len(X) * k)
        for start in range(0, n_points, step):
            grouping.run.tick("gsms: nearest records", start / n_points)
            fill_candidates(grouping.blocks, grouping.n_left, X, k, candidates, start, min(start + step, n_points))
        while grouping.n_left >= k:
            yield best_candidate(grouping.blocks, grouping.n_left, X, k, candidates)
