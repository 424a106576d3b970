"""Groups of exactly k, formed one after the other: a rule for their first records, and a rule for their growth."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
from numpy.random import Generator

from microagg.construct.leftovers import place_leftovers
from microagg.construct.partial_grouping import GrowthKernel, PartialGrouping, groups_per_tick
from microagg.construct.slabs import group_rest_in_slabs
from microagg.control.run import Run
from microagg.control.stage_fields import COMPONENT
from microagg.control.stopping import StoppedError
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.partition import Partition
from microagg.model.problem import Problem


class FirstRecords(Protocol):
    """Rule for the record at which each group starts."""

    name: ClassVar[str]
    reference: ClassVar[str]

    def __call__(self, grouping: PartialGrouping) -> Iterator[int]:
        """Yield first records; the caller forms the group of each before it asks for the next."""


class GrowthRule(Protocol):
    """Rule by which a group grows to k records."""

    def __call__(self) -> GrowthKernel:
        """Return the kernel."""


@dataclass(frozen=True)
class FixedSize:
    """Groups of exactly k records, but for the last records: k or more are one group, fewer join the nearest groups.

    Parameters
    ----------
    first
        The rule for the first record of each group.
    grow
        The rule for its growth.

    References
    ----------
    Khomnotai, Lin, Peng & Santra (2018), Iterative group decomposition for refining microaggregation solutions,
    Symmetry 10(7), section 3.1. Its MDAV ends in another way: see `rest` of `Mdav`.
    """

    first: FirstRecords = field(metadata=COMPONENT)
    grow: GrowthRule = field(metadata=COMPONENT)

    @property
    def reference(self) -> str:
        """The paper."""
        return self.first.reference

    @property
    def weighted(self) -> bool:
        """Whether weights of records can be obeyed: with rules that do."""
        return all(getattr(rule, "weighted", False) for rule in (self.first, self.grow))

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed. If the run ends it, the records left are grouped in slabs."""
        grouping = PartialGrouping(problem.X, problem.k, run, problem.weights)
        try:
            return Partition.along(problem, *self._form_groups(grouping))
        except StoppedError:
            labels = grouping.labels
            run.log.fallback_share = group_rest_in_slabs(problem.X, labels, problem.k)
            return Partition(problem, labels)

    def groups(self, X: FloatArray, k: int, run: Run) -> tuple[IntArray, IntArray]:
        """Form all groups; if the run ends that, `StoppedError` is raised.

        Returns
        -------
        order : ndarray of shape (n,)
            The records, group by group, in the order in which the groups were formed and their records joined.
        starts : ndarray of shape (n_groups,)
            Where each group starts in it.
        """
        return self._form_groups(PartialGrouping(X, k, run))

    def _form_groups(self, grouping: PartialGrouping) -> tuple[IntArray, IntArray]:
        X, run = grouping.X, grouping.run
        n = len(X)
        grow = self.grow()
        run.tick(self.first.name, 0.0)
        every = groups_per_tick(X)
        for number, record in enumerate(self.first(grouping), start=1):
            grouping.form_group(grow, record)
            if number % every == 0:
                run.tick(self.first.name, 1 - (grouping.n_left / n) ** 2)
        labels = grouping.labels
        leftovers = _from_the_outermost(X, np.flatnonzero(labels < 0))
        grouping.order[n - grouping.n_left :] = leftovers
        place_leftovers(X, labels, leftovers, grouping.k, grouping.weights)
        run.report(self.first.name, 1.0)
        by_group = np.argsort(labels[grouping.order], kind="stable")
        return grouping.order[by_group], np.concatenate([[0], np.cumsum(np.bincount(labels))[:-1]])


def _from_the_outermost(X: FloatArray, records: IntArray) -> IntArray:
    """Order records by their distances from the one farthest from their centroid, as if they had joined it."""
    if not len(records):
        return records
    points = X[records]
    outermost = points[np.square(points - points.mean(axis=0)).sum(axis=1).argmax()]
    return records[np.argsort(np.square(points - outermost).sum(axis=1), kind="stable")]
