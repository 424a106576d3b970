"""Facts of a whole column that decide how its values are checked; those of two parts of a column can be merged."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.model.table import Table

DATES = ("date", "datetime")
_TIME_UNITS = ("D", "h", "m", "s", "ms", "us", "ns")
_INT64_LIMIT = 2**63


@dataclass(frozen=True)
class ColumnFacts:
    """What all values of a column have in common.

    Parameters
    ----------
    is_whole
        Whether all numbers are whole ones, and none is infinite; of dates, too.
    fits_integers
        Whether 64 bits hold them all as integers.
    unit
        Of dates and times, the largest unit of time of which all are whole multiples; None of other columns.
    first
        The first date or time; None where there is none.
    """

    is_whole: bool = True
    fits_integers: bool = True
    unit: str | None = None
    first: Any = None

    @classmethod
    def of(cls, table: Table, name: str) -> "ColumnFacts":
        """Return the facts of a column of numbers or dates.

        Raises
        ------
        InputError
            If it has other values.
        """
        if table.kind(name) in DATES:
            return cls._of_dates(table, name)
        numbers = table.numbers(name)
        present = numbers[~np.isnan(numbers)]
        is_whole = bool(np.isfinite(present).all() and np.array_equal(present, np.rint(present)))
        return cls(is_whole, bool(np.abs(present).max(initial=0.0) < _INT64_LIMIT))

    @classmethod
    def _of_dates(cls, table: Table, name: str) -> "ColumnFacts":
        column = table.column(name)
        present = column.values if column.missing is None else column.values[~column.missing]
        stored = np.datetime_data(present.dtype)[0]
        unit = stored
        if column.kind != "date":
            whole = (unit for unit in _TIME_UNITS if np.array_equal(present.astype(f"datetime64[{unit}]"), present))
            unit = next(whole, stored)
        return cls(unit=unit, first=present.min() if len(present) else None)

    def merged(self, other: "ColumnFacts") -> "ColumnFacts":
        """Return the facts of both parts together."""
        units = [one.unit for one in (self, other) if one.unit is not None]
        firsts = [one.first for one in (self, other) if one.first is not None]
        return ColumnFacts(
            self.is_whole and other.is_whole,
            self.fits_integers and other.fits_integers,
            max(units, key=_TIME_UNITS.index, default=None),
            min(firsts, default=None),
        )
