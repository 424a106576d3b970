"""Rounds of RepOrdMic."""

import numpy as np

from microagg.kernels.walks.insertion import by_insertion
from microagg.kernels.walks.orderings import survey
from microagg.kernels.walks.repeated_ordering import first_round, more_rounds, open_state
from samples import heavy_tailed


def test_settled_groups_are_not_ordered_again() -> None:
    """A walk that trusts what is settled goes the way of one that orders every group anew."""
    X = heavy_tailed(1, 60)
    state = first_round(survey(X), 3, open_state(np.arange(60) % 20, np.inf))
    assert not state.settled.all()
    while not state.settled.all():
        state, rounds, _ = more_rounds(survey(X), 3, state, -1.0, 1)
        assert rounds == 1
    again = by_insertion(survey(X), state.labels, state.members, state.starts, np.zeros(len(state.settled), dtype=bool))
    known = by_insertion(survey(X), state.labels, state.members, state.starts, state.settled)
    np.testing.assert_array_equal(known, again)
