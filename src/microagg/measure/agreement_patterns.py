"""Agreement patterns: in which columns original records agree with released classes, pair by pair."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from microagg.measure.compared_tables import ComparedTables
from microagg.measure.moments import Moments
from microagg.measure.risk_catalogue import AGREEMENT_WIDTH
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.column_encoding import ColumnEncoding

MAX_COLUMNS = 62
"""Columns that are compared: each is a bit of a pattern."""

_DENSE_BITS = 16  # of a pattern, up to which there is room for all of them

Codes = npt.NDArray[Any]
"""Patterns as numbers: a bit for each column, that of the first column the highest; 1 where it agrees."""


class AgreementColumn(NamedTuple):
    """Values of a column: those of some originals, and the ranges of originals that agree with each class.

    Parameters
    ----------
    original
        Of shape (n_originals,); infinite where a value is missing.
    low, high
        Of shape (n_classes,); infinite where the released value is missing.
    """

    original: FloatArray
    low: FloatArray
    high: FloatArray


class PatternCounts(NamedTuple):
    """Patterns that occur, in order, and the number of pairs of records that have each."""

    patterns: IntArray
    counts: FloatArray


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement of some original records with all classes of a release.

    Parameters
    ----------
    columns
        The compared columns, at most `MAX_COLUMNS`.
    sizes
        Number of records of each class, of shape (n_classes,).
    """

    columns: tuple[AgreementColumn, ...]
    sizes: IntArray

    @property
    def n_bits(self) -> int:
        """Number of bits of a pattern."""
        return len(self.columns)

    def codes(self, originals: slice) -> Codes:
        """Return the pattern of each pair, of shape (number of originals, n_classes)."""
        first = self.columns[0].original[originals]
        dtype = np.uint16 if self.n_bits <= _DENSE_BITS else np.int64
        codes: Codes = np.zeros((len(first), len(self.sizes)), dtype=dtype)
        for column in self.columns:
            value = column.original[originals, None]
            codes <<= 1
            codes |= (value >= column.low) & (value <= column.high)
        return codes

    def counted(self, originals: slice) -> PatternCounts:
        """Count the pairs of records by their patterns."""
        codes = self.codes(originals)
        weights = np.broadcast_to(self.sizes.astype(np.float64), codes.shape).ravel()
        if self.n_bits <= _DENSE_BITS:
            counts = np.bincount(codes.ravel(), weights=weights).astype(np.float64)
            patterns = np.flatnonzero(counts)
            return PatternCounts(patterns, counts[patterns])
        patterns, places = np.unique(codes.ravel(), return_inverse=True)
        return PatternCounts(patterns.astype(np.int64), np.bincount(places, weights=weights).astype(np.float64))

    def looked_up(self, codes: Codes, table: PatternCounts, values: FloatArray) -> FloatArray:
        """Return the value of each pair's pattern, of the shape of `codes`."""
        if self.n_bits > _DENSE_BITS:
            return values[np.searchsorted(table.patterns, codes)]
        of_pattern = np.zeros(2**self.n_bits)
        of_pattern[table.patterns] = values
        return of_pattern[codes]


def compare_columns(tables: ComparedTables, originals: IntArray, firsts: IntArray) -> tuple[AgreementColumn, ...]:
    """Return the first `MAX_COLUMNS` protected columns, of some original records and of each released class.

    A column of categories without order agrees where the category is the same, any other where the values are within
    `AGREEMENT_WIDTH` standard deviations of the original column; a missing value agrees with a missing one only.

    Parameters
    ----------
    tables
        The original and the release.
    originals
        The original records.
    firsts
        A record of each released class.
    """
    return tuple(_compare(tables, one, originals, firsts) for one in tables.encoding.columns[:MAX_COLUMNS])


def _compare(tables: ComparedTables, encoded: ColumnEncoding, originals: IntArray, firsts: IntArray) -> AgreementColumn:
    before, after = (encoded.read(column) for column in tables.pair(encoded))
    present = before[~np.isnan(before)]
    has_width = encoded.level != "nominal" and len(present) > 0
    width = AGREEMENT_WIDTH * Moments.of(present).deviation if has_width else 0.0
    chosen = np.where(np.isnan(before[originals]), np.inf, before[originals])
    released = np.where(np.isnan(after[firsts]), np.inf, after[firsts])
    return AgreementColumn(chosen, released - width, released + width)


def merged(parts: list[PatternCounts]) -> PatternCounts:
    """Return the counts of several sets of pairs together."""
    patterns, places = np.unique(np.concatenate([one.patterns for one in parts]), return_inverse=True)
    counts = np.bincount(places, weights=np.concatenate([one.counts for one in parts])).astype(np.float64)
    return PatternCounts(patterns, counts)
