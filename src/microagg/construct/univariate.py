"""The optimum of one column."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from numpy.random import Generator

from microagg.control.run import Run
from microagg.model.partition import Partition
from microagg.model.problem import Problem


@dataclass(frozen=True)
class Univariate:
    """Optimum of one column: the records sorted and cut optimally.

    In one column some optimal partition has runs of the sorted records for groups, each of k to
    2k − 1 of them. O(n log n + n·k).

    References
    ----------
    Hansen & Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation, IEEE
    Transactions on Knowledge and Data Engineering 15(4).
    """

    reference: ClassVar[str] = "Hansen & Mukherjee 2003"
    needs: ClassVar[str] = "one column that varies"

    def supports(self, problem: Problem) -> bool:
        """Check whether at most one column varies."""
        return len(problem.varying) <= 1

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        from microagg.kernels.walks.optimal_cut import cut_sorted

        run.tick("univariate", 0.0)
        column = problem.X[:, problem.varying].sum(axis=1)
        return Partition.along(problem, *cut_sorted(column, problem.k, partial(run.tick, "univariate")))
