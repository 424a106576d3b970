"""How columns become coordinates, and what a difference between two tables costs there."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import FloatArray


@dataclass(frozen=True)
class Statistics:
    """Count, range, mean and squares of the numbers of a column; those of two parts of a column can be merged.

    Parameters
    ----------
    squares
        The sum of the squared differences from the mean.
    """

    count: int
    lowest: float = field(repr=False)  # an original value
    highest: float = field(repr=False)
    mean: float = field(repr=False)
    squares: float = field(repr=False)

    @classmethod
    def of(cls, numbers: FloatArray) -> "Statistics":
        """Count and sum up numbers, at least one of them.

        They are shifted by the one nearest to zero, or not at all if they have both signs: so none grows, and none
        loses digits that it had. Nothing is lost at mean/sd = 1e9, nor beside an outlier of 1e17.
        """
        lowest, highest = float(numbers.min()), float(numbers.max())
        if lowest == highest:
            return cls(len(numbers), lowest, highest, lowest, 0.0)
        shift = _shift(lowest, highest)
        shifted = numbers - shift
        mean = shifted.mean()
        return cls(len(numbers), lowest, highest, shift + float(mean), float(np.square(shifted - mean).sum()))

    def merged(self, other: "Statistics") -> "Statistics":
        """Give the statistics of both parts together (Chan, Golub & LeVeque 1979)."""
        count = self.count + other.count
        difference = other.mean - self.mean
        mean = self.mean + difference * other.count / count
        squares = self.squares + other.squares + difference**2 * self.count * other.count / count
        return Statistics(count, min(self.lowest, other.lowest), max(self.highest, other.highest), mean, squares)

    @property
    def shift(self) -> float:
        """The number of the range that is nearest to zero."""
        return _shift(self.lowest, self.highest)

    @property
    def deviation(self) -> float:
        """The standard deviation, dividing by the count."""
        return float(np.sqrt(self.squares / self.count))


def _shift(lowest: float, highest: float) -> float:
    return float(np.clip(0.0, lowest, highest))


@dataclass(frozen=True)
class Axis:
    """How one column of numbers becomes a coordinate: (number − shift)/scale.

    Parameters
    ----------
    scale
        0 where the column is constant: it carries no weight.
    squares
        The total squares of the column as it is.
    """

    name: str
    shift: float = field(repr=False)  # an original value
    scale: float = field(repr=False)
    squares: float = field(repr=False)

    def apply(self, numbers: FloatArray) -> FloatArray:
        """Give the coordinates."""
        if self.scale == 0.0:
            return np.zeros_like(numbers)
        shifted: FloatArray = numbers - self.shift
        return shifted if self.scale == 1.0 else shifted / self.scale


@dataclass(frozen=True)
class Encoding:
    """How a table's columns become the coordinates in which information is measured.

    This is the one definition of standardised loss: squares are summed here, with each column on the scale of its
    axis.

    Parameters
    ----------
    axes
        One for each column, in order.
    standardise
        Whether each column has variance 1 on its axis, so that all weigh alike.
    """

    axes: tuple[Axis, ...]
    standardise: bool

    @classmethod
    def fit(cls, names: Sequence[str], statistics: Sequence[Statistics], standardise: bool) -> "Encoding":
        """Choose shift and scale of each column by its statistics."""
        axes = []
        for name, column in zip(names, statistics, strict=True):
            varies = column.lowest < column.highest
            scale = column.deviation if standardise else 1.0
            axes.append(Axis(name, column.shift, scale if varies else 0.0, column.squares if varies else 0.0))
        return cls(tuple(axes), standardise)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(axis.name for axis in self.axes)

    def apply(self, columns: Sequence[FloatArray]) -> FloatArray:
        """Give the coordinates of records, of shape (n, d), from the numbers of each column."""
        X = np.empty((len(columns[0]), len(self.axes)))
        for j, (axis, numbers) in enumerate(zip(self.axes, columns, strict=True)):
            X[:, j] = axis.apply(numbers)
        return X

    def loss(self, before: Sequence[FloatArray], after: Sequence[FloatArray]) -> float:
        """Give the information loss in percent: 100·(squares between records before and after)/(total squares)."""
        lost = 0.0
        total = 0.0
        for axis, old, new in zip(self.axes, before, after, strict=True):
            if axis.scale > 0.0:
                lost += float(np.square((new - old) / axis.scale).sum())
                total += axis.squares / axis.scale**2
        return 100.0 * lost / total if total else 0.0
