"""Price columns of which all are known: every group that a partition below some sse can hold."""

from math import fsum

import numpy as np

from microagg.lp.group_columns import Columns, Rows
from microagg.lp.group_pricing import Priced, base, least_of_roots, rounding
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem


class Pool:
    """Price the columns of a list, by looking at each.

    Parameters
    ----------
    problem
        The records.
    columns
        The list.
    """

    def __init__(self, problem: Problem, columns: Columns) -> None:
        self.problem, self.columns = problem, columns
        self.size = len(columns.sses)

    def __call__(self, duals: FloatArray, rows: Rows) -> Priced:
        """Find the columns that pay, and what that proves of partitions into columns of the list."""
        n, k = self.problem.n, self.problem.k
        place = np.empty(n, dtype=np.int64)
        place[np.argsort(-duals[:n], kind="stable")] = np.arange(n)
        columns = self.columns
        costs = columns.reduced_costs(duals, rows)
        below = np.flatnonzero(costs < 0.0)
        columns, costs = columns.only(below), costs[below]
        roots = np.minimum.reduceat(place[columns.records], columns.starts[:-1]) if len(below) else below
        least = least_of_roots(costs, roots, n // k)
        large = float(np.abs(duals).max() + columns.sses.max(initial=1.0))
        proved = fsum([*base(duals, rows), *costs[least], -rounding(self.problem.X, k, large * (1 + 2 * k), rows)])
        return Priced(columns, proved, np.bincount(columns.only(least).records, minlength=n))

    def cheapest(self, count: int, duals: FloatArray, rows: Rows) -> Columns:
        """Give so many columns, those of the lowest reduced costs."""
        return self.columns.only(np.argsort(self.columns.reduced_costs(duals, rows), kind="stable")[:count])

    def below(self, ceiling: float, duals: FloatArray, rows: Rows) -> "Pool":
        """Keep the columns whose reduced cost is below a ceiling."""
        return self._only(np.flatnonzero(self.columns.reduced_costs(duals, rows) < ceiling))

    def obeying(self, one: int, other: int, together: bool) -> "Pool":
        """Keep the columns that hold both of two records or none, or that do not hold both."""
        return self._only(np.flatnonzero(self.columns.obeys(one, other, together)))

    def fitting(self, labels: IntArray) -> "Pool":
        """Keep the columns that fit to groups: see `Columns.fitting`."""
        return self._only(self.columns.fitting(labels))

    def _only(self, which: IntArray) -> "Pool":
        return Pool(self.problem, self.columns.only(which))
