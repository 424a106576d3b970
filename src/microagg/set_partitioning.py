"""Choose groups so that every record is in one of them and least is lost: set partitioning, by HiGHS.

Rows are records, columns are groups.
"""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.partition import Partition

if TYPE_CHECKING:
    from highspy import Highs

_PRIMAL = 4  # HiGHS's number for the primal simplex method
_EXACT = 1e-9  # what reduced costs in the master may be below zero
_SOME = 0.5  # a whole number is above or below that


class Columns(NamedTuple):
    """Hold groups to choose from."""

    n: int  # records
    starts: IntArray  # (count + 1,) where each group starts among
    records: IntArray  # the records of all groups
    sses: FloatArray  # (count,) neither huge nor tiny: HiGHS has absolute tolerances

    @staticmethod
    def of(partition: Partition) -> "Columns":
        """Give the groups of a partition."""
        order = np.argsort(partition.labels, kind="stable")
        sses: FloatArray = np.bincount(partition.labels, weights=partition.losses).astype(np.float64)
        return Columns(len(order), np.concatenate([[0], np.cumsum(partition.sizes)]), order, sses)

    def only(self, which: IntArray) -> "Columns":
        """Give some of the columns."""
        sizes = np.diff(self.starts)[which]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes) + np.repeat(self.starts[which], sizes)
        return Columns(self.n, starts, self.records[places], self.sses[which])

    def and_also(self, others: "Columns") -> "Columns":
        """Give these columns and others."""
        starts = np.concatenate([self.starts, self.starts[-1] + others.starts[1:]])
        records, sses = np.concatenate([self.records, others.records]), np.concatenate([self.sses, others.sses])
        return Columns(self.n, starts, records, sses)

    def sets(self) -> list[frozenset[int]]:
        """Give the records of each column."""
        records = self.records.tolist()
        return [frozenset(records[start:end]) for start, end in itertools.pairwise(self.starts.tolist())]

    def reduced_costs(self, duals: FloatArray) -> FloatArray:
        """Give what each column loses more than the duals of its records add up to."""
        if not len(self.sses):
            return self.sses
        costs: FloatArray = self.sses - np.add.reduceat(duals[self.records], self.starts[:-1])
        return costs

    def labels(self, which: IntArray) -> IntArray:
        """Label the records by columns that cover each of them once."""
        chosen = self.only(which)
        labels = np.empty(self.n, dtype=np.int64)
        labels[chosen.records] = np.repeat(np.arange(len(which)), np.diff(chosen.starts))
        return labels


class Vertex(NamedTuple):
    """Hold the best choice of parts of columns: no choice of whole ones is better."""

    sse: float
    duals: FloatArray  # (n,) of the records
    parts: FloatArray  # (count,) how much of each column is chosen


class Master:
    """Choose parts of columns, anew whenever others have come: the linear programme goes on from its last vertex.

    Parameters
    ----------
    columns
        Some that cover each record once are among them.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns, self._known = columns, set(columns.sets())
        self._model = _model(columns.n, None)
        self._model.setOptionValue("simplex_strategy", _PRIMAL)  # with new columns, the last vertex is still legal
        self._model.setOptionValue("dual_feasibility_tolerance", _EXACT)
        _add(self._model, columns)

    def add(self, columns: Columns) -> int:
        """Take in columns that are new, and say how many there are: rounding makes old ones look as if they paid."""
        sets = columns.sets()
        new = columns.only(np.array([i for i, one in enumerate(sets) if one not in self._known], dtype=np.int64))
        if len(new.sses):
            self._known.update(sets)
            self.columns = self.columns.and_also(new)
            _add(self._model, new)
        return len(new.sses)

    def keep(self, which: IntArray) -> None:
        """Forget all other columns; those of the last vertex must be kept."""
        others = np.setdiff1d(np.arange(len(self.columns.sses)), which).astype(np.int32)
        self._model.deleteCols(len(others), others)
        self.columns = self.columns.only(which)
        self._known = set(self.columns.sets())

    def solve(self, time_limit: float | None = None) -> Vertex | None:
        """Choose; None where so many seconds are not enough."""
        import highspy

        if time_limit is not None:
            self._model.setOptionValue("time_limit", self._model.getRunTime() + time_limit)
        self._model.run()
        solved = self._model.getModelStatus() == highspy.HighsModelStatus.kOptimal
        return _vertex(self._model) if solved else None


def relax(columns: Columns, time_limit: float | None = None) -> Vertex | None:
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
    return _vertex(model)


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


def cheapest_group(
    squares: FloatArray, duals: FloatArray, size: int, told: Callable[[], bool], time_limit: float | None
) -> tuple[IntArray, float] | None:
    """Find the group of one size that loses least beyond the duals of its records, by an integer programme.

    A variable for each pair of records, of which size·(size − 1)/2 are 1; and where that of (i, j) is 1, size − 2
    others of i are: these are the pairs of a group. Θ(n³) coefficients.

    Parameters
    ----------
    told
        Is asked now and then whether to end.
    time_limit
        Seconds.

    Returns
    -------
    tuple or None
        The records, and the reduced cost that HiGHS has proved; None where it came to no end.

    References
    ----------
    The column generation paper, (14).
    """
    import highspy

    n = len(duals)
    one, other = np.triu_indices(n, 1)
    count = len(one)
    pair = np.zeros((n, n), dtype=np.int32)
    pair[one, other] = pair[other, one] = np.arange(count)
    of_record = pair[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    model = _model(0, time_limit)
    model.setOptionValue("mip_rel_gap", 0.0)
    model.setOptionValue("mip_abs_gap", 0.0)
    for tolerance in ("mip_feasibility_tolerance", "primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        model.setOptionValue(tolerance, _EXACT)
    costs = squares[one, other] / size - (duals[one] + duals[other]) / (size - 1)
    none = np.empty(0, dtype=np.int32)
    model.addCols(count, costs, np.zeros(count), np.ones(count), 0, np.zeros(count, dtype=np.int32), none, np.empty(0))
    numbers = np.arange(count, dtype=np.int32)
    model.changeColsIntegrality(count, numbers, np.full(count, highspy.HighsVarType.kInteger))
    pairs = size * (size - 1) / 2
    model.addRow(pairs, pairs, count, numbers, np.ones(count))  # (11)
    for record in range(n):  # (12)
        coefficients = np.ones((n - 1, n - 1)) - (size - 1) * np.eye(n - 1)
        starts = np.arange(0, (n - 1) ** 2, n - 1, dtype=np.int32)
        most = np.full(n - 1, highspy.kHighsInf)
        every = np.tile(of_record[record], n - 1)
        model.addRows(n - 1, np.zeros(n - 1), most, len(every), starts, every, coefficients.ravel())

    def answer(event: Any) -> None:
        event.data_in.user_interrupt = told()

    model.cbMipInterrupt += answer
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    chosen = np.array(model.getSolution().col_value) > _SOME
    return np.union1d(one[chosen], other[chosen]), float(model.getInfo().mip_dual_bound)


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


def _vertex(model: "Highs") -> Vertex:
    """Read the choice that a linear programme has come to."""
    solution = model.getSolution()
    sse = float(model.getInfo().objective_function_value)
    return Vertex(sse, np.array(solution.row_dual), np.array(solution.col_value))


def _out_of_time(model: "Highs", time_limit: float | None) -> bool:
    """Say whether the time was not enough; where it was just enough, nobody knows what of it was cut short."""
    return time_limit is not None and float(model.getRunTime()) >= time_limit
