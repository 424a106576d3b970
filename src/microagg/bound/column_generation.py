"""Bound by column generation: the best choice of parts of groups, of all groups that there are."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from microagg.arrays import FloatArray
from microagg.bound.pricing import BranchAndBound
from microagg.partition import Partition
from microagg.problem import Problem
from microagg.progress import Progress
from microagg.set_partitioning import Columns, Master, Vertex
from microagg.solution import LowerBound
from microagg.stop import Stop, StoppedError, processors

_SMOOTH = 0.6  # share of the duals that proved most so far, in those that columns are priced with
_CLOSE = 1e-9  # of the sse: a gap that is none
_PAYING = 1e-8  # of what a group loses: less than that below zero is no reduced cost
_BATCH = 4000  # columns that enter at once
_WHOLE = 1e-6  # a part that is none, or all


@dataclass(frozen=True)
class ColumnGeneration:
    """Bound what is lost by the best choice of parts of groups, which are priced by branch and bound.

    Ours, on the set partitioning of the column generation paper: every group of k to 2k − 1 records is a column, and
    the linear programme over all of them bounds the sse. Only those that pay enter it; which ones, its duals tell
    (`BranchAndBound`). The duals are smoothed: they are drawn to those that proved most. Every round proves a bound,
    so that a limit of time ends it with what is proved so far.
    """

    reference: ClassVar[str] = "microagg"

    def __call__(
        self, problem: Problem, incumbent: Partition, stop: Stop, progress: Progress
    ) -> tuple[LowerBound, Partition]:
        """Prove the bound."""
        kind = "column generation"
        scale = incumbent.n_groups / incumbent.sse if incumbent.sse else np.inf
        if problem.k == 1 or problem.sst == 0.0 or not np.isfinite(scale):
            return LowerBound(0.0, kind), incumbent
        with ThreadPoolExecutor(processors()) as threads:
            generation = _Generation(problem, incumbent, scale, stop, progress, threads)
            generation.run()
        return LowerBound(max(0.0, generation.proved / scale), kind), generation.best


class _Generation:
    """Hold the master, the best partition, and what is proved; squares are scaled so that a group loses about one."""

    def __init__(
        self,
        problem: Problem,
        incumbent: Partition,
        scale: float,
        stop: Stop,
        progress: Progress,
        threads: ThreadPoolExecutor,
    ) -> None:
        self.problem, self.best, self.scale, self.stop, self.progress = problem, incumbent, scale, stop, progress
        columns = Columns.of(incumbent)
        self.master = Master(columns._replace(sses=scale * columns.sses))
        self.centre, self.proved, self.rounds = scale * incumbent.losses, -np.inf, 0  # a fair guess at the duals
        self.price = BranchAndBound(problem, scale, threads)

    def run(self) -> None:
        """Choose, price, and add columns, until nothing is left to gain or a limit is reached."""
        smooth = _SMOOTH
        try:
            while True:
                vertex = self.master.solve(self.stop.time_left)
                if vertex is None:
                    self.hear()
                    return
                self.meet(vertex)
                if vertex.sse - self.proved <= _CLOSE * vertex.sse:
                    return
                found = self.improve(smooth * self.centre + (1 - smooth) * vertex.duals)
                costs = found.reduced_costs(vertex.duals)
                paying = np.flatnonzero(costs < -_PAYING)
                if self.master.add(found.only(paying[np.argsort(costs[paying], kind="stable")[:_BATCH]])):
                    smooth = _SMOOTH
                elif smooth:
                    smooth = smooth / 2 if smooth > 0.1 else 0.0
                else:
                    return
        except StoppedError:
            return

    def improve(self, duals: FloatArray) -> Columns:
        """Price with some duals, and keep what they prove."""
        self.rounds += 1
        priced = self.price(duals, self.hear)
        if priced.bound > self.proved:
            self.proved, self.centre = priced.bound, duals
        return priced.columns

    def meet(self, vertex: Vertex) -> None:
        """Keep a choice of whole columns, if it is the best so far."""
        chosen = np.flatnonzero(vertex.parts > 1 - _WHOLE)
        if vertex.parts[chosen].sum() > vertex.parts.sum() - _WHOLE:
            partition = Partition(self.problem, self.master.columns.labels(chosen))
            self.best = min(self.best, partition, key=lambda partition: partition.sse)

    def hear(self) -> None:
        """Say how far the round is, and leave it when told to."""
        sst = self.scale * self.problem.sst
        proved = f"{100 * max(0.0, self.proved) / sst:.4f} %" if self.proved > -np.inf else "nothing yet"
        columns = len(self.master.columns.sses)
        self.progress("bound", None, f"round {self.rounds}, {columns} columns, at least {proved}")
        if self.stop(0, self.best.sse):
            raise StoppedError
