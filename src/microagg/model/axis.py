"""Axis of a column of numbers: its shift and scale, and what is done to the numbers before."""

from dataclasses import dataclass, field, replace

import numpy as np

from microagg.model.arrays import FloatArray, ReadOnlyArrays, read_only
from microagg.model.exact_moments import ExactMoments
from microagg.model.row_slices import row_slices
from microagg.model.statistics import Statistics, spread_of


@dataclass(frozen=True)
class Axis:
    """Encoding of one column of numbers as a coordinate: (number − shift)/scale.

    Parameters
    ----------
    name
        Name of the column.
    shift, scale
        The scale is 0 where the column is constant: it carries no weight.
    squares
        Total squares of the column on its own scale.
    mean
        Mean of the numbers.
    scaled_by
        What the scale is: "deviation", "mad", "iqr", "range" or "none".
    """

    name: str
    shift: float = field(repr=False)  # an original value
    scale: float = field(repr=False)
    squares: float = field(repr=False)
    mean: float = field(default=0.0, repr=False)
    scaled_by: str = field(default="deviation", repr=False)

    @classmethod
    def fit(cls, name: str, numbers: FloatArray, scale: str | float = "deviation") -> "Axis":
        """Choose shift and scale of a column by its numbers.

        Parameters
        ----------
        name
            Name of the column.
        numbers
            The numbers that are there.
        scale
            "deviation", "mad", "iqr", "range" or "none"; or a number w: the squares count w times on the scale of the
            deviation.

        Returns
        -------
        Axis
            One of scale 0 where there are no two different numbers.
        """
        if scale not in ("mad", "iqr"):
            return cls.of_moments(name, ExactMoments.of(numbers), scale)
        plain = cls.of_moments(name, ExactMoments.of(numbers))
        if plain.scale == 0.0:
            return plain
        spread, used = spread_of(numbers, str(scale))
        return replace(plain, scale=spread, scaled_by=used)

    @classmethod
    def of_moments(cls, name: str, moments: ExactMoments, scale: str | float = "deviation") -> "Axis":
        """Choose shift and scale of a column by the moments of its numbers.

        Parameters
        ----------
        name
            Name of the column.
        moments
            Those of the numbers that are there.
        scale
            As in `fit`, but for "mad" and "iqr", which moments do not tell.

        Returns
        -------
        Axis
            One of scale 0 where there are no two different numbers.
        """
        if not moments.count:
            return cls(name, 0.0, 0.0, 0.0)
        column = moments.statistics
        if column.lowest == column.highest:
            return cls(name, column.shift, 0.0, 0.0, column.mean)
        spread, used = _scale_of(column, scale)
        return cls(name, column.shift, spread, column.squares, column.mean, used)

    def apply(self, numbers: FloatArray) -> FloatArray:
        """Return the coordinates of numbers; the mean's in place of NaN."""
        if self.scale == 0.0:
            return np.zeros_like(numbers)
        shifted: FloatArray = numbers - self.shift
        coordinates = shifted if self.scale == 1.0 else shifted / self.scale
        missing = np.isnan(coordinates)
        if missing.any():
            coordinates[missing] = (self.mean - self.shift) / self.scale
        return coordinates

    def lost(self, before: FloatArray, after: FloatArray) -> float:
        """Return the squares between numbers before and after, of those that are there in both."""
        if self.scale == 0.0:
            return 0.0
        return sum(self._lost(before[rows], after[rows]) for rows in row_slices(len(before)))

    def _lost(self, before: FloatArray, after: FloatArray) -> float:
        squares = np.square((after - before) / self.scale)
        missing = np.isnan(squares)
        return float(squares[~missing].sum() if missing.any() else squares.sum())

    def total_of(self, numbers: FloatArray) -> float:
        """Return the total squares of some of the numbers on this axis; NaN does not count."""
        present = numbers[~np.isnan(numbers)]
        if self.scale == 0.0 or not len(present):
            return 0.0
        return Statistics.of(present).squares / self.scale**2

    @property
    def total(self) -> float:
        """Total squares on this axis."""
        return self.squares / self.scale**2 if self.scale > 0.0 else 0.0


def _scale_of(column: Statistics, scale: str | float) -> tuple[float, str]:
    """Return what the numbers of a column are divided by, and its name."""
    if scale == "none":
        return 1.0, "none"
    if scale == "range":
        return column.highest - column.lowest, "range"
    if scale == "deviation":
        return column.deviation, "deviation"
    return column.deviation / float(np.sqrt(float(scale))), "deviation"


@dataclass(frozen=True)
class Logarithm:
    """The transform sign(x)·log(1 + |x|)."""

    def __call__(self, numbers: FloatArray) -> FloatArray:
        """Return the transformed numbers."""
        transformed: FloatArray = np.sign(numbers) * np.log1p(np.abs(numbers))
        return transformed


@dataclass(frozen=True, eq=False)
class MidRank(ReadOnlyArrays):
    """The transform to mid-ranks: equal numbers share the mean of their ranks.

    Parameters
    ----------
    distinct
        The distinct numbers that ranks were given to, in order.
    ranks
        The mid-rank of each, from 1; numbers between two of them get a rank between.
    """

    distinct: FloatArray = field(repr=False)  # original values
    ranks: FloatArray = field(repr=False)

    @classmethod
    def of(cls, numbers: FloatArray) -> "MidRank":
        """Give ranks to the numbers that are there."""
        distinct, counts = np.unique(numbers, return_counts=True)
        ranks = np.cumsum(counts) - (counts - 1) / 2
        read_only(distinct)
        read_only(ranks)
        return cls(distinct, ranks)

    def __call__(self, numbers: FloatArray) -> FloatArray:
        """Return the mid-ranks of numbers, NaN where one is missing."""
        if not len(self.distinct):
            return numbers
        ranks: FloatArray = np.interp(numbers, self.distinct, self.ranks)
        ranks[np.isnan(numbers)] = np.nan
        return ranks


Transform = Logarithm | MidRank
