"""Encoding of columns as coordinates, and the loss of one table against another measured there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, NewArray
from microagg.model.column import Column
from microagg.model.column_encoding import ColumnEncoding, ScaledColumn, fit_column
from microagg.model.row_slices import row_slices
from microagg.model.treatment import Treatment


@dataclass(frozen=True)
class Encoding:
    """Encoding of a table's columns as the coordinates in which information is measured.

    This is the one definition of standardised loss: squares are summed here, with each column on its own scale. A
    column of numbers, dates or ordered categories is one coordinate, a nominal one as many as it has categories.

    Parameters
    ----------
    columns
        Encoding of each column, in order.
    treatment
        How the columns are scaled and transformed.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> encoding = microagg.solve([[1.0], [2.0], [8.0], [9.0]], k=2).encoding
    >>> X, missing = encoding.apply([microagg.Column.of_numbers("0", np.array([1.0, 8.5]))])
    >>> X.round(4).tolist(), missing
    ([[0.0], [2.1213]], None)
    """

    columns: tuple[ColumnEncoding, ...]
    treatment: Treatment

    @classmethod
    def fit(cls, columns: Sequence[Column], treatment: Treatment | None = None) -> "Encoding":
        """Choose the coordinates of each column by its values; missing ones do not count.

        Parameters
        ----------
        columns
            The columns.
        treatment
            How they are scaled and transformed, and which of them hold codes.

        Returns
        -------
        Encoding
            Of these columns, in order.

        Raises
        ------
        InputError
            If the treatment is not possible for a column.
        """
        treatment = Treatment() if treatment is None else treatment
        treatment.check({column.name: treatment.level(column.name, column.kind) for column in columns})
        return cls(tuple(fit_column(column, treatment) for column in columns), treatment)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def widths(self) -> tuple[int, ...]:
        """Number of coordinates of each column."""
        return tuple(column.width for column in self.columns)

    @property
    def standardise(self) -> bool:
        """Whether the columns are scaled, so that they weigh alike."""
        return self.treatment.standardise

    @property
    def is_plain(self) -> bool:
        """Whether every column is a number on its own scale, or every one scaled to variance 1."""
        return self.treatment.scale.for_all in ("deviation", "none") and all(
            isinstance(column, ScaledColumn) and column.level == "number" and column.transform is None
            for column in self.columns
        )

    @property
    def replaced_scales(self) -> tuple[tuple[str, str, str], ...]:
        """Name of each column whose scale was 0, the scale that was asked for, and the one that was used."""
        found = []
        for column in self.columns:
            wanted = self.treatment.scale_of(column.name, column.level)
            if isinstance(column, ScaledColumn) and wanted in ("mad", "iqr") and column.distance_axis.scale > 0.0:
                used = column.distance_axis.scaled_by
                if used != wanted:
                    found.append((column.name, str(wanted), used))
        return tuple(found)

    def apply(self, columns: Sequence[Column]) -> tuple[FloatArray, BoolArray | None]:
        """Return the coordinates of records.

        Parameters
        ----------
        columns
            The columns, in the order of `names`.

        Returns
        -------
        X : ndarray of shape (n, d)
            The records as points; where a value is missing, the mean coordinates.
        missing : ndarray of shape (n, d) or None
            Which coordinates are missing; None if none is.
        """
        return self.coordinates(self._numbers(columns))

    def coordinates(
        self, numbers: Sequence[FloatArray], new_array: NewArray = np.empty
    ) -> tuple[FloatArray, BoolArray | None]:
        """Return the coordinates of records whose values are read as numbers.

        Parameters
        ----------
        numbers
            What each column is read as, of shape (n,), in the order of `names`; NaN where a value is missing.
        new_array
            Function of shape and type that makes an array: in memory, or in a file.

        Returns
        -------
        X, missing
            As by `apply`.
        """
        n = len(numbers[0])
        X = new_array((n, sum(self.widths)), np.float64)
        lacking = any(np.isnan(values[rows]).any() for values in numbers for rows in row_slices(n))
        missing = new_array(X.shape, np.bool_) if lacking else None
        for rows in row_slices(n):
            start = 0
            for column, values in zip(self.columns, numbers, strict=True):
                place = slice(start, start + column.width)
                X[rows, place] = column.coordinates(values[rows])
                if missing is not None:
                    missing[rows, place] = np.isnan(values[rows])[:, None]
                start += column.width
        return X, missing

    def loss(self, before: Sequence[Column], after: Sequence[Column]) -> float:
        """Return the information loss between two tables.

        Transforms, and ranks in place of numbers, are for the distances only and do not count here. A category that
        has changed loses its squared distance from any other, so that more than 100 percent can be lost.

        Parameters
        ----------
        before, after
            The columns, with the same records in the same order. Cells that are missing do not count.

        Returns
        -------
        float
            In percent: 100·(squares between records before and after)/(total squares).
        """
        both = zip(self.columns, self._numbers(before), self._numbers(after), strict=True)
        return percent_lost((column.lost(old, new), column.total) for column, old, new in both)

    def _numbers(self, columns: Sequence[Column]) -> list[FloatArray]:
        return [encoding.read(column) for encoding, column in zip(self.columns, columns, strict=True)]


def percent_lost(columns: Iterable[tuple[float, float]]) -> float:
    """Return the information loss of several columns together.

    Parameters
    ----------
    columns
        Squares that are lost in each column, and its total squares; one of which the latter are 0 does not count.
    """
    lost = 0.0
    total = 0.0
    for squares, squares_in_all in columns:
        if squares_in_all > 0.0:
            lost += squares
            total += squares_in_all
    return 100.0 * lost / total if total else 0.0
