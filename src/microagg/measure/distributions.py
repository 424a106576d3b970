"""Distributions of numbers: moments, quantiles and histograms."""

import math

import numpy as np

from microagg.measure.moments import Moments
from microagg.model.arrays import FloatArray
from microagg.model.assessment import QUANTILE_LEVELS, Distribution

_MIN_BINS = 5
_MAX_BINS = 30


def quantiles(ordered: FloatArray, levels: FloatArray) -> FloatArray:
    """Return quantiles of at least one number, by linear interpolation between those at the places (n − 1)·level.

    Parameters
    ----------
    ordered
        The numbers in ascending order.
    levels
        From 0 to 1; those beyond are taken as the nearest of these.

    Returns
    -------
    ndarray
        One number for each level.
    """
    places = np.clip(levels, 0.0, 1.0) * (len(ordered) - 1)
    low = np.floor(places).astype(np.int64)
    high = np.minimum(low + 1, len(ordered) - 1)
    rest = places - low
    return ordered[low] * (1.0 - rest) + ordered[high] * rest


def bins_of(ordered: FloatArray) -> FloatArray:
    """Return the edges of bins of equal width over the range of at least one number.

    There are 2·n^(1/3) bins (the Rice rule), at least 5 and at most 30; one where all numbers are equal.
    """
    lowest = float(ordered[0])
    highest = float(ordered[-1])
    if lowest == highest:
        half = max(0.5, 2.0 * float(np.spacing(abs(lowest))))
        return np.array([lowest - half, highest + half])
    n_bins = min(_MAX_BINS, max(_MIN_BINS, math.ceil(2.0 * len(ordered) ** (1.0 / 3.0))))
    return np.linspace(lowest, highest, n_bins + 1)


def counts_in(bins: FloatArray, ordered: FloatArray) -> tuple[int, ...]:
    """Return the number of values in each bin; those below the first or above the last count there.

    Parameters
    ----------
    bins
        Edges; a bin has its lower edge, and the last both.
    ordered
        Numbers in ascending order.

    Returns
    -------
    tuple of int
        One number less than there are edges. Counts of parts of the numbers add up.
    """
    ends = [*np.searchsorted(ordered, bins[1:-1]).tolist(), len(ordered)]
    return tuple(end - start for start, end in zip([0, *ends], ends, strict=False))


def distribution_of(moments: Moments, ordered: FloatArray, n_missing: int) -> Distribution:
    """Return the distribution of at least one number, with a histogram of its own bins.

    Parameters
    ----------
    moments
        Of these numbers.
    ordered
        The numbers in ascending order.
    n_missing
        Number of records that have none.

    Returns
    -------
    Distribution
        As reports show it.
    """
    bins = bins_of(ordered)
    return Distribution(
        count=moments.count,
        n_missing=n_missing,
        mean=moments.mean,
        variance=moments.variance,
        skewness=moments.skewness,
        zero_share=moments.zero_share,
        quantiles=tuple(quantiles(ordered, np.array(QUANTILE_LEVELS)).tolist()),
        bins=tuple(bins.tolist()),
        counts=counts_in(bins, ordered),
    )


def empty_distribution(n_missing: int) -> Distribution:
    """Return the distribution of a column in which every value is missing."""
    return Distribution(0, n_missing, None, None, None, 0.0, (), (), ())
