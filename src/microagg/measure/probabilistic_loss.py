"""Probabilistic information loss: how far statistics have moved, beside the error that a sample has anyway.

References
----------
Mateo-Sanz, Domingo-Ferrer & Sebé (2005), Probabilistic information loss measures in confidentiality protection of
continuous microdata, Data Mining and Knowledge Discovery 11, 181-193.
Woodruff (1952), Confidence intervals for medians and other position measures, Journal of the American Statistical
Association 47, 635-646.
Steiger & Hakstian (1982), The asymptotic distribution of elements of a correlation matrix, British Journal of
Mathematical and Statistical Psychology 35, 208-215.
"""

import math

import numpy as np

from microagg.measure.distributions import quantiles
from microagg.measure.moments import Moments
from microagg.measure.pair_moments import PairMoments
from microagg.model.arrays import FloatArray

LEVELS = np.arange(1, 20) / 20
"""Levels of the quantiles that are compared: 5 %, 10 %, …, 95 %."""

_NORMAL_95 = 1.959963984540054  # quantile of the normal distribution by which Woodruff's intervals are made
_ROUNDING = 1e-12  # of the scale: smaller differences are none


def lost_percent(difference: float, variance: float, scale: float) -> float:
    """Return what is lost of one statistic: 100·2·P(0 ≤ Z ≤ |t − t′|/√Var t) for a normal Z.

    Parameters
    ----------
    difference
        t − t′.
    variance
        Variance of t over samples. Where it is 0, any difference loses all.
    scale
        Size of t, by which differences are told from rounding errors.

    Returns
    -------
    float
        From 0 to 100.
    """
    if abs(difference) <= _ROUNDING * scale:
        return 0.0
    if variance <= 0.0:
        return 100.0
    return 100.0 * math.erf(abs(difference) / math.sqrt(2.0 * variance))


def quantile_loss(before: FloatArray, after: FloatArray) -> float:
    """Return the mean loss of the quantiles of a column.

    The standard error of a quantile is half of Woodruff's interval at 95 %, divided by 1.96: that interval reaches from
    the quantile at level q − 1.96·√(q(1 − q)/n) to that at q + 1.96·√(q(1 − q)/n).

    Parameters
    ----------
    before, after
        Numbers in ascending order, at least one.

    Returns
    -------
    float
        In percent.
    """
    reach = _NORMAL_95 * np.sqrt(LEVELS * (1.0 - LEVELS) / len(before))
    errors = (quantiles(before, LEVELS + reach) - quantiles(before, LEVELS - reach)) / (2.0 * _NORMAL_95)
    apart = quantiles(after, LEVELS) - quantiles(before, LEVELS)
    scale = max(abs(float(before[0])), abs(float(before[-1])))
    losses = [lost_percent(one, error**2, scale) for one, error in zip(apart.tolist(), errors.tolist(), strict=True)]
    return sum(losses) / len(losses)


def mean_loss(before: Moments, after: Moments) -> float:
    """Return the loss of the mean of at least two numbers: its variance is s²/n."""
    scale = max(abs(before.statistics.lowest), abs(before.statistics.highest))
    return lost_percent(after.mean - before.mean, (before.variance or 0.0) / before.count, scale)


def variance_loss(before: Moments, after: Moments) -> float:
    """Return the loss of the variance of at least two numbers: its variance is (μ₄ − μ₂²)/n."""
    old = before.variance or 0.0
    new = after.variance or 0.0
    return lost_percent(new - old, before.variance_of_variance, max(old, new))


def covariance_losses(before: PairMoments, after: PairMoments) -> list[float]:
    """Return the loss of the covariance of each pair of columns that vary in the original.

    Its variance is (μ₂₂ − μ₁₁²)/n. The moments are those of standardised columns, around the means of all their values.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # pairs that no record has are left out
        variances = (before.fourths / before.counts - np.square(before.products / before.counts)) / before.counts
    found = before.covariances()
    found[np.isnan(before.correlations())] = np.nan
    return _pair_losses(found, after.covariances(), variances)


def correlation_losses(before: PairMoments, after: PairMoments) -> list[float]:
    """Return the loss of the correlation r of each pair of columns that vary in the original.

    Its variance is (μ₂₂(1 + r²/2) + r²(μ₄₀ + μ₀₄)/4 − r(μ₃₁ + μ₁₃))/n, of columns with mean 0 and variance 1. With a
    column that the release makes constant, the correlation is 0.
    """
    found = before.correlations()
    with np.errstate(divide="ignore", invalid="ignore"):  # pairs that no record has, or that do not vary, are left out
        spreads = np.sqrt(before.squares / before.counts)
        units = spreads * spreads.T
        joint = before.fourths / before.counts / np.square(units)
        uneven = before.cubes / before.counts / (np.square(spreads) * units)
        fourth = np.diag(before.fourths) / np.diag(before.counts) / np.diag(spreads) ** 4
        variances = joint * (1.0 + np.square(found) / 2.0)
        variances += np.square(found) * (fourth[:, None] + fourth[None, :]) / 4.0
        variances -= found * (uneven + uneven.T)
        variances /= before.counts
    return _pair_losses(found, np.nan_to_num(after.correlations()), variances)


def _pair_losses(before: FloatArray, after: FloatArray, variances: FloatArray) -> list[float]:
    """Return the loss of each pair of different columns that the original has a number for."""
    losses = []
    for row, column in zip(*np.triu_indices(len(before), 1), strict=True):
        if not math.isnan(before[row, column]):
            difference = float(after[row, column] - before[row, column])
            losses.append(lost_percent(difference, float(variances[row, column]), 1.0))
    return losses
