"""Weights of agreement by Fellegi and Sunter, their probabilities estimated by the EM algorithm."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from microagg.measure.agreement_patterns import PatternCounts
from microagg.model.arrays import FloatArray

_MAX_ROUNDS = 500
_TOLERANCE = 1e-7  # of a probability: smaller changes are none
_LEAST = 1e-6  # probability: a column that always agrees still tells little, not everything
_DIGITS = 9  # of a weight: patterns of equal weights are told apart by no rounding


class MatchWeights(NamedTuple):
    """Weight of each pattern, and whether the probabilities were found.

    Parameters
    ----------
    of_patterns
        Sum over the columns of log₂(m/u) where they agree and log₂((1 − m)/(1 − u)) where not, of shape (n_patterns,).
    converged
        Whether the EM algorithm came to an end.
    """

    of_patterns: FloatArray
    converged: bool


class _Probabilities(NamedTuple):
    """Probabilities that each column agrees in a pair of one and the same person, m, and in any other, u."""

    m: FloatArray
    u: FloatArray


def fit_weights(table: PatternCounts, n_bits: int, share: float, check: Callable[[], None]) -> MatchWeights:
    """Estimate how much agreement and disagreement of each column tell, from the patterns of all pairs.

    Columns are taken as independent, in pairs of the same person and in others. The share of the former is known, as
    every original record has one released one, and is not estimated. No column agrees less often in pairs of the same
    person than in others: where all agree rarely, the likelihood may be highest with some column turned around, which
    would link records that differ.

    Parameters
    ----------
    table
        Patterns, and the number of pairs that have each.
    n_bits
        Number of columns.
    share
        Share of the pairs that are of one and the same person.
    check
        Called in every round; it may raise an exception to end the work.

    Returns
    -------
    MatchWeights
        Of each pattern of the table.
    """
    agree = (table.patterns[:, None] >> np.arange(n_bits)[::-1] & 1).astype(np.float64)
    u = _clipped(table.counts @ agree / table.counts.sum())
    found = _Probabilities(0.9 + 0.1 * u, u)
    converged = False
    for _ in range(_MAX_ROUNDS):
        check()
        improved = _improved(agree, table.counts, found, min(share, 0.5))
        converged = max(np.abs(improved.m - found.m).max(), np.abs(improved.u - found.u).max()) < _TOLERANCE
        found = improved
        if converged:
            break
    return MatchWeights(np.round(_logarithms(agree, found) / np.log(2.0), _DIGITS), converged)


def _improved(agree: FloatArray, counts: FloatArray, found: _Probabilities, share: float) -> _Probabilities:
    """Do one round of EM: how likely each pattern is one of the same person, and the probabilities that follow."""
    odds = np.exp(np.clip(_logarithms(agree, found), -700.0, 700.0)) * share / (1.0 - share)
    same = counts * odds / (1.0 + odds)
    other = counts - same
    u = _clipped(other @ agree / other.sum())
    return _Probabilities(np.maximum(_clipped(same @ agree / same.sum()), u), u)


def _logarithms(agree: FloatArray, found: _Probabilities) -> FloatArray:
    """Return the logarithm of the ratio of both probabilities, of each pattern."""
    agreeing = np.log(found.m / found.u)
    differing = np.log((1.0 - found.m) / (1.0 - found.u))
    logarithms: FloatArray = agree @ (agreeing - differing) + differing.sum()
    return logarithms


def _clipped(probabilities: FloatArray) -> FloatArray:
    return np.clip(probabilities, _LEAST, 1.0 - _LEAST)
