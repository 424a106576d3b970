"""Differences between the cells of a column before and after; those of two parts of a column can be merged."""

from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from microagg.model.arrays import FloatArray
from microagg.model.row_slices import row_slices


@dataclass(frozen=True)
class CellDifferences:
    """Sums of absolute differences over the cells of a column.

    Parameters
    ----------
    count
        Number of cells that are there.
    n_changed
        Number of those that have changed.
    absolute
        Σ |x − x′|.
    n_ratios
        Number of cells that are not zero in the original.
    ratios
        Σ |x − x′|/|x| over these.
    """

    count: int
    n_changed: int
    absolute: float = field(repr=False)
    n_ratios: int
    ratios: float = field(repr=False)

    @classmethod
    def of(cls, before: FloatArray, after: FloatArray) -> "CellDifferences":
        """Return the differences of a column; cells that are missing, as NaN, do not count."""
        slices = (cls._of_slice(before[rows], after[rows]) for rows in row_slices(len(before)))
        return reduce(CellDifferences.merged, slices)

    @classmethod
    def _of_slice(cls, before: FloatArray, after: FloatArray) -> "CellDifferences":
        present = ~np.isnan(before)
        old = before[present]
        apart = np.abs(after[present] - old)
        has_ratio = old != 0.0
        with np.errstate(over="ignore"):  # the smallest numbers: the figure is then too large to be stated
            ratios = apart[has_ratio] / np.abs(old[has_ratio])
        return cls(
            len(old), int(np.count_nonzero(apart)), float(apart.sum()), int(has_ratio.sum()), float(ratios.sum())
        )

    def merged(self, other: "CellDifferences") -> "CellDifferences":
        """Return the differences of both parts together."""
        return CellDifferences(
            self.count + other.count,
            self.n_changed + other.n_changed,
            self.absolute + other.absolute,
            self.n_ratios + other.n_ratios,
            self.ratios + other.ratios,
        )
