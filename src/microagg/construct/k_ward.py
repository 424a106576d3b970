"""k-Ward: hierarchical clustering by Ward's rule until every group has k records."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from microagg.construct.ordered import Order
from microagg.construct.record_orders import PrincipalComponent, ZScores
from microagg.control.run import Run
from microagg.model.arrays import IntArray
from microagg.model.checks import one_of
from microagg.model.partition import Partition
from microagg.model.problem import Problem

ORDERS: dict[str, Order] = {"pca": PrincipalComponent(), "zscore": ZScores()}
"""Orders whose first and last k records are the first two groups, by name."""


@dataclass(frozen=True)
class KWard:
    """k-Ward: groups joined by Ward's rule, but never two of k or more, until every record is in a group of k.

    The first k and the last k records along an order are two groups, every other record is a group of its own. The two
    groups whose union adds the least to the sse are joined, of which one at least has fewer than k records, until none
    has. Groups of 2k records or more are treated again, on their own. Ties go to the lowest index; among partners of a
    group, to the smallest. O(n²·d) time, where outliers do not gather all others; O(n·d) memory. The five papers print
    no figures of it.

    Parameters
    ----------
    order
        The order: "pca", along the first principal component, or "zscore", by the sum of z-scores.

    References
    ----------
    Domingo-Ferrer & Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical disclosure control,
    IEEE Transactions on Knowledge and Data Engineering 14(1), section 3.
    """

    order: str = "pca"
    reference: ClassVar[str] = "Domingo-Ferrer & Mateo-Sanz 2002"

    def __post_init__(self) -> None:
        one_of("order", self.order, ORDERS)

    def __call__(self, problem: Problem, rng: Generator, run: Run) -> Partition:
        """Make the partition; `rng` is not needed."""
        labels = np.zeros(problem.n, dtype=np.int64)
        parts = [np.arange(problem.n)]
        while parts:
            part = parts.pop()
            if len(part) < 2 * problem.k:
                continue
            groups = self._join(Problem(problem.X[part], problem.k), run)
            labels[part] = labels.max() + 1 + groups
            parts += [part[groups == group] for group in np.unique(groups)]
        run.report("k-ward", 1.0)
        return Partition(problem, labels)

    def _join(self, problem: Problem, run: Run) -> IntArray:
        """Join the records to groups of at least k: two or more."""
        from microagg.kernels.grouping.ward import join_small_groups

        k = problem.k
        order = ORDERS[self.order](problem, run)
        labels = np.arange(problem.n)
        for group in (order[:k], order[-k:]):
            labels[group] = group.min()
        return join_small_groups(problem.X, labels, k, partial(run.tick, "k-ward"))
