"""Linear programme over all groups, solved or bounded by column generation from the duals of neighbours."""

from contextlib import suppress
from functools import partial

import numpy as np

from microagg.control.run import Run
from microagg.control.stages import Construct
from microagg.lp.adam_ascent import AdamAscent
from microagg.lp.column_generator import ColumnGenerator
from microagg.lp.dual_stabilisation import DualStabilisation
from microagg.lp.group_columns import GroupColumns
from microagg.lp.group_pricing import BranchAndBoundPricer, LimitedPricing
from microagg.lp.incumbent import Incumbent, bounds_note
from microagg.lp.neighbour_duals import neighbour_duals
from microagg.lp.pricing_result import TooExpensiveError
from microagg.lp.restricted_master import RestrictedMaster
from microagg.model.errors import MethodError

COLUMN_GENERATION = "column generation"
MAX_SUBSETS_PER_ROOT = 100_000  # of exact pricing, beyond which it is relaxed
_MAX_SUBSETS_RELAXED = 10_000_000  # of relaxed pricing: seconds for a root
_MAX_RECORDS = 20_000  # whose distances are kept, twice: six gigabytes
_INITIAL_SMOOTHING = 0.9
_EXACT_STEPS = 20  # of the ascent with exact pricing, before the master takes over
_EXACT_FIRST_STEP = 0.05  # in shares of the duals
_RELAXED_STEPS = 60  # of the ascent at each depth of relaxed pricing
_RELAXED_FIRST_STEP = 0.1  # at depth 1, in shares of the duals
_LAST_STEP_SHARE = 0.03  # of the first step
_EPSILON = 0.1  # Adam's ε
_UNTIMED_DEPTHS = 2  # of relaxed pricing, without a time limit


class RootRelaxation:
    """Lower bound by the linear programme over all groups; holds the columns and duals that it came to.

    Parameters
    ----------
    incumbent
        Its groups are the first columns; offered every solution.
    first
        Construct partitions whose groups are further first columns.
    run
        Its limits hold.

    Raises
    ------
    MethodError
        Where the distances of the records would take too much memory.
    """

    def __init__(self, incumbent: Incumbent, first: tuple[Construct, ...], run: Run) -> None:
        n = incumbent.problem.n
        if n > _MAX_RECORDS:
            raise MethodError(
                f"column generation keeps the distances of at most {_MAX_RECORDS} records, found {n}: "
                "the bound 'automatic' bounds any number"
            )
        self.problem = incumbent.problem
        self.incumbent = incumbent
        self.first = first
        self.run = run
        master = RestrictedMaster(GroupColumns.of_partition(incumbent.best).scaled(incumbent.scale))
        self.generator = ColumnGenerator(master, run, self.tick, incumbent)
        self.generator.kind = COLUMN_GENERATION

    @property
    def lower_bound(self) -> float:
        """What is proved, as sse."""
        return self.generator.lower_bound / self.incumbent.scale

    def add_first_columns(self) -> None:
        """Construct the first partitions, and add their groups."""
        for construct in self.first:
            partition = construct(self.problem, np.random.default_rng(0), self.run)
            self.generator.master.add_columns(GroupColumns.of_partition(partition).scaled(self.incumbent.scale))
            self.incumbent.offer(partition)
            self.tick()

    def start_from_neighbours(self) -> BranchAndBoundPricer:
        """Make the duals of neighbours the stability centre, and return the pricing that goes on from there."""
        scale = self.incumbent.scale
        duals = neighbour_duals(self.problem, self.incumbent.best, self.run)
        values = scale * duals.values
        self.generator.start(values, float(values.sum()) - scale * duals.rounding_error, "neighbours")
        self.tick()
        if duals.ended_by is not None:
            self.run.stop(duals.ended_by)
        return BranchAndBoundPricer(self.problem, scale, duals.split, self.run.workers)

    def solve(self, pricer: BranchAndBoundPricer, max_subsets_per_root: int | None) -> str | None:
        """Raise the lower bound by subgradient ascent, then generate columns until it converges.

        Returns
        -------
        str or None
            What ended it before.

        Raises
        ------
        TooExpensiveError
            Where pricing needs more subsets of records for a root.
        """
        pricing = LimitedPricing(pricer, self.tick, max_subsets_per_root=max_subsets_per_root)
        self.generator.ascend(
            pricing, self._ascent(_EXACT_STEPS, _EXACT_FIRST_STEP), COLUMN_GENERATION, add_columns=True
        )
        self.add_first_columns()
        return self.generator.converge(pricing, COLUMN_GENERATION, DualStabilisation(_INITIAL_SMOOTHING))

    def relax(self, pricer: BranchAndBoundPricer) -> str:
        """Raise the lower bound by subgradient ascents with relaxed pricing, deeper and deeper while affordable."""
        depths = _UNTIMED_DEPTHS
        if self.run.limits.time_limit is not None:
            depths = max(depths, 2 * self.problem.k - 4)
        pricing = partial(LimitedPricing, pricer, self.tick, max_subsets_per_root=_MAX_SUBSETS_RELAXED)
        with suppress(TooExpensiveError):
            for depth in range(1, 1 + depths):
                ascent = self._ascent(_RELAXED_STEPS, _RELAXED_FIRST_STEP / depth)
                kind = f"{COLUMN_GENERATION}, relaxed to depth {depth}"
                self.generator.ascend(pricing(depth=depth), ascent, kind, add_columns=False)
        return "effort"

    def solve_or_relax(self, pricer: BranchAndBoundPricer) -> str | None:
        """Solve where exact pricing is affordable, else relax; return what ended it before it converged."""
        with suppress(TooExpensiveError):
            return self.solve(pricer, MAX_SUBSETS_PER_ROOT)
        return self.relax(pricer)

    def tick(self, done: float | None = None) -> None:
        """Report the bounds, and end the stage by `StoppedError` where the run must end."""
        best = self.incumbent.best
        n_columns = self.generator.master.columns.n_columns
        how_far = f"round {self.generator.n_pricings}, {n_columns} columns, "
        self.run.report("bound", done, bounds_note(best, self.lower_bound).after(how_far))
        self.run.check_round(0, best.sse, self.lower_bound)

    def _ascent(self, n_steps: int, first_step: float) -> AdamAscent:
        last_step = _LAST_STEP_SHARE * first_step
        return AdamAscent(self.generator.step_scales, n_steps, first_step, last_step, _EPSILON)
