"""Prove what no partition can beat: one file a bound, one line below."""

from typing import ClassVar, Protocol

from microagg.bound.automatic import Automatic
from microagg.bound.column_generation import ColumnGeneration
from microagg.bound.exact import Exact
from microagg.bound.neighbours import Neighbours
from microagg.bound.sorted_cut import SortedCut
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress
from microagg.solution import LowerBound
from microagg.stop import Stop


class Bound(Protocol):
    """Prove a lower bound of the sse; hand back the incumbent, or a better partition met on the way."""

    reference: ClassVar[str]
    limits: ClassVar[frozenset[str]]

    def __call__(
        self, problem: Problem, incumbent: Partition, stop: Stop, progress: Progress
    ) -> tuple[LowerBound, Partition]:
        """Prove the bound."""


BOUNDS: dict[str, Bound] = {
    "sorted-cut": SortedCut(),
    "column-generation": ColumnGeneration(),
    "exact": Exact(),
    "neighbours": Neighbours(),
    "automatic": Automatic(),
}
