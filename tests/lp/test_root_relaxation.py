"""The linear programme over all groups."""

import numpy as np
import pytest

from lp_cases import columns_of, every_group, one_group, random_problem, relaxed
from microagg import MethodError, Problem, Run
from microagg.lp.incumbent import Incumbent
from microagg.lp.pricing_result import TooExpensiveError
from microagg.lp.root_relaxation import RootRelaxation


def _root(problem: Problem) -> RootRelaxation:
    incumbent = Incumbent.scaled(problem, one_group(problem))
    assert incumbent is not None
    return RootRelaxation(incumbent, (), Run())


def test_twenty_thousand_records_fit_into_memory_and_no_more() -> None:
    X = np.random.default_rng(0).normal(size=(20_001, 2))
    _root(Problem(X[:-1], 3))
    with pytest.raises(MethodError, match="distances of at most 20000 records, found 20001"):
        _root(Problem(X, 3))


def test_the_root_reaches_the_linear_programme_over_all_groups_or_says_that_it_is_too_expensive() -> None:
    problem = random_problem(0, 10, 3)
    root = _root(problem)
    pricer = root.start_from_neighbours()
    started = root.lower_bound
    with pytest.raises(TooExpensiveError):
        root.solve(pricer, 1)
    assert root.solve(pricer, None) is None
    assert 0.0 < started < root.lower_bound
    assert root.lower_bound >= relaxed(columns_of(problem, every_group(10, 3))).objective * (1 - 1e-7)


def test_relaxed_pricing_goes_deeper_with_a_time_limit() -> None:
    problem = random_problem(0, 30, 4)
    n_pricings = []
    for time_limit in (None, 1e9):
        incumbent = Incumbent.scaled(problem, one_group(problem))
        assert incumbent is not None
        root = RootRelaxation(incumbent, (), Run(time_limit=time_limit))
        assert root.relax(root.start_from_neighbours()) == "effort"
        n_pricings.append(root.generator.n_pricings)
    assert n_pricings == [2 * 60, 4 * 60]
