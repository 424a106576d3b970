"""Sums and counts of a column before and after, from which its measures follow; those of two parts can be merged.

Sums are exact, so that neither the order of the records nor how they are divided into parts changes any measure.
"""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from microagg.encode import checked_column
from microagg.measure.common_cells import CellCounts, CommonColumn, common_column
from microagg.measure.day_numbers import DAYS, days_since_1970
from microagg.model.arrays import FloatArray
from microagg.model.column import Column
from microagg.model.column_encoding import ColumnEncoding, NominalColumn, ScaledColumn
from microagg.model.column_values import distinct_values
from microagg.model.errors import InputError
from microagg.model.exact_moments import ExactMoments
from microagg.model.exact_sum import ExactSum
from microagg.model.measures import CategoryMeasures, ColumnMeasures
from microagg.model.row_slices import row_slices
from microagg.model.table import Table

MAX_DISTINCT = 200_000
"""Different values of a column of categories that parts of it may have together: each is held in memory."""


@dataclass(frozen=True)
class NumberSquares:
    """Exact moments of numbers before and after, and the squares between them.

    Parameters
    ----------
    before, after
        Moments of the numbers that are there.
    apart
        Sum of the squared differences between both.
    """

    before: ExactMoments
    after: ExactMoments
    apart: ExactSum = field(repr=False)

    @classmethod
    def of(cls, before: FloatArray, after: FloatArray) -> "NumberSquares":
        """Return the squares of numbers, NaN in both where one is missing."""
        present = ~np.isnan(before)
        if not present.all():
            before = before[present]
            after = after[present]
        slices = (ExactSum.of(np.square(after[rows] - before[rows])) for rows in row_slices(len(before)))
        apart = reduce(ExactSum.merged, slices, ExactSum())
        return cls(ExactMoments.of(before), ExactMoments.of(after), apart)

    def merged(self, other: "NumberSquares") -> "NumberSquares":
        """Return the squares of both parts together."""
        return NumberSquares(
            self.before.merged(other.before), self.after.merged(other.after), self.apart.merged(other.apart)
        )

    def lost(self, encoding: ScaledColumn) -> float:
        """Return the squares that are lost, as the column's axis measures them."""
        scale = encoding.axis.scale
        return self.apart.value / scale / scale if scale > 0.0 else 0.0

    def total(self, encoding: ScaledColumn) -> float:
        """Return the total squares of the numbers before, as the column's axis measures them."""
        scale = encoding.axis.scale
        return self.before.squares_around_mean / scale**2 if scale > 0.0 and self.before.count else 0.0


@dataclass(frozen=True)
class NumberAccumulator:
    """What the measures of a column of numbers or dates are computed from.

    Parameters
    ----------
    encoding
        Encoding of the column.
    cells
        How many values there were.
    squares
        Of the numbers that are measured: of dates, days.
    on_axis
        Of the numbers that the encoding reads: of dates, their own units of time; None where they are the same.
    """

    encoding: ScaledColumn
    cells: CellCounts
    squares: NumberSquares
    on_axis: NumberSquares | None = None

    @classmethod
    def of(cls, encoding: ScaledColumn, common: CommonColumn) -> "NumberAccumulator":
        """Accumulate a column before and after."""
        read = NumberSquares.of(encoding.read(common.before), encoding.read(common.after))
        if encoding.level == "number":
            return cls(encoding, common.counts, read)
        days = NumberSquares.of(days_since_1970(common.before), days_since_1970(common.after))
        return cls(encoding, common.counts, days, read)

    def merged(self, other: "NumberAccumulator") -> "NumberAccumulator":
        """Return what both parts give together."""
        on_axis = None
        if self.on_axis is not None and other.on_axis is not None:
            on_axis = self.on_axis.merged(other.on_axis)
        return replace(
            self,
            cells=CellCounts.merged([self.cells, other.cells]),
            squares=self.squares.merged(other.squares),
            on_axis=on_axis,
        )

    @property
    def lost_and_total(self) -> tuple[float, float]:
        """Squares that are lost, and all squares, over the cells that both tables have."""
        read = self.squares if self.on_axis is None else self.on_axis
        total = self.encoding.total if self.cells.are_whole else read.total(self.encoding)
        return read.lost(self.encoding), total

    def measures(self) -> ColumnMeasures:
        """Return the measures of the column."""
        name = self.encoding.name
        unit = DAYS if self.encoding.level == "date" else None
        if not self.squares.before.count:
            return ColumnMeasures(name, 0.0, 0.0, 0.0, 0.0, None, unit)
        old = self.squares.before
        new = self.squares.after
        total = old.squares_around_mean
        return ColumnMeasures(
            name,
            mean_before=old.mean,
            mean_after=new.mean,
            variance_before=total / max(1, old.count - 1),
            variance_after=new.squares_around_mean / max(1, new.count - 1),
            information_loss=100.0 * self.squares.apart.value / total if total else None,
            unit=unit,
        )


@dataclass(frozen=True)
class CategoryAccumulator:
    """What the measures of a nominal or ordinal column are computed from.

    Parameters
    ----------
    encoding
        Encoding of the column.
    cells
        How many values there were.
    n_changed
        Number of values that have changed.
    before, after
        How often each value occurs, over the cells that both tables have.
    places
        Of an ordinal column, the squares of the places of its categories; None of a nominal one.
    place_counts
        Of a nominal column, how often each category of its encoding occurs before; None of an ordinal one.
    """

    encoding: NominalColumn | ScaledColumn
    cells: CellCounts
    n_changed: int
    before: Counter[Hashable] = field(repr=False)
    after: Counter[Hashable] = field(repr=False)
    places: NumberSquares | None = None
    place_counts: tuple[int, ...] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, encoding: NominalColumn | ScaledColumn, common: CommonColumn) -> "CategoryAccumulator":
        """Accumulate a column before and after."""
        old = encoding.read(common.before)
        new = encoding.read(common.after)
        present = ~np.isnan(old)
        accumulated = cls(
            encoding,
            common.counts,
            int(((old != new) & present).sum()),
            _value_counts(common.before),
            _value_counts(common.after),
        )
        if isinstance(encoding, NominalColumn):
            counts = np.bincount(old[present].astype(np.int64), minlength=len(encoding.values))
            return replace(accumulated, place_counts=tuple(counts.tolist()))
        return replace(accumulated, places=NumberSquares.of(old, new))

    def merged(self, other: "CategoryAccumulator") -> "CategoryAccumulator":
        """Return what both parts give together.

        Raises
        ------
        InputError
            If they have more than `MAX_DISTINCT` different values.
        """
        before = self.before + other.before
        after = self.after + other.after
        if max(len(before), len(after)) > MAX_DISTINCT:
            raise InputError(
                f"column {self.encoding.name!r} has more than {MAX_DISTINCT} different values: it cannot be measured "
                "as categories part by part; leave it out, or measure on one machine"
            )
        places = None
        if self.places is not None and other.places is not None:
            places = self.places.merged(other.places)
        place_counts = None
        if self.place_counts is not None and other.place_counts is not None:
            both = zip(self.place_counts, other.place_counts, strict=True)
            place_counts = tuple(one + another for one, another in both)
        return replace(
            self,
            cells=CellCounts.merged([self.cells, other.cells]),
            n_changed=self.n_changed + other.n_changed,
            before=before,
            after=after,
            places=places,
            place_counts=place_counts,
        )

    @property
    def lost_and_total(self) -> tuple[float, float]:
        """Squares that are lost, and all squares, over the cells that both tables have."""
        if isinstance(self.encoding, NominalColumn):
            total = self.encoding.total if self.cells.are_whole else self._nominal_total(self.encoding.weight)
            return self.encoding.weight * self.n_changed, total
        assert self.places is not None, "an ordinal column has places"
        total = self.encoding.total if self.cells.are_whole else self.places.total(self.encoding)
        return self.places.lost(self.encoding), total

    def _nominal_total(self, weight: float) -> float:
        """Return the total squares of the categories that are in both tables."""
        counts = self.place_counts or ()
        n_present = sum(counts)
        return 0.5 * weight * (n_present - sum(count**2 for count in counts) / max(1, n_present))

    def measures(self) -> CategoryMeasures:
        """Return the measures of the column."""
        lost, total = self.lost_and_total
        entropy_before = _entropy(self.before)
        entropy_after = _entropy(self.after)
        return CategoryMeasures(
            self.encoding.name,
            changed=100.0 * self.n_changed / max(1, self.before.total()),
            entropy_before=entropy_before,
            entropy_after=entropy_after,
            entropy_loss=100.0 * (1.0 - entropy_after / entropy_before) if entropy_before else None,
            information_loss=100.0 * lost / total if total else None,
        )


ColumnAccumulator = NumberAccumulator | CategoryAccumulator


def accumulate_column(before: Table, after: Table, encoding: ColumnEncoding) -> ColumnAccumulator:
    """Accumulate a column of two tables.

    Parameters
    ----------
    before, after
        The two tables, or the same part of both, records in the same order.
    encoding
        Encoding of the column, fitted to the whole original.

    Returns
    -------
    NumberAccumulator or CategoryAccumulator
        By the level of measurement of the column.

    Raises
    ------
    InputError
        If a value cannot be used, as one that is infinite.
    """
    old = checked_column(before, encoding.name, encoding.level, " of the original", may_miss=True)
    new = checked_column(after, encoding.name, encoding.level, " of the release", may_miss=True)
    common = common_column(old, new)
    assert isinstance(encoding, NominalColumn | ScaledColumn)
    if isinstance(encoding, ScaledColumn) and encoding.level in ("number", "date"):
        return NumberAccumulator.of(encoding, common)
    return CategoryAccumulator.of(encoding, common)


def _value_counts(column: Column) -> Counter[Hashable]:
    """Count how often each value occurs; one that cannot be hashed by what it looks like."""
    codes, found = distinct_values(column)
    counts = np.bincount(codes[codes >= 0], minlength=len(found)).tolist()
    return Counter({_hashable(value): count for value, count in zip(found, counts, strict=True) if count})


def _hashable(value: object) -> Hashable:
    try:
        hash(value)
    except TypeError:
        return ("not hashable", repr(value))
    return value


def _entropy(values: Counter[Hashable]) -> float:
    """Return the Shannon entropy of a distribution, in bits."""
    counts = np.sort(np.array(list(values.values()), dtype=np.int64))  # sums of floats depend on their order
    shares = counts / max(1, counts.sum())
    return max(0.0, float(-(shares * np.log2(shares)).sum()))
