"""Two tables whose records correspond by their place: what every measure of a release looks at."""

from dataclasses import dataclass

import numpy as np

from microagg.encode import checked_column
from microagg.model.arrays import BoolArray, FloatArray
from microagg.model.column import Column
from microagg.model.column_encoding import ColumnEncoding
from microagg.model.encoding import Encoding
from microagg.model.plan import Plan
from microagg.model.table import Table


@dataclass(frozen=True, eq=False)
class ComparedTables:
    """An original and its release, records in the same order.

    Parameters
    ----------
    before, after
        The original, without the records that the release leaves out, and the release.
    encoding
        The protected columns, and the coordinates in which they are measured: fitted to the original, each column on
        its own scale.
    k
        Smallest group that was wanted; None where it is not known.
    plan
        The plan of the release, which names the roles of other columns; None where it is not known.
    remarks
        Sentences about how the two were matched.
    """

    before: Table
    after: Table
    encoding: Encoding
    k: int | None = None
    plan: Plan | None = None
    remarks: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The protected columns."""
        return self.encoding.names

    @property
    def column_sets(self) -> tuple[tuple[str, ...], ...]:
        """The protected columns of each column set; all of them together where no plan is known."""
        if self.plan is None:
            return (self.names,)
        return tuple(one.columns for one in self.plan.sets if one.columns)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.before.n_records

    @property
    def others(self) -> tuple[str, ...]:
        """Columns besides the protected ones that both tables have."""
        return tuple(name for name in self.after.names if name not in self.names and name in self.before.names)

    def columns(self) -> list[tuple[Column, Column]]:
        """Return the protected columns before and after, as their encodings read them."""
        return [self.pair(one) for one in self.encoding.columns]

    def pair(self, encoded: ColumnEncoding) -> tuple[Column, Column]:
        """Return one protected column before and after, as its encoding reads it."""
        before = checked_column(self.before, encoded.name, encoded.level, " of the original", may_miss=True)
        return before, checked_column(self.after, encoded.name, encoded.level, " of the release", may_miss=True)

    def points(self) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Return the records before and after as points, and which coordinates are missing, each of shape (n, d)."""
        pairs = self.columns()
        before, missing = self.encoding.apply([old for old, _ in pairs])
        after, missing_after = self.encoding.apply([new for _, new in pairs])
        absent = np.zeros(before.shape, dtype=np.bool_)
        for mask in (missing, missing_after):
            if mask is not None:
                absent |= mask
        return before, after, absent
