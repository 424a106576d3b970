"""Dual values of the set-partitioning programme."""

from typing import NamedTuple

import numpy as np

from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import FloatArray, IntArray


class Duals(NamedTuple):
    """Dual values of the records and of cuts; any such values give a Lagrangian lower bound."""

    values: FloatArray  # (n + n_cuts,) of the records, then of the cuts; those of cuts are at most 0
    cuts: RankOneCuts

    @property
    def of_records(self) -> FloatArray:
        """Dual values of the records, of shape (n,)."""
        return self.values[: self.cuts.n]

    @property
    def of_cuts(self) -> FloatArray:
        """Dual values of the cuts, of shape (n_cuts,)."""
        return self.values[self.cuts.n :]

    def select_cuts(self, which: IntArray) -> "Duals":
        """Return the duals without those of other cuts."""
        values = np.concatenate([self.of_records, self.of_cuts[which]])
        return Duals(values, self.cuts.select(which))

    def binding(self) -> "Duals":
        """Return the duals without the cuts of dual 0."""
        return self.select_cuts(np.flatnonzero(self.of_cuts))

    def objective_terms(self) -> list[float]:
        """List the terms of the dual objective: each dual times its right-hand side."""
        return [*self.of_records, *(self.of_cuts * self.cuts.right_hand_sides)]
