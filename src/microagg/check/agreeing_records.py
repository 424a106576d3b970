"""Records that agree wherever both have values: those that a record with missing cells may stand for."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from microagg.check.kept_records import count_in_classes
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_PAIRS_PER_BLOCK = 20_000_000


@dataclass(frozen=True, eq=False)
class AgreeingRecords:
    """Which records agree with which, by their distinct rows.

    Parameters
    ----------
    codes
        A number for each value, of shape (n, d): equal in a column if and only if the values are.
    present
        Cells that have a value, of shape (n, d).
    units
        Unit of each record, of shape (n,); None to count records.
    """

    codes: IntArray
    present: BoolArray
    units: IntArray | None = None

    @cached_property
    def row_of(self) -> IntArray:
        """Distinct row of each record, of shape (n,)."""
        cells = np.where(self.present, self.codes, -1)
        return np.unique(cells, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)

    @cached_property
    def _firsts(self) -> IntArray:
        return np.unique(self.row_of, return_index=True)[1].astype(np.int64)

    @cached_property
    def _present(self) -> BoolArray:
        """Cells of the distinct rows that have a value."""
        return self.present[self._firsts]

    def fewest(self, k: int) -> IntArray:
        """Count, for each record, those that agree with it; and for each of its values, those that have it, too.

        Parameters
        ----------
        k
            Number that is asked for.

        Returns
        -------
        ndarray of shape (n,)
            The smallest of these numbers for each record. Exact where it is below k, or the smallest of all; elsewhere
            the number of equal records, which are enough. O(m²·d) for m distinct rows that are rare or lack a cell.
        """
        counts = count_in_classes(self.row_of, self.units)
        rarest_first = np.argsort(counts, kind="stable")
        equal = counts.copy()
        smallest = np.iinfo(np.int64).max
        for rows in self._blocks(rarest_first):
            if equal[rows[0]] >= max(k, smallest):
                break
            counts[rows] = self._count_agreeing(rows)
            smallest = min(smallest, int(counts[rows].min()))
        return counts[self.row_of]

    def classes(self) -> list[IntArray]:
        """Return the records of each class: linked by records that agree, and have a value in common."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        n_rows = len(self._firsts)
        lacking = np.flatnonzero(~self._present.all(axis=1))
        links = [np.empty((0, 2), dtype=np.int64)]
        for rows in self._blocks(lacking):
            in_common = _numbers(self._present[rows]) @ _numbers(self._present).T
            pairs = np.argwhere(self.agreement(rows) & (in_common > 0))
            links.append(np.column_stack([rows[pairs[:, 0]], pairs[:, 1]]))
        ends = np.concatenate(links)
        graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n_rows, n_rows))
        component = connected_components(graph, directed=False)[1]
        return records_of_classes(component[self.row_of])

    def candidates(self, record: int) -> IntArray:
        """Return the records that agree with a record, itself among them."""
        agreeing = self.agreement(self.row_of[[record]])[0]
        return np.flatnonzero(agreeing[self.row_of])

    def agreement(self, rows: IntArray) -> BoolArray:
        """Return whether each of some distinct rows agrees with each distinct row."""
        codes = self.codes[self._firsts]
        agree = np.ones((len(rows), len(codes)), dtype=np.bool_)
        for column, there in zip(codes.T, self._present.T, strict=True):
            agree &= (column[rows, None] == column) | ~there[rows, None] | ~there
        return agree

    def _count_agreeing(self, rows: IntArray) -> IntArray:
        """Return the smallest of the numbers that are counted for some distinct rows."""
        agree = self.agreement(rows)
        count = self._count_records if self.units is None else self._count_units
        having = count(agree, self._present)
        having[~self._present[rows]] = np.iinfo(np.int64).max
        everyone = np.ones((len(self._firsts), 1), dtype=np.bool_)
        return np.asarray(np.hstack([count(agree, everyone), having]).min(axis=1))

    def _count_records(self, agree: BoolArray, among: BoolArray) -> IntArray:
        """Count the agreeing records among the rows that each column of `among` selects."""
        sizes = np.bincount(self.row_of)
        return np.rint(_numbers(agree) @ (among * sizes[:, None])).astype(np.int64)

    def _count_units(self, agree: BoolArray, among: BoolArray) -> IntArray:
        """Count the distinct units of the agreeing records among the rows that each column of `among` selects."""
        counts = [np.diff((_sparse(agree & some) @ self._units_of_rows).indptr) for some in among.T]
        return np.column_stack(counts).astype(np.int64)

    @cached_property
    def _units_of_rows(self) -> Any:
        """Which units have which distinct rows: sparse, of shape (rows, units)."""
        from scipy.sparse import csr_array

        assert self.units is not None
        units = np.unique(self.units, return_inverse=True)[1]
        pairs = np.unique(np.column_stack([self.row_of, units]), axis=0)
        return csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])))

    def _blocks(self, rows: IntArray) -> Iterator[IntArray]:
        size = max(1, _PAIRS_PER_BLOCK // max(1, len(self._firsts)))
        for first in range(0, len(rows), size):
            yield rows[first : first + size]


def records_of_classes(classes: IntArray) -> list[IntArray]:
    """Return the records of each class, ascending."""
    in_order = np.argsort(classes, kind="stable")
    ends = np.cumsum(np.bincount(classes))[:-1]
    return np.split(in_order, ends)


def _numbers(mask: BoolArray) -> FloatArray:
    return mask.astype(np.float64)


def _sparse(mask: BoolArray) -> Any:
    from scipy.sparse import csr_array

    return csr_array(_numbers(mask))
