"""Rounds of ordering and cutting."""

import numpy as np
import pytest

import naive
from microagg.kernels.walks.insertion import order_by_insertion
from microagg.kernels.walks.repeated_ordering import first_round, further_rounds, initial_state
from microagg.kernels.walks.walk_context import make_walk_context
from microagg.model.arrays import FloatArray


def _records(seed: int, n: int) -> FloatArray:
    return np.random.default_rng(seed).standard_t(4, size=(n, 3))


def test_ordered_groups_are_not_ordered_again() -> None:
    """A walk that trusts `ordered` goes the way of one that orders every group anew."""
    X = _records(1, 60)
    state = first_round(make_walk_context(X), 3, initial_state(np.arange(60) % 20, np.inf))
    assert not state.ordered.all()
    while not state.ordered.all():
        state, rounds, _ = further_rounds(make_walk_context(X), 3, state, -1.0, 1)
        assert rounds == 1
    again = order_by_insertion(make_walk_context(X), state.groups, np.zeros_like(state.ordered))
    trusting = order_by_insertion(make_walk_context(X), state.groups, state.ordered)
    np.testing.assert_array_equal(trusting, again)


@pytest.mark.parametrize("seed", range(4))
def test_rounds_are_those_of_the_paper(seed: int) -> None:
    X, k = _records(seed, 50), 2 + seed % 3
    labels = np.arange(50) % 9
    losses = naive.reorder(X, k, labels)
    context = make_walk_context(X)
    state = first_round(context, k, initial_state(labels, np.inf))
    for loss in losses:
        assert state.sse == pytest.approx(loss, rel=1e-9)
        assert state.sse == pytest.approx(naive.sse(X, state.groups.labels), rel=1e-9)
        sizes = np.bincount(state.groups.labels)
        np.testing.assert_array_equal(sizes, np.diff(state.groups.starts))
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1
        state, _, _ = further_rounds(context, k, state, -1.0, 1)


def test_rounds_end_when_one_gains_too_little_or_at_the_limit() -> None:
    X = _records(2, 90)
    state = first_round(make_walk_context(X), 3, initial_state(np.arange(90) % 7, np.inf))
    _, rounds, gaining = further_rounds(make_walk_context(X), 3, state, 0.0, np.inf)
    assert rounds > 2
    assert not gaining
    assert further_rounds(make_walk_context(X), 3, state, 0.0, rounds)[1:] == (rounds, False)
    assert further_rounds(make_walk_context(X), 3, state, 0.0, rounds - 1)[1:] == (rounds - 1, True)
    gain = state.sse - further_rounds(make_walk_context(X), 3, state, 0.0, 1)[0].sse
    assert further_rounds(make_walk_context(X), 3, state, gain, np.inf)[1:] == (1, False)
