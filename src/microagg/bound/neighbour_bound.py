"""Cheap bound for any number of records, by the nearest neighbours of each."""

from dataclasses import dataclass
from typing import ClassVar

from microagg.control.run import Run
from microagg.lp.neighbour_duals import neighbour_duals
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.model.solution import LowerBound


@dataclass(frozen=True)
class Neighbours:
    """Bound by the nearest neighbours of each record, whose squared distances are split between two records as is best.

    A group of m loses the sum of ½d²(a, b)/m over its ordered pairs of records. So a record contributes at least the
    minimum, over m = k … 2k − 1, of its m − 1 smallest ½d², divided by m. A number added to ½d²(a, b) and subtracted
    from ½d²(b, a) changes no group; the best such numbers, for pairs of neighbours only, are approached by subgradient
    ascent. O(n·n_neighbours) memory and O(n·n_neighbours·k) time for each of 300 steps, 100 where there are more than
    8 192 records; at worst O(n²·d), mostly far less, to find the neighbours, which must be exact.
    """

    reference: ClassVar[str] = "microagg"
    limits: ClassVar[frozenset[str]] = frozenset({"time_limit", "target_gap"})

    def __call__(self, problem: Problem, incumbent: Partition, run: Run) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        duals = neighbour_duals(problem, incumbent, run)
        lower_bound = max(0.0, float(duals.values.sum()) - duals.rounding_error)
        return LowerBound(lower_bound, "neighbours", duals.ended_by), incumbent
