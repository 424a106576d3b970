"""Explicit list of all groups that a partition below some sse can hold."""

import numpy as np

from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lagrangian_bound import lagrangian_result
from microagg.lp.pair_rules import PairRule
from microagg.lp.pricing_result import PricingResult
from microagg.model.arrays import IntArray
from microagg.model.problem import Problem


class ColumnPool:
    """Listed group columns; they are priced one by one.

    Parameters
    ----------
    problem
        The records.
    columns
        The list.
    """

    def __init__(self, problem: Problem, columns: GroupColumns) -> None:
        self.problem = problem
        self.columns = columns

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.columns.n_columns

    def __call__(self, duals: Duals) -> PricingResult:
        """Price with these duals; the lower bound holds for partitions into columns of the list."""
        n, k = self.problem.n, self.problem.k
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(-duals.of_records, kind="stable")] = np.arange(n)
        costs = self.columns.reduced_costs(duals)
        negative = np.flatnonzero(costs < 0.0)
        columns = self.columns.select(negative)
        roots = np.minimum.reduceat(rank[columns.records], columns.starts[:-1]) if len(negative) else negative
        largest = float(np.abs(duals.values).max() + columns.sses.max(initial=1.0))
        return lagrangian_result(self.problem, duals, columns, costs[negative], roots, largest * (1 + 2 * k))

    def cheapest(self, count: int, duals: Duals) -> GroupColumns:
        """Return the `count` columns of the lowest reduced costs."""
        return self.columns.select(np.argsort(self.columns.reduced_costs(duals), kind="stable")[:count])

    def below(self, cutoff: float, duals: Duals) -> "ColumnPool":
        """Return the columns whose reduced cost is below a cutoff."""
        return self._select(np.flatnonzero(self.columns.reduced_costs(duals) < cutoff))

    def allowed_by(self, rule: PairRule) -> "ColumnPool":
        """Return the columns that obey a rule."""
        return self._select(np.flatnonzero(self.columns.allowed_by(rule)))

    def compatible_with(self, labels: IntArray) -> "ColumnPool":
        """Return the columns compatible with fixed groups: see `GroupColumns.compatible_with`."""
        return self._select(self.columns.compatible_with(labels))

    def _select(self, which: IntArray) -> "ColumnPool":
        return ColumnPool(self.problem, self.columns.select(which))
