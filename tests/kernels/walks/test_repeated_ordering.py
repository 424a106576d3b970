"""Rounds of RepOrdMic."""

import numpy as np

from microagg.kernels.walks.insertion import by_insertion
from microagg.kernels.walks.repeated_ordering import first_round, further_rounds, initial_state
from microagg.kernels.walks.walk_context import make_walk_context
from samples import heavy_tailed


def test_settled_groups_are_not_ordered_again() -> None:
    """A walk that trusts what is settled goes the way of one that orders every group anew."""
    X = heavy_tailed(1, 60)
    state = first_round(make_walk_context(X), 3, initial_state(np.arange(60) % 20, np.inf))
    assert not state.settled.all()
    while not state.settled.all():
        state, rounds, _ = further_rounds(make_walk_context(X), 3, state, -1.0, 1)
        assert rounds == 1
    again = by_insertion(
        make_walk_context(X), state.groups.labels, state.members, state.starts, np.zeros(len(state.settled), dtype=bool)
    )
    known = by_insertion(make_walk_context(X), state.groups.labels, state.members, state.starts, state.settled)
    np.testing.assert_array_equal(known, again)
