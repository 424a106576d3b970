"""Interval disclosure: how often an original value lies near the released one, which an intruder sees."""

from typing import NamedTuple

import numpy as np

from microagg.control.run import Run
from microagg.measure.compared_tables import ComparedTables
from microagg.measure.moments import Moments
from microagg.measure.risk_catalogue import INTERVAL_WIDTH, RISK_FIGURES
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.column_encoding import ColumnEncoding
from microagg.model.figure import Figure
from microagg.model.group_rule import ALLOWANCE

_STAGE = "interval disclosure"
_NO_NUMBERS = "there is no value in a protected column of numbers"
_NO_NUMBERS_OR_DATES = "there is no value in a protected column of numbers or dates"
_ONE_VALUE = "no record has values in two protected columns of numbers or dates, so that all would count"


class _Values(NamedTuple):
    """Values of a column before and after, and which are there in both."""

    before: FloatArray
    after: FloatArray
    present: BoolArray


class _Share:
    """Number of cells or records that are disclosed, and of all that could be."""

    def __init__(self) -> None:
        self.disclosed = 0
        self.total = 0

    def add(self, disclosed: BoolArray) -> None:
        """Count more of them."""
        self.disclosed += int(disclosed.sum())
        self.total += len(disclosed)

    def figure(self, name: str, why_none: str) -> Figure:
        """Return the share in percent; None where there is nothing to count."""
        if not self.total:
            return RISK_FIGURES[name].measured(None, why_none)
        return RISK_FIGURES[name].measured(100.0 * self.disclosed / self.total)


def measure_intervals(tables: ComparedTables, run: Run) -> list[Figure]:
    """Count the cells, and the records, whose original values lie in intervals around the released ones.

    One column is in memory at a time. O(n·d).

    Parameters
    ----------
    tables
        The original and the release.
    run
        Reports progress, and checks whether to go on.

    Returns
    -------
    list of Figure
        Interval disclosure by percent of the released value, and by the standard deviation: of cells, and of records.
    """
    by_value = _Share()
    by_deviation = _Share()
    n_outside = np.zeros(tables.n_records, dtype=np.int64)
    n_cells = np.zeros(tables.n_records, dtype=np.int64)
    columns = [encoded for encoded in tables.encoding.columns if encoded.level in ("number", "date")]
    for number, encoded in enumerate(columns):
        run.tick(_STAGE, number / len(columns))
        values = _values(tables, encoded)
        if not values.present.any():
            continue
        if encoded.level == "number":
            by_value.add(_is_near(values, np.abs(values.after[values.present])))
        is_near = _is_near(values, Moments.of(values.after[values.present]).deviation)
        by_deviation.add(is_near)
        n_outside[values.present] += ~is_near
        n_cells += values.present
    has_cell = n_cells > 0
    return [
        by_value.figure("id", _NO_NUMBERS),
        by_deviation.figure("sdid", _NO_NUMBERS_OR_DATES),
        _of_records("sdid_records", n_outside[has_cell], 0),
        _but_one(n_outside[has_cell], int(n_cells.max())),
    ]


def _values(tables: ComparedTables, encoded: ColumnEncoding) -> _Values:
    before, after = (encoded.read(column) for column in tables.pair(encoded))
    return _Values(before, after, ~np.isnan(before) & ~np.isnan(after))


def _is_near(values: _Values, scale: FloatArray | float) -> BoolArray:
    """Return which of the cells that are there lie within `INTERVAL_WIDTH` of a scale from the released value."""
    distance = np.abs(values.before[values.present] - values.after[values.present])
    is_near: BoolArray = distance <= INTERVAL_WIDTH * scale * (1.0 + ALLOWANCE)
    return is_near


def _but_one(n_outside: IntArray, most_cells: int) -> Figure:
    """Return the share of records with at most one cell outside; None where no record has more than one cell."""
    if most_cells == 1:
        return RISK_FIGURES["sdid_records_but_one"].measured(None, _ONE_VALUE)
    return _of_records("sdid_records_but_one", n_outside, 1)


def _of_records(name: str, n_outside: IntArray, n_allowed: int) -> Figure:
    share = _Share()
    share.add(n_outside <= n_allowed)
    return share.figure(name, _NO_NUMBERS_OR_DATES)
