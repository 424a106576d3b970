"""Rule that no released cell stands for fewer than k records where values are missing."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.checks import whole_number
from microagg.model.errors import InputError
from microagg.model.group_rule import GroupRule, count_pairs, freeze, freeze_array


@dataclass(frozen=True, eq=False)
class PresentCells(GroupRule):
    """Rule that a group has values of at least k records or units, or none, in each column.

    Parameters
    ----------
    missing
        Whether each value is missing, of shape (n, d).
    k
        Smallest number of values that are there.
    units
        Unit of each record as a number, of shape (n,): values of one unit count once. None: every value counts.

    Raises
    ------
    InputError
        If `missing` is not of shape (n, d), `k` no whole number from 1, or `units` not one whole number a record.
    """

    missing: BoolArray = field(repr=False)
    k: int
    units: IntArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        missing = np.asarray(self.missing, dtype=np.bool_)
        if missing.ndim != 2 or not missing.size:
            raise InputError(f"a rule about missing values needs their mask of shape (n, d), found {missing.shape}")
        freeze_array(self, "missing", missing)
        object.__setattr__(self, "k", whole_number("k", self.k, at_least=1))
        if self.units is not None:
            freeze(self, "units", np.int64)

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        of_units = "" if self.units is None else " from different units"
        return f"at least {self.k} values{of_units} that are not missing, or none, of each column in each group"

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
        n_groups = int(labels.max()) + 1
        fewest = np.full(n_groups, np.inf)
        for missing in self.missing.T:
            counts = self._count(labels, ~missing, n_groups)
            np.minimum(fewest, np.where(counts > 0, counts, np.inf), out=fewest)
        return fewest

    def _count(self, labels: IntArray, present: BoolArray, n_groups: int) -> IntArray:
        """Count the values that are there in each group, or the units that have one."""
        if self.units is None:
            return np.bincount(labels[present], minlength=n_groups).astype(np.int64)
        groups, _, _ = count_pairs(labels[present], self.units[present])
        return np.bincount(groups, minlength=n_groups).astype(np.int64)

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether a column has some, but too few values in each group."""
        return self.reached(labels) < self.k

    def part(self, records: IntArray) -> "PresentCells":
        """Return the rule for some of the records."""
        return PresentCells(self.missing[records], self.k, None if self.units is None else self.units[records])
