"""Diving heuristic: fix the groups of nearly integral values, solve the rest again, and so on."""

import numpy as np

from microagg.exact.branch_node import COLUMNS_PER_RECORD, PENALTY_FACTOR, BranchNode
from microagg.exact.column_pool import ColumnPool
from microagg.exact.proof_context import ProofContext
from microagg.exact.separation import separate
from microagg.lp.column_generator import ColumnGenerator
from microagg.lp.dual_stabilisation import DualStabilisation
from microagg.lp.duals import Duals
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lp_solution import INTEGRALITY_TOL, LpSolution
from microagg.lp.restricted_master import RestrictedMaster
from microagg.lp.rounding_heuristics import round_largest
from microagg.model.arrays import IntArray
from microagg.model.partition import Partition

_KIND = "dive"
_TOLERANCE = 1e-6  # of the objective: the gap that may be left when groups are fixed
_MAX_CUTS = 200  # of the one round


def dive(context: ProofContext, node: BranchNode, pool: ColumnPool, fix_above: float) -> Partition:
    """Make a partition of groups of a list.

    Ours, from what branch-and-price codes do. The linear programme over the list, with the binding cuts of a node and a
    round of others, values groups. Of those disjoint from the groups fixed before, the ones of values above `fix_above`
    are fixed, or else the one of the largest value; then only groups disjoint from these are left in the list. Records
    that no group of it fits in the end are rounded.

    Parameters
    ----------
    node
        Its duals and cuts are the warm start.
    pool
        The list.
    fix_above
        Value from which on several groups are fixed at once.
    """
    duals = node.duals
    penalty = PENALTY_FACTOR * float(duals.of_records.max())
    columns = pool.cheapest(COLUMNS_PER_RECORD * pool.problem.n, duals)
    fixed = np.full(pool.problem.n, -1)
    while (fixed < 0).any():
        generator = _solved(context, pool, columns, duals.binding(), penalty)
        columns = generator.master.columns
        if generator.solution is None or not _fix_groups(columns, generator.solution, fix_above, fixed):
            break
        pool = pool.compatible_with(fixed)
        columns = columns.select(columns.compatible_with(fixed))
        duals = generator.solution.duals
    is_fixed = fixed[columns.records[columns.starts[:-1]]] >= 0
    (partition,) = round_largest(pool.problem, columns, is_fixed.astype(np.float64))
    return partition


def _solved(
    context: ProofContext, pool: ColumnPool, columns: GroupColumns, duals: Duals, penalty: float
) -> ColumnGenerator:
    """Solve the linear programme over the list, then again with a round of cuts."""
    generator = ColumnGenerator(RestrictedMaster(columns, duals.cuts, penalty), context.run, context.tick)
    generator.start(duals.values, 0.0, _KIND)
    generator.converge(pool, _KIND, DualStabilisation(0.0), _TOLERANCE)
    if generator.solution is not None:
        values = generator.solution.values
        cuts = separate(generator.master.columns, values, _MAX_CUTS, context.rng, context.run.workers, context.tick)
        generator.add_cuts(cuts)
        generator.converge(pool, _KIND, DualStabilisation(0.0), _TOLERANCE)
    return generator


def _fix_groups(columns: GroupColumns, solution: LpSolution, fix_above: float, fixed: IntArray) -> bool:
    """Fix groups by labelling their records (OUT in `fixed`); return whether there were any."""
    n_before = int(fixed.max()) + 1
    n_fixed = n_before
    for column in np.argsort(-solution.values, kind="stable").tolist():
        if solution.values[column] <= (fix_above if n_fixed > n_before else INTEGRALITY_TOL):
            break
        members = columns.records[columns.starts[column] : columns.starts[column + 1]]
        if (fixed[members] < 0).all():
            fixed[members] = n_fixed
            n_fixed += 1
    return n_fixed > n_before
