"""Exact sum of any number of floats, which does not depend on their order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.float_limbs import LIMB_BITS, NOT_FINITE, SMALLEST_EXPONENT, sums_by_exponent
from microagg.model.row_slices import row_slices

_UNITS_OF_ONE = 1 << -SMALLEST_EXPONENT
_DIGIT_BITS = 36
_ROWS_PER_TOTAL = 2**26  # sums of so many digits stay below 2^62


@dataclass(frozen=True)
class ExactSum:
    """Exact sum of finite floats; the sums of parts can be merged, in any order.

    Parameters
    ----------
    units
        The sum in units of 2^−1074, of which every float is a multiple.

    Examples
    --------
    >>> import numpy as np
    >>> float(ExactSum.of(np.array([1e100, 1.0, -1e100])).merged(ExactSum.of(np.array([0.5]))))
    1.5
    """

    units: int = field(default=0, repr=False)

    @classmethod
    def of(cls, values: FloatArray) -> "ExactSum":
        """Return the sum of finite numbers.

        Parameters
        ----------
        values
            Of shape (n,); 0 is the sum of none.

        Raises
        ------
        ValueError
            If one is not finite.
        """
        units = 0
        for exponent, (lower, upper) in sums_by_exponent(values, _signed_halves):
            units += (lower + (upper << 2 * LIMB_BITS)) << exponent
        return cls(units)

    def merged(self, other: "ExactSum") -> "ExactSum":
        """Return the sum of both parts together."""
        return ExactSum(self.units + other.units)

    @property
    def fraction(self) -> Fraction:
        """The sum itself."""
        return Fraction(self.units, _UNITS_OF_ONE)

    @property
    def value(self) -> float:
        """The float that is nearest to the sum."""
        return nearest_float(self.units, _UNITS_OF_ONE)

    def __float__(self) -> float:
        return self.value


def sums_by_code(values: FloatArray, codes: IntArray, n_codes: int) -> list[ExactSum]:
    """Return the exact sum of the numbers that have each code.

    Parameters
    ----------
    values
        Finite numbers, of shape (n,).
    codes
        Code of each, of shape (n,): 0, 1, … below `n_codes`.
    n_codes
        Number of codes.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    units = [0] * n_codes
    for start in range(0, len(values), _ROWS_PER_TOTAL):
        rows = slice(start, start + _ROWS_PER_TOTAL)
        for digit, totals in _totals_by_digit(values[rows], codes[rows], n_codes).items():
            for code, total in enumerate(totals.tolist()):
                units[code] += total << _DIGIT_BITS * digit
    return [ExactSum(one) for one in units]


def _totals_by_digit(values: FloatArray, codes: IntArray, n_codes: int) -> dict[int, IntArray]:
    """Return the sum of each digit of numbers, of shape (n_codes,), by its place: 0 is that of units of 2^−1074."""
    totals: dict[int, IntArray] = {}
    for rows in row_slices(len(values)):
        left = np.array(values[rows], dtype=np.float64)
        while largest := float(np.abs(left).max()):
            if not math.isfinite(largest):
                raise ValueError(NOT_FINITE)
            digit = (math.frexp(largest)[1] - SMALLEST_EXPONENT - 1) // _DIGIT_BITS
            exponent = SMALLEST_EXPONENT + _DIGIT_BITS * digit
            whole = np.ldexp(left, -exponent).astype(np.int64)
            np.add.at(totals.setdefault(digit, np.zeros(n_codes, dtype=np.int64)), codes[rows], whole)
            left -= np.ldexp(whole.astype(np.float64), exponent)  # exact: what is left has fewer digits
    return totals


def nearest_float(numerator: int, denominator: int) -> float:
    """Return the float that is nearest to a ratio of whole numbers; infinite where that is too large for floats."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if (numerator > 0) == (denominator > 0) else -math.inf


def _signed_halves(values: FloatArray, low: FloatArray, middle: FloatArray, high: FloatArray) -> Sequence[FloatArray]:
    middle *= float(1 << LIMB_BITS)
    middle += low
    return np.copysign(middle, values), np.copysign(high, values)
