"""Check proofs: what no partition of a node loses less than, and which groups one below B may hold.

*A proof.* Take any numbers λ for the records, and cuts with μ ≥ 0. Then a partition into groups C loses at least
base + Σ_C rc(C), with

    base = Σλ − Σ_cuts μ·⌊w/q⌋,    rc(C) = sse(C) − Σ_{v ∈ C} λ_v + Σ_cuts μ·⌊w(C)/q⌋,

as each λ is added once and taken off once, and Σ_C ⌊w(C)/q⌋ ≤ ⌊w/q⌋ for the weights w of a cut. A partition of a node
has only groups that obey its rules, each with all or none of the records that are together, and without both of two
that are apart: no other groups are looked at. Let each group have one of its records for a root, whichever: no two
groups of a partition share it, and there are at most ⌊n/k⌋ of them. So it loses at least LB: base and the ⌊n/k⌋ lowest
of min(0, the least rc of the groups rooted at v). If LB ≥ B, no partition of the node is below B. Else one that is
holds only groups with rc(C) < B − LB, as its other groups add at least LB − base: a later proof, here or in a branch,
looks at these alone.

*Rounding.* An rc adds up squares and cuts, P in all, and takes off duals, at most Q = 2k·max|λ| in all. Each goes
through at most t = d + 12k² + 3c + 10 roundings, c being 2k times the most cuts that hold one record: so rc is wrong by
at most 1.01·t·2⁻⁵³·(P + Q). Near or below a ceiling T ≥ 0, where P ≤ 2(T + Q), that is less than
E(T) = t·2⁻⁵²·2(T + Q); elsewhere rc is far above T. So groups are listed and kept up to E(T) above T. LB is lowered by
⌊n/k⌋·2·E(0): once for the least rc of a root, and once as another group may be less than the one listed for it.
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import Any

import numpy as np

from microagg.certify.certificate_reader import Cut, Proof, Rule
from microagg.certify.group_lists import list_all, list_least
from microagg.certify.priced_groups import Case, Pool
from microagg.certify.stdout_guard import printing_to_stderr
from microagg.model.arrays import FloatArray, IntArray

_EPS = 2.0**-52
_ROWS = 100_000  # groups whose cuts are looked at at once
_LARGE = 1e6  # what the integer programme is scaled to: the absolute tolerances of HiGHS are about 1e-6
_TINY = 1e-290  # keeps that scale finite
_EXACT = 1e-9  # relative: what HiGHS may leave unproved
_OPTIMAL, _INFEASIBLE = 0, 2  # what scipy's numbers mean
_SOME = 0.5  # a whole number is above or below that


def prove(case: Case, proof: Proof, rules: Sequence[Rule], pool: Pool | None) -> tuple[float, Pool]:
    """Give what a proof shows, LB, and, if that is below B, the groups of which a partition below B may consist.

    Parameters
    ----------
    pool
        The groups to look at, which obey the rules; None: all that do.
    """
    bound = -np.inf
    if pool is None:
        least, roots = list_least(case, proof, rules)
        bound = _bound(case, proof, reduced_costs(proof, least), roots)
        if bound >= case.lower_bound:
            return bound, least
        ceiling = case.lower_bound - bound
        pool = list_all(case, proof, rules, ceiling + _error(case, proof, ceiling))
    costs = reduced_costs(proof, pool)
    bound = max(bound, _bound(case, proof, costs, _roots(proof, pool)))
    ceiling = max(0.0, case.lower_bound - bound)
    return bound, pool.only(costs < ceiling + _error(case, proof, ceiling))


def reduced_costs(proof: Proof, pool: Pool) -> FloatArray:
    """Give rc of each group."""
    costs: FloatArray = pool.sses - pool.groups @ proof.duals
    if proof.cuts:
        weights, denominators, duals = _cut_arrays(proof.cuts, len(proof.duals))
        for first in range(0, len(costs), _ROWS):
            some = slice(first, first + _ROWS)
            reached = pool.groups[some] @ weights  # w(C), of shape (groups, cuts)
            reached.data //= denominators[reached.indices]
            costs[some] += reached @ duals
    return costs


def _roots(proof: Proof, pool: Pool) -> IntArray:
    """Give the first record by falling λ of each group, by its place in that order."""
    places = np.empty(len(proof.duals), dtype=np.int64)
    places[np.argsort(-proof.duals, kind="stable")] = np.arange(len(places))
    if not len(pool.sses):
        return np.empty(0, dtype=np.int64)
    roots: IntArray = np.minimum.reduceat(places[pool.groups.indices], pool.groups.indptr[:-1])
    return roots


def _bound(case: Case, proof: Proof, costs: FloatArray, roots: IntArray) -> float:
    """Give LB, from groups of which the least of each root is one."""
    n_groups, least = case.problem.n // case.problem.k, np.zeros(case.problem.n)
    np.minimum.at(least, roots, costs)
    terms = [*_base(proof), *np.sort(least)[:n_groups].tolist()]
    return fsum([*terms, -n_groups * 2 * _error(case, proof, 0.0), -_EPS * fsum(map(abs, terms))])


def _base(proof: Proof) -> list[float]:
    """Give the numbers that base adds up."""
    return [*proof.duals.tolist(), *(-cut.dual * (sum(cut.weights) // cut.denominator) for cut in proof.cuts)]


def _error(case: Case, proof: Proof, ceiling: float) -> float:
    """Give E: see above."""
    k, d = case.problem.k, case.problem.d
    cuts = 2 * k * max(Counter(record for cut in proof.cuts for record in cut.records).values(), default=0)
    roundings = d + 12 * k**2 + 3 * cuts + 10
    taken_off = 2 * k * float(np.abs(proof.duals).max())
    return _EPS * roundings * 2 * (ceiling + taken_off)


def _cut_arrays(cuts: Sequence[Cut], n: int) -> tuple[Any, IntArray, FloatArray]:
    """Give the weights, sparse and of shape (n, cuts), the denominators and the duals."""
    from scipy.sparse import csr_array

    records = np.array([record for cut in cuts for record in cut.records], dtype=np.int64)
    weights = np.array([weight for cut in cuts for weight in cut.weights], dtype=np.int64)
    places = np.repeat(np.arange(len(cuts)), [len(cut.records) for cut in cuts])
    denominators = np.array([cut.denominator for cut in cuts], dtype=np.int64)
    duals = np.array([cut.dual for cut in cuts])
    return csr_array((weights, (records, places)), shape=(n, len(cuts))), denominators, duals


def best_choice(pool: Pool, lower_bound: float) -> tuple[bool, str]:
    """Choose groups so that each record is in one of them and least is lost; say whether that is not below B.

    What is chosen is added up here; that nothing else is better is as exact as HiGHS is.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    scale = _LARGE / max(lower_bound, float(pool.sses.max()), _TINY)
    with printing_to_stderr():
        found = milp(
            scale * pool.sses,
            integrality=np.ones(len(pool.sses)),
            bounds=Bounds(0.0, 1.0),
            constraints=LinearConstraint(pool.groups.T, 1.0, 1.0),
            options={"mip_rel_gap": 0.0},
        )
    if found.status == _INFEASIBLE:
        return True, "no choice of groups is a partition"
    if found.status != _OPTIMAL:
        return False, f"the integer programme was not solved: {found.message}"
    sse = fsum(pool.sses[found.x > _SOME])
    proved = min(sse, found.mip_dual_bound / scale)
    closed = sse >= lower_bound and proved >= (1.0 - _EXACT) * lower_bound
    return closed, f"the best of {len(pool.sses)} groups lose {sse:.12g}, at least {proved:.12g}"
