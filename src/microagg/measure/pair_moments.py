"""Joint moments of every pair of columns of numbers; those of two parts of a table can be merged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from microagg.control.run import Run
from microagg.model.arrays import FloatArray
from microagg.model.row_slices import row_slices

_CONSTANT = 1e-12  # of the squares: what rounding leaves of the variance of equal numbers


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Sums over the records that have both columns of a pair, each array of shape (d, d).

    The columns are shifted and scaled by the same numbers in every part, so that the sums of parts add up.

    Parameters
    ----------
    counts
        Number of records.
    sums
        Σ zᵢ over the records that have zⱼ, too.
    squares
        Σ zᵢ², likewise.
    products
        Σ zᵢzⱼ.
    cubes
        Σ zᵢ³zⱼ.
    fourths
        Σ zᵢ²zⱼ².
    """

    counts: FloatArray = field(repr=False)
    sums: FloatArray = field(repr=False)
    squares: FloatArray = field(repr=False)
    products: FloatArray = field(repr=False)
    cubes: FloatArray = field(repr=False)
    fourths: FloatArray = field(repr=False)

    @classmethod
    def of(cls, Z: FloatArray) -> "PairMoments":
        """Return the moments of records, of shape (n, d); NaN is missing."""
        present = (~np.isnan(Z)).astype(np.float64)
        Z = np.nan_to_num(Z)
        squares = np.square(Z)
        return cls(
            present.T @ present,
            Z.T @ present,
            squares.T @ present,
            Z.T @ Z,
            (squares * Z).T @ Z,
            squares.T @ squares,
        )

    def merged(self, other: "PairMoments") -> "PairMoments":
        """Return the moments of both parts together."""
        return PairMoments(
            self.counts + other.counts,
            self.sums + other.sums,
            self.squares + other.squares,
            self.products + other.products,
            self.cubes + other.cubes,
            self.fourths + other.fourths,
        )

    def covariances(self) -> FloatArray:
        """Return the covariances of the pairs, dividing by n − 1; NaN where fewer than two records have both."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((self.products - self.sums * self.sums.T / self.counts) / (self.counts - 1.0))

    def correlations(self) -> FloatArray:
        """Return the correlations of the pairs; NaN where a column does not vary in the records that have both."""
        with np.errstate(divide="ignore", invalid="ignore"):
            spreads = self.squares - np.square(self.sums) / self.counts
            spreads[spreads <= _CONSTANT * self.squares] = np.nan
            scales = np.sqrt(spreads)
            found = (self.products - self.sums * self.sums.T / self.counts) / (scales * scales.T)
        np.fill_diagonal(found, np.where(np.isnan(found.diagonal()), np.nan, 1.0))
        return np.asarray(np.clip(found, -1.0, 1.0))


def pair_moments(columns: Sequence[FloatArray], shifts: FloatArray, scales: FloatArray, run: Run) -> PairMoments:
    """Return the joint moments of columns, in row slices.

    Parameters
    ----------
    columns
        At least one, each of shape (n,); NaN where a value is missing.
    shifts, scales
        What each is shifted and scaled by, of shape (d,).
    run
        The run.

    Returns
    -------
    PairMoments
        Of all records.
    """
    n = len(columns[0])

    def parts() -> Iterator[PairMoments]:
        for rows in row_slices(n):
            run.tick("relations", rows.start / n)
            yield PairMoments.of((np.column_stack([column[rows] for column in columns]) - shifts) / scales)

    return reduce(PairMoments.merged, parts())
