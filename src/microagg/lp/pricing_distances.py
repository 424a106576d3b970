"""Squared distances as pricing sees them, under rules on pairs of records."""

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from microagg.lp.pair_rules import PairRule, must_link_partners, must_link_sets
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.problem import Problem


class DistanceSplit(NamedTuple):
    """Uneven split of the squared distances of some pairs between their two records."""

    first: IntArray  # (n_pairs,)
    second: IntArray  # (n_pairs,)
    excess: FloatArray  # (n_pairs,) what the first is charged above one half, not scaled

    @staticmethod
    def even() -> "DistanceSplit":
        """Return the split into halves."""
        nothing = np.empty(0, dtype=np.int64)
        return DistanceSplit(nothing, nothing, np.empty(0))


class PricingDistances:
    """Scaled squared distances, their split between two records, and what rules on pairs make of both.

    No group splits a must-link set: so nothing changes if what the set costs is shared out evenly among its records,
    and they are no distance apart. Records that must not be in one group are infinitely far apart.

    Parameters
    ----------
    problem
        The records, at least two of them in a group.
    scale
        What squared distances are multiplied by.
    split
        How the squared distance of two records is split between them where both are added to a group.
    """

    def __init__(self, problem: Problem, scale: float, split: DistanceSplit) -> None:
        from microagg.kernels.pricing.nearest_sums import nearest_sums

        self.problem = problem
        self.squares = scaled_squares(problem.X, scale)
        self.halves = 0.5 * self.squares
        self.halves[split.first, split.second] += scale * split.excess
        self.halves[split.second, split.first] -= scale * split.excess
        self.sums = nearest_sums(self.halves, 2 * problem.k - 3)
        self.largest_sum = float(np.abs(self.sums[np.isfinite(self.sums)]).max())
        self.partners = must_link_partners(problem.n, [])
        self._linked: list[IntArray] = []  # the must-link sets
        self._linked_squares: list[float] = []  # the squared distances within each
        self._ruled: IntArray = np.empty((2, 0), dtype=np.int64)  # the pairs whose distances rules have replaced
        self._ruled_squares = np.empty(0)  # their own distances
        self._ruled_halves = np.empty(0)

    def enforce(self, rules: Sequence[PairRule]) -> None:
        """Replace the distances that rules are about, and restore those of earlier rules."""
        from microagg.kernels.pricing.nearest_sums import nearest_sums

        self.squares[*self._ruled] = self._ruled_squares
        self.halves[*self._ruled] = self._ruled_halves
        n, k = self.problem.n, self.problem.k
        self._linked = must_link_sets(n, rules)
        self._linked_squares = [float(self.squares[np.ix_(linked, linked)].sum()) / 2 for linked in self._linked]
        self.partners = must_link_partners(n, self._linked)
        together = [both for linked in self._linked for both in permutations(linked.tolist(), 2)]
        apart = [
            both
            for rule in rules
            if not rule.together
            for both in ((rule.first, rule.second), (rule.second, rule.first))
        ]
        self._ruled = np.array([*together, *apart], dtype=np.int64).reshape(-1, 2).T
        self._ruled_squares = self.squares[*self._ruled]
        self._ruled_halves = self.halves[*self._ruled]
        replaced = np.repeat([0.0, np.inf], [len(together), len(apart)])
        self.squares[*self._ruled] = replaced
        self.halves[*self._ruled] = replaced
        self.sums = nearest_sums(self.halves, 2 * k - 3)

    def shared_duals(self, duals: FloatArray, size: int) -> FloatArray:
        """Share out among the records of each must-link set its duals, less what it costs in a group of this size."""
        shared = duals.copy()
        for linked, squares in zip(self._linked, self._linked_squares, strict=True):
            shared[linked] = (duals[linked].sum() - squares / size) / len(linked)
        return shared


def scaled_squares(X: FloatArray, scale: float) -> FloatArray:
    """Compute all squared distances, multiplied by `scale`: O(n²) memory."""
    from microagg.kernels.geometry.distances import distance_matrix

    squares = distance_matrix(X)
    np.square(squares, out=squares)
    squares *= scale
    return squares
