"""A list of all groups proves what pricing of all groups proves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lp_cases import every_group, pricer_of, random_cuts, random_problem
from microagg.exact.column_pool import ColumnPool
from microagg.kernels.tick import no_tick
from microagg.lp.duals import Duals
from microagg.lp.pair_rules import PairRule


@settings(max_examples=40)
@given(st.data())
def test_a_pool_proves_what_pricing_proves(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n, k = data.draw(st.integers(5, 10)), data.draw(st.integers(2, 3))
    problem = random_problem(rng, n, k, ties=data.draw(st.booleans()))
    cuts = random_cuts(rng, n, data.draw(st.integers(0, 8)))
    of_records = data.draw(st.sampled_from([0.3, 1.5])) * rng.normal(loc=0.5, size=n)
    duals = Duals(np.concatenate([of_records, -rng.uniform(0.0, 2.0, size=cuts.n_cuts)]), cuts)
    pricer = pricer_of(problem)
    columns = pricer.list_below(np.inf, duals, no_tick, 10**6)
    pool = ColumnPool(problem, columns)
    assert pool.n_columns == len(every_group(n, k))
    assert pool(duals).lower_bound == pytest.approx(pricer.price(duals, no_tick).lower_bound, abs=1e-8)
    below = pool.below(0.1, duals)
    assert below.n_columns == np.count_nonzero(columns.reduced_costs(duals) < 0.1)
    assert below.n_columns < 3 or pool.cheapest(3, duals).record_sets() == below.cheapest(3, duals).record_sets()
    for together in (True, False):
        rule = PairRule(0, 1, together)
        allowed = {frozenset(group) for group in every_group(n, k, [rule])}
        assert {*pool.allowed_by(rule).columns.record_sets()} == allowed
