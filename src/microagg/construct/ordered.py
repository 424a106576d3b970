"""Records put in an order that is cut: optimally (MHM), or into runs of k."""

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Protocol

import numpy as np
from numpy.random import Generator

from microagg.control.run import Run
from microagg.control.stage_fields import COMPONENT
from microagg.kernels.tick import Tick
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem


class Order(Protocol):
    """Rule that puts the records in an order; one that does not look at k may say so by `uses_k = False`."""

    @property
    def reference(self) -> str:
        """The paper."""

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the records in order, of shape (n,)."""


@dataclass(frozen=True, eq=False)
class KnownOrder:
    """Order of the records that is already known."""

    order: IntArray
    reference: ClassVar[str] = "microagg"
    uses_k: ClassVar[bool] = False

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the order."""
        return self.order


class Cut(Protocol):
    """Cut of an order into groups of k to 2k − 1 records."""

    def __call__(self, problem: Problem, order: IntArray, tick: Tick) -> tuple[IntArray, IntArray]:
        """Return the order, perhaps rotated, and where each group starts in it."""


@dataclass(frozen=True)
class Path:
    """Optimal cut of this path."""

    def __call__(self, problem: Problem, order: IntArray, tick: Tick) -> tuple[IntArray, IntArray]:
        """Cut the path: O(n·k·d)."""
        from microagg.kernels.walks.optimal_cut import cut_path

        return order, cut_path(problem.X, order, problem.k, tick)


@dataclass(frozen=True)
class Tour:
    """Optimal cut of the tour that closes this path: no worse than that of the path."""

    def __call__(self, problem: Problem, order: IntArray, tick: Tick) -> tuple[IntArray, IntArray]:
        """Cut the tour: O(n·k·(k + d))."""
        from microagg.kernels.walks.optimal_cut import cut_tour

        return cut_tour(problem.X, order, problem.k, tick)


@dataclass(frozen=True)
class Runs:
    """Cut into runs of exactly k records; the last takes the rest."""

    def __call__(self, problem: Problem, order: IntArray, tick: Tick) -> tuple[IntArray, IntArray]:
        """Cut the order: O(n)."""
        tick(0.0)
        return order, problem.k * np.arange(problem.n // problem.k)


@dataclass(frozen=True)
class Ordered:
    """Cut of an order of the records.

    Parameters
    ----------
    order
        The rule that puts the records in order.
    cut
        The cut of that order: optimal, as a path or as a tour, or into runs of k.

    References
    ----------
    Domingo-Ferrer, Martínez-Ballesté, Mateo-Sanz & Sebé (2006), Efficient multivariate data-oriented
    microaggregation, The VLDB Journal 15(4). The cut is that of Hansen & Mukherjee (2003).
    """

    order: Order = field(metadata=COMPONENT)
    cut: Cut = field(metadata=COMPONENT)

    @property
    def reference(self) -> str:
        """The paper."""
        return self.order.reference

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        order = self.order(problem, run)
        partition = Partition.along(problem, *self.cut(problem, order, partial(run.tick, "cut")))
        run.report("cut", 1.0)
        return partition
