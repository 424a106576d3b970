"""Exact bound of one column."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

_KIND = "sorted cut"


@dataclass(frozen=True)
class SortedCut:
    """Bound by the optimum of one column: the best cut of its sorted records.

    Swapping records between two groups whose ranges overlap never raises the sse, and splitting a group of 2k or more
    lowers it: so runs of k to 2k − 1 sorted records are enough, and the shortest path over all of them is their best
    choice. Each sse is summed by Welford's update; the bound is the sse of the partition returned. O(n log n + n·k).

    References
    ----------
    Hansen & Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation, IEEE Transactions on
    Knowledge and Data Engineering 15(4).
    """

    reference: ClassVar[str] = "Hansen & Mukherjee 2003"
    needs: ClassVar[str] = "one column that varies"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit"})

    def supports(self, problem: Problem) -> bool:
        """Check whether at most one column varies."""
        return len(problem.varying) <= 1

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound; 0 where the run ends halfway."""
        from microagg.kernels.walks.optimal_cut import cut_sorted

        column = problem.X[:, problem.varying].sum(axis=1)
        try:
            cut = cut_sorted(column, problem.k, partial(run.tick, "bound"))
        except StoppedError as error:
            return LowerBound(0.0, _KIND, error.ending), incumbent
        best = Partition.along(problem, *cut)
        best = min(incumbent, best, key=lambda partition: partition.sse)
        return LowerBound(best.sse, _KIND), best
