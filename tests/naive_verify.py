"""Slow and obvious versions of what a verification by plan counts, record by record and value by value."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

Row = Sequence[Hashable | None]


def agree(one: Row, other: Row) -> bool:
    """Check whether two records have the same values wherever both have any; None is missing."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def fewest_agreeing(rows: Sequence[Row], units: Sequence[Hashable], of_cells: Sequence[Hashable]) -> list[int]:
    """Count, for each record, the units that agree with it, and what is to be counted of those with its values."""
    fewest = []
    for row in rows:
        agreeing = [other for other in range(len(rows)) if agree(row, rows[other])]
        counts = [len({units[other] for other in agreeing})]
        for column, value in enumerate(row):
            if value is not None:
                having = [other for other in agreeing if rows[other][column] is not None]
                counts.append(len({of_cells[other] for other in having}))
        fewest.append(min(counts))
    return fewest


def linked_classes(rows: Sequence[Row]) -> list[set[int]]:
    """Return the classes of records linked by agreement with a value in common; equal records are linked anyway."""
    classes: list[set[int]] = []
    for record, row in enumerate(rows):
        touching = [one for one in classes if any(_linked(row, rows[other]) for other in one)]
        classes = [one for one in classes if one not in touching]
        classes.append({record}.union(*touching))
    return classes


def _linked(one: Row, other: Row) -> bool:
    in_common = any(a is not None and b is not None for a, b in zip(one, other, strict=True))
    return list(one) == list(other) or (in_common and agree(one, other))


def distinct_diversity(values: Sequence[Hashable | None]) -> int:
    """Count the different values that are there; None is missing."""
    return len({value for value in values if value is not None})


def entropy_diversity(values: Sequence[Hashable | None]) -> float:
    """Return the exponential of the entropy of the values that are there, 0 if none is; None is missing."""
    present = [value for value in values if value is not None]
    if not present:
        return 0.0
    counts = Counter(present).values()
    return math.exp(-sum(count / len(present) * math.log(count / len(present)) for count in counts))


def ordered_distance(values: Sequence[Any], everyone: Sequence[Any]) -> float:
    """Return the earth mover's distance with the distinct values at equal steps, the first and the last at 1."""
    distinct = sorted(set(everyone))
    if len(distinct) == 1:
        return 0.0
    differences = 0.0
    for limit in distinct:
        share = sum(value <= limit for value in values) / len(values)
        of_everyone = sum(value <= limit for value in everyone) / len(everyone)
        differences += abs(share - of_everyone)
    return differences / (len(distinct) - 1)


def equal_distance(values: Sequence[Hashable], everyone: Sequence[Hashable]) -> float:
    """Return the earth mover's distance where any two values are at distance 1."""
    here, there = Counter(values), Counter(everyone)
    return sum(abs(here[value] / len(values) - there[value] / len(everyone)) for value in there) / 2


def contributions(amounts: Sequence[float], units: Sequence[Hashable]) -> list[float]:
    """Return what each unit contributes, the largest first: the sum of the sizes of its amounts."""
    sums = [sum(abs(amounts[i]) for i in range(len(amounts)) if units[i] == unit) for unit in set(units)]
    return sorted(sums, reverse=True)


def share_of_largest(amounts: Sequence[float], units: Sequence[Hashable], n: int) -> float:
    sizes = contributions(amounts, units)
    return sum(sizes[:n]) / sum(sizes) if sum(sizes) else 0.0


def rest_in_percent(amounts: Sequence[float], units: Sequence[Hashable]) -> float:
    sizes = contributions(amounts, units)
    return 100 * sum(sizes[2:]) / sizes[0] if sizes[0] else math.inf
