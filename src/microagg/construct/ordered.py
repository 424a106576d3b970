"""Put the records in an order, and cut it optimally (MHM)."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol

import numpy as np
from numpy.random import Generator

from microagg.construct.fixed_size import First, FixedSize
from microagg.construct.growth_rules import Nearest
from microagg.control.run import Run
from microagg.control.stages import part
from microagg.kernels.tick import Tick
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem


class Order(Protocol):
    """Put the records in an order."""

    @property
    def reference(self) -> str:
        """Where it comes from."""

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Give the records in order, of shape (n,)."""


class Cut(Protocol):
    """Cut an order into groups of k to 2k − 1 neighbours, with the least sse."""

    def __call__(self, problem: Problem, order: IntArray, tick: Tick) -> tuple[IntArray, IntArray]:
        """Give the order, perhaps turned, and where each group starts in it."""


@dataclass(frozen=True)
class Path:
    """Cut this path optimally."""

    def __call__(self, problem: Problem, order: IntArray, tick: Tick) -> tuple[IntArray, IntArray]:
        """Cut it: O(n·k·d)."""
        from microagg.kernels.walks.optimal_cut import cut_path

        return order, cut_path(problem.X, order, problem.k, tick)


@dataclass(frozen=True)
class Tour:
    """Close it to a tour and cut that optimally: no worse than the path."""

    def __call__(self, problem: Problem, order: IntArray, tick: Tick) -> tuple[IntArray, IntArray]:
        """Cut it: O(n·k·(k + d))."""
        from microagg.kernels.walks.optimal_cut import cut_tour

        return cut_tour(problem.X, order, problem.k, tick)


@dataclass(frozen=True)
class Ordered:
    """Order the records and cut the order optimally.

    Parameters
    ----------
    order
        How the records are put in order.
    cut
        Whether the order is cut as a path or as a tour.

    References
    ----------
    Domingo-Ferrer, Martínez-Ballesté, Mateo-Sanz & Sebé (2006), Efficient multivariate data-oriented
    microaggregation, The VLDB Journal 15(4). The cut is that of Hansen & Mukherjee (2003).
    """

    order: Order = part()
    cut: Cut = part()

    @property
    def reference(self) -> str:
        """Where it comes from."""
        return self.order.reference

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        order = self.order(problem, run)
        partition = Partition.along(problem, *self.cut(problem, order, partial(run.tick, "cut")))
        run.tell("cut", 1.0)
        return partition


@dataclass(frozen=True)
class NearestNext:
    """Walk from the record farthest from the centroid always to the nearest record left.

    Ties go to the lowest index. O(n²·d).
    """

    reference: ClassVar[str] = "Domingo-Ferrer et al. 2006"

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Give the order (NPN)."""
        from microagg.kernels.walks.orderings import nearest_next

        return nearest_next(problem.X, partial(run.tick, "npn"))


@dataclass(frozen=True)
class GroupByGroup:
    """Walk through such groups, to the group of the nearest record next.

    The groups grow by `Nearest`. From the one that holds the record nearest to the centroid of all; each is entered at
    the record that joined it last, and the others follow by their distances from it. O(n²·d/k).

    The papers say no more than "group by group". Of the readings tried (see docs/reproduction.md), this one comes
    nearest to the published MDAV-MHM. Nearest record next within the groups too, from the record farthest from
    the centroid, loses less than all the published figures: that is `mdav+recut`.

    Parameters
    ----------
    first
        Where the groups start.
    """

    first: First = part()
    reference: ClassVar[str] = "Domingo-Ferrer et al. 2006"

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Give the order."""
        from microagg.kernels.walks.orderings import last_joined_first

        order, starts = FixedSize(self.first, Nearest()).groups(problem.X, problem.k, run)
        return last_joined_first(problem.X, order, starts, partial(run.tick, "walk"))


@dataclass(frozen=True)
class PrincipalComponent:
    """Sort the records along their first principal component.

    It points to where the column that weighs most in it is high; ties go to the lowest index. O(n·d² + n log n).
    """

    reference: ClassVar[str] = "Rebollo-Monedero et al. 2019"

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Give the order."""
        run.tick("pca")
        centred = problem.X - problem.X.mean(axis=0)
        axis = np.linalg.eigh(centred.T @ centred).eigenvectors[:, -1]
        axis *= np.sign(axis[np.abs(axis).argmax()])
        return np.argsort(centred @ axis, kind="stable")


@dataclass(frozen=True)
class ZScores:
    """Sort the records by the sum of their z-scores.

    Constant columns have none; ties go to the lowest index. O(n·d + n log n).
    """

    reference: ClassVar[str] = "Domingo-Ferrer & Mateo-Sanz 2002"

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Give the order."""
        run.tick("zscore")
        X = problem.X[:, problem.varying]
        deviations = X.std(axis=0)
        scores = (X - X.mean(axis=0)) / np.where(deviations > 0, deviations, 1.0)
        return np.argsort(scores.sum(axis=1), kind="stable")


@dataclass(frozen=True)
class ShortTour:
    """Find a short tour through all records, by nearest next, 2-opt and Or-opt.

    As a path it is opened at its longest edge. Ties go to the lowest index. O(n²·d).

    References
    ----------
    Mortazavi & Jalili (2014), Fast data-oriented microaggregation algorithm for large numerical datasets,
    Knowledge-Based Systems 67 (FDM).
    """

    reference: ClassVar[str] = "Mortazavi & Jalili 2014"

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Give the order."""
        from microagg.kernels.walks.tour import short_tour

        return short_tour(problem.X, partial(run.tick, "tsp"))
