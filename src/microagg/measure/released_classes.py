"""Classes of records that share all of their protected values in the release: what an intruder cannot tell apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microagg.measure.compared_tables import ComparedTables
from microagg.model.arrays import IntArray
from microagg.model.pair_codes import pair_codes


@dataclass(frozen=True, eq=False)
class ReleasedClasses:
    """Classes of records that are equal in every protected column of the release.

    A missing value counts as a value of its own.

    Parameters
    ----------
    labels
        Class of each record, of shape (n,), counted from 0 without gaps.
    sizes
        Number of records of each class, of shape (n_classes,).
    firsts
        First record of each class, of shape (n_classes,).
    """

    labels: IntArray
    sizes: IntArray
    firsts: IntArray

    @classmethod
    def of(cls, tables: ComparedTables, names: Sequence[str] | None = None) -> "ReleasedClasses":
        """Return the classes of a release by some of its protected columns; None: by all of them, of every set."""
        labels = tables.after.patterns(tables.names if names is None else names)
        firsts = np.unique(labels, return_index=True)[1].astype(np.int64)
        return cls(labels, np.bincount(labels).astype(np.int64), firsts)

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self.sizes)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(self.labels)

    def unit_counts(self, units: IntArray | None) -> IntArray:
        """Return the number of different units of each class; that of its records where there are no units."""
        return self.sizes if units is None else count_units(self.labels, units)

    def size_counts(self) -> tuple[tuple[int, int], ...]:
        """Return the sizes that occur, the smallest first, and how many classes have each."""
        sizes, counts = np.unique(self.sizes, return_counts=True)
        return tuple(zip(sizes.tolist(), counts.tolist(), strict=True))


def units_of(tables: ComparedTables) -> IntArray | None:
    """Return the unit of each record, by the original, as a release may have left it out; None where there are none."""
    name = None if tables.plan is None else tables.plan.roles.unit
    if name is None:
        return None
    tables.before.check_name(name)
    return tables.before.codes(name)


def count_units(labels: IntArray, units: IntArray) -> IntArray:
    """Return the number of different units of each class, the classes counted from 0 without gaps."""
    different = np.unique(pair_codes(labels, units), return_index=True)[1]
    return np.bincount(labels[different]).astype(np.int64)
