"""The problem: these points, groups of at least k."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from microagg.model.arrays import FloatArray, IntArray, ReadOnlyArrays, read_only
from microagg.model.checks import whole_number
from microagg.model.errors import InputError

_LARGEST = 1e145  # the squares of a billion such numbers, times their number, are still finite


@dataclass(frozen=True, eq=False)
class Problem(ReadOnlyArrays):
    """The points to be grouped and the smallest group allowed.

    Parameters
    ----------
    X
        The records as points, of shape (n, d): finite and near zero. They are copied unless nobody can write them.
        Information is measured here: an `Encoding` has standardised the columns if it was asked to.
    k
        The smallest group allowed, 1 ≤ k ≤ n.
    """

    X: FloatArray = field(repr=False)
    k: int

    def __post_init__(self) -> None:
        X = np.asarray(self.X, dtype=np.float64, order="C")
        X = X.copy() if X.flags.writeable else X
        if X.ndim != 2 or not X.size:
            raise InputError(f"a problem needs records and columns, found an array of shape {X.shape}")
        if not np.isfinite(X).all():
            raise InputError("a problem needs finite numbers, found NaN or infinity")
        if (largest := np.abs(X).max()) > _LARGEST:
            raise InputError(f"a problem needs numbers whose squares can be summed, found {largest:g}")
        read_only(X)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "k", checked_k(self.k, len(X)))

    @property
    def n(self) -> int:
        """How many records there are."""
        return len(self.X)

    @property
    def d(self) -> int:
        """How many columns there are."""
        return int(self.X.shape[1])

    @cached_property
    def varying(self) -> IntArray:
        """Which columns are not constant: only these tell records apart."""
        return np.flatnonzero(np.ptp(self.X, axis=0) > 0)

    @cached_property
    def sst(self) -> float:
        """The total squares around the centroid: what one group of all records would lose."""
        return float(np.square(self.X - self.X.mean(axis=0)).sum())


def checked_k(k: object, n: int) -> int:
    """Give k as an int, or say why it cannot be the smallest group of n records."""
    smallest = whole_number("k", k, at_least=1)
    if smallest > n:
        raise InputError(f"k = {smallest} is more than the {n} records there are: choose a smaller k")
    return smallest
