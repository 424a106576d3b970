"""List all groups that a node may have, by the duals of a proof."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from microagg.certify.certificate_reader import Cut, Proof, Rule
from microagg.certify.priced_groups import Case, Pool
from microagg.model.arrays import FloatArray, IntArray
from microagg.model.errors import MicroaggError

MOST = 5_000_000  # groups that are listed
_ROOTS = 32  # between two looks at whether to go on


class TooManyError(MicroaggError):
    """Say that there are too many groups to be listed."""


def list_all(case: Case, proof: Proof, rules: Sequence[Rule], ceiling: float) -> Pool:
    """List all groups of k … 2k − 1 records that obey the rules and whose rc (`certify.proof`) is below a ceiling."""
    return _pool(case.squares, _list(case, proof, rules, ceiling, every=True))


def list_least(case: Case, proof: Proof, rules: Sequence[Rule]) -> tuple[Pool, IntArray]:
    """List, of the groups that obey the rules and cost less than nothing, the least of each root and size.

    Gives them and their roots: a group's root is one of its records, whatever the order is that tells which one.
    """
    listed = _list(case, proof, rules, 0.0, every=False)
    return _pool(case.squares, listed), np.concatenate([groups[:, 0] for groups in listed])


def _list(case: Case, proof: Proof, rules: Sequence[Rule], ceiling: float, every: bool) -> list[IntArray]:
    """List groups in arrays of equal size, the root of each first.

    A group holds all of the records that are together, a unit, or none: so nothing changes if what a unit adds to a
    group of m, Σλ − Σd²/m, is shared out among its records, and they are no distance apart.
    """
    from microagg.kernels.checking.cheap_groups import Cuts, list_groups, near_sums

    n, k = case.problem.n, case.problem.k
    units, cuts = _units(rules, n), Cuts(*_tables(proof.cuts, n))
    mates: list[list[int]] = [[] for _ in range(n)]
    squares = case.squares.copy()
    for unit in units:
        squares[np.ix_(unit, unit)] = 0.0
        for record in unit:
            mates[record] = [other for other in unit if other != record]
    for rule in rules:
        if not rule.together:
            squares[rule.one, rule.other] = squares[rule.other, rule.one] = np.inf
    rows, count, order = _rows(mates), 0, np.argsort(-proof.duals, kind="stable")
    listed: list[IntArray] = []
    for size in range(k, min(2 * k - 1, n) + 1):
        duals = proof.duals.copy()
        for unit in units:
            within = case.squares[np.ix_(unit, unit)].sum() / 2
            duals[unit] = (duals[unit].sum() - within / size) / len(unit)
        near = np.zeros((n, size))
        near_sums(squares, order, near)
        for first in range(0, n, _ROOTS):
            case.run.tick("certify", None, f"{count} groups listed, now those of {size} records")
            last, most = min(first + _ROOTS, n), MOST + 1 - count
            found = list_groups(squares, duals, rows, cuts, near, order, first, last, size, ceiling, most, every)
            listed.append(found)
            count += len(found)
            if count > MOST:
                raise TooManyError(f"more than {MOST} groups have a reduced cost below {ceiling:.6g}: too many to list")
    return listed


def _pool(squares: FloatArray, listed: list[IntArray]) -> Pool:
    """Gather arrays of groups, each of one size."""
    from scipy.sparse import csr_array

    sizes = np.concatenate([np.full(len(groups), groups.shape[1]) for groups in listed])
    records = np.concatenate([groups.ravel() for groups in listed])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    groups = csr_array((np.ones(len(records), dtype=np.int64), records, starts), shape=(len(sizes), len(squares)))
    return Pool(groups, np.concatenate([_sses(squares, groups) for groups in listed]))


def _sses(squares: FloatArray, groups: IntArray) -> FloatArray:
    sums: FloatArray = np.zeros(len(groups))
    for one, other in combinations(range(groups.shape[1]), 2):
        sums += squares[groups[:, one], groups[:, other]]
    sums /= groups.shape[1]
    return sums


def _units(rules: Sequence[Rule], n: int) -> list[IntArray]:
    """Join records that are together, directly or by others, into sets."""
    names = np.arange(n)
    for rule in rules:
        if rule.together:
            names[names == names[rule.one]] = names[rule.other]
    return [np.flatnonzero(names == name) for name in np.flatnonzero(np.bincount(names) > 1)]


def _tables(cuts: tuple[Cut, ...], n: int) -> tuple[IntArray, IntArray, IntArray, FloatArray, IntArray, IntArray]:
    """Give the cuts as arrays: see the kernel."""
    of: list[list[int]] = [[] for _ in range(n)]
    shares: list[list[int]] = [[] for _ in range(n)]
    for place, cut in enumerate(cuts):
        for record, weight in zip(cut.records, cut.weights, strict=True):
            of[record].append(place)
            shares[record].append(weight)
    return (
        _rows([cut.records for cut in cuts]),
        _rows([cut.weights for cut in cuts]),
        np.array([cut.denominator for cut in cuts], dtype=np.int64),
        np.array([cut.dual for cut in cuts], dtype=np.float64),
        _rows(of),
        _rows(shares),
    )


def _rows(lists: Sequence[Sequence[int]]) -> IntArray:
    """Give lists as the rows of an array, −1 where they end."""
    rows = np.full((len(lists), max(map(len, lists), default=0) or 1), -1, dtype=np.int64)
    for row, numbers in zip(rows, lists, strict=True):
        row[: len(numbers)] = numbers
    return rows
