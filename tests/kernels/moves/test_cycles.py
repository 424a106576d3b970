"""Cyclic moves, against all cycles with rising ranks."""

import numpy as np
import pytest

import naive
import naive_icsm
from microagg.kernels.moves.cycles import apply_cycle, find_cycle, least_score
from microagg.kernels.moves.exchange import measure_groups
from samples import heavy_tailed
from strategies import random_labels


@pytest.mark.parametrize("seed", range(8))
def test_score_is_the_sum_over_all_pairs(seed: int) -> None:
    X = heavy_tailed(seed, 30)
    labels = random_labels(seed, len(X), 3)
    scores = naive.least_score(X, labels)
    assert scores[least_score(measure_groups(X, labels, len(scores)))] == pytest.approx(scores.min(), rel=1e-9)


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("first", [False, True])
def test_cycle_is_the_best_or_the_first_with_rising_ranks(seed: int, first: bool) -> None:
    X = heavy_tailed(seed, 11 + seed % 4, 2)
    k = 2
    labels = random_labels(seed, len(X), k)
    groups = measure_groups(X, labels, labels.max() + 1)
    source = least_score(groups)
    expected = (naive_icsm.first_cycle if first else naive.best_cycle)(X, labels, k, source)
    new = labels.copy()
    apply_cycle(new, find_cycle(X, groups, k, source, first=first))
    assert naive.sse(X, new) - naive.sse(X, labels) == pytest.approx(expected, abs=1e-9)
    assert np.bincount(new).min() >= k
    assert np.bincount(new).max() <= 2 * k - 1


def test_each_record_of_a_cycle_moves_to_the_group_of_the_next_node() -> None:
    labels = np.array([0, 0, 1, 1, 2, 2])
    closed = labels.copy()
    apply_cycle(closed, np.array([0, 2, 4]))
    assert closed.tolist() == [1, 0, 2, 1, 0, 2]
    through_a_group = labels.copy()
    apply_cycle(through_a_group, np.array([0, 6 + 1, 4]))
    assert through_a_group.tolist() == [1, 0, 1, 1, 0, 2]
