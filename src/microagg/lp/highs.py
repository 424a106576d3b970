"""Models of HiGHS: a covering row for each record, then rows of cuts; a variable for each group column."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lp_solution import LpSolution
from microagg.lp.rank_one_cuts import RankOneCuts

if TYPE_CHECKING:
    from highspy import Highs

TIGHT_TOL = 1e-9  # HiGHS's own tolerances, where results are proofs
BINARY_THRESHOLD = 0.5  # between the two values of a binary variable


def new_model(n: int, time_limit: float | None) -> "Highs":
    """Create a model in which each of n records is covered once, without columns yet; the limit is in seconds."""
    import highspy

    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    if time_limit is not None:
        model.setOptionValue("time_limit", max(0.0, time_limit))
    nothing = np.empty(0, dtype=np.int32)
    model.addRows(n, np.ones(n), np.ones(n), 0, np.zeros(n, dtype=np.int32), nothing, np.empty(0))
    return model


def tighten_mip_tolerances(model: "Highs") -> None:
    """Let HiGHS close integer programmes without a gap, at the smallest tolerances that it allows."""
    for gap in ("mip_rel_gap", "mip_abs_gap"):
        model.setOptionValue(gap, 0.0)
    for tolerance in ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        model.setOptionValue(tolerance, TIGHT_TOL)


def add_group_columns(model: "Highs", columns: GroupColumns, cuts: RankOneCuts | None = None) -> None:
    """Add group columns to a model that has rows of these cuts."""
    import highspy

    count = columns.n_columns
    starts = columns.starts
    rows = columns.records
    coefficients = np.ones(len(columns.records))
    if cuts is not None and cuts.n_cuts:
        of_cuts = columns.cut_coefficients(cuts)
        numbers = np.arange(count)
        owners = np.concatenate([np.repeat(numbers, np.diff(starts)), np.repeat(numbers, np.diff(of_cuts.indptr))])
        order = np.argsort(owners, kind="stable")
        rows = np.concatenate([rows, columns.n + of_cuts.indices])[order]
        coefficients = np.concatenate([coefficients, of_cuts.data])[order]
        starts = starts + of_cuts.indptr
    upper = np.full(count, highspy.kHighsInf)  # the covering rows keep values at or below 1
    starts = starts[:-1].astype(np.int32)
    rows = rows.astype(np.int32)
    model.addCols(count, columns.sses, np.zeros(count), upper, len(rows), starts, rows, coefficients)


def add_cut_rows(model: "Highs", columns: GroupColumns, cuts: RankOneCuts, first_column: int) -> None:
    """Add rows of cuts to a model whose group columns start at the index `first_column`."""
    import highspy

    if not cuts.n_cuts:
        return
    coefficients = columns.cut_coefficients(cuts).tocsc()
    starts = coefficients.indptr[:-1].astype(np.int32)
    numbers = (first_column + coefficients.indices).astype(np.int32)
    lower = np.full(cuts.n_cuts, -highspy.kHighsInf)
    upper = cuts.right_hand_sides.astype(np.float64)
    model.addRows(cuts.n_cuts, lower, upper, len(numbers), starts, numbers, coefficients.data.astype(np.float64))


def read_solution(model: "Highs", cuts: RankOneCuts) -> LpSolution:
    """Read the solution of a linear programme with these cuts."""
    solution = model.getSolution()
    objective = float(model.getInfo().objective_function_value)
    return LpSolution(objective, Duals(np.array(solution.row_dual), cuts), np.array(solution.col_value))


@contextmanager
def interrupted(callbacks: Any, run: Run, max_checks: int | None = None, tick: Tick | None = None) -> Iterator[None]:
    """Interrupt a solver of HiGHS once the run is cancelled.

    Parameters
    ----------
    callbacks
        The interrupt callbacks of the solver, e.g. `model.cbMipInterrupt`.
    max_checks
        How often HiGHS may check for an interrupt before it is interrupted anyway: unlike seconds, the same work on any
        machine. Of an integer programme, a check comes every few tenths of a second. None: any number.
    tick
        Called at each check. A `StoppedError` would be lost in HiGHS: it interrupts the solver, and the caller ticks
        again.
    """
    numbers = itertools.count(1)

    def answer(event: Any) -> None:
        is_over = max_checks is not None and next(numbers) > max_checks
        event.data_in.user_interrupt = is_over or run.cancelled or (tick is not None and _is_stopped_by(tick))

    callbacks.subscribe(answer)
    try:
        yield
    finally:
        callbacks.unsubscribe(answer)


def _is_stopped_by(tick: Tick) -> bool:
    try:
        tick()
    except StoppedError:
        return True
    return False


def is_out_of_time(model: "Highs", time_limit: float | None) -> bool:
    """Check whether a solver used up its seconds: then its result may depend on the clock, even if it finished."""
    return time_limit is not None and float(model.getRunTime()) >= time_limit
