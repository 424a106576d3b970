"""Exact sums of numbers and of their squares: from these, mean and deviation whatever the order of the records."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.exact_sum import nearest_float
from microagg.model.float_limbs import LIMB_BITS, SMALLEST_EXPONENT, sums_by_exponent
from microagg.model.row_slices import row_slices
from microagg.model.statistics import Statistics

_UNIT = Fraction(1, 1 << -SMALLEST_EXPONENT)
_INTEGER_LIMB_BITS = 22  # products of two limbs, summed over a slice of rows, stay below 2^62


@dataclass(frozen=True)
class ExactMoments:
    """Count, range, exact sum and exact sum of squares of numbers; those of parts can be merged, in any order.

    Parameters
    ----------
    count
        Number of values.
    lowest, highest
        Range of the values: whole numbers where the values are.
    total
        Their sum.
    squares
        Sum of their squares.

    Examples
    --------
    >>> import numpy as np
    >>> both = ExactMoments.of(np.array([0.25, 1.0])).merged(ExactMoments.of(np.array([1.75])))
    >>> both.statistics.mean, both.statistics.squares
    (1.0, 1.125)
    """

    count: int
    lowest: float = field(repr=False)  # an original value
    highest: float = field(repr=False)
    total: Fraction = field(repr=False)
    squares: Fraction = field(repr=False)

    @classmethod
    def empty(cls) -> "ExactMoments":
        """Return the moments of no number."""
        return cls(0, 0.0, 0.0, Fraction(0), Fraction(0))

    @classmethod
    def of(cls, numbers: FloatArray) -> "ExactMoments":
        """Return the moments of finite numbers.

        Parameters
        ----------
        numbers
            Of shape (n,).

        Raises
        ------
        ValueError
            If one is not finite.
        """
        if not len(numbers):
            return cls.empty()
        total = 0
        squares = 0
        for exponent, (lower, upper, *products) in sums_by_exponent(numbers, _numbers_and_squares):
            total += (lower + (upper << 2 * LIMB_BITS)) << exponent
            square = sum(product << place * LIMB_BITS for place, product in enumerate(products))
            squares += square << 2 * exponent
        lowest = float(numbers.min()) + 0.0  # of 0 and −0, always 0
        highest = float(numbers.max()) + 0.0
        return cls(len(numbers), lowest, highest, total * _UNIT, squares * _UNIT * _UNIT)

    @classmethod
    def of_integers(cls, numbers: IntArray) -> "ExactMoments":
        """Return the moments of integers of 64 bits, exactly even where a float does not hold them.

        Parameters
        ----------
        numbers
            Of shape (n,).
        """
        if not len(numbers):
            return cls.empty()
        total = 0
        squares = 0
        for rows in row_slices(len(numbers)):
            low, middle, high = _integer_limbs(numbers[rows])
            total += int(low.sum()) + (int(middle.sum()) << _INTEGER_LIMB_BITS)
            total += int(high.sum()) << 2 * _INTEGER_LIMB_BITS
            products = (
                low @ low,
                2 * (low @ middle),
                2 * (low @ high) + middle @ middle,
                2 * (middle @ high),
                high @ high,
            )
            squares += sum(int(product) << place * _INTEGER_LIMB_BITS for place, product in enumerate(products))
        return cls(len(numbers), int(numbers.min()), int(numbers.max()), Fraction(total), Fraction(squares))

    @classmethod
    def of_counted(cls, counts: Sequence[int]) -> "ExactMoments":
        """Return the moments of the numbers 0, 1, …, of which each occurs so many times.

        Parameters
        ----------
        counts
            How often each number occurs.
        """
        found = [number for number, count in enumerate(counts) if count]
        if not found:
            return cls.empty()
        total = sum(number * counts[number] for number in found)
        squares = sum(number * number * counts[number] for number in found)
        return cls(sum(counts), found[0], found[-1], Fraction(total), Fraction(squares))

    def merged(self, other: "ExactMoments") -> "ExactMoments":
        """Return the moments of both parts together."""
        if not self.count or not other.count:
            return self if self.count else other
        return ExactMoments(
            self.count + other.count,
            min(self.lowest, other.lowest),
            max(self.highest, other.highest),
            self.total + other.total,
            self.squares + other.squares,
        )

    def shifted(self, origin: int) -> "ExactMoments":
        """Return the moments of integers less an origin.

        Parameters
        ----------
        origin
            What is subtracted from each.
        """
        total = self.total - self.count * origin
        squares = self.squares - 2 * origin * self.total + self.count * origin**2
        return ExactMoments(self.count, self.lowest - origin, self.highest - origin, total, squares)

    @property
    def mean(self) -> float:
        """Mean of at least one number, rounded once."""
        return _rounded(self.total / self.count)

    @property
    def squares_around_mean(self) -> float:
        """Sum of the squared differences of at least one number from their mean, rounded once."""
        return _rounded(self.squares - self.total**2 / self.count)

    @property
    def statistics(self) -> Statistics:
        """Statistics of at least one number."""
        return Statistics(self.count, float(self.lowest), float(self.highest), self.mean, self.squares_around_mean)


def _rounded(number: Fraction) -> float:
    return nearest_float(number.numerator, number.denominator)


def _numbers_and_squares(
    values: FloatArray, low: FloatArray, middle: FloatArray, high: FloatArray
) -> Sequence[FloatArray]:
    """Return the lower and the upper half of numbers, then the coefficients of their squares by limbs, lowest first."""
    products = (low * low, 2.0 * low * middle, 2.0 * low * high + middle * middle, 2.0 * middle * high, high * high)
    middle *= float(1 << LIMB_BITS)
    middle += low
    return (np.copysign(middle, values), np.copysign(high, values), *products)


def _integer_limbs(numbers: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the low, middle and high limbs of integers; only the high ones have a sign."""
    mask = (1 << _INTEGER_LIMB_BITS) - 1
    return numbers & mask, (numbers >> _INTEGER_LIMB_BITS) & mask, numbers >> 2 * _INTEGER_LIMB_BITS
