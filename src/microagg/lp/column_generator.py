"""Column generation: solve the restricted master, price with its duals, and add columns of negative reduced cost."""

from typing import Literal

import numpy as np

from microagg.control.run import Run
from microagg.kernels.tick import Tick, no_tick
from microagg.lp.adam_ascent import AdamAscent
from microagg.lp.dual_stabilisation import DualStabilisation
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.incumbent import Incumbent
from microagg.lp.lp_solution import LpSolution
from microagg.lp.pricing_result import REDUCED_COST_TOL, Pricing, PricingResult, TooExpensiveError
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.lp.restricted_master import RestrictedMaster
from microagg.model.arrays import FloatArray

CONVERGENCE_TOL = 1e-9  # of the objective: a gap that counts as closed
MAX_COLUMNS_PER_RECORD = 30  # of the master: beyond, the most expensive ones are dropped
_MAX_NEW_COLUMNS = 4000  # that are added at once
_FEW_COLUMNS_PER_RECORD = 0.25  # fewer new ones are a sign that stabilisation is no longer needed
_MIN_STEP_SCALE = 0.01  # of the average dual


class ColumnGenerator:
    """Column generation with the best Lagrangian bound so far; squares are scaled so that a group loses about one.

    Parameters
    ----------
    master
        The columns to start with, and the cuts.
    run
        Its time limit and its cancel flag hold.
    tick
        Called after each solution of the master.
    incumbent
        Offered each solution of the master.
    """

    def __init__(
        self, master: RestrictedMaster, run: Run, tick: Tick = no_tick, incumbent: Incumbent | None = None
    ) -> None:
        self.master = master
        self.run = run
        self.tick = tick
        self.incumbent = incumbent
        self.solution: LpSolution | None = None
        self.n_pricings = 0
        self.start(np.zeros(master.columns.n + master.cuts.n_cuts), 0.0, "")

    def start(self, values: FloatArray, lower_bound: float, kind: str) -> None:
        """Make duals of the records and of the master's cuts the stability centre.

        Parameters
        ----------
        lower_bound, kind
            What these duals prove, and by which kind of pricing.
        """
        self.centre = self.proof = Duals(values, self.master.cuts)
        self.lower_bound = lower_bound
        self.kind = kind

    @property
    def step_scales(self) -> FloatArray:
        """Scale of each dual's ascent steps: the dual itself, unless next to nothing."""
        scales: FloatArray = np.maximum(self.centre.values, _MIN_STEP_SCALE * self.centre.values.mean())
        return scales

    def ascend(self, pricing: Pricing, ascent: AdamAscent, kind: str, add_columns: bool) -> None:
        """Raise the lower bound by subgradient ascent: duals of uncovered records rise, of those covered twice fall."""
        values = self.centre.values
        for _ in range(ascent.n_steps):
            priced = self._price(pricing, values, kind)
            if add_columns:
                self._add_columns(priced.columns, Duals(values, self.master.cuts))
            values = values + ascent(1.0 - priced.cover.astype(np.float64))

    def converge(
        self,
        pricing: Pricing,
        kind: str,
        stabilisation: DualStabilisation,
        tolerance: float = CONVERGENCE_TOL,
        target: float = np.inf,
    ) -> Literal["time_limit", "tolerance"] | None:
        """Solve the master and add columns until its objective and the lower bound meet.

        Parameters
        ----------
        tolerance
            Of the objective: the gap that may be left.
        target
            A lower bound that is high enough.

        Returns
        -------
        str or None
            What ended it before.
        """
        while True:
            solution = self._solve_master()
            if solution is None:
                return "time_limit" if self.run.time_left == 0.0 else "tolerance"
            gap = solution.objective - self.lower_bound
            if gap <= tolerance * solution.objective or self.lower_bound >= target:
                return None
            lower_bound = self.lower_bound
            values = stabilisation.point(solution.duals, self.centre)
            try:
                priced = self._price(pricing, values, kind)
            except TooExpensiveError:
                stabilisation.strengthen()
                continue
            n_new = self._add_columns(priced.columns, solution.duals)
            improved = self.lower_bound > lower_bound
            is_exhausted = not n_new and stabilisation.is_weakest
            if is_exhausted and stabilisation.is_off(values, solution.duals):  # no column improves the master
                return None if np.isfinite(priced.lower_bound) else "tolerance"
            if is_exhausted and not improved:
                stabilisation.widen()
            else:
                stabilisation.adapt(improved, n_new < _FEW_COLUMNS_PER_RECORD * self.master.columns.n)

    def add_cuts(self, cuts: RankOneCuts) -> None:
        """Add cuts to the master, and drop those of dual 0."""
        if self.solution is not None:
            of_cuts = self.solution.duals.of_cuts
            binding = np.flatnonzero(of_cuts)
            if len(binding) < len(of_cuts):
                self.master.keep_cuts(binding)
                self.centre = self.centre.select_cuts(binding)
        self.master.add_cuts(cuts)
        self.centre = Duals(np.concatenate([self.centre.values, np.zeros(cuts.n_cuts)]), self.master.cuts)

    def _solve_master(self) -> LpSolution | None:
        """Solve the master, and offer its solution to the incumbent; None where it was not solved."""
        solution = self.solution = self.master.solve(self.run)
        self.tick()
        if solution is not None:
            if self.incumbent is not None:
                self.incumbent.offer_solution(self.master.columns, solution)
            self._drop_columns(solution)
        return solution

    def _price(self, pricing: Pricing, values: FloatArray, kind: str) -> PricingResult:
        """Price with some duals, which become the centre where they prove more."""
        self.n_pricings += 1
        priced = pricing(Duals(values, self.master.cuts))
        if priced.lower_bound > self.lower_bound:
            self.start(values, priced.lower_bound, kind)
        return priced

    def _add_columns(self, found: GroupColumns, duals: Duals) -> int:
        """Add the columns of the most negative reduced costs, and return how many are new."""
        costs = found.reduced_costs(duals)
        negative = np.flatnonzero(costs < -REDUCED_COST_TOL)
        cheapest = negative[np.argsort(costs[negative], kind="stable")[:_MAX_NEW_COLUMNS]]
        return self.master.add_columns(found.select(cheapest))

    def _drop_columns(self, solution: LpSolution) -> None:
        """Where the master has too many columns, keep those in the solution and the cheapest others."""
        max_columns = MAX_COLUMNS_PER_RECORD * self.master.columns.n
        if self.master.columns.n_columns <= max_columns:
            return
        costs = self.master.columns.reduced_costs(solution.duals)
        cheapest = np.argsort(costs, kind="stable")[: max_columns // 2]
        kept = np.union1d(np.flatnonzero(solution.values), cheapest)
        self.master.keep_columns(kept)
        self.solution = solution._replace(values=solution.values[kept])
