"""Encoding of one column as coordinates, by its level of measurement."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.axis import Axis, Logarithm, MidRank, Transform
from microagg.model.category_counts import CategoryCounts
from microagg.model.column import CODED, Column, Kind
from microagg.model.column_values import (
    Categories,
    Instants,
    PlainNumbers,
    distinct_values,
    natural_order,
    number_of_categories,
)
from microagg.model.errors import InputError
from microagg.model.exact_moments import ExactMoments
from microagg.model.treatment import Level, Treatment

MAX_CATEGORIES = 200
"""Categories that a nominal column may have: each is a coordinate."""


class ColumnEncoding(Protocol):
    """Encoding of one column as one or more coordinates, and the measure of what is lost in it."""

    @property
    def name(self) -> str:
        """Name of the column."""

    @property
    def level(self) -> Level:
        """Level of measurement of the column."""

    @property
    def width(self) -> int:
        """Number of coordinates."""

    @property
    def total(self) -> float:
        """Total squares of the column, as loss is measured."""

    def read(self, column: Column) -> FloatArray:
        """Return the values of a column as numbers, NaN where one is missing."""

    def coordinates(self, numbers: FloatArray) -> FloatArray:
        """Return coordinates of shape (n, width); the mean's in place of NaN."""

    def total_of(self, numbers: FloatArray) -> float:
        """Return the total squares of some of the column's numbers, as loss is measured; NaN does not count."""

    def lost(self, before: FloatArray, after: FloatArray) -> float:
        """Return the squares between numbers before and after, of those that are there in both."""


@dataclass(frozen=True)
class ScaledColumn:
    """Encoding of numbers, dates, or categories in order as one coordinate.

    Parameters
    ----------
    level
        Level of measurement of the column.
    values
        How its values become numbers.
    axis
        Axis on which loss is measured.
    transform
        What is done to the numbers for the distances; None where nothing is.
    distance_axis
        Axis of the distances: of the transformed numbers.
    """

    level: Level
    values: PlainNumbers | Instants | Categories
    axis: Axis
    transform: Transform | None
    distance_axis: Axis

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.axis.name

    @property
    def width(self) -> int:
        """Number of coordinates."""
        return 1

    @property
    def total(self) -> float:
        """Total squares of the column, as loss is measured."""
        return self.axis.total

    def read(self, column: Column) -> FloatArray:
        """Return the values of a column as numbers, NaN where one is missing."""
        return self.values.read(column)

    def coordinates(self, numbers: FloatArray) -> FloatArray:
        """Return coordinates of shape (n, 1); the mean's in place of NaN."""
        transformed = numbers if self.transform is None else self.transform(numbers)
        return self.distance_axis.apply(transformed)[:, None]

    def total_of(self, numbers: FloatArray) -> float:
        """Return the total squares of some of the column's numbers, as loss is measured; NaN does not count."""
        return self.axis.total_of(numbers)

    def lost(self, before: FloatArray, after: FloatArray) -> float:
        """Return the squares between numbers before and after, of those that are there in both."""
        return self.axis.lost(before, after)


@dataclass(frozen=True)
class NominalColumn:
    """Encoding of categories without order: a coordinate each, so that any two are equally far apart.

    Two categories need one coordinate only.

    Parameters
    ----------
    name
        Name of the column.
    values
        The categories.
    weight
        Squared distance of two different categories.
    shares
        Share of each category among the values that are there.
    n_present
        Number of these.
    """

    name: str
    values: Categories
    weight: float
    shares: tuple[float, ...] = field(repr=False)
    n_present: int = field(repr=False)

    @property
    def level(self) -> Level:
        """Level of measurement of the column."""
        return "nominal"

    @property
    def width(self) -> int:
        """Number of coordinates."""
        return len(self.values) if len(self.values) > 2 else 1

    @property
    def total(self) -> float:
        """Total squares of the column: those of its coordinates around their mean."""
        return 0.5 * self.weight * self.n_present * (1.0 - float(np.square(self.shares).sum()))

    def read(self, column: Column) -> FloatArray:
        """Return the place of each value among the categories, NaN where it is missing."""
        return self.values.read(column)

    def coordinates(self, numbers: FloatArray) -> FloatArray:
        """Return coordinates of shape (n, width); the mean's in place of NaN."""
        coordinates = np.zeros((len(numbers), self.width))
        if self.width == 1:
            distance = np.sqrt(self.weight)
            coordinates[numbers == 1.0] = distance
            means = np.array(self.shares[1:] or (0.0,))
        else:
            distance = np.sqrt(self.weight / 2)
            known = np.flatnonzero(numbers >= 0.0)
            coordinates[known, numbers[known].astype(np.int64)] = distance
            means = np.array(self.shares)
        coordinates[np.isnan(numbers)] = distance * means
        return coordinates

    def total_of(self, numbers: FloatArray) -> float:
        """Return the total squares of some of the column's values, by their places; NaN does not count."""
        counts = np.bincount(numbers[~np.isnan(numbers)].astype(np.int64), minlength=1)
        return 0.5 * self.weight * float(counts.sum() - np.square(counts).sum() / max(1, counts.sum()))

    def lost(self, before: FloatArray, after: FloatArray) -> float:
        """Return the squares between categories before and after: each one that has changed counts once."""
        changed = (before != after) & ~np.isnan(before) & ~np.isnan(after)
        return self.weight * int(changed.sum())


def fit_column(column: Column, treatment: Treatment) -> ColumnEncoding:
    """Return the encoding of a column, fitted to its values.

    It does not depend on the order of the records, but that the categories of text are listed as they occur.

    Parameters
    ----------
    column
        The column.
    treatment
        How it is to be scaled and transformed, and whether it holds codes.

    Raises
    ------
    InputError
        If a nominal column has too many categories, or an ordinal one a category that its order does not name.
    """
    level = treatment.level(column.name, column.kind)
    if level == "nominal":
        counts = CategoryCounts.of(column, np.arange(len(column)), max_categories=MAX_CATEGORIES)
        if counts.are_too_many:
            raise _too_many_categories(column.name, column.kind, str(number_of_categories(column)))
        return nominal_encoding(counts, treatment)
    if word_for_all_values(treatment, column.name, level) is not None:
        return _fit_to_all_values(column, level, treatment)
    if level == "ordinal":
        categories, places = _ordered_places(column, treatment)
        return _ordinal_column(column.name, categories, ExactMoments.of_integers(places), treatment)
    if level == "date":
        return date_encoding(column.name, time_unit(column), instant_moments(column), treatment)
    numbers = PlainNumbers().read(column)
    missing = np.isnan(numbers)
    present = numbers[~missing] if missing.any() else numbers
    return number_encoding(column.name, *number_moments(present, column.name, treatment), treatment)


def word_for_all_values(treatment: Treatment, name: str, level: Level) -> str | None:
    """Return the scale or transform of a column that needs all of its values at once; None if it has none such."""
    if level == "nominal":
        return None
    words = (treatment.scale_of(name, level), treatment.transform_of(name, level))
    return next((str(word) for word in words if word in ("mad", "iqr", "rank")), None)


def number_moments(numbers: FloatArray, name: str, treatment: Treatment) -> tuple[ExactMoments, ExactMoments]:
    """Return the moments of numbers that are there, and those of the same numbers transformed for the distances.

    Parameters
    ----------
    numbers
        Finite numbers.
    name
        Name of their column.
    treatment
        How it is transformed: not by ranks.
    """
    moments = ExactMoments.of(numbers)
    if treatment.transform_of(name, "number") != "log":
        return moments, moments
    return moments, ExactMoments.of(Logarithm()(numbers))


def instant_moments(column: Column) -> ExactMoments:
    """Return the moments of the dates and times of a column, as numbers of its unit since 1970."""
    present = column.values if column.missing is None else column.values[~column.missing]
    return ExactMoments.of_integers(present.astype(f"datetime64[{time_unit(column)}]").astype(np.int64))


def time_unit(column: Column) -> str:
    """Return numpy's unit of time in which a column holds its dates and times."""
    return np.datetime_data(column.values.dtype)[0]


def number_encoding(name: str, moments: ExactMoments, transformed: ExactMoments, treatment: Treatment) -> ScaledColumn:
    """Return the encoding of a column of numbers.

    Parameters
    ----------
    name
        Name of the column.
    moments, transformed
        Those of its numbers, and of its transformed numbers: see `number_moments`.
    treatment
        How it is scaled and transformed.
    """
    scale = treatment.scale_of(name, "number")
    axis = Axis.of_moments(name, moments, scale)
    if treatment.transform_of(name, "number") != "log":
        return ScaledColumn("number", PlainNumbers(), axis, None, axis)
    return ScaledColumn("number", PlainNumbers(), axis, Logarithm(), Axis.of_moments(name, transformed, scale))


def date_encoding(name: str, unit: str, moments: ExactMoments, treatment: Treatment) -> ScaledColumn:
    """Return the encoding of a column of dates or times, which are counted from the first of them.

    Parameters
    ----------
    name
        Name of the column.
    unit
        Unit of time in which it holds its values.
    moments
        Those of its values: see `instant_moments`.
    treatment
        How it is scaled.
    """
    origin = int(moments.lowest)
    axis = Axis.of_moments(name, moments.shifted(origin), treatment.scale_of(name, "date"))
    return ScaledColumn("date", Instants(unit, origin), axis, None, axis)


def ordinal_encoding(counts: CategoryCounts, treatment: Treatment) -> ScaledColumn:
    """Return the encoding of a column of categories in order.

    Parameters
    ----------
    counts
        How often each occurs.
    treatment
        Their order, and how their places are scaled.

    Raises
    ------
    InputError
        If they have no order, or one of them is not named there, or too many were found for them to be counted.
    """
    if counts.are_too_many:
        raise InputError(
            f"column {counts.name!r} of kind {counts.kind} has more than {counts.max_categories} categories, too many "
            "to be put in order on a cluster: leave it out, or treat it as numbers"
        )
    found = counts.column()
    categories = ordered_categories(found, treatment)
    times = np.zeros(len(categories), dtype=np.int64)
    np.add.at(times, categories.read(found).astype(np.int64), [one.count for one in counts.in_order()])
    return _ordinal_column(counts.name, categories, ExactMoments.of_counted(times.tolist()), treatment)


def _ordinal_column(name: str, categories: Categories, places: ExactMoments, treatment: Treatment) -> ScaledColumn:
    """Return the encoding of a column of categories in order, of whose places the moments are given."""
    axis = Axis.of_moments(name, places, treatment.scale_of(name, "ordinal"))
    return ScaledColumn("ordinal", categories, axis, None, axis)


def nominal_encoding(counts: CategoryCounts, treatment: Treatment) -> NominalColumn:
    """Return the encoding of a column of categories without order.

    Parameters
    ----------
    counts
        How often each occurs.
    treatment
        How much the column counts.

    Raises
    ------
    InputError
        If there are too many.
    """
    if counts.are_too_many or len(counts.by_key) > MAX_CATEGORIES:
        number = f"more than {counts.max_categories}" if counts.are_too_many else str(len(counts.by_key))
        raise _too_many_categories(counts.name, counts.kind, number)
    weight = float(treatment.scale_of(counts.name, "nominal"))
    shares = [one.count / max(1, counts.n_present) for one in counts.in_order()]
    categories = Categories(tuple(counts.column().objects()))
    return NominalColumn(counts.name, categories, weight, tuple(shares), counts.n_present)


def _too_many_categories(name: str, kind: Kind, number: str) -> InputError:
    return InputError(
        f"column {name!r} of kind {kind} has {number} categories, more than the {MAX_CATEGORIES} that a nominal column "
        "may have: leave it out, or put rare categories together"
    )


def ordered_categories(column: Column, treatment: Treatment) -> Categories:
    """Return the categories of an ordinal column, in the order that is given, or else in their own."""
    return Categories(treatment.order_of(column.name) or natural_order(column), complete=True)


def _ordered_places(column: Column, treatment: Treatment) -> tuple[Categories, IntArray]:
    """Return the categories of an ordinal column, and the places of those of its values that are there."""
    if column.kind in CODED or treatment.order_of(column.name):
        categories = ordered_categories(column, treatment)
        places = categories.read(column)
        return categories, places[~np.isnan(places)].astype(np.int64)
    codes, found = distinct_values(column)  # in their own order
    return Categories(tuple(found), complete=True), codes[codes >= 0]


def _fit_to_all_values(column: Column, level: Level, treatment: Treatment) -> ScaledColumn:
    """Return the encoding of a column whose scale or transform needs all values at once: medians, quartiles, ranks."""
    values = _values_of(column, level, treatment)
    numbers = values.read(column)
    missing = np.isnan(numbers)
    present = numbers[~missing] if missing.any() else numbers
    scale = treatment.scale_of(column.name, level)
    transform = _transform_of(present, "rank" if scale == "rank" else treatment.transform_of(column.name, level))
    scale = "deviation" if scale == "rank" else scale
    axis = Axis.fit(column.name, present, scale)
    distance_axis = axis if transform is None else Axis.fit(column.name, transform(present), scale)
    return ScaledColumn(level, values, axis, transform, distance_axis)


def _values_of(column: Column, level: Level, treatment: Treatment) -> PlainNumbers | Instants | Categories:
    if level == "number":
        return PlainNumbers()
    if level == "date":
        return Instants.of(column)
    return ordered_categories(column, treatment)


def _transform_of(numbers: FloatArray, word: str) -> Transform | None:
    if word == "rank":
        return MidRank.of(numbers)
    return Logarithm() if word == "log" else None
