"""Speak to HiGHS: a model has a row for each record, and perhaps others; its columns are groups."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microagg.lp.group_columns import Columns, Rows
from microagg.model.arrays import FloatArray

if TYPE_CHECKING:
    from highspy import Highs

EXACT = 1e-9  # what tolerances are set to


class Vertex(NamedTuple):
    """Hold the best choice of parts of columns: no choice of whole ones is better."""

    sse: float
    duals: FloatArray  # (n + rows,) of the records, then of the rows
    parts: FloatArray  # (count,) how much of each column is chosen
    uncovered: float = 0.0  # how many records are left out, in parts


def new_model(n: int, time_limit: float | None) -> "Highs":
    """Make a model in which each record is covered once, by nothing yet."""
    import highspy

    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    if time_limit is not None:
        model.setOptionValue("time_limit", max(0.0, time_limit))
    none = np.empty(0, dtype=np.int32)
    model.addRows(n, np.ones(n), np.ones(n), 0, np.zeros(n, dtype=np.int32), none, np.empty(0))
    return model


def set_exact(model: "Highs") -> None:
    """Let HiGHS be as exact as it can be in choosing whole columns."""
    for gap in ("mip_rel_gap", "mip_abs_gap"):
        model.setOptionValue(gap, 0.0)
    for tolerance in ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        model.setOptionValue(tolerance, EXACT)


def add_columns(model: "Highs", columns: Columns, rows: Rows | None = None) -> None:
    """Add columns to a model, which has some rows besides those of the records."""
    import highspy

    count, n = len(columns.sses), columns.n
    starts, numbers, coefficients = columns.starts, columns.records, np.ones(len(columns.records))
    if rows is not None and rows.n_rows:
        counted = rows.coefficients(columns)
        of_column = np.repeat(np.arange(count), np.diff(starts)), np.repeat(np.arange(count), np.diff(counted.indptr))
        order = np.argsort(np.concatenate(of_column), kind="stable")
        numbers = np.concatenate([numbers, n + counted.indices])[order]
        coefficients = np.concatenate([coefficients, counted.data])[order]
        starts = starts + counted.indptr
    most = np.full(count, highspy.kHighsInf)  # the rows see to it that nothing is chosen twice
    starts, numbers = starts[:-1].astype(np.int32), numbers.astype(np.int32)
    model.addCols(count, columns.sses, np.zeros(count), most, len(numbers), starts, numbers, coefficients)


def add_rows(model: "Highs", columns: Columns, rows: Rows, first: int) -> None:
    """Add rows to a model, whose columns start at a number."""
    import highspy

    if not rows.n_rows:
        return
    counted = rows.coefficients(columns).tocsc()
    starts, numbers = counted.indptr[:-1].astype(np.int32), (first + counted.indices).astype(np.int32)
    least, most = np.full(rows.n_rows, -highspy.kHighsInf), rows.sides.astype(np.float64)
    model.addRows(rows.n_rows, least, most, len(numbers), starts, numbers, counted.data.astype(np.float64))


def read_vertex(model: "Highs") -> Vertex:
    """Read the choice that a linear programme has come to."""
    solution = model.getSolution()
    sse = float(model.getInfo().objective_function_value)
    return Vertex(sse, np.array(solution.row_dual), np.array(solution.col_value))


def never() -> bool:
    """Say that there is no reason to end."""
    return False


@contextmanager
def ended_by(callbacks: Any, told: Callable[[], bool]) -> Iterator[None]:
    """Let one of HiGHS's solvers ask now and then, by its callbacks, whether to end."""

    def answer(event: Any) -> None:
        event.data_in.user_interrupt = told()

    callbacks.subscribe(answer)
    try:
        yield
    finally:
        callbacks.unsubscribe(answer)


def out_of_time(model: "Highs", time_limit: float | None) -> bool:
    """Say whether the time was not enough; where it was just enough, nobody knows what of it was cut short."""
    return time_limit is not None and float(model.getRunTime()) >= time_limit
