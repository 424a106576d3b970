"""GSMS: successive group selection."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.fixed_size import Forming
from microagg.construct.memory_check import check_memory
from microagg.model.checks import positive_number


@dataclass(frozen=True)
class Gsms:
    """Start each group where a record and its k − 1 nearest leave the least sse in group and rest.

    Until fewer than k are left. Ties go to the lowest index. The paper keeps all n² distances in queues; here each
    record keeps up to 4k of its nearest and looks for more when these are gone: O(n·(k + d)) memory, O(n²·d) time.

    Parameters
    ----------
    memory_limit
        How many bytes the nearest records may take: more is refused before anything is done.

    References
    ----------
    Panagiotakis & Tziritas (2013), Successive group selection for microaggregation, IEEE TKDE 25(5).
    """

    memory_limit: float = 4e9
    name: ClassVar[str] = "gsms"
    reference: ClassVar[str] = "Panagiotakis & Tziritas 2013"

    def __post_init__(self) -> None:
        object.__setattr__(self, "memory_limit", positive_number("memory_limit", self.memory_limit))

    def __call__(self, forming: Forming) -> Iterator[int]:
        """Yield first records."""
        from microagg.kernels.grouping.candidate_groups import (
            best_candidate,
            candidate_bytes,
            empty_candidates,
            fill_candidates,
        )
        from microagg.kernels.tick import steps_per_tick

        X, k = forming.X, forming.k
        nearest = f"the nearest of {len(X)} records at k = {k}"
        check_memory("gsms-nn", nearest, candidate_bytes(X, k), self.memory_limit, "cbfs-nn")
        candidates = empty_candidates(X, k)
        step = steps_per_tick(X.size + 8 * len(X) * k)
        for start in range(0, len(candidates.points), step):
            forming.run.tick("gsms: nearest records", start / len(candidates.points))
            end = min(start + step, len(candidates.points))
            fill_candidates(forming.blocks, forming.left, X, k, candidates, start, end)
        while forming.left >= k:
            yield best_candidate(forming.blocks, forming.left, X, k, candidates)
