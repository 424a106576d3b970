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

MAX_SUBSETS_PER_ROOT = 3_000_000  # of exact pricing


class ProofContext(NamedTuple):
    """What all parts of a proof of optimality share."""

    pricer: BranchAndBoundPricer
    incumbent: Incumbent
    rng: Generator
    run: Run
    tick: Tick

    @property
    def problem(self) -> Problem:
        """What is solved."""
        return self.incumbent.problem

    def pricing(self, rules: tuple[PairRule, ...]) -> LimitedPricing:
        """Return the exact pricing of all groups that obey rules; it replaces that of other rules."""
        self.pricer.enforce(rules)
        return LimitedPricing(self.pricer, self.tick, max_subsets_per_root=MAX_SUBSETS_PER_ROOT)

    def enumerate_below(self, cutoff: float, duals: Duals, max_groups: int) -> ColumnPool:
        """List all groups of reduced cost below a cutoff, under the latest rules; may raise `TooExpensiveError`."""
        columns = self.pricer.list_below(cutoff, duals, self.tick, max_groups, MAX_SUBSETS_PER_ROOT)
        return ColumnPool(self.problem, columns)
