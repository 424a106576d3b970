"""Summary of a column that parts of a table can tell and merge: its encoding and its aggregation follow from it."""

from dataclasses import dataclass, field, replace

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.category_counts import MAX_COUNTED_CATEGORIES, CategoryCounts
from microagg.model.column import Column, Kind
from microagg.model.column_encoding import (
    ColumnEncoding,
    date_encoding,
    instant_moments,
    nominal_encoding,
    number_encoding,
    number_moments,
    ordinal_encoding,
    time_unit,
    word_for_all_values,
)
from microagg.model.column_values import PlainNumbers
from microagg.model.errors import InputError
from microagg.model.exact_moments import ExactMoments
from microagg.model.row_slices import row_slices
from microagg.model.time_units import finer_unit, own_unit
from microagg.model.treatment import Level, Treatment
from microagg.model.usable_values import FoundRows, refuse_inexact_integers, refuse_names, refuse_unsquarable

_INT64_LIMIT = 2**63


@dataclass(frozen=True)
class NumberFacts:
    """Facts of numbers, or of dates and times as numbers of a unit since 1970; those of parts can be merged.

    Parameters
    ----------
    moments
        Those of the finite numbers.
    transformed
        Those of the same numbers, transformed for the distances.
    infinite
        Rows of the numbers that are not finite.
    all_whole
        Whether all finite numbers are whole.
    """

    moments: ExactMoments
    transformed: ExactMoments
    infinite: FoundRows = field(default_factory=FoundRows)
    all_whole: bool = True

    def merged(self, other: "NumberFacts") -> "NumberFacts":
        """Return the facts of both parts together."""
        return NumberFacts(
            self.moments.merged(other.moments),
            self.transformed.merged(other.transformed),
            self.infinite.merged(other.infinite),
            self.all_whole and other.all_whole,
        )

    @property
    def are_integers(self) -> bool:
        """Whether there are numbers, all of them whole, which integers of 64 bits hold."""
        largest = max(abs(self.moments.lowest), abs(self.moments.highest))
        return self.moments.count > 0 and self.infinite.count == 0 and self.all_whole and largest < _INT64_LIMIT


@dataclass(frozen=True)
class TimeUnits:
    """Units of time of a column.

    Parameters
    ----------
    held_in
        The unit in which it holds its values.
    own
        The largest unit of which all its values are whole multiples.
    """

    held_in: str
    own: str


@dataclass(frozen=True)
class ColumnSummary:
    """Summary of a column, or of some of its records; those of parts can be merged, in any order.

    Whatever the parts are, the same encoding follows: that which `fit_column` gives one machine. Text is listed as it
    occurs first by row. Spark hands over dictionary-encoded columns as plain text, so that there categories are listed
    as text is, whatever order a dictionary had.

    Parameters
    ----------
    name, kind, level
        Name, kind and level of measurement of the column.
    n_records
        Number of records.
    missing
        Rows of those that have no value.
    numbers
        Facts of numbers or dates; None at other levels.
    units
        Units of time; None where the column has no dates.
    categories
        Categories of nominal and ordinal columns, and of those whose groups take the mode; None of others.
    """

    name: str
    kind: Kind
    level: Level
    n_records: int
    missing: FoundRows
    numbers: NumberFacts | None = None
    units: TimeUnits | None = None
    categories: CategoryCounts | None = None

    @classmethod
    def of(
        cls,
        column: Column,
        treatment: Treatment,
        rows: IntArray,
        weights: FloatArray | None = None,
        *,
        max_categories: int | None = MAX_COUNTED_CATEGORIES,
    ) -> "ColumnSummary":
        """Summarise a column.

        Parameters
        ----------
        column
            The column.
        treatment
            How it is encoded and aggregated.
        rows
            Row number of each of its records, of shape (n,).
        weights
            Weight of each record, of shape (n,): finite. None: records have none.
        max_categories
            How many categories are counted; None: all. Where there are more, nothing is kept of them but that.

        Raises
        ------
        InputError
            If its scale or transform needs all values at once.
        """
        level = treatment.level(column.name, column.kind)
        _refuse_all_values(treatment, column.name, level)
        summary = cls(column.name, column.kind, level, len(column), FoundRows())
        if level == "number":
            summary = summary._with_numbers(PlainNumbers().read(column), treatment, rows)
        elif column.missing is not None:
            summary = replace(summary, missing=FoundRows.of(column.missing, rows))
        if level == "date":
            moments = instant_moments(column)
            units = TimeUnits(time_unit(column), own_unit(column))
            summary = replace(summary, numbers=NumberFacts(moments, moments), units=units)
        if level in ("nominal", "ordinal") or treatment.aggregate_of(column.name, level) == "mode":
            counts = CategoryCounts.of(column, rows, weights, max_categories)
            summary = replace(summary, categories=counts)
        return summary

    def _with_numbers(self, numbers: FloatArray, treatment: Treatment, rows: IntArray) -> "ColumnSummary":
        missing = np.isnan(numbers)
        infinite = np.isinf(numbers)
        unusable: BoolArray = missing | infinite
        finite = numbers[~unusable] if unusable.any() else numbers
        moments, transformed = number_moments(finite, self.name, treatment)
        facts = NumberFacts(moments, transformed, FoundRows.of(infinite, rows), _are_whole(finite))
        return replace(self, missing=FoundRows.of(missing, rows), numbers=facts)

    def merged(self, other: "ColumnSummary") -> "ColumnSummary":
        """Return the summary of both parts together.

        Raises
        ------
        ValueError
            If the parts are not of one column.
        """
        if (self.name, self.kind, self.level) != (other.name, other.kind, other.level):
            raise ValueError(
                f"summaries of two columns: {self.name!r} of {self.kind} and {other.name!r} of {other.kind}"
            )
        return replace(
            self,
            n_records=self.n_records + other.n_records,
            missing=self.missing.merged(other.missing),
            numbers=None if self.numbers is None or other.numbers is None else self.numbers.merged(other.numbers),
            units=_merged_units(self.name, self.units, other.units),
            categories=_merged_counts(self.categories, other.categories),
        )

    @property
    def n_missing(self) -> int:
        """Number of missing values."""
        return self.missing.count

    @property
    def holds_integers(self) -> bool:
        """Whether the column is treated as numbers, and these are whole ones, which can be kept."""
        return self.level == "number" and self.numbers is not None and self.numbers.are_integers

    @property
    def first_instant(self) -> int:
        """First date or time, in the column's own unit since 1970; 0 where there is none."""
        if self.numbers is None or self.units is None or not self.numbers.moments.count:
            return 0
        first = np.array([int(self.numbers.moments.lowest)]).astype(f"datetime64[{self.units.held_in}]")
        return int(first.astype(f"datetime64[{self.units.own}]").astype(np.int64)[0])

    def check(self, of: str = "", *, may_miss: bool = False) -> None:
        """Refuse a column whose values cannot be used, in the same words as on one machine.

        Parameters
        ----------
        of
            Which table it is in, for messages: " of the release".
        may_miss
            Whether values may be missing.

        Raises
        ------
        InputError
            If values are missing that may not be, infinite, too large or too close together; if text differs in every
            record.
        """
        if not may_miss:
            self.missing.refuse(self.name, of)
        if self.level == "number" and self.numbers is not None:
            self.numbers.infinite.refuse(self.name, of, what="infinite")
            moments = self.numbers.moments
            refuse_unsquarable(moments.lowest, moments.highest, self.name, of)
            if self.kind == "integer":
                refuse_inexact_integers(moments.lowest, moments.highest, self.name, of)
        if self.categories is not None and not self.categories.are_too_many:
            refuse_names(len(self.categories.by_key), self.categories.n_present, self.name, self.kind)

    def encoding(self, treatment: Treatment) -> ColumnEncoding:
        """Return the encoding of the column: that of `fit_column` where these are all of its records.

        Parameters
        ----------
        treatment
            How it is scaled and transformed: the one that it was summarised for.

        Raises
        ------
        InputError
            If it has too many categories, or an ordinal column one that its order does not name.
        """
        _refuse_all_values(treatment, self.name, self.level)
        if self.level in ("nominal", "ordinal"):
            assert self.categories is not None, "counted at these levels"
            encode = nominal_encoding if self.level == "nominal" else ordinal_encoding
            return encode(self.categories, treatment)
        assert self.numbers is not None, "of numbers and dates"
        if self.units is not None:
            return date_encoding(self.name, self.units.held_in, self.numbers.moments, treatment)
        return number_encoding(self.name, self.numbers.moments, self.numbers.transformed, treatment)


def _are_whole(numbers: FloatArray) -> bool:
    return all(np.array_equal(numbers[rows], np.rint(numbers[rows])) for rows in row_slices(len(numbers)))


def _merged_units(name: str, one: TimeUnits | None, other: TimeUnits | None) -> TimeUnits | None:
    if one is None or other is None:
        return None
    if one.held_in != other.held_in:
        raise ValueError(f"column {name!r} holds its times in {one.held_in} and in {other.held_in}")
    return TimeUnits(one.held_in, finer_unit(one.own, other.own))


def _merged_counts(one: CategoryCounts | None, other: CategoryCounts | None) -> CategoryCounts | None:
    return None if one is None or other is None else one.merged(other)


def _refuse_all_values(treatment: Treatment, name: str, level: Level) -> None:
    """Refuse a scale or transform that cannot be had from a summary."""
    word = word_for_all_values(treatment, name, level)
    if word is not None:
        raise InputError(
            f"column {name!r} has the scale or transform {word!r}, which needs all of its values at once: on a cluster "
            "choose the scale 'deviation', 'range' or 'none', and the transform 'log' or 'none'"
        )
