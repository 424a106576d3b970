"""Rule that no released cell stands for fewer than k records where values are missing."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.checks import whole_number
from microagg.model.errors import InputError
from microagg.model.group_rule import GroupRule, freeze_array


@dataclass(frozen=True, eq=False)
class PresentCells(GroupRule):
    """Rule that a group has at least k values, or none, in each column.

    Parameters
    ----------
    missing
        Whether each value is missing, of shape (n, d).
    k
        Smallest number of values that are there.

    Raises
    ------
    InputError
        If `missing` is not of shape (n, d), or `k` no whole number from 1.
    """

    missing: BoolArray = field(repr=False)
    k: int

    def __post_init__(self) -> None:
        missing = np.asarray(self.missing, dtype=np.bool_)
        if missing.ndim != 2 or not missing.size:
            raise InputError(f"a rule about missing values needs their mask of shape (n, d), found {missing.shape}")
        freeze_array(self, "missing", missing)
        object.__setattr__(self, "k", whole_number("k", self.k, at_least=1))

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        return f"at least {self.k} values that are not missing, or none, of each column in each group"

    @property
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""
        return "leave out the columns that are nearly always missing, or choose a smaller k"

    @property
    def n_records(self) -> int:
        """Number of records that the rule is about."""
        return len(self.missing)

    def reached(self, labels: IntArray) -> FloatArray:
        """Return the fewest values that a column has in each group, of columns that have any; infinite if none has."""
        counts = np.column_stack([np.bincount(labels, weights=column) for column in (~self.missing).T])
        fewest: FloatArray = np.where(counts > 0, counts, np.inf).min(axis=1)
        return fewest

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether a column has some, but too few values in each group."""
        return self.reached(labels) < self.k

    def part(self, records: IntArray) -> "PresentCells":
        """Return the rule for some of the records."""
        return PresentCells(self.missing[records], self.k)
