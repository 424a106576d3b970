"""Microaggregation problem: points, the smallest group allowed, and perhaps weights of the records."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray, NewArray, ReadOnlyArrays, is_all, read_only
from microagg.model.checks import whole_number
from microagg.model.errors import InputError
from microagg.model.exact_sum import ExactSum
from microagg.model.relative_weights import check_weights, relative_weights
from microagg.model.row_slices import row_slices, sum_of

_GAP = 4.0  # weight of whether a cell is there, in variances: 2 to 8 end within a hundredth of the same total
_MAX_COORDINATE = 1e145  # the squares of a billion such numbers, times their number, are still finite


@dataclass(frozen=True, eq=False)
class Problem(ReadOnlyArrays):
    """Points to be grouped, and the smallest group allowed.

    Parameters
    ----------
    X
        Records as points, of shape (n, d): finite and near zero. Copied unless it is read-only; it may be mapped to a
        file.
        Information is measured here: an `Encoding` has standardised the columns if so chosen.
    k
        Smallest group allowed, 1 ≤ k ≤ n: a number of records, whatever they weigh.
    weights
        How much the squares of each record count, of shape (n,): positive. Only their ratios matter, as they are
        divided by their mean. None: all count alike.
    missing
        Cells of `X` that do not count, of shape (n, d); None if all do. `X` holds any finite numbers there. Stages are
        given problems without such cells: see `microagg.solve`.
    prices
        Mean and variance of each coordinate, of shape (2, d), where a cell that one member of a group lacks is blank
        for all: a blanked cell loses its squared distance from that mean, but no less than the variance. None: cells
        that are there count in any group.

    Raises
    ------
    InputError
        If `X` has no records or columns, or numbers that are not finite or too large, if `k` is no whole number
        from 1 to n, or if `weights` are not n positive numbers of like magnitude.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> problem = microagg.Problem(np.array([[0.0], [1.0], [5.0]]), k=3)
    >>> problem.n, problem.d, problem.sst
    (3, 1, 14.0)
    >>> microagg.Problem(problem.X, k=3, weights=np.array([2.0, 2.0, 8.0])).sst
    13.75
    """

    X: FloatArray = field(repr=False)
    k: int
    weights: FloatArray | None = field(default=None, repr=False)
    missing: BoolArray | None = field(default=None, repr=False)
    prices: FloatArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        X = np.asarray(self.X, dtype=np.float64, order="C")
        X = X.copy() if X.flags.writeable else X
        if X.ndim != 2 or not X.size:
            raise InputError(f"a problem needs records and columns, found an array of shape {X.shape}")
        _check_numbers(X)
        read_only(X)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "k", checked_k(self.k, len(X)))
        if self.weights is not None:
            object.__setattr__(self, "weights", _relative_weights(self.weights, len(X)))
        if self.missing is not None:
            object.__setattr__(self, "missing", _checked_mask(self.missing, X.shape))

    @classmethod
    def of_part(
        cls,
        X: FloatArray,
        k: int,
        weights: FloatArray | None = None,
        missing: BoolArray | None = None,
        prices: FloatArray | None = None,
    ) -> "Problem":
        """Return the problem of some records of a larger one, in which a record weighs what it weighs there.

        Parameters
        ----------
        X, k
            As of any problem.
        weights
            Weights of these records in the larger problem, relative to the mean of all: they are taken as they are.
            None: all count alike.
        missing
            Cells that do not count. A column that none of the records has is 0, and has no missing cells.
        prices
            What blanked cells lose, as in the larger problem.

        Returns
        -------
        Problem
            The same as by `part` of the larger problem.

        Raises
        ------
        InputError
            As of any problem.

        Examples
        --------
        >>> import numpy as np, microagg
        >>> microagg.Problem.of_part(np.array([[0.0], [5.0]]), k=2, weights=np.array([0.5, 2.0])).weights.tolist()
        [0.5, 2.0]
        """
        if missing is not None and missing.all(axis=0).any():
            X = np.array(X, dtype=np.float64)
            missing = np.array(missing)
            _blank_absent_columns(X, missing)
            read_only(X)
            read_only(missing)
        problem = cls(X, k, None, missing, prices)
        if weights is not None:
            weights = np.asarray(weights, dtype=np.float64)
            weights = weights.copy() if weights.flags.writeable else weights
            if weights.shape != (problem.n,):
                raise InputError(
                    f"a problem needs {problem.n} weights, one a record, found an array of shape {weights.shape}"
                )
            refused = int((~(np.isfinite(weights) & (weights > 0))).sum())
            check_weights(refused, float(weights.min()), float(weights.max()), problem.n)
            read_only(weights)
            object.__setattr__(problem, "weights", weights)
        return problem

    @property
    def n(self) -> int:
        """Number of records."""
        return len(self.X)

    @property
    def d(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @cached_property
    def varying(self) -> IntArray:
        """Indices of the columns that are not constant: only these distinguish records."""
        lowest = np.min([self.X[rows].min(axis=0) for rows in row_slices(self.n)], axis=0)
        highest = np.max([self.X[rows].max(axis=0) for rows in row_slices(self.n)], axis=0)
        return np.flatnonzero(highest > lowest)

    @cached_property
    def sst(self) -> float:
        """Total squares around the centroid: the loss of one group of all records."""
        return sum(self._squares(rows) for rows in row_slices(self.n))

    @cached_property
    def centroid(self) -> FloatArray:
        """Centroid of all records, of shape (d,); 0 in columns that no record has."""
        if self.counts_all:
            return sum_of(self.X[rows].sum(axis=0) for rows in row_slices(self.n)) / self.n
        totals = sum_of(self.counted(rows).sum(axis=0) for rows in row_slices(self.n))
        sums = sum_of((self.counted(rows) * self.X[rows]).sum(axis=0) for rows in row_slices(self.n))
        return np.divide(sums, totals, out=np.zeros(self.d), where=totals > 0)

    def squares_of(self, records: IntArray) -> float:
        """Return the squares of some records around the centroid of all: those of all parts add up to `sst`.

        Parameters
        ----------
        records
            Indices of the records.

        Returns
        -------
        float
            The squares.
        """
        return sum(self._squares(records[rows]) for rows in row_slices(len(records)))

    def _squares(self, rows: slice | IntArray) -> float:
        squares = np.square(self.X[rows] - self.centroid)
        return float((squares if self.counts_all else self.counted(rows) * squares).sum())

    @property
    def counts_all(self) -> bool:
        """Whether all cells count alike."""
        return self.weights is None and self.missing is None

    def counted(self, rows: slice | IntArray, columns: slice = slice(None)) -> FloatArray:
        """Return how much the square of each cell counts, of some rows and columns.

        Parameters
        ----------
        rows, columns
            The cells.

        Returns
        -------
        ndarray of the shape of these cells
            The weight of the record, or 0 where the cell is missing.
        """
        counted = np.ones_like(self.X[rows, columns])
        if self.weights is not None:
            counted *= self.weights[rows, None]
        if self.missing is not None:
            counted[self.missing[rows, columns]] = 0.0
        return counted

    def part(self, records: IntArray, new_array: NewArray | None = None) -> "Problem":
        """Return the problem of some of the records, with the same k.

        The squares of parts add up: a record weighs there what it weighs here.

        Parameters
        ----------
        records
            Indices of the records, at least k.
        new_array
            Function that makes the array of their points; None: one in memory. This problem is returned where the part
            is all of it.

        Returns
        -------
        Problem
            Their points and weights, in the order of `records`. It has no missing cells where each column is there for
            all of them or for none: one that none has is 0 then.

        Raises
        ------
        InputError
            If there are fewer than k records.

        Examples
        --------
        >>> import numpy as np, microagg
        >>> problem = microagg.Problem(np.array([[0.0], [1.0], [5.0]]), k=2, weights=np.array([1.0, 1.0, 4.0]))
        >>> problem.part(np.array([0, 2])).weights.tolist()
        [0.5, 2.0]
        """
        if self._is_whole(records):
            return self
        X: FloatArray = (np.empty if new_array is None else new_array)((len(records), self.d), np.float64)
        for rows in row_slices(len(records)):
            X[rows] = self.X[records[rows]]
        missing = None
        if self.missing is not None:
            missing = self.missing[records]
            _blank_absent_columns(X, missing)
            read_only(missing)
        read_only(X)
        return Problem.of_part(X, self.k, self._weights_of(records), missing, self.prices)

    def _is_whole(self, records: IntArray) -> bool:
        """Check whether a part is all of this problem: all records in order, no column that none of them has."""
        if not is_all(records, self.n):
            return False
        return self.missing is None or not _all_rows(self.missing).any()

    def with_prices(self) -> "Problem":
        """Return the same problem, in which a cell that one member of a group lacks is blank for all of them.

        Returns
        -------
        Problem
            A problem with prices of blanked cells.
        """
        means = self.centroid
        variances = np.zeros(self.d)
        totals = np.zeros(self.d)
        for rows in row_slices(self.n):
            counted = self.counted(rows)
            variances += (counted * np.square(self.X[rows] - means)).sum(axis=0)
            totals += counted.sum(axis=0)
        variances = np.divide(variances, totals, out=variances, where=totals > 0)
        prices = np.stack([means, variances])
        read_only(prices)
        return Problem.of_part(self.X, self.k, self.weights, self.missing, prices)

    def filled(self, X: FloatArray) -> "Problem":
        """Return the same problem with numbers in place of its missing cells.

        Parameters
        ----------
        X
            The points, of shape (n, d).

        Returns
        -------
        Problem
            A problem without missing cells.
        """
        return Problem.of_part(X, self.k, self.weights)

    def with_gaps(self) -> "Problem":
        """Return the problem of points that tell which cells they lack, in coordinates of their own.

        Columns that the same records lack have one such coordinate together; of a single column, missing cells lie
        beyond all others.

        Returns
        -------
        Problem
            A problem without missing cells.
        """
        assert self.missing is not None
        assert self.prices is not None
        means, variances = self.prices
        if self.d == 1:
            beyond = self.X.max() + np.sqrt(_GAP * variances)
            return self.filled(np.where(self.missing, beyond, self.X))
        masks, place = np.unique(self.missing, axis=1, return_inverse=True)
        strengths = np.bincount(place.ravel(), weights=_GAP * variances)
        gaps = masks * np.sqrt(strengths)
        return self.filled(np.column_stack([np.where(self.missing, means, self.X), gaps[:, masks.any(axis=0)]]))

    def _weights_of(self, records: IntArray) -> FloatArray | None:
        """Return the weights of some records, not divided by their own mean."""
        if self.weights is None:
            return None
        weights = self.weights[records]
        read_only(weights)
        return weights


def _blank_absent_columns(X: FloatArray, missing: BoolArray) -> None:
    """Put 0 in the columns that no record has, which are then not missing.

    Parameters
    ----------
    X, missing
        IN/OUT: the points, and their missing cells.
    """
    absent = missing.all(axis=0)
    X[:, absent] = 0.0
    missing[:, absent] = False


def _checked_mask(missing: BoolArray, shape: tuple[int, ...]) -> BoolArray | None:
    """Return a mask that cannot be changed; None where it masks nothing."""
    mask = np.asarray(missing, dtype=np.bool_)
    if mask.shape != shape:
        raise InputError(f"missing must have the shape of X, {shape}, found {mask.shape}")
    mask = mask.copy() if mask.flags.writeable else mask
    read_only(mask)
    return mask if any(mask[rows].any() for rows in row_slices(len(mask))) else None


def _all_rows(mask: BoolArray) -> BoolArray:
    """Return which columns of a mask are set in every row."""
    found: BoolArray = np.all([mask[rows].all(axis=0) for rows in row_slices(len(mask))], axis=0)
    return found


def _check_numbers(X: FloatArray) -> None:
    """Refuse points that are not finite, or too far from zero."""
    largest = np.max([np.abs(X[rows]).max() for rows in row_slices(len(X))])
    if not np.isfinite(largest):
        raise InputError("a problem needs finite numbers, found NaN or infinity")
    if largest > _MAX_COORDINATE:
        raise InputError(f"a problem needs numbers whose squares can be summed, found {largest:g}")


def checked_k(k: object, n: int) -> int:
    """Return k as an int; refuse one that cannot be the smallest group of n records."""
    smallest = whole_number("k", k, at_least=1)
    if smallest > n:
        raise InputError(f"k = {smallest} is more than the {n} records there are: choose a smaller k")
    return smallest


def _relative_weights(given: FloatArray, n: int) -> FloatArray:
    """Return weights divided by their mean; equal weights are exactly 1. Refuse what cannot be weights of n records."""
    weights = np.asarray(given, dtype=np.float64)
    if weights.shape != (n,):
        raise InputError(f"a problem needs {n} weights, one a record, found an array of shape {weights.shape}")
    largest = float(weights.max())
    check_weights(int((~(np.isfinite(weights) & (weights > 0))).sum()), float(weights.min()), largest, n)
    relative = relative_weights(weights, largest, ExactSum.of(weights / largest), n)
    read_only(relative)
    return relative
