"""Join of rows with missing cells: those of one pattern of missing cells with those of every other."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray, IntArray

HashArray = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class JoinedRows(NamedTuple):
    """Rows of one pattern, and the rows of another pattern that agree with them.

    Parameters
    ----------
    rows
        Some rows of the first pattern.
    class_of_row
        For each of them the class whose rows agree with it; −1: none.
    others
        All rows of the second pattern.
    class_of_other
        The class of each of them: those that are equal in all columns that both patterns have.
    columns
        Columns that the second pattern has, of shape (d,).
    has_common
        Whether there is a column that both have.
    """

    rows: IntArray
    class_of_row: IntArray
    others: IntArray
    class_of_other: IntArray
    columns: BoolArray
    has_common: bool


class PatternJoin:
    """Rows that agree wherever both have values, found pattern by pattern.

    Rows of two patterns agree if they are equal in the columns that both have, so that one pass over both finds all
    pairs. O(p·m·d) for m rows in p patterns, and p² for their pairs.

    Parameters
    ----------
    codes
        A number for each value, of shape (m, d).
    present
        Cells that have a value, of shape (m, d).
    """

    def __init__(self, codes: IntArray, present: BoolArray) -> None:
        self._codes = codes
        self._patterns, pattern_of = np.unique(present, axis=0, return_inverse=True)
        self._pattern_of = pattern_of.reshape(-1)

    @property
    def n_patterns(self) -> int:
        """The number of patterns."""
        return len(self._patterns)

    def joined(self, rows: IntArray) -> Iterator[JoinedRows]:
        """Yield some rows of each pattern, with the rows of each pattern that agree with them, themselves included.

        Parameters
        ----------
        rows
            The rows whose agreeing rows are wanted.
        """
        wanted = [rows[self._pattern_of[rows] == pattern] for pattern in range(self.n_patterns)]
        for columns, pattern in zip(self._patterns, range(self.n_patterns), strict=True):
            others = np.flatnonzero(self._pattern_of == pattern)
            for own, some in zip(self._patterns, wanted, strict=True):
                if len(some):
                    common = np.flatnonzero(own & columns)
                    class_of_other, class_of_row = self._joined_classes(others, some, common)
                    yield JoinedRows(some, class_of_row, others, class_of_other, columns, len(common) > 0)

    def _joined_classes(self, others: IntArray, rows: IntArray, common: IntArray) -> tuple[IntArray, IntArray]:
        """Return the class of each other row by its values in the common columns, and the class of each row or −1."""
        hashes = self._hashes(others, common)
        found, firsts, class_of_other = np.unique(hashes, return_index=True, return_inverse=True)
        first_of_class = others[firsts]
        if not self._are_equal(others, first_of_class[class_of_other], common):
            return self._sorted_classes(others, rows, common)
        of_rows = self._hashes(rows, common)
        places = np.minimum(np.searchsorted(found, of_rows), len(found) - 1)
        is_found = found[places] == of_rows
        for column in common:
            is_found &= self._codes[rows, column] == self._codes[first_of_class[places], column]
        return class_of_other.reshape(-1), np.where(is_found, places, -1)

    def _sorted_classes(self, others: IntArray, rows: IntArray, common: IntArray) -> tuple[IntArray, IntArray]:
        """Return what `_joined_classes` does, by the values themselves: slower, but two hashes may be equal."""
        both = self._codes[np.ix_(np.append(others, rows), common)]
        classes = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
        of_others, of_rows = classes[: len(others)], classes[len(others) :]
        return of_others, np.where(np.isin(of_rows, of_others), of_rows, -1)

    def _are_equal(self, rows: IntArray, others: IntArray, columns: IntArray) -> bool:
        """Check whether each row has the same values as its counterpart in some columns."""
        return all(bool((self._codes[rows, column] == self._codes[others, column]).all()) for column in columns)

    def _hashes(self, rows: IntArray, columns: IntArray) -> HashArray:
        """Return a hash of each row's values in some columns: equal for equal ones, rarely for others."""
        hashes = np.zeros(len(rows), dtype=np.uint64)
        for column in columns:
            hashes += self._column_hashes[column][rows]
        return hashes

    @cached_property
    def _column_hashes(self) -> list[HashArray]:
        return [
            _mixed(codes.astype(np.uint64) * _GOLDEN + np.uint64(number))
            for number, codes in enumerate(self._codes.T, start=1)
        ]


def _mixed(numbers: HashArray) -> HashArray:
    """Return a hash of each number (splitmix64: Steele, Lea & Flood 2014)."""
    mixed = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
