"""Slow and obvious measures of utility, one value after the other; None is a missing value."""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np

from microagg.model.arrays import FloatArray

Values = Sequence[float | None]
NORMAL_95 = 1.959963984540054


def present(values: Values) -> list[float]:
    """Return the values that are there."""
    return [value for value in values if value is not None]


def both(one: Values, other: Values) -> list[tuple[float, float]]:
    """Return the pairs of values that are both there."""
    return [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return math.fsum(values) / len(values)


def central(values: Sequence[float], power: int) -> float:
    """Return a central moment, dividing by n."""
    middle = mean(values)
    return math.fsum(math.pow(value - middle, power) for value in values) / len(values)


def variance(values: Sequence[float]) -> float:
    """Return the variance, dividing by n − 1."""
    return central(values, 2) * len(values) / (len(values) - 1)


def skewness(values: Sequence[float]) -> float:
    """Return the skewness."""
    return central(values, 3) / math.sqrt(central(values, 2)) ** 3


def quantile(values: Sequence[float], level: float) -> float:
    """Return a quantile, between the values at the places around (n − 1)·level."""
    ordered = sorted(values)
    place = min(1.0, max(0.0, level)) * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] * (1 - (place - low)) + ordered[high] * (place - low)


def il1s(columns: Sequence[tuple[Values, Values]]) -> float:
    """Return the mean of |x − x′|/(√2·s) over all cells of columns that vary."""
    cells = []
    for before, after in columns:
        values = present(before)
        if len(set(values)) > 1:
            deviation = math.sqrt(variance(values))
            cells += [abs(x - y) / (math.sqrt(2) * deviation) for x, y in both(before, after)]
    return mean(cells)


def il1(columns: Sequence[tuple[Values, Values]]) -> float:
    """Return the mean of |x − x′|/|x| over all cells that are not zero."""
    return mean([abs(x - y) / abs(x) for before, after in columns for x, y in both(before, after) if x])


def covariance(one: Values, other: Values) -> float:
    """Return the covariance over the records that have both, dividing by n − 1."""
    pairs = both(one, other)
    means = [mean([pair[place] for pair in pairs]) for place in (0, 1)]
    return math.fsum((a - means[0]) * (b - means[1]) for a, b in pairs) / (len(pairs) - 1)


def correlation(one: Values, other: Values) -> float:
    """Return the correlation over the records that have both."""
    pairs = both(one, other)
    first = [a for a, _ in pairs]
    second = [b for _, b in pairs]
    return covariance(first, second) / math.sqrt(variance(first) * variance(second))


def lost(before: float, after: float, variance_before: float) -> float:
    """Return 100·2·P(0 ≤ Z ≤ |t − t′|/√Var t)."""
    if before == after:
        return 0.0
    z = abs(before - after) / math.sqrt(variance_before) if variance_before else math.inf
    return 100 * 2 * (0.5 * (1 + math.erf(z / math.sqrt(2))) - 0.5)


def quantile_loss(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the mean loss of the quantiles of 5 %, 10 %, …, 95 %."""
    losses = []
    for step in range(1, 20):
        q = step / 20
        reach = NORMAL_95 * math.sqrt(q * (1 - q) / len(before))
        error = (quantile(before, q + reach) - quantile(before, q - reach)) / (2 * NORMAL_95)
        losses.append(lost(quantile(before, q), quantile(after, q), error**2))
    return mean(losses)


def mean_loss(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the loss of the mean."""
    return lost(mean(before), mean(after), variance(before) / len(before))


def variance_loss(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the loss of the variance."""
    error = (central(before, 4) - central(before, 2) ** 2) / len(before)
    return lost(variance(before), variance(after), error)


Pair = tuple[Sequence[float], Sequence[float]]


def joint(pair: Pair, first: int, second: int) -> float:
    """Return a joint central moment of two complete columns."""
    means = [mean(values) for values in pair]
    products = [(a - means[0]) ** first * (b - means[1]) ** second for a, b in zip(*pair, strict=True)]
    return math.fsum(products) / len(products)


def covariance_loss(before: Pair, after: Pair) -> float:
    """Return the loss of the covariance of two complete columns."""
    error = (joint(before, 2, 2) - joint(before, 1, 1) ** 2) / len(before[0])
    return lost(covariance(*before), covariance(*after), error)


def correlation_loss(before: Pair, after: Pair) -> float:
    """Return the loss of the correlation of two complete columns, by the variance as the paper writes it, for r ≠ 0."""
    m = {(i, j): joint(before, i, j) for i, j in ((1, 1), (2, 2), (2, 0), (0, 2), (4, 0), (0, 4), (3, 1), (1, 3))}
    r = correlation(*before)
    error = m[2, 2] / m[1, 1] ** 2
    error += (m[4, 0] / m[2, 0] ** 2 + m[0, 4] / m[0, 2] ** 2 + 2 * m[2, 2] / (m[2, 0] * m[0, 2])) / 4
    error -= m[3, 1] / (m[1, 1] * m[2, 0]) + m[1, 3] / (m[1, 1] * m[0, 2])
    return lost(r, correlation(*after), r**2 / len(before[0]) * error)


class Regression(NamedTuple):
    """A regression that is fitted by the textbook's formulas."""

    coefficients: FloatArray
    errors: FloatArray
    r_squared: float


def regression(X: FloatArray, y: FloatArray, weights: FloatArray) -> Regression:
    """Fit weighted least squares with an intercept, by the inverse of XᵀWX."""
    from scipy.special import betaincinv

    terms = np.column_stack([np.ones(len(X)), X])
    inverse = np.linalg.inv(terms.T @ np.diag(weights) @ terms)
    coefficients = inverse @ terms.T @ np.diag(weights) @ y
    residuals = y - terms @ coefficients
    freedom = len(y) - terms.shape[1]
    variance_of_residuals = float(weights @ residuals**2) / freedom
    x = float(betaincinv(freedom / 2, 0.5, 0.05))
    t = math.sqrt(freedom * (1 - x) / x)  # the quantile of 97.5 % of the t distribution
    errors = t * np.sqrt(variance_of_residuals * np.diag(inverse))
    around = y - np.average(y, weights=weights)
    return Regression(coefficients, errors, 1 - float(weights @ residuals**2) / float(weights @ around**2))


def totals(domains: Sequence[Hashable], values: Values, weights: Sequence[float]) -> dict[Hashable, float]:
    """Return the weighted total of each domain."""
    found: dict[Hashable, float] = defaultdict(float)
    for domain, value, weight in zip(domains, values, weights, strict=True):
        found[domain] += 0.0 if value is None else weight * value
    return dict(found)


def maximum_likelihood(X: FloatArray, released: Sequence[int], steps: int = 50) -> FloatArray:
    """Return the probabilities of a logistic regression without penalty, by Newton's method."""
    terms = np.column_stack([np.ones(len(X)), X])
    beta = np.zeros(terms.shape[1])
    probability: Callable[[], FloatArray] = lambda: 1 / (1 + np.exp(-terms @ beta))  # noqa: E731
    for _ in range(steps):
        p = probability()
        beta = beta + np.linalg.solve(terms.T @ np.diag(p * (1 - p)) @ terms, terms.T @ (np.array(released) - p))
    return probability()
