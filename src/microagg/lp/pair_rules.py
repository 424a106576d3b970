"""Ryan–Foster rules on pairs of records, and the must-link sets that they make."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from microagg.model.arrays import IntArray


class PairRule(NamedTuple):
    """Rule that two records are in one group, or in two."""

    first: int
    second: int
    together: bool


def must_link_sets(n: int, rules: Iterable[PairRule]) -> list[IntArray]:
    """Return the sets of two or more records that rules put together, directly or through others."""
    names = np.arange(n)
    for rule in rules:
        if rule.together:
            names[names == names[rule.first]] = names[rule.second]
    return [np.flatnonzero(names == name) for name in np.flatnonzero(np.bincount(names) > 1)]


def must_link_partners(n: int, sets: Sequence[IntArray]) -> IntArray:
    """Return the other records of each record's must-link set, of shape (n, largest set − 1), padded with −1."""
    partners = np.full((n, max(map(len, sets), default=2) - 1), -1, dtype=np.int64)
    for linked in sets:
        for record in linked:
            partners[record, : len(linked) - 1] = linked[linked != record]
    return partners
