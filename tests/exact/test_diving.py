"""Dives among listed groups."""

import numpy as np
import pytest

import naive
from lp_cases import fractional, pricer_of
from microagg import Partition, Problem, Run
from microagg.exact.branch_node import BranchNode
from microagg.exact.column_pool import ColumnPool
from microagg.exact.diving import dive
from microagg.exact.proof_context import PricingEffort, ProofContext
from microagg.kernels.tick import no_tick
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.incumbent import Incumbent
from microagg.lp.integer_programme import solve_integer_programme
from microagg.lp.rank_one_cuts import RankOneCuts


def _dived(problem: Problem, columns: GroupColumns, fix_above: float) -> Partition:
    start = Partition(problem, np.zeros(problem.n, dtype=np.int64))
    context = ProofContext(
        *(pricer_of(problem), Incumbent(problem, start, 1.0), np.random.default_rng(0), Run(workers=2), no_tick),
        PricingEffort(is_limited=True),
    )
    duals = Duals(np.full(problem.n, columns.sses.max()), RankOneCuts.empty(problem.n))
    found = dive(context, BranchNode(0, None, (), columns, duals, 0.0), ColumnPool(problem, columns), fix_above)
    assert context.incumbent.best is start, "what a dive meets on its way is not offered"
    return found


@pytest.mark.parametrize("fix_above", [0.5, 0.9])
@pytest.mark.parametrize("random_state", range(4))
def test_a_dive_ends_with_groups_of_the_list(fix_above: float, random_state: int) -> None:
    problem, columns, _ = fractional(random_state, 12, 3)
    some = np.random.default_rng(random_state).choice(columns.n_columns, size=60, replace=False)
    best = solve_integer_programme(columns, RankOneCuts.empty(12), 1000, Run()).chosen
    assert best is not None
    listed = columns.select(np.union1d(some, best))
    found = _dived(problem, listed, fix_above)
    assert {*GroupColumns.of_partition(found).record_sets()} <= {*listed.record_sets()}
    assert found.sse <= 1.1 * naive.least_sse(problem.X, 3)
    only = GroupColumns.of_partition(found)
    np.testing.assert_array_equal(_dived(problem, only, fix_above).labels, found.labels)
    fewer = only.select(np.arange(found.n_groups - 1))  # what no group of the list fits, is rounded
    np.testing.assert_array_equal(_dived(problem, fewer, fix_above).labels, found.labels)
