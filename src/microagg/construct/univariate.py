"""The best cut of one column, which is the optimum unless records have weights."""

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

    With weights this is the best of all partitions into runs, and the optimum need not be one of them: with k = 2 and
    records 0 and 1 of weight 100, 2 and 3 of weight 1, the best groups are {0, 2} and {1, 3}: each heavy record is
    better off with a light one than with the other heavy one.

    References
    ----------
    Hansen & Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation, IEEE
    Transactions on Knowledge and Data Engineering 15(4).
    """

    reference: ClassVar[str] = "Hansen & Mukherjee 2003"
    needs: ClassVar[str] = "one column that varies"
    weighted: ClassVar[bool] = True

    def supports(self, problem: Problem) -> bool:
        """Check whether at most one column varies."""
        return len(problem.varying) <= 1

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        from microagg.kernels.walks.optimal_cut import cut_sorted

        run.tick("univariate", 0.0)
        column = problem.X[:, problem.varying].sum(axis=1)
        cut = cut_sorted(column, problem.k, partial(run.tick, "univariate"), problem.weights)
        return Partition.along(problem, *cut)
