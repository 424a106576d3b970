"""Lists of all groups below a cutoff that is as high as their number allows."""

import numpy as np
import pytest

from lp_cases import one_group, random_problem
from microagg import Run, solve
from microagg.exact.branch_node import BranchNode
from microagg.exact.gap_enumeration import enumerate_gap
from microagg.exact.proof_context import PricingEffort, ProofContext
from microagg.kernels.tick import no_tick
from microagg.lp.incumbent import Incumbent
from microagg.lp.root_relaxation import RootRelaxation


@pytest.fixture(name="case", scope="module")
def _case() -> tuple[ProofContext, BranchNode]:
    problem = random_problem(2, 40, 3)
    incumbent = Incumbent.scaled(problem, one_group(problem))
    assert incumbent is not None
    incumbent.offer(solve(problem.X, 3, standardise=False, method="mdav").partition)
    root = RootRelaxation(incumbent, (), Run())
    pricer = root.start_from_neighbours()
    root.solve_or_relax(pricer)
    generator = root.generator
    node = BranchNode(0, None, (), generator.master.columns, generator.centre, generator.lower_bound)
    effort = PricingEffort(is_limited=True)
    return ProofContext(pricer, incumbent, np.random.default_rng(0), Run(), no_tick, effort), node


def test_all_groups_of_the_gap_are_listed_where_there_may_be_so_many(case: tuple[ProofContext, BranchNode]) -> None:
    context, node = case
    pool, cutoff = enumerate_gap(context, node, 10**6, np.inf)
    assert pool is not None
    assert cutoff == context.incumbent.cutoff - node.lower_bound > 0.0
    assert pool.columns.reduced_costs(node.duals).max() < cutoff
    again, same = enumerate_gap(context, node, pool.n_columns, np.inf)
    assert again is not None
    assert (again.n_columns, same) == (pool.n_columns, cutoff)


def test_fewer_groups_lower_the_cutoff(case: tuple[ProofContext, BranchNode]) -> None:
    context, node = case
    pool, cutoff = enumerate_gap(context, node, 10**6, np.inf)
    assert pool is not None
    fewer, lower = enumerate_gap(context, node, pool.n_columns - 1, np.inf)
    assert fewer is not None
    assert fewer.n_columns < pool.n_columns
    assert 0.0 < lower < cutoff
    assert fewer.n_columns == pool.below(lower, node.duals).n_columns
    limited, limit = enumerate_gap(context, node, 10**6, lower)
    assert limited is not None
    assert (limited.n_columns, limit) == (fewer.n_columns, lower)


def test_nothing_is_listed_where_nothing_may_be(case: tuple[ProofContext, BranchNode]) -> None:
    context, node = case
    assert enumerate_gap(context, node, 0, np.inf) == (None, 0.0)
