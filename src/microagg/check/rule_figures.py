"""Figures by which rules of privacy judge the records of one class, each by its definition."""

from typing import NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray, IntArray

MISSING = -1
"""Code of a missing value."""


def distinct_values(codes: IntArray) -> float:
    """Return the number of different values, without missing ones: distinct l-diversity."""
    return float(len(np.unique(codes[codes != MISSING])))


def effective_values(codes: IntArray) -> float:
    """Return the exponential of the entropy of the values that are there, 0 if none is: entropy l-diversity."""
    counts = np.unique(codes[codes != MISSING], return_counts=True)[1]
    if not len(counts):
        return 0.0
    shares = counts / counts.sum()
    return float(np.exp(-(shares * np.log(shares)).sum()))


def equal_distance(codes: IntArray, reference: FloatArray) -> float:
    """Return the earth mover's distance of values from a distribution where any two values are at distance 1.

    Parameters
    ----------
    codes
        The values, as places in `reference`.
    reference
        Share of each value.
    """
    values, counts = np.unique(codes, return_counts=True)
    shares = counts / len(codes)
    others = 1.0 - reference[values].sum()
    return float(0.5 * (np.abs(shares - reference[values]).sum() + others))


class OrderedReference(NamedTuple):
    """Distribution of all records over m ranks."""

    cumulative: FloatArray  # (m,) share of the records up to each rank
    sums: FloatArray  # (m + 1,) sums of these shares before each rank

    @classmethod
    def of(cls, ranks: IntArray) -> "OrderedReference":
        """Return the distribution of the ranks of all records."""
        cumulative = np.cumsum(np.bincount(ranks)) / len(ranks)
        return cls(cumulative, np.concatenate([[0.0], np.cumsum(cumulative)]))


def ordered_distance(ranks: IntArray, reference: OrderedReference) -> float:
    """Return the earth mover's distance of ranks from a distribution, the first and the last rank at distance 1.

    It is the sum of the differences of the two cumulative distributions over all ranks, divided by their number less
    one. That of the class is constant between two of its records; there the differences change sign once, where the
    reference rises above it: so sums of the reference's cumulative distribution give them. O(c log m) for c records.
    """
    m = len(reference.cumulative)
    if m == 1:
        return 0.0
    starts = np.concatenate([[0], np.sort(ranks)])
    ends = np.concatenate([starts[1:], [m]])
    levels = np.arange(len(ranks) + 1) / len(ranks)
    crossings = np.clip(np.searchsorted(reference.cumulative, levels), starts, ends)
    below = levels * (crossings - starts) - (reference.sums[crossings] - reference.sums[starts])
    above = reference.sums[ends] - reference.sums[crossings] - levels * (ends - crossings)
    return float((below + above).sum() / (m - 1))


def contributions(amounts: FloatArray, units: IntArray | None) -> FloatArray:
    """Return what each contributor has: the size of each amount, or the sum of the sizes of each unit's.

    Parameters
    ----------
    amounts
        Amount of each record.
    units
        Unit of each record; None where every record is a contributor of its own.
    """
    sizes: FloatArray = np.abs(amounts)
    if units is None:
        return sizes
    return np.bincount(np.unique(units, return_inverse=True)[1], weights=sizes).astype(np.float64)


def share_of_largest(contributed: FloatArray, n: int) -> float:
    """Return the share of the n largest contributors in the total, 0 where that is 0: (n, k) dominance."""
    sizes = np.sort(contributed)[::-1]
    total = float(sizes.sum())
    return float(sizes[:n].sum()) / total if total else 0.0


def rest_in_percent(contributed: FloatArray) -> float:
    """Return the total without the two largest in percent of the largest, infinite where that is 0: p % rule."""
    sizes = np.sort(contributed)[::-1]
    return 100.0 * float(sizes[2:].sum()) / float(sizes[0]) if sizes[0] else np.inf
