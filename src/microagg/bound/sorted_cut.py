"""The exact bound of one column."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from microagg.errors import MethodError
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress
from microagg.solution import LowerBound
from microagg.stop import Stop


@dataclass(frozen=True)
class SortedCut:
    """Prove the optimum of one column: the best cut of its sorted records.

    Swapping records between two groups whose ranges overlap never raises the sse, and splitting a group
    of 2k or more lowers it: so runs of k to 2k − 1 sorted records are enough, and the shortest
    path over all of them is their best choice. In floating point, each sse being summed by
    Welford's update; the bound is the sse of the partition handed back. O(n log n + n·k).

    References
    ----------
    Hansen & Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation, IEEE
    Transactions on Knowledge and Data Engineering 15(4).
    """

    reference: ClassVar[str] = "Hansen & Mukherjee 2003"
    limits: ClassVar[frozenset[str]] = frozenset()

    def __call__(
        self, problem: Problem, incumbent: Partition, stop: Stop, progress: Progress
    ) -> tuple[LowerBound, Partition]:
        """Prove the bound; it is all or nothing, and does not stop halfway."""
        from microagg.kernels.cut import cut_sorted

        if len(problem.varying) > 1:
            raise MethodError(f"the sorted cut bounds one column, found {len(problem.varying)}")
        column = problem.X[:, problem.varying].sum(axis=1)
        best = Partition.along(problem, *cut_sorted(column, problem.k, partial(progress, "bound")))
        best = min(incumbent, best, key=lambda partition: partition.sse)
        return LowerBound(best.sse, "sorted cut"), best
