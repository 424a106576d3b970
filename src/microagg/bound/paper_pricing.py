"""Pricing size by size, as the column generation paper does it.

References
----------
[1] The column generation paper, sections 4.2 and 5.1.
"""

from collections.abc import Callable
from functools import partial
from math import fsum

import numpy as np

from microagg.control.run import Run
from microagg.kernels.tick import Tick
from microagg.lp.cheapest_group import cheapest_group
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lagrangian_bound import rounding_error
from microagg.lp.parallel_calls import call_in_parallel
from microagg.lp.pricing_distances import scaled_squares
from microagg.lp.pricing_result import REDUCED_COST_TOL, PricingResult
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem

Cheapest = Callable[[FloatArray, int], tuple[IntArray, float]]
"""Search for the group of least reduced cost of one size; returns it, and a lower bound of that cost."""

PAPER_PRICINGS = ("paper", "heuristic", "enumeration", "ilp")
SOLVING_PRICINGS = ("paper", "ilp")
"""Pricings that solve the integer programme (14), the first of them for large groups only."""

_ILP_ERROR = 1e-7  # of the average sse of a group: subtracted from what HiGHS proves


class PaperPricing:
    """Pricing of groups of k records, and of larger ones only where none has a negative reduced cost: PricingProblem.

    Parameters
    ----------
    method
        "heuristic" grows groups and proves nothing. "enumeration" tries all groups of a size, "ilp" solves the integer
        programme (14). "paper" grows groups, and where none of a size has a negative reduced cost, tries all or solves
        (14), as the paper's table 2 says.
    tick
        Called before each size, and while groups of it are priced.
    triangles
        Whether triangle inequalities strengthen the linear relaxation of (14).
    """

    def __init__(
        self, problem: Problem, scale: float, method: str, run: Run, tick: Tick, triangles: bool = False
    ) -> None:
        self.problem = problem
        self.scale = scale
        self.method = method
        self.run = run
        self.tick = tick
        self.triangles = triangles
        self.squares = scaled_squares(problem.X, scale)

    def __call__(self, duals: Duals) -> PricingResult:
        """Find groups of the smallest size that has any of negative reduced cost; where none has, prove a bound."""
        n, k = self.problem.n, self.problem.k
        values = duals.of_records
        lowest_cost = 0.0
        for size in range(k, min(2 * k - 1, n) + 1):
            self.tick()
            groups, cost = self._price_size(values, size)
            if len(groups):
                return self._result(groups)
            lowest_cost = min(lowest_cost, cost)
        nothing = np.empty((0, k), dtype=np.int64)
        if self.method == "heuristic":
            return self._result(nothing)
        error = rounding_error(self.problem, float(np.abs(values).max()))
        return self._result(nothing, fsum([*values, n // k * lowest_cost, -error]))

    def _price_size(self, duals: FloatArray, size: int) -> tuple[IntArray, float]:
        """Return groups of one size with negative reduced costs, or none and a lower bound of these costs."""
        from microagg.kernels.pricing.fixed_size_pricing import grow_groups

        if self.method in ("heuristic", "paper"):  # [1] PricingProblem (a)
            grown = grow_groups(self.squares, duals, size, -REDUCED_COST_TOL)
            if len(grown):
                return grown, 0.0
        cheapest = self._cheapest(len(duals), size)
        nothing = np.empty((0, size), dtype=np.int64)
        if cheapest is None:
            return nothing, 0.0
        group, cost = cheapest(duals, size)  # [1] (c) – (e)
        reduced_cost = self.squares[np.ix_(group, group)].sum() / (2 * size) - duals[group].sum()
        return (group[None] if reduced_cost < -REDUCED_COST_TOL else nothing), cost

    def _result(self, groups: IntArray, lower_bound: float = -np.inf) -> PricingResult:
        cover = np.bincount(groups.ravel(), minlength=self.problem.n)
        return PricingResult(GroupColumns.of_groups(self.problem.X, [groups], self.scale), lower_bound, cover)

    def _cheapest(self, n: int, size: int) -> Cheapest | None:
        """Return the search for the cheapest group of a size: [1] table 2."""
        if self.method == "heuristic":
            return None
        enumerable = size <= 5 or (size == 6 and n <= 100)
        if self.method == "enumeration" or (self.method == "paper" and enumerable):
            return self._enumerate
        return self._solve

    def _enumerate(self, duals: FloatArray, size: int) -> tuple[IntArray, float]:
        """Try every group."""
        from microagg.kernels.pricing.fixed_size_pricing import enumerate_groups

        n = len(duals)
        stop = np.zeros(1, dtype=np.bool_)
        members = np.zeros((n, size), dtype=np.int64)
        costs = np.full(n, np.inf)
        calls = (
            partial(enumerate_groups, self.squares, duals, root, stop, members, costs) for root in range(n - size + 1)
        )
        call_in_parallel(self.run.workers, calls, [stop], self.tick)
        best = int(np.argmin(costs))
        return members[best], float(costs[best])

    def _solve(self, duals: FloatArray, size: int) -> tuple[IntArray, float]:
        """Solve the integer programme."""
        found = cheapest_group(self.squares, duals, size, self.run, self.tick, self.triangles)
        if found is None:
            self.tick()
            self.run.stop("time_limit" if self.run.time_left == 0.0 else "tolerance")
        return found[0], found[1] - _ILP_ERROR
