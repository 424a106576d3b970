"""Moments of a column's numbers up to the fourth; those of two parts of a column can be merged."""

import math
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from microagg.model.arrays import FloatArray
from microagg.model.row_slices import row_slices
from microagg.model.statistics import Statistics


@dataclass(frozen=True)
class Moments:
    """Moments of at least one number.

    Parameters
    ----------
    statistics
        Count, range, mean, and sum of squared differences from the mean.
    cubes, fourths
        Sums of the third and fourth powers of the differences from the mean.
    n_zero
        Number of zeros.

    References
    ----------
    Pébay (2008), Formulas for robust, one-pass parallel computation of covariances and arbitrary-order statistical
    moments, Sandia report SAND2008-6212.
    """

    statistics: Statistics
    cubes: float = field(repr=False)
    fourths: float = field(repr=False)
    n_zero: int = field(repr=False)

    @classmethod
    def of(cls, numbers: FloatArray) -> "Moments":
        """Return the moments of at least one number, none of which is missing."""
        return reduce(Moments.merged, (cls._of_slice(numbers[rows]) for rows in row_slices(len(numbers))))

    @classmethod
    def _of_slice(cls, numbers: FloatArray) -> "Moments":
        statistics = Statistics.of(numbers)
        differences = numbers - statistics.mean
        squares = np.square(differences)
        n_zero = len(numbers) - int(np.count_nonzero(numbers))
        return cls(statistics, float((squares * differences).sum()), float(np.square(squares).sum()), n_zero)

    def merged(self, other: "Moments") -> "Moments":
        """Return the moments of both parts together."""
        a = self.statistics
        b = other.statistics
        n = a.count + b.count
        apart = b.mean - a.mean
        product = a.count * b.count
        cubes = self.cubes + other.cubes
        cubes += apart**3 * product * (a.count - b.count) / n**2
        cubes += 3.0 * apart * (a.count * b.squares - b.count * a.squares) / n
        fourths = self.fourths + other.fourths
        fourths += apart**4 * product * (a.count**2 - product + b.count**2) / n**3
        fourths += 6.0 * apart**2 * (a.count**2 * b.squares + b.count**2 * a.squares) / n**2
        fourths += 4.0 * apart * (a.count * other.cubes - b.count * self.cubes) / n
        return Moments(a.merged(b), cubes, fourths, self.n_zero + other.n_zero)

    @property
    def count(self) -> int:
        """Number of values."""
        return self.statistics.count

    @property
    def mean(self) -> float:
        """Mean."""
        return self.statistics.mean

    @property
    def is_constant(self) -> bool:
        """Whether all values are equal."""
        return self.statistics.lowest == self.statistics.highest

    @property
    def variance(self) -> float | None:
        """Variance, dividing by n − 1; None of a single value."""
        return None if self.count < 2 else self.statistics.squares / (self.count - 1)

    @property
    def deviation(self) -> float:
        """Standard deviation, dividing by n − 1; 0 of a single value."""
        return math.sqrt(self.variance or 0.0)

    @property
    def skewness(self) -> float | None:
        """Third central moment in units of the standard deviation, both dividing by n; None where all are equal."""
        spread = self.statistics.deviation
        return None if spread == 0.0 else self.cubes / self.count / spread**3

    @property
    def zero_share(self) -> float:
        """Share of zeros, in percent."""
        return 100.0 * self.n_zero / self.count

    @property
    def variance_of_variance(self) -> float:
        """Asymptotic variance of the sample variance: (μ₄ − μ₂²)/n."""
        second = self.statistics.squares / self.count
        return max(0.0, self.fourths / self.count - second**2) / self.count
