"""The oracle of rules that groups must satisfy: each rule as its definition says, in exact fractions."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from microagg.model.arrays import FloatArray, IntArray
from microagg.model.group_rule import GroupRule
from microagg.model.group_rules import (
    Closeness,
    DistinctUnits,
    DistinctValues,
    Dominance,
    EntropyDiversity,
    PPercent,
    PresentCells,
)

_ALLOWANCE = Fraction(1, 10**12)


def satisfies(rule: GroupRule, members: Sequence[int]) -> bool:
    """Check whether a group of some records satisfies a rule."""
    match rule:
        case DistinctUnits():
            return len({int(rule.units[i]) for i in members}) >= rule.k
        case DistinctValues():
            return len(set(_present(rule.codes, members))) >= rule.at_least
        case EntropyDiversity():
            return diversity(_present(rule.codes, members)) >= rule.l * (1 - 1e-12)
        case Closeness():
            return earth_movers_distance(rule, members) <= Fraction(rule.t) * (1 + _ALLOWANCE)
        case Dominance():
            amounts = _amounts(rule, members)
            return sum(amounts[: rule.n]) <= Fraction(rule.share) * (1 + _ALLOWANCE) * sum(amounts)
        case PPercent():
            amounts = _amounts(rule, members)
            return sum(amounts[2:]) * 100 >= Fraction(rule.p) * (1 - _ALLOWANCE) * amounts[0]
        case PresentCells():
            units = range(len(rule.missing)) if rule.units is None else rule.units
            having = [{int(units[one]) for one in members if not column[one]} for column in rule.missing.T]
            return all(not found or len(found) >= rule.k for found in having)
    raise TypeError(rule)


def diversity(values: Sequence[int]) -> float:
    """Return the exponential of the entropy of some values; 0 of none."""
    if not values:
        return 0.0
    shares = [count / len(values) for count in Counter(values).values()]
    return math.exp(-sum(share * math.log(share) for share in shares))


def earth_movers_distance(rule: Closeness, members: Sequence[int]) -> Fraction:
    """Return the distance of a group's values from the reference, by its definition for the two ground distances."""
    m = len(rule.reference)
    total = int(rule.reference.sum())
    counts = Counter(int(rule.codes[i]) for i in members)
    differences = [Fraction(counts[j], len(members)) - Fraction(int(rule.reference[j]), total) for j in range(m)]
    if not rule.ordered:
        return sum((abs(difference) for difference in differences), Fraction(0)) / 2
    moved = [abs(sum(differences[: j + 1], Fraction(0))) for j in range(m)]
    return sum(moved, Fraction(0)) / max(1, m - 1)


def merge_illegal(
    cells: FloatArray, X: FloatArray, groups: list[list[int]], k: int, rules: Sequence[GroupRule]
) -> list[list[int]]:
    """Merge the smallest illegal group with the first of the 8 cheapest partners that makes it legal, or the first."""
    groups = [sorted(group) for group in groups]
    while True:
        illegal = [group for group in groups if not is_legal(group, k, rules)]
        if not illegal or len(groups) == 1:
            return groups
        group = min(illegal, key=lambda one: (len(one), one[0]))
        others = sorted((other for other in groups if other != group), key=lambda one: one[0])
        others.sort(key=lambda other: sse(cells, X, group + other) - sse(cells, X, group) - sse(cells, X, other))
        good = [other for other in others[:8] if is_legal(group + other, k, rules)]
        partner = (good or others)[0]
        groups = [one for one in groups if one not in (group, partner)] + [sorted(group + partner)]


def is_legal(members: Sequence[int], k: int, rules: Sequence[GroupRule]) -> bool:
    """Check whether a group has k records and satisfies all rules."""
    return len(members) >= k and all(satisfies(rule, members) for rule in rules)


def sse(cells: FloatArray, X: FloatArray, members: Sequence[int]) -> float:
    """Return the sse of a group of records whose cells have weights."""
    total = 0.0
    for column in range(X.shape[1]):
        weights = cells[list(members), column]
        if weights.sum() > 0:
            values = X[list(members), column]
            mean = (weights * values).sum() / weights.sum()
            total += float((weights * (values - mean) ** 2).sum())
    return total


def partitions(n: int) -> Iterator[list[list[int]]]:
    """Yield all partitions of n records."""
    if n == 0:
        yield []
        return
    for groups in partitions(n - 1):
        yield [*groups, [n - 1]]
        for number in range(len(groups)):
            yield [[*group, n - 1] if i == number else group for i, group in enumerate(groups)]


def groups_of(labels: Sequence[int]) -> list[list[int]]:
    """List the records of each group."""
    return [np.flatnonzero(np.asarray(labels) == label).tolist() for label in sorted(set(labels))]


def _present(codes: IntArray, members: Sequence[int]) -> list[int]:
    """Return the values that are there: −1 is missing."""
    return [int(codes[i]) for i in members if codes[i] != -1]


def _amounts(rule: Dominance | PPercent, members: Sequence[int]) -> list[Fraction]:
    """Return the sizes of the amounts of each contributor, a record or a unit, the largest first."""
    contributions: dict[int, Fraction] = {}
    for i in members:
        contributor = i if rule.units is None else int(rule.units[i])
        contributions[contributor] = contributions.get(contributor, Fraction(0)) + Fraction(abs(float(rule.amounts[i])))
    return sorted(contributions.values(), reverse=True)
