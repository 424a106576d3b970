"""Choose groups so that every record is in one of them and least is lost: set partitioning, by HiGHS.

Rows are records, columns are groups.
"""

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microagg.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from highspy import Highs

_SOME = 0.5  # a whole number is above or below that


class Columns(NamedTuple):
    """Hold groups to choose from."""

    n: int  # records
    starts: IntArray  # (count + 1,) where each group starts among
    records: IntArray  # the records of all groups
    sses: FloatArray  # (count,) neither huge nor tiny: HiGHS has absolute tolerances

    def only(self, which: IntArray) -> "Columns":
        """Give some of the columns."""
        sizes = np.diff(self.starts)[which]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes) + np.repeat(self.starts[which], sizes)
        return Columns(self.n, starts, self.records[places], self.sses[which])

    def labels(self, which: IntArray) -> IntArray:
        """Label the records by columns that cover each of them once."""
        chosen = self.only(which)
        labels = np.empty(self.n, dtype=np.int64)
        labels[chosen.records] = np.repeat(np.arange(len(which)), np.diff(chosen.starts))
        return labels


class Relaxation(NamedTuple):
    """Hold the best choice of parts of columns: no choice of whole ones is better."""

    sse: float
    duals: FloatArray  # (n,) of the records
    reduced_costs: FloatArray  # (count,) of the columns: what choosing one costs more, at least


def relax(columns: Columns, time_limit: float | None = None) -> Relaxation | None:
    """Choose parts of columns: a linear programme, by the interior point method, then crossed over to a vertex.

    Parameters
    ----------
    columns
        Those that cover each record once are among them.
    time_limit
        Seconds; None is given back where they are not enough.
    """
    model = _model(columns.n, time_limit)
    model.setOptionValue("solver", "ipm")  # from nothing, twice as fast as the simplex method
    _add(model, columns)
    model.run()
    if _out_of_time(model, time_limit):
        return None
    duals = np.array(model.getSolution().row_dual)
    reduced = columns.sses - np.add.reduceat(duals[columns.records], columns.starts[:-1])
    return Relaxation(float(model.getInfo().objective_function_value), duals, reduced)


def choose(columns: Columns, incumbent: IntArray, patience: int, time_limit: float | None = None) -> IntArray | None:
    """Choose whole columns, no worse than the incumbent.

    Parameters
    ----------
    incumbent
        Columns that cover each record once.
    patience
        How often HiGHS may ask whether to go on: some tenths of a second each time, and the same work on any machine.
    time_limit
        Seconds.

    Returns
    -------
    ndarray or None
        The columns chosen, by number; None where the time was not enough: what was found would depend on it.
    """
    import highspy

    model = _model(columns.n, time_limit)
    _add(model, columns)
    model.setOptionValue("mip_rel_gap", 0.0)
    numbers = np.arange(len(columns.sses), dtype=np.int32)
    model.changeColsIntegrality(len(numbers), numbers, np.full(len(numbers), highspy.HighsVarType.kInteger))
    known = highspy.HighsSolution()
    known.col_value = np.isin(numbers, incumbent).astype(np.float64).tolist()
    model.setSolution(known)
    asked = itertools.count(1)

    def answer(event: Any) -> None:
        event.data_in.user_interrupt = next(asked) > patience

    model.cbMipInterrupt += answer
    model.run()
    if _out_of_time(model, time_limit):
        return None
    chosen = np.flatnonzero(np.array(model.getSolution().col_value) > _SOME)
    covered = np.bincount(columns.only(chosen).records, minlength=columns.n)
    return chosen if (covered == 1).all() else incumbent


def _model(n: int, time_limit: float | None) -> "Highs":
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


def _add(model: "Highs", columns: Columns) -> None:
    """Add columns to a model."""
    import highspy

    count = len(columns.sses)
    starts, records = columns.starts[:-1].astype(np.int32), columns.records.astype(np.int32)
    ones = np.ones(len(records))
    most = np.full(count, highspy.kHighsInf)  # the rows see to it that nothing is chosen twice
    model.addCols(count, columns.sses, np.zeros(count), most, len(records), starts, records, ones)


def _out_of_time(model: "Highs", time_limit: float | None) -> bool:
    """Say whether the time was not enough; where it was just enough, nobody knows what of it was cut short."""
    return time_limit is not None and float(model.getRunTime()) >= time_limit
