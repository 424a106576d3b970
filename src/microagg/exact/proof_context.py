"""What all parts of a proof of optimality share."""

from typing import NamedTuple

from numpy.random import Generator

from microagg.control.run import Run
from microagg.exact.column_pool import ColumnPool
from microagg.kernels.tick import Tick
from microagg.lp.duals import Duals
from microagg.lp.group_pricing import BranchAndBoundPricer, LimitedPricing
from microagg.lp.incumbent import Incumbent
from microagg.lp.pair_rules import PairRule
from microagg.model.problem import Problem

MAX_SUBSETS_PER_ROOT = 3_000_000  # of exact pricing, at first
_GROWTH = 4  # of the effort, where a proof goes on with more


class PricingEffort:
    """Subsets of records that exact pricing may search below one root.

    Parameters
    ----------
    is_limited
        Whether more than at first is too much; else the effort grows until a node can be priced.
    """

    def __init__(self, *, is_limited: bool) -> None:
        self.is_limited = is_limited
        self.max_subsets_per_root = MAX_SUBSETS_PER_ROOT

    def grow(self) -> bool:
        """Allow more, where the effort is not limited; return whether it grew."""
        if not self.is_limited:
            self.max_subsets_per_root *= _GROWTH
        return not self.is_limited


class ProofContext(NamedTuple):
    """What all parts of a proof of optimality share."""

    pricer: BranchAndBoundPricer
    incumbent: Incumbent
    rng: Generator
    run: Run
    tick: Tick
    effort: PricingEffort

    @property
    def problem(self) -> Problem:
        """What is solved."""
        return self.incumbent.problem

    def pricing(self, rules: tuple[PairRule, ...]) -> LimitedPricing:
        """Return the exact pricing of all groups that obey rules; it replaces that of other rules."""
        self.pricer.enforce(rules)
        return LimitedPricing(self.pricer, self.tick, max_subsets_per_root=self.effort.max_subsets_per_root)

    def enumerate_below(self, cutoff: float, duals: Duals, max_groups: int) -> ColumnPool:
        """List all groups of reduced cost below a cutoff, under the latest rules; may raise `TooExpensiveError`."""
        columns = self.pricer.list_below(cutoff, duals, self.tick, max_groups, self.effort.max_subsets_per_root)
        return ColumnPool(self.problem, columns)
