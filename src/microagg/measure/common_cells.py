"""Cells that both tables have: what a release suppresses or imputes is counted, and left out of the comparison."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray
from microagg.model.column import Column


class CellCounts(NamedTuple):
    """Numbers of cells.

    Parameters
    ----------
    n_before
        Values of the original.
    n_suppressed
        Those of them that the release lacks.
    n_imputed
        Values of the release that the original lacks.
    """

    n_before: int = 0
    n_suppressed: int = 0
    n_imputed: int = 0

    @property
    def are_whole(self) -> bool:
        """Whether the same values are missing in both tables."""
        return not self.n_suppressed and not self.n_imputed

    @classmethod
    def merged(cls, counts: Iterable["CellCounts"]) -> "CellCounts":
        """Return the numbers of several columns together."""
        return cls(*(sum(numbers) for numbers in zip(*counts, strict=True)))


class CommonColumn(NamedTuple):
    """A column before and after, in which a value that is missing in one table is missing in the other, too.

    Parameters
    ----------
    before, after
        The column in both tables.
    counts
        How many values there were.
    """

    before: Column
    after: Column
    counts: CellCounts


def common_column(before: Column, after: Column) -> CommonColumn:
    """Take a value as missing in both tables where it is in one.

    Parameters
    ----------
    before, after
        The column in the original and in the release, records in the same order.

    Returns
    -------
    CommonColumn
        The columns themselves where they lack the same values.
    """
    old = _missing(before)
    new = _missing(after)
    n_before = len(old) - int(old.sum())
    if np.array_equal(old, new):
        return CommonColumn(before, after, CellCounts(n_before))
    both = old | new
    counts = CellCounts(n_before, int((new & ~old).sum()), int((old & ~new).sum()))
    return CommonColumn(replace(before, missing=both), replace(after, missing=both), counts)


def _missing(column: Column) -> BoolArray:
    return np.zeros(len(column), dtype=np.bool_) if column.missing is None else column.missing
