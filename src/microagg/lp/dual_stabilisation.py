"""Stabilisation of the duals that column generation prices with."""

import numpy as np

from microagg.lp.duals import Duals
from microagg.lp.pricing_result import TooExpensiveError
from microagg.model.arrays import FloatArray

_SMOOTHING_STEP = 0.1  # how much the smoothing falls at a time
_MAX_SMOOTHING = 0.99  # more is hardly different from the centre
_RADIUS_FACTOR = 4.0  # how much the box grows where it hides all improving columns


class DualStabilisation:
    """Wentges smoothing towards a stability centre, and a box around it.

    The centre are the duals of the best lower bound so far. Where few columns are in the restricted master, its duals
    are wild, and expensive to price with: priced instead is a point between them and the centre, within the box.

    Parameters
    ----------
    smoothing
        Weight of the centre, at first.
    radius
        Half the width of the box at first, for each record's dual: a multiple of the size of its centre and of the mean
        size; inf: there is no box.

    References
    ----------
    Wentges (1997), Weighted Dantzig–Wolfe decomposition for linear mixed-integer programming, International
    Transactions in Operational Research 4(2). Marsten, Hogan & Blankenship (1975), The boxstep method for large-scale
    optimization, Operations Research 23(3).
    """

    def __init__(self, smoothing: float, radius: float = np.inf) -> None:
        self._initial_smoothing = smoothing
        self._initial_radius = radius
        self.smoothing = smoothing
        self.radius = radius
        self.min_smoothing = 0.0  # what is affordable: pricing with less was too expensive

    @property
    def is_weakest(self) -> bool:
        """Whether smoothing is as weak as is affordable."""
        return self.smoothing == self.min_smoothing

    def point(self, duals: Duals, centre: Duals) -> FloatArray:
        """Return the point to price at, between the centre and the duals of the master; duals of cuts have no box."""
        smoothed: FloatArray = self.smoothing * centre.values + (1 - self.smoothing) * duals.values
        n = centre.cuts.n
        size = np.abs(centre.of_records)
        if np.isinf(self.radius) or not size.any():
            return smoothed
        width = self.radius * (size + size.mean())
        boxed = np.clip(smoothed[:n], centre.of_records - width, centre.of_records + width)
        return np.append(boxed, smoothed[n:])

    def is_off(self, point: FloatArray, duals: Duals) -> bool:
        """Check whether a point is that of the master's duals, neither smoothed nor cut off by the box."""
        return not self.smoothing and np.array_equal(point, duals.values)

    def strengthen(self) -> None:
        """Move halfway to the centre, as pricing was too expensive; next to it, raise `TooExpensiveError`."""
        if self.smoothing > _MAX_SMOOTHING:
            raise TooExpensiveError
        self.min_smoothing = (1 + self.smoothing) / 2
        self.smoothing = self.min_smoothing

    def widen(self) -> None:
        """Enlarge the box, as nothing is found in it; raise `TooExpensiveError` where smoothing had to be stronger."""
        if self.min_smoothing:
            raise TooExpensiveError
        self.radius *= _RADIUS_FACTOR

    def adapt(self, improved: bool, few_columns: bool) -> None:
        """Choose the smoothing for the next point.

        Parameters
        ----------
        improved
            Whether the lower bound rose: then there is a new centre, for which the first box and any smoothing may do.
        few_columns
            Whether few new columns were found: many change the duals of the master, which are smoothed as at first.
        """
        if improved:
            self.radius = self._initial_radius
            self.min_smoothing = 0.0
        weaker = round(self.smoothing - _SMOOTHING_STEP, 9)
        self.smoothing = max(self.min_smoothing, weaker if improved or few_columns else self._initial_smoothing)
