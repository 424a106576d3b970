"""Penalties of cuts for partial groups."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.kernels.pricing.cut_penalties import charge_penalties, no_penalties
from pricing_cases import as_arrays, draw_cuts, penalty

NODE = 7


@settings(max_examples=80)
@given(st.data(), st.integers(1, 4), st.integers(1, 3))
def test_charges_never_exceed_what_a_group_pays(draw: st.DataObject, n_chosen: int, n_left: int) -> None:
    n = 9
    cuts = draw_cuts(draw, n)
    group = np.array(draw.draw(st.permutations(range(n))))
    candidates = sorted(group[n_chosen : n_chosen + draw.draw(st.integers(n_left, n - n_chosen))].tolist())
    penalties = no_penalties(n, len(cuts))
    penalties.node_of[candidates] = NODE
    own = charge_penalties(as_arrays(cuts, n), penalties, group, n_chosen, n_left, NODE)
    chosen = group[:n_chosen].tolist()
    assert own == pytest.approx(penalty(cuts, chosen))
    assert not penalties.weights.any()
    assert not np.delete(penalties.extra, candidates).any()
    for added in combinations(candidates, n_left):
        charged = own + penalties.extra[list(added)].sum()
        assert charged <= penalty(cuts, [*chosen, *added]) + 1e-12
        if n_left == 1 and all(len({*cut.weights} & {*chosen}) for cut in cuts):
            assert charged == pytest.approx(penalty(cuts, [*chosen, *added]))
