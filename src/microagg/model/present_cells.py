"""Rule that no released cell stands for fewer than k records, or units, where values are missing."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.checks import whole_number
from microagg.model.errors import InputError
from microagg.model.group_rule import GroupRule, freeze, freeze_array


@dataclass(frozen=True, eq=False)
class PresentCells(GroupRule):
    """Rule that a group has values of at least k records, or units, or none at all, in each column.

    Parameters
    ----------
    missing
        Whether each value is missing, of shape (n, d).
    k
        Smallest number of records, or units, whose value is there.
    units
        Unit of each record as a number, of shape (n,); None if each record is one.

    Raises
    ------
    InputError
        If `missing` is not of shape (n, d), `k` no whole number from 1, or `units` not one number for each record.
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
            if len(self.units) != len(missing):
                raise InputError(f"a rule about {len(missing)} records needs their units, found {len(self.units)}")

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        of_units = "" if self.units is None else " of different units"
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
        units = np.arange(self.n_records) if self.units is None else self.units
        n_groups = int(labels.max()) + 1
        counts = np.column_stack([_distinct(labels[there], units[there], n_groups) for there in (~self.missing).T])
        fewest: FloatArray = np.where(counts > 0, counts, np.inf).min(axis=1)
        return fewest

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether a column has some, but too few values in each group."""
        return self.reached(labels) < self.k

    def part(self, records: IntArray) -> "PresentCells":
        """Return the rule for some of the records."""
        return PresentCells(self.missing[records], self.k, None if self.units is None else self.units[records])


def _distinct(labels: IntArray, units: IntArray, n_groups: int) -> IntArray:
    """Return the number of different units in each group."""
    pairs = np.unique(np.column_stack([labels, units]), axis=0)
    return np.bincount(pairs[:, 0], minlength=n_groups).astype(np.int64)
