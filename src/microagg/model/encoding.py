"""Encoding of columns as coordinates, and the loss of one table against another measured there."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import FloatArray


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
        """Return the statistics of at least one number.

        The numbers are shifted by the one nearest to zero, or not at all if they have both signs: so none grows, and
        none loses digits that it had. Nothing is lost at mean/sd = 1e9, nor beside an outlier of 1e17.
        """
        lowest = float(numbers.min())
        highest = float(numbers.max())
        if lowest == highest:
            return cls(len(numbers), lowest, highest, lowest, 0.0)
        shift = _nearest_to_zero(lowest, highest)
        shifted = numbers - shift
        mean = shifted.mean()
        return cls(len(numbers), lowest, highest, shift + float(mean), float(np.square(shifted - mean).sum()))

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
        return _nearest_to_zero(self.lowest, self.highest)

    @property
    def deviation(self) -> float:
        """Standard deviation, dividing by the count."""
        return float(np.sqrt(self.squares / self.count))


def _nearest_to_zero(lowest: float, highest: float) -> float:
    return float(np.clip(0.0, lowest, highest))


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
    """

    name: str
    shift: float = field(repr=False)  # an original value
    scale: float = field(repr=False)
    squares: float = field(repr=False)

    def apply(self, numbers: FloatArray) -> FloatArray:
        """Return the coordinates of numbers."""
        if self.scale == 0.0:
            return np.zeros_like(numbers)
        shifted: FloatArray = numbers - self.shift
        return shifted if self.scale == 1.0 else shifted / self.scale


@dataclass(frozen=True)
class Encoding:
    """Encoding of a table's columns as the coordinates in which information is measured.

    This is the one definition of standardised loss: squares are summed here, with each column on the scale of its
    axis.

    Parameters
    ----------
    axes
        One for each column, in order.
    standardise
        Whether each column has variance 1 on its axis, so that all weigh alike.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> encoding = microagg.solve([[1.0], [2.0], [8.0], [9.0]], k=2).encoding
    >>> encoding.apply([np.array([1.0, 8.5])]).round(4).tolist()
    [[0.0], [2.1213]]
    """

    axes: tuple[Axis, ...]
    standardise: bool

    @classmethod
    def fit(cls, names: Sequence[str], statistics: Sequence[Statistics], standardise: bool) -> "Encoding":
        """Choose shift and scale of each column by its statistics.

        Parameters
        ----------
        names
            The columns.
        statistics
            Statistics of each.
        standardise
            Whether each is to have variance 1 on its axis.

        Returns
        -------
        Encoding
            One axis for each column.
        """
        axes = []
        for name, column in zip(names, statistics, strict=True):
            varies = column.lowest < column.highest
            scale = column.deviation if standardise else 1.0
            axes.append(Axis(name, column.shift, scale if varies else 0.0, column.squares if varies else 0.0))
        return cls(tuple(axes), standardise)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(axis.name for axis in self.axes)

    def apply(self, columns: Sequence[FloatArray]) -> FloatArray:
        """Return the coordinates of records.

        Parameters
        ----------
        columns
            Numbers of each column, each of shape (n,).

        Returns
        -------
        ndarray of shape (n, d)
            The records as points.
        """
        X = np.empty((len(columns[0]), len(self.axes)))
        for j, (axis, numbers) in enumerate(zip(self.axes, columns, strict=True)):
            X[:, j] = axis.apply(numbers)
        return X

    def loss(self, before: Sequence[FloatArray], after: Sequence[FloatArray]) -> float:
        """Return the information loss between two tables.

        Parameters
        ----------
        before, after
            Numbers of each column, with the same records in the same order.

        Returns
        -------
        float
            In percent: 100·(squares between records before and after)/(total squares).
        """
        lost = 0.0
        total = 0.0
        for axis, old, new in zip(self.axes, before, after, strict=True):
            if axis.scale > 0.0:
                lost += float(np.square((new - old) / axis.scale).sum())
                total += axis.squares / axis.scale**2
        return 100.0 * lost / total if total else 0.0
