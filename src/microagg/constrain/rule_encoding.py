"""Rules as the arrays that kernels take."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.diversity_rules import MISSING
from microagg.model.group_rule import ALLOWANCE
from microagg.model.group_rules import (
    Closeness,
    DistinctUnits,
    DistinctValues,
    Dominance,
    EntropyDiversity,
    GroupRules,
    PPercent,
    PresentCells,
)
from microagg.model.problem import Problem

if TYPE_CHECKING:
    from microagg.kernels.rules.quota_growth import Quotas
    from microagg.kernels.rules.rule_arrays import RuleArrays

_HALF = ALLOWANCE / 2  # what kernels find legal is legal, though they round in another order
_ANY_ENTROPY = -1.0
_ANY_SHARE = 2.0


def rule_arrays(rules: GroupRules, n: int, k: int) -> "RuleArrays":
    """Return rules about n records in groups of at least k as arrays."""
    from microagg.kernels.rules.rule_arrays import RuleArrays

    codes, least_distinct, least_entropies = _diversity_rows(rules)
    close = [rule for rule in rules.rules if isinstance(rule, Closeness)]
    cumulative = [np.cumsum(rule.reference) for rule in close]
    amounts, n_largest, shares, rests = _contribution_rows(rules)
    contributors = [_contributors(rule) for rule in rules.rules if isinstance(rule, Dominance | PPercent)]
    cells = [rule for rule in rules.rules if isinstance(rule, PresentCells)]
    cell_units = _cell_units(cells, n)
    n_codes = max([1, *(int(row.max()) + 1 for row in (*codes, cell_units)), *(len(row) for row in cumulative)])
    return RuleArrays(
        k=k,
        codes=_rows(codes, n, np.int64),
        least_distinct=np.array(least_distinct, dtype=np.int64),
        least_entropies=np.array(least_entropies, dtype=np.float64),
        ranks=_rows([rule.codes for rule in close], n, np.int64),
        is_ordered=np.array([rule.ordered for rule in close], dtype=np.bool_),
        largest_distances=np.array([rule.t * (1 + _HALF) for rule in close], dtype=np.float64),
        n_values=np.array([len(row) for row in cumulative], dtype=np.int64),
        cumulative=_rows(cumulative, n_codes, np.int64),
        sums=_rows([np.concatenate([[0], np.cumsum(row)]) for row in cumulative], n_codes + 1, np.int64),
        amounts=_rows(amounts, n, np.float64),
        contributors=_rows(contributors, n, np.int64),
        n_largest=np.array(n_largest, dtype=np.int64),
        largest_shares=np.array(shares, dtype=np.float64),
        least_rests=np.array(rests, dtype=np.float64),
        is_present=_present(cells, n),
        least_present=np.repeat([rule.k for rule in cells], [rule.missing.shape[1] for rule in cells]).astype(np.int64),
        cell_units=cell_units,
        counts=np.zeros(n_codes, dtype=np.int64),
        sorted_ranks=np.empty(n, dtype=np.int64),
        largest=np.empty(max([2, *n_largest])),
        contributions=np.zeros(n),
    )


def quotas(rules: GroupRules, n: int, k: int) -> "Quotas":
    """Return how many different codes a group needs that grows from the beginning, and the size it should have."""
    from microagg.kernels.rules.quota_growth import Quotas

    codes, least, entropies = _diversity_rows(rules)
    for row, entropy in enumerate(entropies):
        least[row] = max(least[row], math.ceil(math.exp(entropy) * (1 - ALLOWANCE)))
    close = [rule for rule in rules.rules if isinstance(rule, Closeness)]
    size = min(n, max([k, *least, *(_close_size(rule) for rule in close)]))
    for rule in close:
        codes.append(_quantiles(rule.codes, size))
        least.append(size)
    return Quotas(
        size=size,
        codes=_rows(codes, n, np.int64),
        least=np.array(least, dtype=np.int64),
        lacking=np.zeros(len(least), dtype=np.int64),
        is_taken=np.zeros((len(least), max([1, *(int(row.max()) + 1 for row in codes)])), dtype=np.bool_),
    )


def cell_weights(problem: Problem) -> FloatArray:
    """Return the weight of each cell in the sse, of shape (n, d): that of its record, nothing where it is missing."""
    cells = np.ones(problem.X.shape)
    if problem.weights is not None:
        cells *= problem.weights[:, None]
    if problem.missing is not None:
        cells[problem.missing] = 0.0
    return cells


def filled_points(problem: Problem) -> FloatArray:
    """Return a copy of the records as points, with the mean of its column where a value is missing."""
    if problem.missing is None:
        return problem.X.copy()
    present = ~problem.missing
    means = np.where(present, problem.X, 0.0).sum(axis=0) / np.maximum(1, present.sum(axis=0))
    return np.where(present, problem.X, means)


def _diversity_rows(rules: GroupRules) -> tuple[list[IntArray], list[int], list[float]]:
    """Return codes, smallest number of different ones, and smallest entropy, of each rule about them."""
    codes = []
    least = []
    entropies = []
    for rule in rules.rules:
        if isinstance(rule, DistinctUnits):
            row = (_from_zero(rule.units), rule.k, _ANY_ENTROPY)
        elif isinstance(rule, DistinctValues):
            row = (_values_from_zero(rule.codes), rule.at_least, _ANY_ENTROPY)
        elif isinstance(rule, EntropyDiversity):
            row = (_values_from_zero(rule.codes), 1, math.log(rule.l) - _HALF)
        else:
            continue
        codes.append(row[0])
        least.append(row[1])
        entropies.append(row[2])
    return codes, least, entropies


def _contribution_rows(rules: GroupRules) -> tuple[list[FloatArray], list[int], list[float], list[float]]:
    """Return amounts, number and share of the largest contributors, and smallest rest, of each rule about amounts."""
    amounts = []
    n_largest = []
    shares = []
    rests = []
    for rule in rules.rules:
        if isinstance(rule, Dominance):
            row = (rule.amounts, rule.n, rule.share * (1 + _HALF), 0.0)
        elif isinstance(rule, PPercent):
            row = (rule.amounts, 1, _ANY_SHARE, rule.p / 100 * (1 - _HALF))
        else:
            continue
        amounts.append(row[0])
        n_largest.append(row[1])
        shares.append(row[2])
        rests.append(row[3])
    return amounts, n_largest, shares, rests


def _contributors(rule: Dominance | PPercent) -> IntArray:
    """Return the contributor of each record's amount, from 0: the record itself where the rule has no units."""
    return np.arange(rule.n_records) if rule.units is None else _from_zero(rule.units)


def _from_zero(codes: IntArray) -> IntArray:
    """Return codes numbered from 0 without gaps."""
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _values_from_zero(codes: IntArray) -> IntArray:
    """Return the codes of values numbered from 0 without gaps; missing ones stay so."""
    numbered = codes.copy()
    present = codes != MISSING
    numbered[present] = _from_zero(codes[present])
    return numbered


def _rows(rows: Sequence[npt.NDArray[Any]], length: int, dtype: type[Any]) -> npt.NDArray[Any]:
    """Return arrays as the rows of one, filled with zeros at their ends."""
    table = np.zeros((len(rows), length), dtype=dtype)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table


def _present(cells: Sequence[PresentCells], n: int) -> BoolArray:
    """Return which values are there, of the columns of all rules about that."""
    none = np.zeros((n, 0), dtype=np.bool_)
    return np.ascontiguousarray(np.hstack([none, *(~rule.missing for rule in cells)]))


def _cell_units(cells: Sequence[PresentCells], n: int) -> IntArray:
    """Return the unit of each record, from 0: the record itself where no rule about present values has units."""
    given = [rule.units for rule in cells if rule.units is not None]
    return _from_zero(given[0]) if given else np.arange(n)


def _close_size(rule: Closeness) -> int:
    """Return the size at which a group with one record of each quantile is close enough to all records.

    For ordered values as in Soria-Comas et al. (2015); else it is a guess: a group of s has nearly the
    right share of each of m values, but for (m − 1)/2s.
    """
    n = rule.n_records
    if rule.ordered:
        return math.ceil(n / (2 * (n - 1) * rule.t + 1))
    return math.ceil((np.count_nonzero(rule.reference) - 1) / (2 * rule.t))


def _quantiles(codes: IntArray, number: int) -> IntArray:
    """Return which of `number` equal parts of the records, in the order of their codes, each record is in."""
    ranks = np.empty(len(codes), dtype=np.int64)
    ranks[np.argsort(codes, kind="stable")] = np.arange(len(codes))
    return ranks * number // len(codes)
