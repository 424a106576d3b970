"""GSMS: successive group selection."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from microagg.construct.fixed_size import Forming


@dataclass(frozen=True)
class Gsms:
    """Start each group where a record and its k − 1 nearest leave the least sse in group and rest.

    Until fewer than k are left. Ties go to the lowest index. The paper keeps all n² distances in queues; here each
    record keeps its 4k nearest and looks for more when these are gone: O(n·(k + d)) memory, O(n²·d) time.

    References
    ----------
    Panagiotakis & Tziritas (2013), Successive group selection for microaggregation, IEEE TKDE 25(5).
    """

    name: ClassVar[str] = "gsms"
    reference: ClassVar[str] = "Panagiotakis & Tziritas 2013"

    def __call__(self, forming: Forming) -> Iterator[int]:
        """Yield first records."""
        from microagg.kernels._jit import WORK
        from microagg.kernels.candidates import empty_candidates, fill, outermost

        X, k = forming.X, forming.k
        candidates = empty_candidates(X, k)
        step = max(1, int(WORK / X.size))
        for start in range(0, len(X), step):
            fill(forming.blocks, forming.left, X, k, candidates, start, min(start + step, len(X)))
        while forming.left >= k:
            forming.mend_sums()
            yield outermost(forming.blocks, forming.left, X, k, candidates)
