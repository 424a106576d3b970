"""Strong branching: the pair of records to branch on."""

from itertools import combinations

import numpy as np

from microagg.exact.branch_node import BranchNode
from microagg.exact.node_relaxation import NodeRelaxation
from microagg.lp.group_columns import GroupColumns
from microagg.lp.lp_solution import INTEGRALITY_TOL, LpSolution
from microagg.lp.pair_rules import PairRule, must_link_sets
from microagg.model.arrays import FloatArray

Pair = tuple[int, int]

_CANDIDATES_PER_RANKING = 6
_MIN_GAIN_SHARE = 1e-3  # of the gap: what a branch counts for at least


def choose_pair(relaxation: NodeRelaxation, node: BranchNode) -> Pair:
    """Choose the pair, of those that columns share fractionally, whose two branches raise the objective most.

    The branches are compared by the product of their gains, over the columns that the master has. The run is stopped
    where no pair is fractional: what is left of the gap is a matter of rounding.
    """
    context = relaxation.context
    solution = relaxation.generator.solution
    assert solution is not None
    fractional = _fractional_pairs(relaxation.generator.master.columns, solution.values, node)
    if not fractional:
        context.run.stop("tolerance")
    min_gain = _MIN_GAIN_SHARE * relaxation.gap
    scores: dict[Pair, float] = {}
    for pair in sorted(_candidates(fractional, solution)):
        context.tick()
        together, apart = (_gain(relaxation, solution, PairRule(*pair, together)) for together in (True, False))
        scores[pair] = max(together, min_gain) * max(apart, min_gain)
    return max(scores, key=lambda pair: scores[pair])


def _fractional_pairs(columns: GroupColumns, values: FloatArray, node: BranchNode) -> dict[Pair, float]:
    """Return the distance from integrality of each pair of records that columns share fractionally."""
    shares = _shared_values(columns, values)
    for linked in must_link_sets(columns.n, node.rules):  # at the penalty for a record, its set may be split
        for pair in combinations(linked.tolist(), 2):
            shares.pop(pair, None)
    return {
        pair: min(share, 1 - share) for pair, share in shares.items() if INTEGRALITY_TOL < share < 1 - INTEGRALITY_TOL
    }


def _shared_values(columns: GroupColumns, values: FloatArray) -> dict[Pair, float]:
    """Return the total value of the fractional columns that hold both records, for each pair that shares any."""
    shares: dict[Pair, float] = {}
    fractional = np.flatnonzero((values > INTEGRALITY_TOL) & (values < 1 - INTEGRALITY_TOL))
    for records, value in zip(columns.select(fractional).record_sets(), values[fractional].tolist(), strict=True):
        for pair in combinations(sorted(records), 2):
            shares[pair] = shares.get(pair, 0.0) + value
    return shares


def _candidates(fractional: dict[Pair, float], solution: LpSolution) -> set[Pair]:
    """Return the first pairs of two rankings: the most fractional ones, and those weighted by their duals."""
    duals = solution.duals.of_records
    weighted = {pair: share * (duals[pair[0]] + duals[pair[1]]) for pair, share in fractional.items()}
    return {
        pair
        for ranking in (fractional, weighted)
        for pair in sorted(ranking, key=lambda pair: (-ranking[pair], pair))[:_CANDIDATES_PER_RANKING]
    }


def _gain(relaxation: NodeRelaxation, solution: LpSolution, rule: PairRule) -> float:
    """Return by how much a rule raises the objective of the master, at most up to the cutoff."""
    master = relaxation.generator.master
    objective = master.objective_without(np.flatnonzero(~master.columns.allowed_by(rule)))
    return min(relaxation.cutoff, objective) - solution.objective
