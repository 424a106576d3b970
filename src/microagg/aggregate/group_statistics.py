"""Means, medians and trimmed means of numbers by group."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray

_TRIMMED_SHARE = 10  # one of so many is left out at each end
_WHOLE_WEIGHT = 2.0**52  # of a group: its records have shares of this
_WEIGHT_TOL = 1e-9  # of a group's weight: rounding moves a sum of weights by no more


class GroupStatistic(Protocol):
    """Statistic of numbers by group."""

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the statistic of each group's values, of shape (n_groups,)."""


StatisticMaker = Callable[[IntArray, FloatArray | None], GroupStatistic]
"""Makes a statistic for the labels and weights of some records."""


class GroupMeans:
    """Averages of values by group: exact where they are equal, and never outside their range.

    Parameters
    ----------
    labels
        Group of each record, of shape (n,): 0, 1, …; no group is empty.
    weights
        Weight of each record, of shape (n,); None: all weigh alike.
    """

    def __init__(self, labels: IntArray, weights: FloatArray | None = None) -> None:
        self.labels = labels
        self.weights = weights
        self.sizes = np.bincount(labels)
        self._by_group = np.argsort(labels, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the mean of each group's values, of shape (n_groups,)."""
        ordered = values[self._by_group]
        lowest = np.minimum.reduceat(ordered, self._starts)
        highest = np.maximum.reduceat(ordered, self._starts)
        del ordered
        above = lowest[self.labels]
        np.subtract(values, above, out=above)  # from the group's lowest: an outlier elsewhere must not round it away
        if self.weights is None:
            means = lowest + np.bincount(self.labels, weights=above) / self.sizes
        else:
            total = np.bincount(self.labels, weights=self.weights)
            means = lowest + np.bincount(self.labels, weights=self.weights * above) / total
            beside = self.weights * (values - means[self.labels])  # a light outlier rounds the others: once more
            means = means + np.bincount(self.labels, weights=beside) / total
        clipped: FloatArray = np.clip(means, lowest, highest)
        clipped += 0.0  # of 0 and −0, always 0
        return clipped


class GroupMedians:
    """Medians of values by group: half of the records, or of their weight, is on either side.

    Parameters
    ----------
    labels, weights
        As in `GroupMeans`.
    lower
        Whether the lower of two middle values is taken, and not their mean: for places of categories.
    """

    def __init__(self, labels: IntArray, weights: FloatArray | None = None, *, lower: bool = False) -> None:
        self.labels = labels
        self.shares = _shares(labels, weights)
        self.lower = lower

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the median of each group's values, of shape (n_groups,)."""
        order = np.lexsort((values, self.labels))
        group = self.labels[order]
        ordered = values[order]
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        ends = np.append(starts[1:], len(group))
        below = _running_sums(self.shares[order], starts)
        total = below[ends - 1]
        half = 0.5 * total[group]
        first = _first_true(below >= half - _WEIGHT_TOL * total[group], starts)
        exactly_half = np.abs(below[first] - half[first]) <= _WEIGHT_TOL * total
        second = np.minimum(first + exactly_half, ends - 1)
        if self.lower:
            return np.asarray(ordered[first])
        middle: FloatArray = ordered[first] + (ordered[second] - ordered[first]) / 2
        return middle


class TrimmedGroupMeans:
    """Means by group without the lowest and the highest tenth of the records, rounded up; at least one is left.

    Of fewer than ten records the lowest and the highest one are left out, of two none.

    Parameters
    ----------
    labels, weights
        As in `GroupMeans`; which records are left out does not depend on weights.
    """

    def __init__(self, labels: IntArray, weights: FloatArray | None = None) -> None:
        self.labels = labels
        self.weights = weights

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the trimmed mean of each group's values, of shape (n_groups,)."""
        order = np.lexsort((values, self.labels))
        sizes = np.bincount(self.labels)
        cut = np.minimum(-(-sizes // _TRIMMED_SHARE), (sizes - 1) // 2)
        group = self.labels[order]
        starts = np.cumsum(sizes) - sizes
        place = np.arange(len(order)) - starts[group]
        kept = order[(place >= cut[group]) & (place < (sizes - cut)[group])]
        weights = None if self.weights is None else self.weights[kept]
        return GroupMeans(self.labels[kept], weights)(values[kept])


def of_present(make: StatisticMaker, labels: IntArray, values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return a statistic of each group over the values that are there; NaN for a group that has none.

    Parameters
    ----------
    make
        Makes the statistic for some labels and weights: `GroupMeans`, ….
    labels
        Group of each record, of shape (n,).
    values
        Of shape (n,), NaN where one is missing.
    weights
        Of shape (n,); None: all weigh alike.
    """
    present = ~np.isnan(values)
    if present.all():
        return make(labels, weights)(values)
    statistic = np.full(int(labels.max()) + 1, np.nan)
    groups, numbered = np.unique(labels[present], return_inverse=True)
    if len(groups):
        statistic[groups] = make(numbered, None if weights is None else weights[present])(values[present])
    return statistic


def _shares(labels: IntArray, weights: FloatArray | None) -> IntArray:
    """Return the weights of records as whole numbers, whose sums do not depend on other groups; None: 1 each."""
    if weights is None:
        return np.ones(len(labels), dtype=np.int64)
    of_group = np.bincount(labels, weights=weights)[labels]
    return np.rint(_WHOLE_WEIGHT * (weights / of_group)).astype(np.int64)


def _running_sums(shares: IntArray, starts: IntArray) -> IntArray:
    """Return the sum of a group's shares up to and including each record; groups begin at `starts`.

    Sums over all groups may wrap around, their differences within a group are exact.
    """
    sums = np.cumsum(shares)
    before = np.concatenate([[0], sums])[starts]
    sizes = np.diff(np.append(starts, len(shares)))
    running: IntArray = sums - np.repeat(before, sizes)
    return running


def _first_true(flags: BoolArray, starts: IntArray) -> IntArray:
    """Return the first place in each group whose flag is set; the last of each group is."""
    places = np.where(flags, np.arange(len(flags)), len(flags))
    return np.asarray(np.minimum.reduceat(places, starts))
