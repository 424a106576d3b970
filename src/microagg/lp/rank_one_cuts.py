"""Rank-1 Chvátal–Gomory cuts of the set-partitioning programme."""

from typing import NamedTuple

import numpy as np

from microagg.lp.ragged_arrays import selected_rows
from microagg.model.arrays import IntArray


class RankOneCuts(NamedTuple):
    """Inequalities that hold for every partition, besides that each record is covered once.

    A cut gives some records integer weights w and has a denominator q. The coefficient of a group C is ⌊w(C)/q⌋, the
    right-hand side ⌊w/q⌋ for the weight w of all records. As each record is covered once, fractional solutions can
    violate a cut, integral ones never do. Three records of weight 1 and q = 2 are a subset-row cut.
    """

    n: int  # records
    starts: IntArray  # (n_cuts + 1,) where each cut starts in `records` and `weights`
    records: IntArray  # the records of all cuts, one cut after another
    weights: IntArray  # their weights, at least 1 and below the denominator
    denominators: IntArray  # (n_cuts,) at least 2

    @staticmethod
    def empty(n: int) -> "RankOneCuts":
        """Return no cuts over n records."""
        nothing = np.empty(0, dtype=np.int64)
        return RankOneCuts(n, np.zeros(1, dtype=np.int64), nothing, nothing, nothing)

    @property
    def n_cuts(self) -> int:
        """Number of cuts."""
        return len(self.denominators)

    @property
    def right_hand_sides(self) -> IntArray:
        """Right-hand side of each cut, of shape (n_cuts,)."""
        if not self.n_cuts:
            return self.denominators
        sides: IntArray = np.add.reduceat(self.weights, self.starts[:-1]) // self.denominators
        return sides

    def select(self, which: IntArray) -> "RankOneCuts":
        """Return the cuts of these indices."""
        starts, places = selected_rows(self.starts, which)
        return RankOneCuts(self.n, starts, self.records[places], self.weights[places], self.denominators[which])

    def extended(self, others: "RankOneCuts") -> "RankOneCuts":
        """Return these cuts followed by others."""
        starts = np.concatenate([self.starts, self.starts[-1] + others.starts[1:]])
        joined = [np.concatenate(both) for both in zip(self[2:], others[2:], strict=True)]
        return RankOneCuts(self.n, starts, *joined)
