"""Merge parts that are too small with the nearest ones."""

from collections.abc import Iterator, Sequence

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.problem import Problem
from microagg.model.row_slices import row_slices, sum_of


class PartMerging:
    """Parts of the records, of which those that are too small join others, one after another.

    Parameters
    ----------
    records
        Records of each part.
    strata
        Stratum of each part.
    problem
        The records as points, and k.
    units
        Unit of each record, of shape (n,): where there are some, they are counted in place of records.
    present
        Cells that are there, of shape (n,) for each of some columns.
    """

    def __init__(
        self,
        records: Sequence[IntArray],
        strata: Sequence[int],
        problem: Problem,
        units: IntArray | None,
        present: Sequence[BoolArray],
    ) -> None:
        self._records: list[IntArray] = list(records)
        self._strata = np.array(strata)
        self._k = problem.k
        self._units = units
        self._present = present
        self._sums = np.array([_sum_of_points(problem, some) for some in records])
        self._sizes = np.array([len(some) for some in records])
        self._counts = np.array([self._count(some) for some in records])
        self._small = np.array([self._is_small(some) for some in records])

    def merge_smallest(self) -> tuple[int, int] | None:
        """Merge the smallest of the parts that are too small into the nearest one.

        Returns
        -------
        tuple of int, or None
            The part that has joined another, and that other; None if no part is too small, or only one is left.
        """
        small = np.flatnonzero(self._small)
        if not len(small) or np.count_nonzero(self._sizes) == 1:
            return None
        part = int(small[self._counts[small].argmin()])
        other = self._nearest(part)
        self._records[other] = np.concatenate([self._records[other], self._records[part]])
        self._records[part] = np.empty(0, dtype=np.int64)
        self._sums[other] += self._sums[part]
        self._sizes[other] += self._sizes[part]
        self._sizes[part] = 0
        self._small[part] = False
        self._counts[other] = self._count(self._records[other])
        self._small[other] = self._is_small(self._records[other])
        return part, other

    def left(self) -> Iterator[tuple[int, IntArray]]:
        """Yield the number and the records of each part that has joined no other."""
        for number, records in enumerate(self._records):
            if len(records):
                yield number, records

    def _nearest(self, part: int) -> int:
        """Return the part whose mean is nearest: one of the same stratum if there is one."""
        is_other = self._sizes > 0
        is_other[part] = False
        in_stratum = is_other & (self._strata == self._strata[part])
        others = np.flatnonzero(in_stratum if in_stratum.any() else is_other)
        means = self._sums[others] / self._sizes[others, None]
        mean = self._sums[part] / self._sizes[part]
        return int(others[np.square(means - mean).sum(axis=1).argmin()])

    def _count(self, records: IntArray) -> int:
        """Count records, or their units."""
        return len(records) if self._units is None else len(np.unique(self._units[records]))

    def _is_small(self, records: IntArray) -> bool:
        """Check whether there are fewer than k, or fewer than k cells, but some, of a column."""
        if self._count(records) < self._k:
            return True
        cells = (self._count(records[present[records]]) for present in self._present)
        return any(0 < number < self._k for number in cells)


def _sum_of_points(problem: Problem, records: IntArray) -> FloatArray:
    """Sum the points of some records, slice by slice."""
    return sum_of(problem.X[records[rows]].sum(axis=0) for rows in row_slices(len(records)))
