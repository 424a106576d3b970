"""Rules that no contributor accounts for too much of a group's total, as for tables of enterprises."""

from dataclasses import dataclass, field

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.checks import positive_number, whole_number
from microagg.model.errors import InputError
from microagg.model.group_rule import ALLOWANCE, GroupRule, freeze


@dataclass(frozen=True, eq=False)
class Dominance(GroupRule):
    """Rule that the n largest contributors have no more than a share of a group's total: (n, k) dominance.

    Contributions are sizes without signs; those of one unit in a group are summed, as it is one contributor. A group
    whose total is 0 satisfies the rule.

    Parameters
    ----------
    name
        Name of the column.
    amounts
        Contribution of each record, of shape (n,): finite.
    n
        Number of the largest contributors that are counted.
    share
        Largest share that they may have, below 1.
    units
        Unit of each record as a number, of shape (n,). None: every record is a contributor of its own.

    Raises
    ------
    InputError
        If `amounts` is not one finite number for each record, `n` no whole number from 1, `share` not from 0 to 1, or
        `units` not one whole number for each record.
    """

    name: str
    amounts: FloatArray = field(repr=False)
    n: int
    share: float
    units: IntArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _freeze_amounts(self)
        object.__setattr__(self, "n", whole_number("n", self.n, at_least=1))
        object.__setattr__(self, "share", positive_number("share", self.share))
        if self.share >= 1:
            raise InputError(f"share must be below 1, such as 0.8 for 80 %, found {self.share:g}")

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        noun = "contributor" if self.units is None else "contributing unit"
        who = f"largest {noun}" if self.n == 1 else f"{self.n} largest {noun}s"
        return f"the {who} with at most {100 * self.share:g} % of the total of {self.name!r} in each group (dominance)"

    @property
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""
        return "choose a larger share"

    @property
    def n_records(self) -> int:
        """Number of records that the rule is about."""
        return len(self.amounts)

    def reached(self, labels: IntArray) -> FloatArray:
        """Return the share of the largest contributors in each group; 0 where the total is 0."""
        groups, sums = _contributions(labels, self.amounts, self.units)
        totals = np.bincount(groups, weights=sums)
        largest = _sum_of_largest(groups, sums, self.n)
        return np.divide(largest, totals, out=np.zeros_like(totals), where=totals > 0)

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether the largest contributors have too much of each group's total."""
        return self.reached(labels) > self.share * (1 + ALLOWANCE)

    def part(self, records: IntArray) -> "Dominance":
        """Return the rule for some of the records."""
        units = None if self.units is None else self.units[records]
        return Dominance(self.name, self.amounts[records], self.n, self.share, units)


@dataclass(frozen=True, eq=False)
class PPercent(GroupRule):
    """Rule that a group's total without the two largest contributors is at least p % of the largest: p % rule.

    The second largest then cannot estimate the largest to within p %. Contributions are sizes without signs; those of
    one unit in a group are summed, as it is one contributor. A group whose total is 0 satisfies the rule.

    Parameters
    ----------
    name
        Name of the column.
    amounts
        Contribution of each record, of shape (n,): finite.
    p
        Smallest rest in percent of the largest contributor.
    units
        Unit of each record as a number, of shape (n,). None: every record is a contributor of its own.

    Raises
    ------
    InputError
        If `amounts` is not one finite number for each record, `p` is not positive, or `units` is not one whole number
        for each record.
    """

    name: str
    amounts: FloatArray = field(repr=False)
    p: float
    units: IntArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _freeze_amounts(self)
        object.__setattr__(self, "p", positive_number("p", self.p))

    @property
    def sentence(self) -> str:
        """What each group must have, for people."""
        noun = "contributors" if self.units is None else "contributing units"
        return (
            f"the total of {self.name!r} without the two largest {noun} "
            f"at least {self.p:g} % of the largest in each group (p % rule)"
        )

    @property
    def remedy(self) -> str:
        """What to do where not even all records together satisfy the rule."""
        return "choose a smaller p"

    @property
    def n_records(self) -> int:
        """Number of records that the rule is about."""
        return len(self.amounts)

    def reached(self, labels: IntArray) -> FloatArray:
        """Return the rest of each group in percent of its largest contributor; infinite where the total is 0."""
        groups, sums = _contributions(labels, self.amounts, self.units)
        largest = _sum_of_largest(groups, sums, 1)
        rest = _sum_without_largest(groups, sums, 2)
        return np.divide(100.0 * rest, largest, out=np.full_like(rest, np.inf), where=largest > 0)

    def violated(self, labels: IntArray) -> BoolArray:
        """Return whether the rest of each group is too small."""
        return self.reached(labels) < self.p * (1 - ALLOWANCE)

    def part(self, records: IntArray) -> "PPercent":
        """Return the rule for some of the records."""
        return PPercent(self.name, self.amounts[records], self.p, None if self.units is None else self.units[records])


def _freeze_amounts(rule: Dominance | PPercent) -> None:
    """Replace amounts by their sizes, the largest from ½ to 1: they are compared with each other only.

    So their sums are finite. The scale is a power of 2, which rounds nothing.
    """
    sizes = np.abs(np.asarray(rule.amounts, dtype=np.float64))
    if not np.isfinite(sizes).all():
        raise InputError(f"rules about the amounts of {rule.name!r} need finite numbers, found NaN or infinity")
    exponent = np.frexp(sizes.max(initial=0.0))[1]
    object.__setattr__(rule, "amounts", np.ldexp(sizes, -exponent))
    freeze(rule, "amounts", np.float64)
    if rule.units is None:
        return
    freeze(rule, "units", np.int64)
    if len(rule.units) != len(rule.amounts):
        raise InputError(
            f"a rule about {len(rule.amounts)} amounts needs the unit of each, found {len(rule.units)} units"
        )


def _contributions(labels: IntArray, amounts: FloatArray, units: IntArray | None) -> tuple[IntArray, FloatArray]:
    """Return the group and the amount of each contributor: of a record, or of all of a unit's records in a group."""
    if units is None:
        return labels, amounts
    distinct, numbers = np.unique(units, return_inverse=True)
    pairs, places = np.unique(labels * len(distinct) + numbers, return_inverse=True)
    return pairs // len(distinct), np.bincount(places, weights=amounts).astype(np.float64)


def _ranks(labels: IntArray, amounts: FloatArray) -> IntArray:
    """Return the rank of each amount in its group, 0 for the largest."""
    order = np.lexsort((-amounts, labels))
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    ranks = np.empty(len(labels), dtype=np.int64)
    ranks[order] = np.arange(len(labels)) - starts[labels[order]]
    return ranks


def _sum_of_largest(labels: IntArray, amounts: FloatArray, n: int) -> FloatArray:
    """Sum the n largest amounts of each group."""
    counted: FloatArray = np.where(_ranks(labels, amounts) < n, amounts, 0.0)
    return np.bincount(labels, weights=counted).astype(np.float64)


def _sum_without_largest(labels: IntArray, amounts: FloatArray, n: int) -> FloatArray:
    """Sum the amounts of each group without the n largest."""
    counted: FloatArray = np.where(_ranks(labels, amounts) < n, 0.0, amounts)
    return np.bincount(labels, weights=counted).astype(np.float64)
