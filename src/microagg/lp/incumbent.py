"""The best partition known while a lower bound is proved."""

from collections.abc import Callable, Iterator

import numpy as np

from microagg.control.loss_note import LossNote
from microagg.control.progress import floor_percent
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lp_solution import LpSolution
from microagg.model.arrays import FloatArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem

Rounding = Callable[[Problem, GroupColumns, FloatArray], Iterator[Partition]]
"""Heuristic that makes partitions of the values of group columns in a fractional solution."""

_CUTOFF_SLACK = 2e-8  # of the sse: partitions that are better by less are not searched for


class Incumbent:
    """Best partition known, which all parts of a proof share and may improve.

    Parameters
    ----------
    problem
        What is solved.
    partition
        The first one.
    scale
        What sses are multiplied by in linear programmes.
    roundings
        Applied to fractional solutions that are offered.
    """

    def __init__(
        self, problem: Problem, partition: Partition, scale: float, roundings: tuple[Rounding, ...] = ()
    ) -> None:
        self.problem = problem
        self.best = partition
        self.scale = scale
        self.roundings = roundings

    @staticmethod
    def scaled(problem: Problem, partition: Partition, roundings: tuple[Rounding, ...] = ()) -> "Incumbent | None":
        """Return an incumbent scaled so that a group loses about one; None where no lower bound above 0 is possible."""
        scale = partition.n_groups / partition.sse if partition.sse else np.inf
        if problem.k == 1 or problem.sst == 0.0 or not np.isfinite(scale):
            return None
        return Incumbent(problem, partition, scale, roundings)

    @property
    def cutoff(self) -> float:
        """Scaled sse that a partition must stay below to be worth finding."""
        return self.scale * self.best.sse * (1 - _CUTOFF_SLACK)

    def offer(self, *partitions: Partition) -> None:
        """Keep the partition of least sse, the earliest of equal ones."""
        self.best = min(self.best, *partitions, key=lambda partition: partition.sse)

    def offer_solution(self, columns: GroupColumns, solution: LpSolution) -> None:
        """Offer the partition of an integral solution; where that is no better, round the solution.

        References
        ----------
        The column generation paper, section 5, 5 (b) and (c).
        """
        chosen = solution.integral_columns()
        found = [] if chosen is None else [Partition(self.problem, columns.labels(chosen))]
        if not found or found[0].sse >= self.best.sse:
            for rounding in self.roundings:
                found += rounding(self.problem, columns, solution.values)
        if found:
            self.offer(*found)


def bounds_note(best: Partition, lower_bound: float) -> LossNote:
    """Describe the loss, the lower bound and the gap between them, for progress."""
    lower_bound = max(0.0, lower_bound)
    percent = 100 / best.problem.sst if best.problem.sst else 0.0
    loss = best.information_loss
    bound = percent * lower_bound
    gap = 1 - lower_bound / best.sse if best.sse else 0.0
    return LossNote(f"loss {loss:.4f} %, bound {floor_percent(bound)}, gap {gap:.2%}", loss, bound or None)
