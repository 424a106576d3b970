"""Lists of candidate groups, of which a partition may consist."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from microagg.certify.claim import Decision
from microagg.model.arrays import BoolArray, FloatArray, IntArray


class GroupList(NamedTuple):
    """Candidate groups and their sse."""

    groups: Any  # sparse array of shape (count, n): 1 where the group holds the record
    sses: FloatArray  # (count,)

    @staticmethod
    def of(squares: FloatArray, listed: Sequence[IntArray]) -> "GroupList":
        """Gather arrays of groups, each of shape (any number, size)."""
        from scipy.sparse import csr_array

        sizes = np.concatenate([np.full(len(groups), groups.shape[1]) for groups in listed])
        records = np.concatenate([groups.ravel() for groups in listed])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        ones = np.ones(len(records), dtype=np.int64)
        groups = csr_array((ones, records, starts), shape=(len(sizes), len(squares)))
        return GroupList(groups, np.concatenate([_sses(squares, groups) for groups in listed]))

    @property
    def size(self) -> int:
        """How many groups there are."""
        return len(self.sses)

    def only(self, which: BoolArray) -> "GroupList":
        """Return the groups that a mask selects."""
        return GroupList(self.groups[which], self.sses[which])

    def obeying(self, decision: Decision) -> "GroupList":
        """Return the groups that hold both records or none if they are together, and not both if they are apart."""
        held = self.groups[:, [decision.one, decision.other]].sum(axis=1)
        return self.only(held != (1 if decision.together else 2))

    @property
    def covers_all(self) -> bool:
        """Whether every record is in a group."""
        return bool(self.groups.sum(axis=0).all())


def _sses(squares: FloatArray, groups: IntArray) -> FloatArray:
    sums: FloatArray = np.zeros(len(groups))
    for one, other in combinations(range(groups.shape[1]), 2):
        sums += squares[groups[:, one], groups[:, other]]
    sums /= groups.shape[1]
    return sums
