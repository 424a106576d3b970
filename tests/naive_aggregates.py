"""Aggregates of groups, the slow obvious way: one group after another, one value after another."""

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any


def members(labels: Sequence[int], group: int, values: Sequence[Any]) -> list[int]:
    """Return the records of a group whose value is there."""
    return [i for i, label in enumerate(labels) if label == group and values[i] is not None]


def mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted mean, rounded once."""
    total = sum(map(Fraction, weights))
    return float(sum((Fraction(w) * Fraction(v) for v, w in zip(values, weights, strict=True)), Fraction(0)) / total)


def median(values: Sequence[float], weights: Sequence[float], lower: bool = False) -> float:
    """Return the least value with half of the weight at or below it; between two, their mean or the lower one."""
    pairs = sorted(zip(values, map(Fraction, weights), strict=True))
    half = sum(weight for _, weight in pairs) / 2
    below = Fraction(0)
    for place, (value, weight) in enumerate(pairs):
        below += weight
        if below == half and not lower:
            return (value + pairs[place + 1][0]) / 2
        if below >= half:
            return value
    raise AssertionError("half of the weight is always reached")


def trimmed_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the weighted mean without the lowest and the highest tenth of the records, rounded up."""
    pairs = sorted(zip(values, weights, strict=True), key=lambda pair: pair[0])
    cut = math.ceil(len(pairs) / 10)
    while len(pairs) - 2 * cut < 1:
        cut -= 1
    kept = pairs[cut : len(pairs) - cut]
    return mean([value for value, _ in kept], [weight for _, weight in kept])


def mode(column: Sequence[Any], weights: Sequence[float], records: Sequence[int]) -> Any:
    """Return the most frequent category of some records; ties go to the table's most frequent, then to its first."""
    in_table: defaultdict[Any, float] = defaultdict(float)
    in_group: defaultdict[Any, float] = defaultdict(float)
    for record, value in enumerate(column):
        if value is not None:
            in_table[value] += weights[record]
            in_group[value] += weights[record] if record in records else 0
    first = list(dict.fromkeys(value for value in column if value is not None))
    return max(first, key=lambda value: (in_group[value], in_table[value], -first.index(value)))


def least_error_nearby(means: Sequence[float], weights: Sequence[float], rounded: Sequence[float]) -> float:
    """Return the least change of the weighted total if at most two of the means are rounded the other way."""
    ways = product(*({math.floor(one), math.ceil(one)} for one in means))
    near = [way for way in ways if sum(new != old for new, old in zip(way, rounded, strict=True)) <= 2]
    return min(abs(sum(w * (new - old) for w, new, old in zip(weights, way, means, strict=True))) for way in near)
