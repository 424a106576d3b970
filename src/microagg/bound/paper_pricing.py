"""Price columns size by size, as the column generation paper does.

References
----------
[1] The column generation paper, sections 4.2 and 5.1.
"""

from collections.abc import Callable
from functools import partial
from math import fsum

import numpy as np

from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.lp import cheapest_group
from microagg.lp.group_pricing import PAYING, Priced, columns_of, rounding, run_all, scaled_squares
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem

Cheapest = Callable[[FloatArray, int, Callable[[], None]], tuple[IntArray, float]]
"""Gives the group of least reduced cost of one size, and a cost that none is below."""

BY_SIZE = ("paper", "heuristic", "enumeration", "ilp")
_HIGHS = 1e-7  # what HiGHS may be wrong by, of what a group loses on average


class BySize:
    """Price columns of k records, and of one more only where none pays: PricingProblem.

    Parameters
    ----------
    how
        "heuristic" grows columns and proves nothing. "enumeration" tries all groups of a size, "ilp" solves the integer
        programme (14). "paper" grows columns, and where none of a size pays, tries all or solves (14), as its table 2
        says.
    """

    def __init__(self, problem: Problem, scale: float, how: str, run: Run) -> None:
        self.X, self.k, self.scale, self.how, self.run = problem.X, problem.k, scale, how, run
        self.squares = scaled_squares(problem.X, scale)

    def __call__(self, duals: FloatArray, hear: Callable[[], None]) -> Priced:
        """Find columns of the smallest size that has any below zero; where none has, say what that proves."""
        from microagg.kernels.pricing.fixed_size_pricing import grow_groups

        n, least = len(duals), 0.0
        for size in range(self.k, min(2 * self.k - 1, n) + 1):
            hear()
            if self.how in ("heuristic", "paper"):  # [1] PricingProblem (a)
                grown = grow_groups(self.squares, duals, size, -PAYING)
                if len(grown):
                    return self._found(grown)
            cheapest = self._cheapest(n, size)
            if cheapest is not None:  # [1] (c) – (e)
                group, cost = cheapest(duals, size, hear)
                if self.squares[np.ix_(group, group)].sum() / (2 * size) - duals[group].sum() < -PAYING:
                    return self._found(group[None])
                least = min(least, cost)
        none = np.empty((0, self.k), dtype=np.int64)
        if self.how == "heuristic":
            return self._found(none)
        lost = rounding(self.X, self.k, float(np.abs(duals).max()))
        return self._found(none, fsum([*duals, n // self.k * least, -lost]))

    def _found(self, groups: IntArray, bound: float = -np.inf) -> Priced:
        cover = np.bincount(groups.ravel(), minlength=len(self.X))
        return Priced(columns_of(self.X, [groups], self.scale), bound, cover)

    def _cheapest(self, n: int, size: int) -> Cheapest | None:
        """Say how the cheapest group of a size is found; [1] table 2."""
        if self.how == "heuristic":
            return None
        enumerated = size <= 5 or (size == 6 and n <= 100)
        if self.how == "enumeration" or (self.how == "paper" and enumerated):
            return self._enumerate
        return self._solve

    def _enumerate(self, duals: FloatArray, size: int, hear: Callable[[], None]) -> tuple[IntArray, float]:
        """Try every group."""
        from microagg.kernels.pricing.fixed_size_pricing import try_all

        n, told = len(duals), np.zeros(1, dtype=np.bool_)
        members, costs = np.zeros((n, size), dtype=np.int64), np.full(n, np.inf)
        calls = (partial(try_all, self.squares, duals, root, told, members, costs) for root in range(n - size + 1))
        run_all(self.run.workers, calls, [told], hear)
        best = int(np.argmin(costs))
        return members[best], float(costs[best])

    def _solve(self, duals: FloatArray, size: int, hear: Callable[[], None]) -> tuple[IntArray, float]:
        """Solve the integer programme."""

        def told() -> bool:
            try:
                hear()
            except StoppedError:
                return True
            return False

        found = cheapest_group(self.squares, duals, size, told, self.run.time_left)
        if found is None:
            hear()
            self.run.stop("time_limit" if self.run.time_left == 0.0 else "tolerance")
        return found[0], found[1] - _HIGHS
