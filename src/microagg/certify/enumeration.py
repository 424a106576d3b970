"""Enumeration of the groups that a node of the branching tree may hold, by the duals of a certificate."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from microagg.certify.checked_problem import CheckedProblem
from microagg.certify.claim import Cut, Decision, DualSolution
from microagg.certify.group_list import GroupList
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.errors import MicroaggError

if TYPE_CHECKING:
    from microagg.kernels.checking.cheap_groups import CutTable

MAX_LISTED_GROUPS = 5_000_000
_ROOTS_PER_TICK = 32


class TooManyGroupsError(MicroaggError):
    """More candidate groups than can be listed."""


def list_below(checked: CheckedProblem, proof: DualSolution, decisions: Sequence[Decision], cutoff: float) -> GroupList:
    """List all groups of k … 2k − 1 records that obey the decisions and have a reduced cost below the cutoff."""
    return GroupList.of(checked.squares, _enumerate(checked, proof, decisions, cutoff, list_all=True))


def list_cheapest(
    checked: CheckedProblem, proof: DualSolution, decisions: Sequence[Decision]
) -> tuple[GroupList, IntArray]:
    """List the cheapest group of each root and size that obeys the decisions, if its reduced cost is negative.

    The root of each group is returned with it: one of its records, whichever order says which one.
    """
    listed = _enumerate(checked, proof, decisions, 0.0, list_all=False)
    return GroupList.of(checked.squares, listed), np.concatenate([groups[:, 0] for groups in listed])


def _enumerate(
    checked: CheckedProblem, proof: DualSolution, decisions: Sequence[Decision], cutoff: float, list_all: bool
) -> list[IntArray]:
    """List groups in arrays of equal size, the root of each group first."""
    from microagg.kernels.checking.cheap_groups import CostData, list_groups, sum_nearest_halves

    n, k = checked.problem.n, checked.problem.k
    sets = must_link_sets(decisions, n)
    squares = _decided_squares(checked.squares, sets, decisions)
    linked = _padded(_linked_records(sets, n))
    cuts = _cut_table(proof.cuts, n)
    order = np.argsort(-proof.duals, kind="stable")
    listed: list[IntArray] = []
    count = 0
    for size in range(k, min(2 * k - 1, n) + 1):
        nearest_sums = np.zeros((n, size))
        sum_nearest_halves(squares, order, nearest_sums)
        duals = _shared_duals(checked.squares, proof.duals, sets, size)
        data = CostData(squares, duals, linked, cuts, nearest_sums)
        for first in range(0, n, _ROOTS_PER_TICK):
            checked.run.tick("certify", None, f"{count} groups listed, now those of {size} records")
            last = min(first + _ROOTS_PER_TICK, n)
            groups = list_groups(data, order, first, last, cutoff, MAX_LISTED_GROUPS + 1 - count, list_all)
            listed.append(groups)
            count += len(groups)
            if count > MAX_LISTED_GROUPS:
                raise TooManyGroupsError(
                    f"more than {MAX_LISTED_GROUPS} groups have a reduced cost below {cutoff:.6g}: too many to list"
                )
    return listed


def must_link_sets(decisions: Sequence[Decision], n: int) -> list[IntArray]:
    """Return the sets of records that are together, directly or by way of others."""
    names = np.arange(n)
    for decision in decisions:
        if decision.together:
            names[names == names[decision.one]] = names[decision.other]
    return [np.flatnonzero(names == name) for name in np.flatnonzero(np.bincount(names) > 1)]


def _decided_squares(squares: FloatArray, sets: Sequence[IntArray], decisions: Sequence[Decision]) -> FloatArray:
    """Return the squared distances, 0 within must-link sets (see `_shared_duals`), inf between records apart."""
    decided = squares.copy()
    for members in sets:
        decided[np.ix_(members, members)] = 0.0
    for decision in decisions:
        if not decision.together:
            decided[decision.one, decision.other] = np.inf
            decided[decision.other, decision.one] = np.inf
    return decided


def _shared_duals(squares: FloatArray, duals: FloatArray, sets: Sequence[IntArray], size: int) -> FloatArray:
    """Return the duals, each must-link set's share of the reduced cost spread evenly over its records.

    A group of m records holds all of the set or none: what the set adds to its reduced cost, Σd²/m − Σλ, is the same
    however it is spread, with no distances within the set.
    """
    shared = duals.copy()
    for members in sets:
        within = squares[np.ix_(members, members)].sum() / 2
        shared[members] = (shared[members].sum() - within / size) / len(members)
    return shared


def _linked_records(sets: Sequence[IntArray], n: int) -> list[list[int]]:
    """Return the other records of the must-link set of each record."""
    linked: list[list[int]] = [[] for _ in range(n)]
    for members in sets:
        for record in members:
            linked[record] = [other for other in members if other != record]
    return linked


def _cut_table(cuts: Sequence[Cut], n: int) -> "CutTable":
    from microagg.kernels.checking.cheap_groups import CutTable

    cuts_of: list[list[int]] = [[] for _ in range(n)]
    weights_of: list[list[int]] = [[] for _ in range(n)]
    for place, cut in enumerate(cuts):
        for record, weight in zip(cut.records, cut.weights, strict=True):
            cuts_of[record].append(place)
            weights_of[record].append(weight)
    return CutTable(
        _padded([cut.records for cut in cuts]),
        _padded([cut.weights for cut in cuts]),
        np.array([cut.denominator for cut in cuts], dtype=np.int64),
        np.array([cut.dual for cut in cuts], dtype=np.float64),
        _padded(cuts_of),
        _padded(weights_of),
    )


def _padded(lists: Sequence[Sequence[int]]) -> IntArray:
    """Return lists as the rows of an array, −1 past their ends."""
    rows = np.full((len(lists), max(map(len, lists), default=0) or 1), -1, dtype=np.int64)
    for row, numbers in zip(rows, lists, strict=True):
        row[: len(numbers)] = numbers
    return rows
