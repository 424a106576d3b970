"""The lower bound that a dual solution proves, and the groups that a partition below the claimed bound may hold.

*The bound.* Take any numbers λ for the records, and cuts with μ ≥ 0. A partition into groups C has an sse of at least
base + Σ_C rc(C), with

    base = Σλ − Σ_cuts μ·⌊w/q⌋,    rc(C) = sse(C) − Σ_{v ∈ C} λ_v + Σ_cuts μ·⌊w(C)/q⌋,

as each λ is added once and subtracted once, and Σ_C ⌊w(C)/q⌋ ≤ ⌊w/q⌋ for the weights w of a cut. A partition of a node
has only groups that obey its branching decisions, each with all or none of the records that are together, and without
both of two that are apart: no other groups are considered. Let each group have one of its records for a root,
whichever: no two groups of a partition share it, and there are at most ⌊n/k⌋ of them. So its sse is at least LB: base
and the ⌊n/k⌋ lowest of min(0, the least rc of the groups rooted at v). If LB ≥ B, the claimed bound, no partition of
the node is below B. Else one that is holds only groups with rc(C) < B − LB, as its other groups add at least LB − base:
a later dual solution, here or in a branch, is applied to these candidate groups alone.

*Rounding.* A reduced cost adds up squares and cuts, P in all, and subtracts duals, at most Q = 2k·max|λ| in all. Each
goes through at most t = d + 12k² + 3c + 10 roundings, c being 2k times the most cuts that hold one record: so rc is
wrong by at most 1.01·t·2⁻⁵³·(P + Q). Near or below a cutoff T ≥ 0, where P ≤ 2(T + Q), that is less than
E(T) = t·2⁻⁵²·2(T + Q); elsewhere rc is far above T. So groups are listed and kept up to E(T) above T. LB is lowered by
⌊n/k⌋·2·E(0): once for the least rc of a root, and once as another group may be cheaper than the one listed for it.
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import Any

import numpy as np

from microagg.certify.checked_problem import CheckedProblem
from microagg.certify.claim import Cut, Decision, DualSolution
from microagg.certify.enumeration import list_below, list_cheapest
from microagg.certify.group_list import GroupList
from microagg.model.arrays import FloatArray, IntArray

_EPS = 2.0**-52
_GROUPS_PER_SLICE = 100_000  # whose cuts are evaluated at once


def apply_duals(
    checked: CheckedProblem, proof: DualSolution, decisions: Sequence[Decision], candidates: GroupList | None
) -> tuple[float, GroupList]:
    """Return the bound LB that a dual solution proves, and the groups left: those of any partition below B if LB < B.

    Parameters
    ----------
    candidates
        The groups to consider, which obey the decisions; None: all that do.
    """
    bound = -np.inf
    if candidates is None:
        cheapest, roots = list_cheapest(checked, proof, decisions)
        bound = _lower_bound(checked, proof, reduced_costs(proof, cheapest), roots)
        if bound >= checked.lower_bound:
            return bound, cheapest
        cutoff = checked.lower_bound - bound
        candidates = list_below(checked, proof, decisions, cutoff + rounding_error(checked, proof, cutoff))
    costs = reduced_costs(proof, candidates)
    bound = max(bound, _lower_bound(checked, proof, costs, _roots(proof, candidates)))
    cutoff = max(0.0, checked.lower_bound - bound)
    return bound, candidates.only(costs < cutoff + rounding_error(checked, proof, cutoff))


def reduced_costs(proof: DualSolution, candidates: GroupList) -> FloatArray:
    """Return rc of each group."""
    costs: FloatArray = candidates.sses - candidates.groups @ proof.duals
    if proof.cuts:
        weights, denominators, duals = _cut_arrays(proof.cuts, len(proof.duals))
        for first in range(0, len(costs), _GROUPS_PER_SLICE):
            some = slice(first, first + _GROUPS_PER_SLICE)
            counts = candidates.groups[some] @ weights  # w(C), of shape (groups, cuts)
            counts.data //= denominators[counts.indices]
            costs[some] += counts @ duals
    return costs


def rounding_error(checked: CheckedProblem, proof: DualSolution, cutoff: float) -> float:
    """Return E(T), by how much reduced costs near or below a cutoff T may be wrong."""
    k, d = checked.problem.k, checked.problem.d
    most_cuts = max(Counter(record for cut in proof.cuts for record in cut.records).values(), default=0)
    roundings = d + 12 * k**2 + 3 * (2 * k * most_cuts) + 10
    subtracted = 2 * k * float(np.abs(proof.duals).max())
    return _EPS * roundings * 2 * (cutoff + subtracted)


def _roots(proof: DualSolution, candidates: GroupList) -> IntArray:
    """Return the record of the highest λ of each group, by its place in that order."""
    places = np.empty(len(proof.duals), dtype=np.int64)
    places[np.argsort(-proof.duals, kind="stable")] = np.arange(len(places))
    if not candidates.size:
        return np.empty(0, dtype=np.int64)
    roots: IntArray = np.minimum.reduceat(places[candidates.groups.indices], candidates.groups.indptr[:-1])
    return roots


def _lower_bound(checked: CheckedProblem, proof: DualSolution, costs: FloatArray, roots: IntArray) -> float:
    """Return LB, from groups of which the cheapest of each root is one."""
    n_groups = checked.problem.n // checked.problem.k
    least = np.zeros(checked.problem.n)
    np.minimum.at(least, roots, costs)
    terms = [*_base_terms(proof), *np.sort(least)[:n_groups].tolist()]
    return fsum([*terms, -n_groups * 2 * rounding_error(checked, proof, 0.0), -_EPS * fsum(map(abs, terms))])


def _base_terms(proof: DualSolution) -> list[float]:
    """Return the terms of base."""
    return [*proof.duals.tolist(), *(-cut.dual * cut.right_hand_side for cut in proof.cuts)]


def _cut_arrays(cuts: Sequence[Cut], n: int) -> tuple[Any, IntArray, FloatArray]:
    """Return the weights, sparse and of shape (n, n_cuts), the denominators and the duals."""
    from scipy.sparse import csr_array

    records = np.array([record for cut in cuts for record in cut.records], dtype=np.int64)
    weights = np.array([weight for cut in cuts for weight in cut.weights], dtype=np.int64)
    places = np.repeat(np.arange(len(cuts)), [len(cut.records) for cut in cuts])
    denominators = np.array([cut.denominator for cut in cuts], dtype=np.int64)
    duals = np.array([cut.dual for cut in cuts])
    return csr_array((weights, (records, places)), shape=(n, len(cuts))), denominators, duals
