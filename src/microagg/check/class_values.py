"""What stands for the values of each class, by its definition: means, medians, modes, medoids and sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray, IntArray

_WEIGHT_TOLERANCE = 1e-9  # of a class's weight: rounding moves a sum of weights by no more
_TRIMMED_SHARE = 10  # one of so many is left out at each end


@dataclass(frozen=True, eq=False, repr=False)
class ClassValues:
    """Original and released numbers of the records of each class; the released ones of a class are equal.

    A class may be several groups with equal released values. What a mean, a median or a mode must satisfy in each of
    them, it satisfies in all of them together, so that the groups need not be known.

    Parameters
    ----------
    classes
        Class of each record, of shape (n,): 0, 1, …; none is empty.
    before, after
        Original and released numbers, of shape (n,).
    weights
        Weight of each record, of shape (n,).
    slack
        By how much a number may be rounded.
    precision
        By how much computing may move a number, relative to the largest of its class.
    """

    classes: IntArray
    before: FloatArray
    after: FloatArray
    weights: FloatArray
    slack: float = 0.0
    precision: float = 0.0

    def are_means(self) -> BoolArray:
        """Return whether each class has its weighted mean."""
        return np.abs(self._sums(self.before - self.after)) <= self._totals * self._margins

    def are_medians(self) -> BoolArray:
        """Return whether each class has a median: at least half of its weight is on either side, the middle included.

        So it lies between the lower and the upper median.
        """
        margins = self._margins[self.classes]
        half = (0.5 - _WEIGHT_TOLERANCE) * self._totals
        not_above = self._sums((self.before <= self.after + margins).astype(np.float64)) >= half
        not_below = self._sums((self.before >= self.after - margins).astype(np.float64)) >= half
        return not_above & not_below

    def are_modes(self) -> BoolArray:
        """Return whether no number has more weight in each class than the released one."""
        distinct, codes = np.unique(self.before, return_inverse=True)
        pairs, pair_of = np.unique(self.classes * len(distinct) + codes, return_inverse=True)
        largest = np.zeros(len(self._totals))
        np.maximum.at(largest, pairs // len(distinct), np.bincount(pair_of, weights=self.weights))
        own = self._sums((self.before == self.after).astype(np.float64))
        return own >= largest - _WEIGHT_TOLERANCE * self._totals

    def occur(self) -> BoolArray:
        """Return whether the released number of each class is one of the original ones."""
        return np.asarray(self._sums((self.before == self.after).astype(np.float64)) > 0)

    def are_whole(self) -> BoolArray:
        """Return whether the released number of each class is a whole one."""
        return np.asarray(self._sums((self.after != np.rint(self.after)).astype(np.float64)) == 0)

    def are_within_range(self) -> BoolArray:
        """Return whether the released number of each class lies between its lowest and its highest original one."""
        margins = self._margins[self.classes]
        above_some = self._sums((self.before <= self.after + margins).astype(np.float64)) > 0
        below_some = self._sums((self.before >= self.after - margins).astype(np.float64)) > 0
        return above_some & below_some

    def are_trimmed_means(self) -> BoolArray:
        """Return whether each class, if it is one group, has its trimmed mean.

        The lowest and the highest tenth of the records are left out, rounded up, as long as one is left.
        """
        sizes = np.bincount(self.classes)
        order = np.lexsort((self.before, self.classes))
        of_class = self.classes[order]
        place = np.arange(len(order)) - (np.cumsum(sizes) - sizes)[of_class]
        cut = np.minimum(-(-sizes // _TRIMMED_SHARE), (sizes - 1) // 2)
        kept = order[(place >= cut[of_class]) & (place < (sizes - cut)[of_class])]
        off = np.bincount(self.classes[kept], weights=(self.weights * (self.before - self.after))[kept])
        total = np.bincount(self.classes[kept], weights=self.weights[kept])
        return np.abs(off) <= total * self._margins

    def keep_total(self) -> bool:
        """Return whether the weighted total of all is kept, but for the weight of one class.

        Means that are rounded up or down to keep the total leave at most half of the weight of one group.
        """
        off = abs(float((self.weights * (self.before - self.after)).sum()))
        return off <= float(self._totals.max(initial=0.0)) * (1 + _WEIGHT_TOLERANCE)

    @property
    def _totals(self) -> FloatArray:
        """Weight of each class."""
        return self._sums(np.ones(len(self.classes)))

    @property
    def _margins(self) -> FloatArray:
        """By how much the released number of each class may be off."""
        largest = np.zeros(self.classes.max(initial=-1) + 1)
        np.maximum.at(largest, self.classes, np.abs(self.before))
        return self.slack + self.precision * largest

    def _sums(self, numbers: FloatArray) -> FloatArray:
        """Return the weighted sum of each class."""
        return np.asarray(np.bincount(self.classes, weights=self.weights * numbers), dtype=np.float64)


def set_texts(classes: IntArray, values: Sequence[Any]) -> list[str]:
    """Return the set of the values of each class as text: "{a, b}", or "a" where there is one.

    Parameters
    ----------
    classes
        Class of each record, of shape (n,).
    values
        Value of each record; sets list them in order, by their texts where they cannot be compared.
    """
    distinct = set(values)
    try:
        in_order = sorted(distinct)
    except TypeError:
        in_order = sorted(distinct, key=str)
    rank = {value: place for place, value in enumerate(in_order)}
    members: list[set[int]] = [set() for _ in range(classes.max(initial=-1) + 1)]
    for one, value in zip(classes.tolist(), values, strict=True):
        members[one].add(rank[value])
    return [_set_text([str(in_order[place]) for place in sorted(listed)]) for listed in members]


def _set_text(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"
