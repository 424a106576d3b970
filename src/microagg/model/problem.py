"""Microaggregation problem: points, and the smallest group allowed."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.checks import whole_number
from microagg.model.errors import InputError

_MAX_COORDINATE = 1e145  # the squares of a billion such numbers, times their number, are still finite


@dataclass(frozen=True, eq=False)
class Problem(ReadOnlyArrays):
    """Points to be grouped, and the smallest group allowed.

    Parameters
    ----------
    X
        Records as points, of shape (n, d): finite and near zero. Copied unless it is read-only.
        Information is measured here: an `Encoding` has standardised the columns if so chosen.
    k
        Smallest group allowed, 1 ≤ k ≤ n.
    missing
        Cells of `X` that do not count, of shape (n, d); None if all do. `X` holds any finite numbers there. Stages are
        given problems without such cells: see `microagg.solve`.

    Raises
    ------
    InputError
        If `X` has no records or columns, or numbers that are not finite or too large, or if `k` is no whole number
        from 1 to n.

    Examples
    --------
    >>> import numpy as np, microagg
    >>> problem = microagg.Problem(np.array([[0.0], [1.0], [5.0]]), k=3)
    >>> problem.n, problem.d, problem.sst
    (3, 1, 14.0)
    """

    X: FloatArray = field(repr=False)
    k: int
    missing: BoolArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        X = np.asarray(self.X, dtype=np.float64, order="C")
        X = X.copy() if X.flags.writeable else X
        if X.ndim != 2 or not X.size:
            raise InputError(f"a problem needs records and columns, found an array of shape {X.shape}")
        if not np.isfinite(X).all():
            raise InputError("a problem needs finite numbers, found NaN or infinity")
        largest = np.abs(X).max()
        if largest > _MAX_COORDINATE:
            raise InputError(f"a problem needs numbers whose squares can be summed, found {largest:g}")
        read_only(X)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "k", _checked_k(self.k, len(X)))
        if self.missing is not None:
            object.__setattr__(self, "missing", _checked_mask(self.missing, X.shape))

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
        return np.flatnonzero(np.ptp(self.X, axis=0) > 0)

    @cached_property
    def sst(self) -> float:
        """Total squares around the centroid: the loss of one group of all records."""
        if self.missing is None:
            return float(np.square(self.X - self.X.mean(axis=0)).sum())
        present = np.where(self.missing, np.nan, self.X)[:, ~self.missing.all(axis=0)]
        return float(np.nansum(np.square(present - np.nanmean(present, axis=0))))

    def part(self, records: IntArray) -> "Problem":
        """Return the problem of grouping some of the records.

        Parameters
        ----------
        records
            Their indices, of shape (any number,).

        Returns
        -------
        Problem
            With the same k; columns that all of them have or all of them lack count fully or not at all.

        Raises
        ------
        InputError
            If there are fewer than k.
        """
        X = self.X[records]
        if self.missing is None:
            return Problem(X, self.k)
        missing = self.missing[records]
        partly = (missing.any(axis=0) & ~missing.all(axis=0)).any()
        if partly:
            return Problem(X, self.k, missing)
        X[:, missing[0]] = 0.0
        return Problem(X, self.k)


def _checked_mask(missing: BoolArray, shape: tuple[int, ...]) -> BoolArray | None:
    """Return a mask that cannot be changed; None where it masks nothing."""
    mask = np.array(missing, dtype=np.bool_)
    if mask.shape != shape:
        raise InputError(f"missing must have the shape of X, {shape}, found {mask.shape}")
    read_only(mask)
    return mask if mask.any() else None


def _checked_k(k: object, n: int) -> int:
    """Return k as an int; refuse one that cannot be the smallest group of n records."""
    smallest = whole_number("k", k, at_least=1)
    if smallest > n:
        raise InputError(f"k = {smallest} is more than the {n} records there are: choose a smaller k")
    return smallest
