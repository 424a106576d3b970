"""Statistics of a column's numbers, and the scales that they make."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import FloatArray

_MAD_TO_DEVIATION = 1.4826  # of a normal distribution
_IQR_TO_DEVIATION = 1 / 1.349
_NEXT_SCALE = {"mad": "iqr", "iqr": "deviation"}


@dataclass(frozen=True)
class Statistics:
    """Count, range, mean and squares of a column's numbers; those of two parts of a column can be merged.

    Parameters
    ----------
    count
        Number of values.
    lowest, highest
        Range of the values.
    mean
        Their mean.
    squares
        Sum of the squared differences from the mean.
    """

    count: int
    lowest: float = field(repr=False)  # an original value
    highest: float = field(repr=False)
    mean: float = field(repr=False)
    squares: float = field(repr=False)

    @classmethod
    def of(cls, numbers: FloatArray) -> "Statistics":
        """Return the statistics of at least one number, none of which is missing or infinite.

        They are computed exactly and then rounded: they do not depend on the order of the numbers, nor on how these are
        divided, and nothing is lost at mean/sd = 1e9, nor beside an outlier of 1e17.
        """
        from microagg.model.exact_moments import ExactMoments  # which makes statistics

        return ExactMoments.of(numbers).statistics

    def merged(self, other: "Statistics") -> "Statistics":
        """Return the statistics of both parts together (Chan, Golub & LeVeque 1979)."""
        count = self.count + other.count
        difference = other.mean - self.mean
        mean = self.mean + difference * other.count / count
        squares = self.squares + other.squares + difference**2 * self.count * other.count / count
        return Statistics(count, min(self.lowest, other.lowest), max(self.highest, other.highest), mean, squares)

    @property
    def shift(self) -> float:
        """Number of the range that is nearest to zero."""
        return float(np.clip(0.0, self.lowest, self.highest))

    @property
    def deviation(self) -> float:
        """Standard deviation, dividing by the count."""
        return float(np.sqrt(self.squares / self.count))


def spread_of(numbers: FloatArray, word: str) -> tuple[float, str]:
    """Return a measure of spread that is positive unless all numbers are equal.

    Parameters
    ----------
    numbers
        At least one.
    word
        "deviation"; "mad", the median absolute deviation times 1.4826; "iqr", the interquartile range over 1.349; or
        "range".

    Returns
    -------
    spread : float
        The measure.
    used : str
        The measure that was used: where a robust one is 0, as more than half of the numbers are equal, it is "iqr" in
        place of "mad", and "deviation" in place of "iqr".
    """
    if word == "range":
        return float(np.ptp(numbers)), word
    if word == "deviation":
        return Statistics.of(numbers).deviation, word
    spread = _median_deviation(numbers) if word == "mad" else _quartile_range(numbers)
    return (spread, word) if spread > 0.0 else spread_of(numbers, _NEXT_SCALE[word])


def _median_deviation(numbers: FloatArray) -> float:
    return _MAD_TO_DEVIATION * float(np.median(np.abs(numbers - np.median(numbers))))


def _quartile_range(numbers: FloatArray) -> float:
    lower, upper = np.quantile(numbers, [0.25, 0.75])
    return _IQR_TO_DEVIATION * float(upper - lower)
