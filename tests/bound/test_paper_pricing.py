"""Pricing as the column generation paper does it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lp_cases import columns_of, pricer_of, random_problem
from microagg import Problem, Run
from microagg.bound.paper_pricing import PaperPricing
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick, no_tick
from microagg.lp.duals import Duals
from microagg.lp.rank_one_cuts import RankOneCuts


def _pricing(problem: Problem, method: str, tick: Tick = no_tick, triangles: bool = False) -> PaperPricing:
    return PaperPricing(problem, 1.0, method, Run(), tick, triangles)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(6, 12), st.integers(2, 4))
def test_all_exact_pricings_find_equally_cheap_groups(random_state: int, n: int, size: int) -> None:
    problem = random_problem(random_state, n, size)
    duals = Duals(np.random.default_rng(random_state).uniform(0.0, 2.0, size=n), RankOneCuts.empty(n))
    tried, cost = _pricing(problem, "enumeration")._enumerate(duals.values, size)
    solved, lower_bound = _pricing(problem, "ilp")._solve(duals.values, size)
    strengthened, same_bound = _pricing(problem, "ilp", triangles=True)._solve(duals.values, size)
    priced = pricer_of(problem).price(duals, no_tick)
    costs = priced.columns.reduced_costs(duals)[np.diff(priced.columns.starts) == size]
    assert min(costs, default=0.0) == pytest.approx(min(cost, 0.0), abs=1e-9)
    assert lower_bound <= cost <= lower_bound + 1e-6
    assert same_bound <= cost <= same_bound + 1e-6
    for group in (tried, solved, strengthened):
        assert columns_of(problem, [group.tolist()]).reduced_costs(duals)[0] == pytest.approx(cost, abs=1e-6)


def test_the_paper_chooses_between_trying_all_and_solving() -> None:
    pricing = _pricing(random_problem(0, 8, 3), "paper")
    for n in (30, 40, 50, 100, 200):
        chosen = [pricing._cheapest(n, size) for size in range(3, 10)]
        n_tried = 3 if n == 200 else 4
        assert chosen == [pricing._enumerate] * n_tried + [pricing._solve] * (7 - n_tried)


@pytest.mark.parametrize("triangles", [False, True])
def test_an_integer_programme_ends_when_the_run_is_stopped(triangles: bool) -> None:
    problem = random_problem(0, 14, 4)
    duals = np.random.default_rng(0).uniform(0.0, 2.0, size=14)
    asked: list[float | None] = []

    def tick(done: float | None = None) -> None:
        asked.append(done)
        raise StoppedError("target_gap")

    with pytest.raises(StoppedError, match="target_gap"):
        _pricing(problem, "ilp", tick, triangles)._solve(duals, 6)
    assert len(asked) >= 2, "in the linear or the integer programme, and after it"
