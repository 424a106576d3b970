"""Set partitioning as an integer programme: integral choices of group columns."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.lp.group_columns import GroupColumns
from microagg.lp.highs import (
    BINARY_THRESHOLD,
    add_cut_rows,
    add_group_columns,
    interrupted,
    is_out_of_time,
    new_model,
    tighten_mip_tolerances,
)
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import IntArray

if TYPE_CHECKING:
    from highspy import Highs

_MIP_RELATIVE_ERROR = 1e-8  # subtracted from what HiGHS proves


def improve_choice(columns: GroupColumns, incumbent: IntArray, max_checks: int, run: Run) -> IntArray | None:
    """Choose columns that cover each record once, no worse than the incumbent.

    Parameters
    ----------
    incumbent
        Indices of columns that cover each record once: the warm start.
    max_checks
        Effort of HiGHS: see `interrupted`.
    run
        Its time limit and its cancel flag hold.

    Returns
    -------
    ndarray or None
        The indices of the columns chosen; None where the run ended it, as what was found would depend on when.
    """
    import highspy

    time_limit = run.time_left
    model = _integer_model(columns, None, time_limit)
    start = highspy.HighsSolution()
    start.col_value = np.isin(np.arange(columns.n_columns), incumbent).astype(np.float64).tolist()
    model.setSolution(start)
    with interrupted(model.cbMipInterrupt, run, max_checks):
        model.run()
    if run.cancelled or is_out_of_time(model, time_limit):
        return None
    chosen = _read_choice(model, columns)
    return incumbent if chosen is None else chosen


class IntegerSolution(NamedTuple):
    """Best choice of columns found, and what no choice is below."""

    chosen: IntArray | None  # indices of the columns; None where no choice was found
    lower_bound: float  # inf where no choice exists


def solve_integer_programme(columns: GroupColumns, cuts: RankOneCuts, max_checks: int, run: Run) -> IntegerSolution:
    """Choose columns of least total sse that cover each record once, and bound the sse of every such choice.

    Parameters
    ----------
    cuts
        Tighten the programme; every choice obeys them anyway.
    max_checks, run
        See `improve_choice`; where they end it, what was found and proved until then is returned.
    """
    import highspy

    model = _integer_model(columns, cuts, run.time_left)
    tighten_mip_tolerances(model)
    with interrupted(model.cbMipInterrupt, run, max_checks):
        model.run()
    if model.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return IntegerSolution(None, np.inf)
    lower_bound = (1 - _MIP_RELATIVE_ERROR) * float(model.getInfo().mip_dual_bound)
    return IntegerSolution(_read_choice(model, columns), lower_bound)


def _integer_model(columns: GroupColumns, cuts: RankOneCuts | None, time_limit: float | None) -> "Highs":
    """Create a model with integer variables."""
    import highspy

    model = new_model(columns.n, time_limit)
    add_group_columns(model, columns)
    if cuts is not None:
        add_cut_rows(model, columns, cuts, 0)
    model.setOptionValue("mip_rel_gap", 0.0)
    numbers = np.arange(columns.n_columns, dtype=np.int32)
    model.changeColsIntegrality(len(numbers), numbers, np.full(len(numbers), highspy.HighsVarType.kInteger))
    return model


def _read_choice(model: "Highs", columns: GroupColumns) -> IntArray | None:
    """Read the columns of value 1; None where they do not cover each record once."""
    chosen = np.flatnonzero(np.array(model.getSolution().col_value) > BINARY_THRESHOLD)
    n_covering = np.bincount(columns.select(chosen).records, minlength=columns.n)
    return chosen if (n_covering == 1).all() else None
