"""Rules that a group has enough different units or values."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.checks import positive_number, whole_number
from microagg.model.errors import InputError
from microagg.model.group_rule import ALLOWANCE, GroupRule, count_pairs, freeze

MISSING = -1
"""Code of a value that is missing."""


@dataclass(frozen=True, eq=False)
class DistinctUnits(GroupRule):
    """Rule that a group has records of at least k different units, such as households.

    Parameters
    ----------
    units
        Unit of each record as a number, of shape (n,).
    k
        Smallest number of units.

    Raises
    ------
    InputError
        If `units` is not one whole number for each record, or `k` no whole number from 1.
    """

    units: IntArray = field(repr=False)
    k: int

    def __post_init__(self) -> None:
        freeze(self, "units", np.int64)
        object.__setattr__(self, "k", whole_number("k", self.k, at_least=1))

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        return f"at least {self.k} different units in each group"

    @property
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""
        return "choose a smaller k or, where there are strata, coarser ones"

    @property
    def n_records(self) -> int:
        """Number of records that the rule is about."""
        return len(self.units)

    def reached(self, labels: IntArray) -> FloatArray:
        """Return the number of different units in each group."""
        return _distinct(labels, self.units, int(labels.max()) + 1)

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether each group has too few units."""
        return self.reached(labels) < self.k

    def part(self, records: IntArray) -> "DistinctUnits":
        """Return the rule for some of the records."""
        return DistinctUnits(self.units[records], self.k)


@dataclass(frozen=True, eq=False)
class DistinctValues(GroupRule):
    """Rule that a group has several different values of a column: distinct l-diversity, p-sensitive k-anonymity.

    A missing value is none: a group in which all are missing has 0 values.

    Parameters
    ----------
    name
        Name of the column.
    codes
        Number of each record's value, of shape (n,): equal if and only if the values are; −1 where it is missing.
    at_least
        Smallest number of different values; 2 refuses groups in which the value is constant.

    Raises
    ------
    InputError
        If `codes` is not one whole number for each record, or `at_least` no whole number from 1.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1).
    Truta & Vinay (2006), Privacy protection: p-sensitive k-anonymity property, ICDE Workshops.
    """

    name: str
    codes: IntArray = field(repr=False)
    at_least: int

    def __post_init__(self) -> None:
        freeze(self, "codes", np.int64)
        object.__setattr__(self, "at_least", whole_number("at_least", self.at_least, at_least=1))

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        return f"at least {self.at_least} different values of {self.name!r} in each group (l-diversity)"

    @property
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""
        return "choose a smaller l"

    @property
    def n_records(self) -> int:
        """Number of records that the rule is about."""
        return len(self.codes)

    def reached(self, labels: IntArray) -> FloatArray:
        """Return the number of different values in each group; missing ones do not count."""
        present = self.codes != MISSING
        return _distinct(labels[present], self.codes[present], int(labels.max()) + 1)

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether each group has too few values."""
        return self.reached(labels) < self.at_least

    def part(self, records: IntArray) -> "DistinctValues":
        """Return the rule for some of the records."""
        return DistinctValues(self.name, self.codes[records], self.at_least)


@dataclass(frozen=True, eq=False)
class EntropyDiversity(GroupRule):
    """Rule that the values of a column in a group are as diverse as l equally frequent ones: entropy l-diversity.

    A missing value is none: shares are those among the values that are there, and a group without any has a diversity
    of 0.

    Parameters
    ----------
    name
        Name of the column.
    codes
        Number of each record's value, of shape (n,): equal if and only if the values are; −1 where it is missing.
    l
        Smallest exponential of the entropy of a group's values.

    Raises
    ------
    InputError
        If `codes` is not one whole number for each record, or `l` is below 1.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1).
    """

    name: str
    codes: IntArray = field(repr=False)
    l: float  # noqa: E741 - the letter of the field

    def __post_init__(self) -> None:
        freeze(self, "codes", np.int64)
        object.__setattr__(self, "l", positive_number("l", self.l))
        if self.l < 1:
            raise InputError(f"l must be at least 1, found {self.l:g}")

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        return f"values of {self.name!r} as diverse as {self.l:g} equally frequent ones in each group (entropy)"

    @property
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""
        return "choose a smaller l"

    @property
    def n_records(self) -> int:
        """Number of records that the rule is about."""
        return len(self.codes)

    def reached(self, labels: IntArray) -> FloatArray:
        """Return the exponential of the entropy of each group's values; 0 where all are missing."""
        n_groups = int(labels.max()) + 1
        present = self.codes != MISSING
        groups, _, counts = count_pairs(labels[present], self.codes[present])
        n_present = np.bincount(labels[present], minlength=n_groups)
        shares = counts / n_present[groups]
        entropies = np.bincount(groups, weights=-shares * np.log(shares), minlength=n_groups)
        diversity: FloatArray = np.where(n_present > 0, np.exp(entropies), 0.0)
        return diversity

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether each group's values have too little entropy."""
        return self.reached(labels) < self.l * (1 - ALLOWANCE)

    def part(self, records: IntArray) -> "EntropyDiversity":
        """Return the rule for some of the records."""
        return EntropyDiversity(self.name, self.codes[records], self.l)


def _distinct(labels: IntArray, codes: IntArray, n_groups: int) -> FloatArray:
    """Count the different codes in each group."""
    groups, _, _ = count_pairs(labels, codes)
    return np.bincount(groups, minlength=n_groups).astype(np.float64)
