"""Choose parts of columns: linear programmes."""

from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

from microagg.lp.group_columns import Columns, Rows
from microagg.lp.highs import (
    EXACT,
    Vertex,
    add_columns,
    add_rows,
    ended_by,
    never,
    new_model,
    out_of_time,
    read_vertex,
)
from microagg.model.arrays import IntArray

_DUAL, _PRIMAL = 1, 4  # HiGHS's numbers for the dual and the primal simplex method
_MANY = 1_000  # records from which on a linear programme may take seconds: only then it asks whether to end


class Master:
    """Choose parts of columns, anew whenever others have come: the linear programme goes on from its last vertex.

    Parameters
    ----------
    columns
        Some that cover each record once are among them, unless records may be left out.
    rows
        That the choice must obey.
    fine
        What it costs to leave a record out; None: none may be.
    """

    def __init__(self, columns: Columns, rows: Rows | None = None, fine: float | None = None) -> None:
        self.columns, self._known = columns, set(columns.sets())
        self.rows = Rows.none(columns.n) if rows is None else rows
        self._model = new_model(columns.n, None)
        self._model.setOptionValue("dual_feasibility_tolerance", EXACT)
        self._fined = 0 if fine is None else columns.n
        if fine is not None:
            alone = np.arange(columns.n + 1)
            add_columns(self._model, Columns(columns.n, alone, alone[:-1], np.full(columns.n, fine)))
        add_columns(self._model, columns)
        add_rows(self._model, columns, self.rows, self._fined)
        self._strategy(_PRIMAL if fine is None else _DUAL)

    def _strategy(self, number: int) -> None:
        """Say how to go on: with new columns, the last vertex is still legal; with new rows, its duals are."""
        self._model.setOptionValue("simplex_strategy", number)

    def add(self, columns: Columns) -> int:
        """Take in columns that are new, and say how many there are: rounding makes old ones look as if they paid."""
        sets = columns.sets()
        new = columns.only(np.array([i for i, one in enumerate(sets) if one not in self._known], dtype=np.int64))
        if len(new.sses):
            self._known.update(sets)
            self.columns = self.columns.and_also(new)
            add_columns(self._model, new, self.rows)
            self._strategy(_PRIMAL)
        return len(new.sses)

    def keep(self, which: IntArray) -> None:
        """Forget all other columns; those of the last vertex must be kept."""
        others = self._fined + np.setdiff1d(np.arange(len(self.columns.sses)), which).astype(np.int32)
        self._model.deleteCols(len(others), others)
        self.columns = self.columns.only(which)
        self._known = set(self.columns.sets())

    def cut(self, rows: Rows) -> None:
        """Take in rows that the choice must obey, too."""
        self.rows = self.rows.and_also(rows)
        add_rows(self._model, self.columns, rows, self._fined)
        self._strategy(_DUAL)

    def loosen(self, which: IntArray) -> None:
        """Forget all other rows, which must not bind the last vertex."""
        others = self.columns.n + np.setdiff1d(np.arange(self.rows.n_rows), which).astype(np.int32)
        self._model.deleteRows(len(others), others)
        self.rows = self.rows.only(which)

    def without(self, which: IntArray) -> float:
        """Say what the choice would lose if some columns were not there; inf where there would be none."""
        import highspy

        basis, numbers = self._model.getBasis(), (self._fined + which).astype(np.int32)
        none, most = np.zeros(len(which)), np.full(len(which), np.inf)
        self._model.changeColsBounds(len(which), numbers, none, none)
        self._strategy(_DUAL)
        self._model.run()
        solved = self._model.getModelStatus() == highspy.HighsModelStatus.kOptimal
        sse = float(self._model.getInfo().objective_function_value) if solved else np.inf
        self._model.changeColsBounds(len(which), numbers, none, most)
        self._model.setBasis(basis)
        return sse

    def solve(self, time_limit: float | None = None, told: Callable[[], bool] = never) -> Vertex | None:
        """Choose; None where so many seconds are not enough, it was told to end, or HiGHS came to no end."""
        import highspy

        if time_limit is not None:
            self._model.setOptionValue("time_limit", self._model.getRunTime() + time_limit)
        status = highspy.HighsModelStatus
        with ExitStack() as stack:
            if self.columns.n >= _MANY:
                stack.enter_context(ended_by(self._model.cbSimplexInterrupt, told))
            self._model.run()
            if self._model.getModelStatus() not in (status.kOptimal, status.kTimeLimit, status.kInterrupt):
                self._model.clearSolver()  # from nothing, what the last vertex led astray may be found
                self._model.run()
        if self._model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        vertex, n = read_vertex(self._model), self.columns.n
        fined, parts = vertex.parts[: self._fined], vertex.parts[self._fined :]
        of_rows = np.minimum(vertex.duals[n:], 0.0)  # of no wrong sign, not even by rounding
        return vertex._replace(duals=np.append(vertex.duals[:n], of_rows), parts=parts, uncovered=float(fined.sum()))


def relax(columns: Columns, time_limit: float | None = None) -> Vertex | None:
    """Choose parts of columns: a linear programme, by the interior point method, then crossed over to a vertex.

    Parameters
    ----------
    columns
        Those that cover each record once are among them.
    time_limit
        Seconds; None is given back where they are not enough.
    """
    model = new_model(columns.n, time_limit)
    model.setOptionValue("solver", "ipm")  # from nothing, twice as fast as the simplex method
    add_columns(model, columns)
    model.run()
    if out_of_time(model, time_limit):
        return None
    return read_vertex(model)
