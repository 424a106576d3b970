"""Rule that the values of a column are distributed in a group much as in the whole table: t-closeness."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.checks import positive_number
from microagg.model.errors import InputError
from microagg.model.group_rule import ALLOWANCE, GroupRule, count_pairs, freeze, freeze_array


@dataclass(frozen=True, eq=False)
class Closeness(GroupRule):
    """Rule that a group's values of a column are at an earth mover's distance of at most t from the reference.

    Ordered: values i and j of m are |i − j|/(m − 1) apart, as for numbers and ordinals. Else any two are 1 apart.

    Parameters
    ----------
    name
        Name of the column.
    codes
        Number of each record's value, of shape (n,), from 0 to m − 1; its rank among the m different values if ordered.
    t
        Largest distance allowed.
    reference
        How many records of the whole table have each value, of shape (m,).
    ordered
        Whether the values have an order.

    Raises
    ------
    InputError
        If `codes` is not one number from 0 to m − 1 for each record, if the reference has no records, or if `t` is not
        positive.

    References
    ----------
    Li, Li & Venkatasubramanian (2007), t-closeness: privacy beyond k-anonymity and l-diversity, ICDE.
    """

    name: str
    codes: IntArray = field(repr=False)
    t: float
    reference: IntArray = field(repr=False)
    ordered: bool

    def __post_init__(self) -> None:
        freeze(self, "codes", np.int64)
        reference = np.asarray(self.reference)
        whole = np.issubdtype(reference.dtype, np.integer)
        if reference.ndim != 1 or not whole or not reference.size or reference.min() < 0 or not reference.sum():
            raise InputError("t-closeness needs a reference of counts ≥ 0, one for each value, and not all of them 0")
        freeze_array(self, "reference", reference.astype(np.int64, copy=False))
        if self.codes.min() < 0 or self.codes.max() >= len(reference):
            raise InputError(f"t-closeness needs codes from 0 to {len(reference) - 1}, one for each reference value")
        object.__setattr__(self, "t", positive_number("t", self.t))

    @classmethod
    def to_all(cls, name: str, codes: IntArray, t: float, *, ordered: bool) -> "Closeness":
        """Return the rule whose reference are all records that it is about.

        Parameters
        ----------
        name
            Name of the column.
        codes
            Number of each record's value; equal if and only if the values are, and in their order if ordered.
        t
            Largest distance allowed.
        ordered
            Whether the values have an order.
        """
        ranks = np.unique(codes, return_inverse=True)[1].astype(np.int64)
        return cls(name, ranks, t, np.bincount(ranks), ordered)

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        return f"values of {self.name!r} in each group within {self.t:g} of those of all records (t-closeness)"

    @property
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""
        return "choose a larger t, or larger strata"

    @property
    def n_records(self) -> int:
        """Number of records that the rule is about."""
        return len(self.codes)

    def reached(self, labels: IntArray) -> FloatArray:
        """Return the earth mover's distance of each group's values from the reference."""
        return self._ordered_distances(labels) if self.ordered else self._equal_distances(labels)

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether each group is too far from the reference."""
        return self.reached(labels) > self.t * (1 + ALLOWANCE)

    def part(self, records: IntArray) -> "Closeness":
        """Return the rule for some of the records; the reference stays that of the whole table."""
        return Closeness(self.name, self.codes[records], self.t, self.reference, self.ordered)

    def _equal_distances(self, labels: IntArray) -> FloatArray:
        """Sum by how much values are more frequent in each group than in the reference."""
        groups, values, counts = count_pairs(labels, self.codes)
        excess = counts / np.bincount(labels)[groups] - self.reference[values] / self.reference.sum()
        too_frequent: FloatArray = np.maximum(excess, 0.0)
        return np.bincount(groups, weights=too_frequent).astype(np.float64)

    def _ordered_distances(self, labels: IntArray) -> FloatArray:
        """Sum the differences of the cumulative distributions over the values.

        That of a group of g is i/g from its i-th record to the next one. There, the reference rises through i/g once:
        on either side, sums of its cumulative counts give the differences.
        """
        cumulative = np.cumsum(self.reference)
        total = int(cumulative[-1])
        sums = np.concatenate([[0], np.cumsum(cumulative)])
        order = np.lexsort((self.codes, labels))
        sizes = np.bincount(labels)
        ends = np.cumsum(sizes)
        codes = self.codes[order]
        before = np.insert(codes, ends, len(cumulative))
        after = np.insert(codes, ends - sizes, 0)
        groups = np.repeat(np.arange(len(sizes)), sizes + 1)
        level = (np.arange(len(groups)) - (ends - sizes + np.arange(len(sizes)))[groups]) / sizes[groups]
        crossing = np.clip(np.searchsorted(cumulative, level * total), after, before)
        below = level * (crossing - after) - (sums[crossing] - sums[after]) / total
        above = (sums[before] - sums[crossing]) / total - level * (before - crossing)
        return np.bincount(groups, weights=below + above) / max(1, len(cumulative) - 1)
