"""Records that a check has found: how many, and the first few of their rows; those of two parts can be merged."""

from dataclasses import dataclass

import numpy as np

from microagg.model.arrays import IntArray

_MAX_ROWS_SHOWN = 5


@dataclass(frozen=True)
class RowTally:
    """Number of some records, and where the first of them are.

    Parameters
    ----------
    count
        Number of records.
    first
        Their first rows, counted from 0, ascending.
    """

    count: int = 0
    first: tuple[int, ...] = ()

    @classmethod
    def of(cls, rows: IntArray, counts: IntArray | None = None) -> "RowTally":
        """Return the tally of records in some rows, in any order.

        Parameters
        ----------
        rows
            The rows.
        counts
            Number of records that each stands for, of which it is the first; None: one.
        """
        count = len(rows) if counts is None else int(counts.sum())
        return cls(count, tuple(np.sort(rows)[:_MAX_ROWS_SHOWN].tolist()))

    def merged(self, other: "RowTally") -> "RowTally":
        """Return the tally of both parts together."""
        return RowTally(self.count + other.count, tuple(sorted((*self.first, *other.first))[:_MAX_ROWS_SHOWN]))

    @property
    def text(self) -> str:
        """The rows, counted from 1; the first few of many."""
        first = ", ".join(str(row + 1) for row in self.first)
        more = ", …" * (self.count > len(self.first))
        return f"row{'s' * (self.count > 1)} {first}{more}"


NO_ROWS = RowTally()
"""Tally of no record."""
