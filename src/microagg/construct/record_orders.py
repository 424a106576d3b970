"""Orders of the records in which neighbours are near each other."""

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np

from microagg.construct.fixed_size import FirstRecords, FixedSize
from microagg.construct.growth_rules import Nearest
from microagg.control.run import Run
from microagg.control.stage_fields import COMPONENT
from microagg.model.arrays import IntArray
from microagg.model.checks import one_of
from microagg.model.problem import Problem

_STARTS = ("most-distant", "outermost")


@dataclass(frozen=True)
class NearestNext:
    """Nearest point next: a path from one of the two most distant records, always to the nearest record left.

    Of the two, from the lower. Ties go to the lowest index. O(n²·d). Of the published figures of NPN-MHM
    (docs/reproduction/compared.md), those of Tarragona are 0.0 to 0.5 % lower here, those of Census 0.6 to 1.1 %. A cut
    that loses more would explain that, but groups of at most 2k − 2 records, or the least sum of distances instead of
    their squares, do not give the figures either. Other starts are farther off.

    Parameters
    ----------
    start
        Where the path begins: "most-distant", at one of the two most distant records, or "outermost", at the record
        farthest from the centroid, as Mortazavi (2020) describes it: up to 8 % off the published figures.
    """

    start: str = "most-distant"
    reference: ClassVar[str] = "Domingo-Ferrer et al. 2006"
    uses_k: ClassVar[bool] = False

    def __post_init__(self) -> None:
        one_of("start", self.start, _STARTS)

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the order."""
        from microagg.kernels.geometry.farthest_pairs import most_distant_records
        from microagg.kernels.walks.orderings import nearest_next

        if self.start == "outermost":
            return nearest_next(problem.X, partial(run.tick, "npn"))
        first, _ = most_distant_records(problem.X, partial(run.tick, "npn: longest distance"))
        return nearest_next(problem.X, partial(run.tick, "npn"), first)


@dataclass(frozen=True)
class GroupByGroup:
    """Path group by group, each time to the group of the nearest record left.

    The groups grow by `Nearest`. The path begins with the group of the record nearest to the centroid of all; each
    group is entered at the record that joined it last, and the others follow by their distances from it. O(n²·d/k).

    The papers say no more than "group by group". Of the readings tried (docs/reproduction/reporder.md), this one comes
    nearest to the published MDAV-MHM. Nearest record next within the groups too, from the record farthest from
    the centroid, loses less than all the published figures: that is `mdav+recut`.

    Parameters
    ----------
    first
        The rule for the first records of the groups.
    """

    first: FirstRecords = field(metadata=COMPONENT)
    reference: ClassVar[str] = "Domingo-Ferrer et al. 2006"
    uses_k: ClassVar[bool] = True

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the order."""
        from microagg.kernels.walks.orderings import last_joined_first

        order, starts = FixedSize(self.first, Nearest()).groups(problem.X, problem.k, run)
        return last_joined_first(problem.X, order, starts, partial(run.tick, "walk"))


@dataclass(frozen=True)
class PrincipalComponent:
    """Path along the first principal component.

    It points to where its heaviest column is high; ties go to the lowest index. O(n·d² + n log n).
    """

    reference: ClassVar[str] = "Rebollo-Monedero et al. 2019"
    uses_k: ClassVar[bool] = False

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the order."""
        run.tick("pca")
        centred = problem.X - problem.X.mean(axis=0)
        axis = np.linalg.eigh(centred.T @ centred).eigenvectors[:, -1]
        axis *= np.sign(axis[np.abs(axis).argmax()])
        return np.argsort(centred @ axis, kind="stable")


@dataclass(frozen=True)
class ZScores:
    """Path by rising sum of z-scores.

    Constant columns have none; ties go to the lowest index. O(n·d + n log n).
    """

    reference: ClassVar[str] = "Domingo-Ferrer & Mateo-Sanz 2002"
    uses_k: ClassVar[bool] = False

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the order."""
        run.tick("zscore")
        X = problem.X[:, problem.varying]
        deviations = X.std(axis=0)
        scores = (X - X.mean(axis=0)) / np.where(deviations > 0, deviations, 1.0)
        return np.argsort(scores.sum(axis=1), kind="stable")


@dataclass(frozen=True)
class ShortTour:
    """Short tour of the travelling salesman through all records, by nearest neighbour, 2-opt and Or-opt.

    As a path it is opened at its longest edge. Ties go to the lowest index. O(n²·d).

    References
    ----------
    Mortazavi & Jalili (2014), Fast data-oriented microaggregation algorithm for large numerical datasets,
    Knowledge-Based Systems 67 (FDM).
    """

    reference: ClassVar[str] = "Mortazavi & Jalili 2014"
    uses_k: ClassVar[bool] = False

    def __call__(self, problem: Problem, run: Run) -> IntArray:
        """Return the order."""
        from microagg.kernels.walks.tour import short_tour

        return short_tour(problem.X, partial(run.tick, "tsp"))
