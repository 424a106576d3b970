"""Restricted master problem of column generation."""

from contextlib import ExitStack

import numpy as np

from microagg.control.run import Run
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.highs import TIGHT_TOL, add_cut_rows, add_group_columns, interrupted, new_model, read_solution
from microagg.lp.lp_solution import LpSolution
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import IntArray

_DUAL_SIMPLEX = 1  # values of HiGHS's option simplex_strategy
_PRIMAL_SIMPLEX = 4
_INTERRUPTIBLE_FROM = 1_000  # records: smaller programmes end within a second, and are not worth interrupt checks


class RestrictedMaster:
    """Linear programme over the group columns found so far, solved again with a warm start whenever it has changed.

    Parameters
    ----------
    columns
        Some of them cover each record once, unless there is a penalty.
    cuts
        That the solution must obey.
    penalty
        Cost of leaving a record uncovered, by an artificial variable each; None: every record is covered.
    """

    def __init__(self, columns: GroupColumns, cuts: RankOneCuts | None = None, penalty: float | None = None) -> None:
        self.columns = columns
        self.cuts = RankOneCuts.empty(columns.n) if cuts is None else cuts
        self._known = set(columns.record_sets())
        self._model = new_model(columns.n, None)
        self._model.setOptionValue("dual_feasibility_tolerance", TIGHT_TOL)
        self._n_artificial = 0 if penalty is None else columns.n
        if penalty is not None:
            starts = np.arange(columns.n + 1)
            artificial = GroupColumns(columns.n, starts, starts[:-1], np.full(columns.n, penalty))
            add_group_columns(self._model, artificial)
        add_group_columns(self._model, columns)
        add_cut_rows(self._model, columns, self.cuts, self._n_artificial)
        self._use(_PRIMAL_SIMPLEX if penalty is None else _DUAL_SIMPLEX)

    def add_columns(self, columns: GroupColumns) -> int:
        """Add the columns that are new, and return how many: by rounding, known ones may seem to improve the master."""
        sets = columns.record_sets()
        is_new = [one not in self._known for one in sets]
        new = columns.select(np.flatnonzero(np.array(is_new, dtype=np.bool_)))
        if new.n_columns:
            self._known.update(sets)
            self.columns = self.columns.extended(new)
            add_group_columns(self._model, new, self.cuts)
            self._use(_PRIMAL_SIMPLEX)  # the last vertex stays primal feasible
        return new.n_columns

    def keep_columns(self, which: IntArray) -> None:
        """Delete all other columns; those that are basic in the last solution must be kept."""
        others = np.setdiff1d(np.arange(self.columns.n_columns), which)
        self._model.deleteCols(len(others), (self._n_artificial + others).astype(np.int32))
        self.columns = self.columns.select(which)
        self._known = set(self.columns.record_sets())

    def add_cuts(self, cuts: RankOneCuts) -> None:
        """Add cuts that the solution must obey, too."""
        self.cuts = self.cuts.extended(cuts)
        add_cut_rows(self._model, self.columns, cuts, self._n_artificial)
        self._use(_DUAL_SIMPLEX)  # the last vertex stays dual feasible

    def keep_cuts(self, which: IntArray) -> None:
        """Delete all other cuts, which must not bind the last solution."""
        others = np.setdiff1d(np.arange(self.cuts.n_cuts), which)
        self._model.deleteRows(len(others), (self.columns.n + others).astype(np.int32))
        self.cuts = self.cuts.select(which)

    def objective_without(self, which: IntArray) -> float:
        """Return the objective if these columns were not there; inf where that is infeasible. The basis is restored."""
        import highspy

        basis = self._model.getBasis()
        numbers = (self._n_artificial + which).astype(np.int32)
        zeros = np.zeros(len(which))
        self._model.changeColsBounds(len(which), numbers, zeros, zeros)
        self._use(_DUAL_SIMPLEX)
        self._model.run()
        solved = self._model.getModelStatus() == highspy.HighsModelStatus.kOptimal
        objective = float(self._model.getInfo().objective_function_value) if solved else np.inf
        self._model.changeColsBounds(len(which), numbers, zeros, np.full(len(which), np.inf))
        self._model.setBasis(basis)
        return objective

    def solve(self, run: Run) -> LpSolution | None:
        """Solve the programme; None where the run's time was not enough, it was cancelled, or HiGHS failed."""
        import highspy

        time_limit = run.time_left
        if time_limit is not None:
            self._model.setOptionValue("time_limit", self._model.getRunTime() + time_limit)
        self._run_simplex(run)
        if self._model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return self._read()

    def _use(self, strategy: int) -> None:
        self._model.setOptionValue("simplex_strategy", strategy)

    def _run_simplex(self, run: Run) -> None:
        """Run the simplex method, a second time without a warm start where that led it astray."""
        import highspy

        status = highspy.HighsModelStatus
        with ExitStack() as stack:
            if self.columns.n >= _INTERRUPTIBLE_FROM:
                stack.enter_context(interrupted(self._model.cbSimplexInterrupt, run))
            self._model.run()
            if self._model.getModelStatus() not in (status.kOptimal, status.kTimeLimit, status.kInterrupt):
                self._model.clearSolver()
                self._model.run()

    def _read(self) -> LpSolution:
        """Read the solution, the artificial variables apart; duals of cuts get no wrong sign, not even by rounding."""
        solution = read_solution(self._model, self.cuts)
        values = np.append(solution.duals.of_records, np.minimum(solution.duals.of_cuts, 0.0))
        return LpSolution(
            solution.objective,
            Duals(values, self.cuts),
            solution.values[self._n_artificial :],
            float(solution.values[: self._n_artificial].sum()),
        )
