"""The bound that can prove most of a problem."""

from dataclasses import dataclass, field
from typing import ClassVar

from microagg.bound.column_generation import ColumnGeneration
from microagg.bound.dual_ascent import DualAscent
from microagg.bound.sorted_cut import SortedCut
from microagg.control.run import Run
from microagg.control.stage_fields import INJECTED
from microagg.control.stages import Bound
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound

_MAX_RECORDS = 8_000  # whose distances are kept, twice: a gigabyte


@dataclass(frozen=True)
class Automatic:
    """Bound chosen by the problem: the optimum of one column, column generation up to 8 000 records, else ascent.

    Fewer than 2k records have one partition only, which is the optimum. The more records there are, the fewer steps has
    the ascent; in the end it is the bound by neighbours.

    Parameters
    ----------
    generation
        The column generation, or a bound that goes on from it.
    """

    generation: Bound = field(default=ColumnGeneration(), metadata=INJECTED)
    reference: ClassVar[str] = "microagg"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        if problem.n < 2 * problem.k:
            return LowerBound(incumbent.sse, "one group only"), incumbent
        if len(problem.varying) <= 1:
            return SortedCut()(problem, incumbent, run)
        if problem.n <= _MAX_RECORDS:
            return self.generation(problem, incumbent, run)
        return DualAscent()(problem, incumbent, run)
