"""The optimum of one column."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from numpy.random import Generator

from microagg.errors import MethodError
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress


@dataclass(frozen=True)
class Univariate:
    """Sort the one column and cut it where least is lost: the optimum.

    In one column some optimal partition has runs of the sorted records for groups, each of k to
    2k − 1 of them. O(n log n + n·k).

    References
    ----------
    Hansen & Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation, IEEE
    Transactions on Knowledge and Data Engineering 15(4).
    """

    reference: ClassVar[str] = "Hansen & Mukherjee 2003"

    def __call__(self, problem: Problem, rng: Generator, progress: Progress) -> Partition:
        """Make the partition; `rng` is not needed."""
        from microagg.kernels.cut import cut_sorted

        if len(problem.varying) > 1:
            raise MethodError(
                f"method 'univariate' groups along one column, found {len(problem.varying)}: "
                "choose one column, or a method for several such as 'mdav'"
            )
        column = problem.X[:, problem.varying].sum(axis=1)
        return Partition.along(problem, *cut_sorted(column, problem.k, partial(progress, "univariate")))
