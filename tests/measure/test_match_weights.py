"""Weights of agreement: known probabilities are found again."""

from itertools import product

import numpy as np
import pytest

from microagg.measure.agreement_patterns import PatternCounts
from microagg.measure.match_weights import fit_weights

M = (0.95, 0.8, 0.9)
U = (0.1, 0.3, 0.05)
SHARE = 0.02


def _nothing() -> None:
    """Stand for a run that goes on."""


def _expected_counts(n_pairs: float) -> PatternCounts:
    """Return the counts of all patterns of three independent columns, as their probabilities have them."""
    counts = []
    for pattern in product((0, 1), repeat=3):
        same = np.prod([m if bit else 1 - m for bit, m in zip(pattern, M, strict=True)])
        other = np.prod([u if bit else 1 - u for bit, u in zip(pattern, U, strict=True)])
        counts.append(n_pairs * (SHARE * same + (1 - SHARE) * other))
    return PatternCounts(np.arange(8), np.array(counts))


def test_known_probabilities_are_found_again() -> None:
    found = fit_weights(_expected_counts(1e6), 3, SHARE, _nothing)
    assert found.converged
    agree = [np.log2(m / u) for m, u in zip(M, U, strict=True)]
    differ = [np.log2((1 - m) / (1 - u)) for m, u in zip(M, U, strict=True)]
    expected = [
        sum(agree[j] if bit else differ[j] for j, bit in enumerate(pattern)) for pattern in product((0, 1), repeat=3)
    ]
    assert found.of_patterns.tolist() == pytest.approx(expected, abs=1e-3)


def test_column_that_always_agrees_tells_nothing() -> None:
    """The first bit is set in every pattern: the weights are those of the other column alone."""
    found = fit_weights(PatternCounts(np.array([0b10, 0b11]), np.array([90.0, 10.0])), 2, 0.1, _nothing)
    alone = fit_weights(PatternCounts(np.array([0, 1]), np.array([90.0, 10.0])), 1, 0.1, _nothing)
    assert found.of_patterns.tolist() == pytest.approx(alone.of_patterns.tolist(), abs=1e-3)


def test_agreement_weighs_more_than_disagreement() -> None:
    found = fit_weights(PatternCounts(np.array([0, 1]), np.array([8.0, 8.0])), 1, 0.25, _nothing)
    assert found.of_patterns[1] > found.of_patterns[0]


@pytest.mark.parametrize("counts", [(50, 25, 24, 1), (40, 30, 29, 1), (500, 300, 190, 10), (80, 100, 10, 10)])
def test_no_agreement_tells_against_a_pair(counts: tuple[int, ...]) -> None:
    """Both columns seldom agree in one pair: without a bound, one of them would turn around, m below u."""
    neither, second, first, both = fit_weights(
        PatternCounts(np.arange(4), np.array(counts, dtype=np.float64)), 2, 0.05, _nothing
    ).of_patterns.tolist()
    assert neither <= second <= both
    assert neither <= first <= both
    assert neither < 0.0 < both


def test_single_pattern_and_single_pair() -> None:
    found = fit_weights(PatternCounts(np.array([1]), np.array([1.0])), 1, 1.0, _nothing)
    assert np.isfinite(found.of_patterns).all()


def test_every_round_is_checked() -> None:
    rounds: list[None] = []

    def stop() -> None:
        rounds.append(None)
        if len(rounds) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fit_weights(_expected_counts(1e6), 3, SHARE, stop)
