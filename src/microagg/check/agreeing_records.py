"""Records that agree wherever both have values: those that a record with missing cells may stand for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from microagg.check.kept_records import count_in_classes, divided
from microagg.check.pattern_join import PatternJoin
from microagg.model.arrays import BoolArray, FloatArray, IntArray

_PAIRS_PER_BLOCK = 20_000_000
_PAIRS_PER_JOIN = 100_000  # of rows, that can be compared in the time of joining two patterns of few rows
_PAIRS_PER_JOINED_ROW = 200  # of rows, that can be compared in the time of joining one more row


@dataclass(frozen=True, eq=False)
class AgreeingRecords:
    """Which records agree with which, by their distinct rows.

    Parameters
    ----------
    codes
        Of each column, a number for each value, of shape (n,): equal if and only if the values are.
    present
        Of each column, which cells have a value, of shape (n,).
    units
        Unit of each record, of shape (n,); None to count records.
    """

    codes: Sequence[IntArray]
    present: Sequence[BoolArray]
    units: IntArray | None = None

    @cached_property
    def row_of(self) -> IntArray:
        """Distinct row of each record, of shape (n,)."""
        rows = np.zeros(len(self.codes[0]), dtype=np.int64)
        for codes, there in zip(self.codes, self.present, strict=True):
            rows = divided(rows, np.where(there, codes + 1, 0))
        return rows

    @cached_property
    def _firsts(self) -> IntArray:
        return np.unique(self.row_of, return_index=True)[1].astype(np.int64)

    @cached_property
    def _present(self) -> BoolArray:
        """Cells of the distinct rows that have a value, of shape (rows, d)."""
        return np.column_stack([there[self._firsts] for there in self.present])

    @cached_property
    def _codes(self) -> IntArray:
        """Codes of the distinct rows, of shape (rows, d)."""
        return np.column_stack([codes[self._firsts] for codes in self.codes])

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
            the number of equal records, which are enough. For m distinct rows in p patterns of missing cells O(p·m·d);
            O(m²·d) for those that are rare, where that is less, or units are counted.
        """
        counts = count_in_classes(self.row_of, self.units)
        rarest_first = np.argsort(counts, kind="stable")
        equal = counts.copy()
        smallest = np.iinfo(np.int64).max
        by_patterns = self.units is None and self._joins(int(np.count_nonzero(equal < k)))
        blocks = _doubling(rarest_first, equal, k) if by_patterns else self._blocks(rarest_first)
        for rows in blocks:
            if equal[rows[0]] >= max(k, smallest):
                break
            counts[rows] = self._count_joined(rows) if by_patterns else self._count_agreeing(rows)
            smallest = min(smallest, int(counts[rows].min()))
        return counts[self.row_of]

    def classes(self) -> list[IntArray]:
        """Return the records of each class: linked by records that agree, and have a value in common."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        n_rows = len(self._firsts)
        lacking = np.flatnonzero(~self._present.all(axis=1))
        links = self._joined_links(lacking) if self._joins(len(lacking)) else self._links(lacking)
        ends = np.concatenate([np.empty((0, 2), dtype=np.int64), *links])
        graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n_rows, n_rows))
        component = connected_components(graph, directed=False)[1]
        return records_of_classes(component[self.row_of])

    def _links(self, rows: IntArray) -> Iterator[IntArray]:
        """Yield pairs of distinct rows that agree and have a value in common, the first of each among some."""
        for some in self._blocks(rows):
            in_common = _numbers(self._present[some]) @ _numbers(self._present).T
            pairs = np.argwhere(self.agreement(some) & (in_common > 0))
            yield np.column_stack([some[pairs[:, 0]], pairs[:, 1]])

    def _joined_links(self, rows: IntArray) -> Iterator[IntArray]:
        """Yield pairs of distinct rows that connect all those that `_links` connects, pattern by pattern."""
        for joined in self._join.joined(rows):
            is_linked = joined.class_of_row >= 0
            if not joined.has_common or not is_linked.any():
                continue
            linking = np.full(joined.class_of_other.max() + 1, -1)
            linking[joined.class_of_row[is_linked]] = joined.rows[is_linked]  # one row for all that it agrees with
            yield np.column_stack([joined.rows[is_linked], linking[joined.class_of_row[is_linked]]])
            ends = linking[joined.class_of_other]
            yield np.column_stack([ends, joined.others])[ends >= 0]

    def candidates(self, record: int) -> IntArray:
        """Return the records that agree with a record, itself among them."""
        agreeing = self.agreement(self.row_of[[record]])[0]
        return np.flatnonzero(agreeing[self.row_of])

    def agreement(self, rows: IntArray) -> BoolArray:
        """Return whether each of some distinct rows agrees with each distinct row."""
        agree = np.ones((len(rows), len(self._firsts)), dtype=np.bool_)
        for column, there in zip(self._codes.T, self._present.T, strict=True):
            agree &= (column[rows, None] == column) | ~there[rows, None] | ~there
        return agree

    @cached_property
    def _join(self) -> PatternJoin:
        """Join of the distinct rows."""
        return PatternJoin(self._codes, self._present)

    def _joins(self, n_compared: int) -> bool:
        """Check whether joining patterns takes less time than comparing some distinct rows with all."""
        n_rows = len(self._firsts)
        n_patterns = self._join.n_patterns
        joining = n_patterns * (n_patterns * _PAIRS_PER_JOIN + n_rows * _PAIRS_PER_JOINED_ROW)
        return joining < n_compared * n_rows

    def _count_joined(self, rows: IntArray) -> IntArray:
        """Return what `_count_agreeing` does, for records, pattern by pattern."""
        sizes = np.bincount(self.row_of)
        place = np.empty(len(sizes), dtype=np.int64)
        place[rows] = np.arange(len(rows))
        everyone = np.zeros(len(rows), dtype=np.int64)
        having = np.zeros((len(rows), len(self.codes)), dtype=np.int64)
        for joined in self._join.joined(rows):
            of_classes = np.bincount(joined.class_of_other, weights=sizes[joined.others]).astype(np.int64)
            found = np.where(joined.class_of_row >= 0, of_classes[joined.class_of_row], 0)
            everyone[place[joined.rows]] += found
            having[np.ix_(place[joined.rows], joined.columns)] += found[:, None]
        having[~self._present[rows]] = np.iinfo(np.int64).max
        return np.asarray(np.minimum(everyone, having.min(axis=1)))

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


def _doubling(rarest_first: IntArray, equal: IntArray, k: int) -> Iterator[IntArray]:
    """Yield rows: those with fewer than k equal records, then always those with up to twice as many as the rarest."""
    first = 0
    limit = k
    while first < len(rarest_first):
        last = int(np.searchsorted(equal[rarest_first], limit))
        if last > first:
            yield rarest_first[first:last]
            first = last
        limit = 2 * max(limit, int(equal[rarest_first[min(first, len(rarest_first) - 1)]]))


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
