"""Lagrangian lower bound from the cheapest groups of each root: see `bound/README.md`."""

from math import fsum

import numpy as np

from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.pricing_result import PricingResult
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem


def lagrangian_result(
    problem: Problem, duals: Duals, columns: GroupColumns, costs: FloatArray, roots: IntArray, magnitude: float
) -> PricingResult:
    """Return group columns of negative reduced cost with the lower bound that they prove.

    Every group has one root, no two groups of a partition share one, and there are at most n/k groups: so a partition
    loses at least the dual objective and, of the n/k roots where that is lowest, the least reduced cost of their
    groups, if it is negative.

    Parameters
    ----------
    columns, costs, roots
        Among them the cheapest of each root, their reduced costs and their roots.
    magnitude
        What the numbers that were added up do not exceed.
    """
    cheapest = cheapest_of_each_root(costs, roots, problem.n // problem.k)
    error = rounding_error(problem, magnitude, duals.cuts)
    lower_bound = fsum([*duals.objective_terms(), *costs[cheapest], -error])
    return PricingResult(columns, lower_bound, np.bincount(columns.select(cheapest).records, minlength=problem.n))


def cheapest_of_each_root(costs: FloatArray, roots: IntArray, max_groups: int) -> IntArray:
    """Return the indices of the cheapest group of each root, where negative: the `max_groups` cheapest of all."""
    by_cost = np.lexsort((roots, costs))
    cheapest = by_cost[np.unique(roots[by_cost], return_index=True)[1]]
    cheapest = cheapest[costs[cheapest] < 0.0]
    lowest: IntArray = cheapest[np.argsort(costs[cheapest], kind="stable")][:max_groups]
    return lowest


def rounding_error(problem: Problem, magnitude: float, cuts: RankOneCuts | None = None) -> float:
    """Bound the rounding error of a lower bound made of numbers up to `magnitude`: see `bound/README.md`."""
    n, d, k = problem.n, problem.d, problem.k
    cuts_per_record = 0 if cuts is None else int(np.bincount(cuts.records, minlength=1).max())
    return float(np.finfo(np.float64).eps * (n // k) * (d + 4 * k**2 + 4 * k * cuts_per_record) * 2 * k * magnitude)
