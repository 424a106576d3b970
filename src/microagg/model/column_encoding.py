"""Encoding of one column as coordinates, by its level of measurement."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from microagg.model.arrays import FloatArray
from microagg.model.axis import Axis, Logarithm, MidRank, Transform
from microagg.model.column import Column
from microagg.model.column_values import Categories, Instants, PlainNumbers, distinct_values, natural_order
from microagg.model.errors import InputError
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
        return _fit_nominal(column, treatment.scale_of(column.name, level))
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


def ordered_categories(column: Column, treatment: Treatment) -> Categories:
    """Return the categories of an ordinal column, in the order that is given, or else in their own."""
    return Categories(treatment.order_of(column.name) or natural_order(column), complete=True)


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


def _fit_nominal(column: Column, weight: str | float) -> NominalColumn:
    codes, found = distinct_values(column)
    if len(found) > MAX_CATEGORIES:
        raise InputError(
            f"column {column.name!r} of kind {column.kind} has {len(found)} categories, more than the "
            f"{MAX_CATEGORIES} that a nominal column may have: leave it out, or put rare categories together"
        )
    present = codes[codes >= 0]
    shares = np.bincount(present, minlength=len(found)) / max(1, len(present))
    return NominalColumn(column.name, Categories(tuple(found)), float(weight), tuple(shares.tolist()), len(present))
