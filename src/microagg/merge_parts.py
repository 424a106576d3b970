"""Merge parts that are too small with the nearest ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.exact_sum import ExactSum

Members = int | IntArray
"""A number of records; or, where units are counted in their place, the codes of their units, each once, ascending."""


@dataclass(frozen=True, eq=False)
class PartTally:
    """What tells of a part whether it is too small, and which one is near; those of two parts add up.

    Parameters
    ----------
    stratum
        Number of its stratum.
    n_records
        Number of its records.
    sums
        Sum of each coordinate of its points.
    members
        Its records or their units.
    present
        The records or units that have a cell, in each of some columns.
    """

    stratum: int
    n_records: int
    sums: tuple[ExactSum, ...]
    members: Members
    present: tuple[Members, ...]

    def joined_by(self, other: "PartTally") -> "PartTally":
        """Return the tally of this part when another has joined it."""
        return PartTally(
            self.stratum,
            self.n_records + other.n_records,
            tuple(one.merged(another) for one, another in zip(self.sums, other.sums, strict=True)),
            _together(self.members, other.members),
            tuple(_together(one, another) for one, another in zip(self.present, other.present, strict=True)),
        )

    @property
    def n_members(self) -> int:
        """Number of its records, or of their units."""
        return _number(self.members)

    @property
    def mean(self) -> FloatArray:
        """Mean of its points: it does not depend on the order of the records."""
        return np.array([float(one) for one in self.sums]) / self.n_records

    def is_small(self, k: int) -> bool:
        """Check whether there are fewer than k, or fewer than k cells, but some, of a column."""
        return self.n_members < k or any(0 < _number(some) < k for some in self.present)


def _number(members: Members) -> int:
    return members if isinstance(members, int) else len(members)


def _together(one: Members, other: Members) -> Members:
    if isinstance(one, int):
        assert isinstance(other, int), "all parts count the same"
        return one + other
    return np.union1d(one, other)


def merge_small_parts(parts: Sequence[PartTally], k: int) -> list[tuple[int, int]]:
    """Let parts that are too small join others, one after another, the smallest first.

    Each joins the part whose mean is nearest: one of the same stratum if there is one.

    Parameters
    ----------
    parts
        The parts.
    k
        Smallest group allowed.

    Returns
    -------
    list of tuple of int
        The part that has joined another, and that other, in the order in which they were merged. No part is too small
        then, or only one is left.
    """
    merging = _Merging(parts, k)
    pairs = []
    while (pair := merging.merge_smallest()) is not None:
        pairs.append(pair)
    return pairs


def parts_joined(n_parts: int, pairs: Sequence[tuple[int, int]]) -> IntArray:
    """Return the part that each part belongs to in the end.

    Parameters
    ----------
    n_parts
        Number of parts.
    pairs
        What `merge_small_parts` returns.
    """
    joined = np.arange(n_parts)
    for part, other in reversed(pairs):
        joined[part] = joined[other]
    return joined


class _Merging:
    """Parts, some of which are too small, and those that have joined others."""

    def __init__(self, parts: Sequence[PartTally], k: int) -> None:
        self._parts = list(parts)
        self._k = k
        self._strata = np.array([part.stratum for part in parts])
        self._means = np.array([part.mean for part in parts])
        self._counts = np.array([part.n_members for part in parts])
        self._small = np.array([part.is_small(k) for part in parts])
        self._left = np.ones(len(parts), dtype=np.bool_)

    def merge_smallest(self) -> tuple[int, int] | None:
        """Merge the smallest of the parts that are too small into the nearest; None if there is nothing to merge."""
        small = np.flatnonzero(self._small)
        if not len(small) or np.count_nonzero(self._left) == 1:
            return None
        part = int(small[self._counts[small].argmin()])
        self._left[part] = False
        self._small[part] = False
        other = self._nearest(part)
        both = self._parts[other].joined_by(self._parts[part])
        self._parts[other] = both
        self._means[other] = both.mean
        self._counts[other] = both.n_members
        self._small[other] = both.is_small(self._k)
        return part, other

    def _nearest(self, part: int) -> int:
        """Return the part whose mean is nearest, among those that are left."""
        in_stratum = self._left & (self._strata == self._strata[part])
        others = np.flatnonzero(in_stratum if in_stratum.any() else self._left)
        distances = np.square(self._means[others] - self._means[part]).sum(axis=1)
        return int(others[distances.argmin()])
