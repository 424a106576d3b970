"""Choose whole columns: integer programmes."""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.lp.group_columns import Columns, Rows
from microagg.lp.highs import add_columns, add_rows, ended_by, never, new_model, out_of_time, set_exact
from microagg.model.arrays import IntArray

if TYPE_CHECKING:
    from highspy import Highs

_SOME = 0.5  # a whole number is above or below that
_HIGHS = 1e-8  # relative: what integer programmes may be wrong by


def choose(
    columns: Columns,
    incumbent: IntArray,
    patience: int,
    time_limit: float | None = None,
    told: Callable[[], bool] = never,
) -> IntArray | None:
    """Choose whole columns, no worse than the incumbent.

    Parameters
    ----------
    incumbent
        Columns that cover each record once.
    patience
        How often HiGHS may ask whether to go on: some tenths of a second each time, and the same work on any machine.
    time_limit
        Seconds.
    told
        Is asked now and then whether to end.

    Returns
    -------
    ndarray or None
        The columns chosen, by number; None where it was ended, or the time was not enough: what was found would depend
        on that.
    """
    import highspy

    model = _whole(columns, None, time_limit)
    known = highspy.HighsSolution()
    known.col_value = np.isin(np.arange(len(columns.sses)), incumbent).astype(np.float64).tolist()
    model.setSolution(known)
    _solve(model, patience, told)
    if told() or out_of_time(model, time_limit):
        return None
    chosen = _chosen(model, columns)
    return incumbent if chosen is None else chosen


class Settled(NamedTuple):
    """Hold the best choice of whole columns."""

    chosen: IntArray | None  # the columns, by number, if any choice was found
    least: float  # what no choice loses less than, as HiGHS has proved; inf where there is none


def settle(
    columns: Columns,
    rows: Rows,
    patience: int,
    time_limit: float | None = None,
    told: Callable[[], bool] = never,
) -> Settled:
    """Choose whole columns, and say how little any choice must lose.

    Parameters
    ----------
    rows
        That every choice obeys anyway, and that make it easier.
    patience, time_limit, told
        See `choose`; what was found and proved by then is given.
    """
    import highspy

    model = _whole(columns, rows, time_limit)
    set_exact(model)
    _solve(model, patience, told)
    if model.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return Settled(None, np.inf)
    return Settled(_chosen(model, columns), (1 - _HIGHS) * float(model.getInfo().mip_dual_bound))


def _whole(columns: Columns, rows: Rows | None, time_limit: float | None) -> "Highs":
    """Make a model in which whole columns are chosen."""
    import highspy

    model = new_model(columns.n, time_limit)
    add_columns(model, columns)
    if rows is not None:
        add_rows(model, columns, rows, 0)
    model.setOptionValue("mip_rel_gap", 0.0)
    numbers = np.arange(len(columns.sses), dtype=np.int32)
    model.changeColsIntegrality(len(numbers), numbers, np.full(len(numbers), highspy.HighsVarType.kInteger))
    return model


def _solve(model: "Highs", patience: int, told: Callable[[], bool]) -> None:
    """Let HiGHS choose, until it has asked as often as patience allows whether to go on, or is told to end."""
    asked = itertools.count(1)
    with ended_by(model.cbMipInterrupt, lambda: next(asked) > patience or told()):
        model.run()


def _chosen(model: "Highs", columns: Columns) -> IntArray | None:
    """Read the columns that an integer programme has chosen, if they cover each record once."""
    chosen = np.flatnonzero(np.array(model.getSolution().col_value) > _SOME)
    covered = np.bincount(columns.only(chosen).records, minlength=columns.n)
    return chosen if (covered == 1).all() else None
