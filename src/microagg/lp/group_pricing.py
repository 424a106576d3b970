"""Exact and relaxed pricing of all groups by branch and bound."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.control.workers import Workers
from microagg.kernels.tick import Tick
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lagrangian_bound import lagrangian_result
from microagg.lp.pair_rules import PairRule
from microagg.lp.parallel_calls import call_in_parallel
from microagg.lp.pricing_distances import DistanceSplit, PricingDistances
from microagg.lp.pricing_result import PricingResult, TooExpensiveError
from microagg.model.arrays import BoolArray, IntArray
from microagg.model.problem import Problem

if TYPE_CHECKING:
    from microagg.kernels.pricing.cut_penalties import Cuts
    from microagg.kernels.pricing.root_prices import RootPrices

_ROOTS_PER_CALL = 16
_KEPT_PER_ROOT = 5  # cheapest columns of each root and size
_LISTED_PER_ROOT = 16  # as above where all columns are listed: roots that have more are searched twice


class _SearchLimits(NamedTuple):
    """Which groups a search is for, and when it ends early."""

    cutoff: float  # reduced costs must be below
    depth: int | None = None  # records added to a root one by one; None: all
    max_subsets_per_root: int | None = None


class BranchAndBoundPricer:
    """Pricing of all groups: records are added to a root one by one wherever the reduced cost can still be low enough.

    A group's root is its record of the highest dual.

    Parameters
    ----------
    problem
        The records, at least two of them in a group.
    scale
        What squared distances are multiplied by.
    split
        See `PricingDistances`: any split proves the same in the end, a good one (see `neighbour_duals`) earlier.
    workers
        Share the roots; how many there are changes nothing.
    """

    def __init__(self, problem: Problem, scale: float, split: DistanceSplit, workers: Workers) -> None:
        self.problem = problem
        self.scale = scale
        self.workers = workers
        self.sizes = range(problem.k, min(2 * problem.k - 1, problem.n) + 1)
        self._distances = PricingDistances(problem, scale, split)

    def enforce(self, rules: Sequence[PairRule]) -> None:
        """Price from now on only groups that obey these rules, and no earlier ones."""
        self._distances.enforce(rules)

    def price(
        self, duals: Duals, tick: Tick, depth: int | None = None, max_subsets_per_root: int | None = None
    ) -> PricingResult:
        """Find the cheapest columns of each root and size, and the lower bound that they prove.

        Parameters
        ----------
        depth
            How many records are added to a root one by one: fewer than all relax the reduced costs, so that the bound
            holds but is lower. None: all, which is exact.
        max_subsets_per_root
            More subsets of records than these raise `TooExpensiveError`; None: any number.
        """
        from microagg.kernels.pricing.root_prices import empty_prices

        n = self.problem.n
        tables = [empty_prices(n, _KEPT_PER_ROOT, size) for size in self.sizes]
        self._search(tables, duals, _SearchLimits(0.0, depth, max_subsets_per_root), tick)
        found = [np.isfinite(table.costs) for table in tables]
        columns = self._columns([table.members[there] for table, there in zip(tables, found, strict=True)])
        costs = np.concatenate([table.costs[there] for table, there in zip(tables, found, strict=True)])
        roots = np.concatenate([np.nonzero(there)[0] for there in found])
        return lagrangian_result(self.problem, duals, columns, costs, roots, self._magnitude(duals))

    def list_below(
        self, cutoff: float, duals: Duals, tick: Tick, max_groups: int, max_subsets_per_root: int | None = None
    ) -> GroupColumns:
        """List every group whose reduced cost is below a cutoff.

        Parameters
        ----------
        max_groups
            More groups than these raise `TooExpensiveError`.
        max_subsets_per_root
            See `price`.
        """
        from microagg.kernels.pricing.root_prices import empty_prices

        limits = _SearchLimits(cutoff, None, max_subsets_per_root)
        tables = [empty_prices(self.problem.n, _LISTED_PER_ROOT, size, every=True) for size in self.sizes]

        def counting_tick(done: float | None = None) -> None:
            tick(done)
            if sum(int(table.counts.sum()) for table in tables) > max_groups:
                raise TooExpensiveError

        self._search(tables, duals, limits, counting_tick)
        counting_tick()
        longer = [
            empty_prices(1, table.counts[place], size, every=True, first=place)
            for table, size in zip(tables, self.sizes, strict=True)
            for place in np.flatnonzero(table.counts > _LISTED_PER_ROOT).tolist()
        ]
        self._search(longer, duals, limits, tick)
        groups = [table.members[_complete_entries(table)] for table in tables]
        return self._columns(groups + [table.members[0] for table in longer])

    def _search(self, tables: "list[RootPrices]", duals: Duals, limits: _SearchLimits, tick: Tick) -> None:
        """Search the roots that the tables have rows for, and fill these."""
        calls = self._calls(tables, duals, limits)
        call_in_parallel(self.workers, calls, [table.cancelled for table in tables], tick)
        if any(table.cancelled[0] for table in tables):
            raise TooExpensiveError

    def _calls(self, tables: "list[RootPrices]", duals: Duals, limits: _SearchLimits) -> Iterator["partial[int]"]:
        """Prepare the calls of the kernel that search all roots of the tables."""
        from microagg.kernels.pricing.branch_and_bound import (
            FULL_DEPTH,
            MAX_LOCAL_CANDIDATES,
            NO_NODE_LIMIT,
            price_roots,
        )

        distances = self._distances
        of_records = duals.of_records
        shared = {size: distances.shared_duals(of_records, size) for size in self.sizes}
        cuts = kernel_cuts(duals)
        order = np.argsort(-of_records, kind="stable")
        depth = FULL_DEPTH if limits.depth is None else limits.depth
        max_subsets = NO_NODE_LIMIT if limits.max_subsets_per_root is None else limits.max_subsets_per_root
        for table in tables:
            end = table.first + len(table.counts)
            for first in range(table.first, end, _ROOTS_PER_CALL):
                yield partial(
                    price_roots,
                    distances.squares,
                    distances.halves,
                    distances.sums,
                    shared[table.members.shape[2]],
                    distances.partners,
                    cuts,
                    order,
                    first,
                    min(first + _ROOTS_PER_CALL, end),
                    limits.cutoff,
                    MAX_LOCAL_CANDIDATES,
                    depth,
                    max_subsets,
                    table,
                )

    def _magnitude(self, duals: Duals) -> float:
        """Bound the numbers that a reduced cost adds up."""
        cuts = duals.cuts
        penalties = np.repeat(np.abs(duals.of_cuts), np.diff(cuts.starts))
        largest_penalty = np.bincount(cuts.records, penalties, self.problem.n).max()
        return float(np.abs(duals.of_records).max() + largest_penalty + self._distances.largest_sum)

    def _columns(self, groups: list[IntArray]) -> GroupColumns:
        return GroupColumns.of_groups(self.problem.X, groups, self.scale)


@dataclass(frozen=True)
class LimitedPricing:
    """Pricing of all groups within limits: see `BranchAndBoundPricer.price`."""

    pricer: BranchAndBoundPricer
    tick: Tick
    depth: int | None = None
    max_subsets_per_root: int | None = None

    def __call__(self, duals: Duals) -> PricingResult:
        """Price with these duals."""
        return self.pricer.price(duals, self.tick, self.depth, self.max_subsets_per_root)


def kernel_cuts(duals: Duals) -> "Cuts":
    """Return the cuts of negative dual as the kernels of pricing take them."""
    from microagg.kernels.pricing.cut_penalties import Cuts

    some = np.flatnonzero(duals.of_cuts < 0.0)
    cuts = duals.cuts.select(some)
    numbers = np.repeat(np.arange(cuts.n_cuts), np.diff(cuts.starts))
    order = np.argsort(cuts.records, kind="stable")
    starts = np.searchsorted(cuts.records[order], np.arange(cuts.n + 1))
    by_record = starts, numbers[order], cuts.weights[order]
    penalties = -duals.of_cuts[some]
    return Cuts(*by_record, cuts.starts, cuts.records, cuts.weights, cuts.denominators, penalties)


def _complete_entries(table: "RootPrices") -> BoolArray:
    """Return where the table holds groups of roots whose groups all have room in it."""
    complete: BoolArray = np.isfinite(table.costs) & (table.counts <= _LISTED_PER_ROOT)[:, None]
    return complete
