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


def entropy_diversity(values: Sequence[Hashable]) -> float:
    counts = Counter(values).values()
    return math.exp(-sum(count / len(values) * math.log(count / len(values)) for count in counts))


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


def share_of_largest(amounts: Sequence[float], n: int) -> float:
    sizes = sorted(map(abs, amounts), reverse=True)
    return sum(sizes[:n]) / sum(sizes) if sum(sizes) else 0.0


def rest_in_percent(amounts: Sequence[float]) -> float:
    sizes = sorted(map(abs, amounts), reverse=True)
    return 100 * sum(sizes[2:]) / sizes[0] if sizes[0] else math.inf
