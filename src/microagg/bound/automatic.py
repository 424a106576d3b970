"""Choose the bound that can prove most of a problem."""

from dataclasses import dataclass, field
from typing import ClassVar

from microagg.bound.column_generation import ColumnGeneration
from microagg.bound.exact import Exact
from microagg.bound.neighbours import Neighbours
from microagg.bound.sorted_cut import SortedCut
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress
from microagg.solution import LowerBound
from microagg.stop import Stop

_MOST_RECORDS = 8_000  # whose distances are kept, twice: a gigabyte


@dataclass(frozen=True)
class Automatic:
    """Prove the optimum of one column; of up to 8 000 records, bound by column generation; of more, by neighbours.

    Parameters
    ----------
    generation
        The column generation, or what goes on from it.
    """

    generation: ColumnGeneration | Exact = field(default=ColumnGeneration(), metadata={"handed in": True})
    reference: ClassVar[str] = "microagg"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __call__(
        self, problem: Problem, incumbent: Partition, stop: Stop, progress: Progress
    ) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        if len(problem.varying) <= 1:
            return SortedCut()(problem, incumbent, stop, progress)
        if problem.n <= _MOST_RECORDS:
            return self.generation(problem, incumbent, stop, progress)
        return Neighbours()(problem, incumbent, stop, progress)
