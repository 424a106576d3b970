"""Means of groups rounded to whole numbers so that their total is nearly kept."""

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray

_MAX_EXCHANGES = 50
_NEIGHBOURS = np.arange(-2, 2)  # places around the ideal partner: one of them may be the record itself
_ROUNDING_TOL = 1e-12


def round_to_total(means: FloatArray, weights: FloatArray) -> FloatArray:
    """Round means up or down so that their weighted total changes as little as possible.

    All records of a group get the same whole number, so that the total of a group cannot be kept in general; that of
    the column nearly can. Means are rounded to the nearest first, half to even. Then those that are nearest to a half
    are rounded the other way, one after another while that brings the total nearer to what it was; at last single ones
    and pairs that bring it nearest. So no one mean and no two means can be rounded otherwise for the better, but more
    of them might. O(g log g) for g groups.

    Parameters
    ----------
    means
        Mean of each group.
    weights
        Number of records of each group that get it, or their weight.

    Returns
    -------
    ndarray of shape (g,)
        Whole numbers, each the next below or above its mean; a mean that is whole stays.
    """
    rounded = np.rint(means)
    free = np.flatnonzero(rounded != means)
    other = rounded + np.sign(means - rounded)
    change = (weights * (other - rounded))[free]
    extra_squares = (weights * (0.5 - np.abs(means - rounded)))[free]
    lacking = float((weights * (means - rounded)).sum())
    flipped = _flip_one_by_one(change, np.argsort(extra_squares, kind="stable"), lacking)
    _exchange(change, flipped, lacking - float(change[flipped].sum()))
    rounded[free[flipped]] = other[free[flipped]]
    return rounded


def _flip_one_by_one(change: FloatArray, order: IntArray, lacking: float) -> BoolArray:
    """Choose changes in this order, each if it brings the total nearer to what is lacking."""
    flipped = np.zeros(len(change), dtype=np.bool_)
    for one in order.tolist():
        if abs(lacking - change[one]) < abs(lacking):
            flipped[one] = True
            lacking -= float(change[one])
    return flipped


def _exchange(change: FloatArray, flipped: BoolArray, lacking: float) -> None:
    """Choose changes, or give them up, singly or in pairs, as long as that brings the total nearer.

    Parameters
    ----------
    change
        IN: change of the total by each.
    flipped
        IN/OUT: which changes are chosen.
    lacking
        IN: what the total lacks with these.
    """
    for _ in range(_MAX_EXCHANGES):
        steps = np.append(np.where(flipped, -change, change), 0.0)  # the last one: nothing
        one, partner = _best_pair(steps, lacking)
        left = lacking - float(steps[one] + steps[partner])
        if not abs(left) < abs(lacking) - _ROUNDING_TOL * float(np.abs(change).max(initial=0.0)):
            return
        chosen = [place for place in (one, partner) if place < len(flipped)]
        flipped[chosen] = ~flipped[chosen]
        lacking = left


def _best_pair(steps: FloatArray, lacking: float) -> tuple[int, int]:
    """Return the two different steps that together come nearest to what is lacking."""
    order = np.argsort(steps, kind="stable")
    ideal = np.searchsorted(steps[order], lacking - steps)
    partners = order[np.clip(ideal[:, None] + _NEIGHBOURS, 0, len(steps) - 1)]
    left = np.abs(lacking - steps[:, None] - steps[partners])
    left[partners == np.arange(len(steps))[:, None]] = np.inf
    one, which = np.unravel_index(int(left.argmin()), left.shape)
    return int(one), int(partners[one, which])
