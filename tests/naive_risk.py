"""The oracle of measures of risk: every pair of records, every cell, one after another."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from microagg.model.arrays import BoolArray, FloatArray

Cell = float | str | None
Row = Sequence[Cell]

_SAME = 1e-9  # relative difference of squared distances that rounding may make


class Linked(NamedTuple):
    """Probability that a record is linked to its own, by the nearest point and by the nearest two."""

    nearest: float
    nearest_two: float


def link_by_distance(X: FloatArray, Y: FloatArray, missing: BoolArray) -> list[Linked]:
    """Link each record of X to the nearest rows of Y, over the cells that are not missing."""
    found = []
    for record, x in enumerate(X):
        present = ~missing[record]
        squares = ((Y[:, present] - x[present]) ** 2).sum(axis=1)
        own = squares[record]
        points = {tuple(row) for row in Y[squares < own * (1 - _SAME)][:, present]}
        n_tied = int((np.abs(squares - own) <= own * _SAME).sum())
        n_own = int((Y[:, present] == Y[record, present]).all(axis=1).sum())
        found.append(Linked(0.0 if points else 1 / n_tied, 1 / n_own if len(points) < 2 else 0.0))
    return found


def agreements(original: Row, released: Row, widths: Sequence[float | None]) -> tuple[bool, ...]:
    """Return in which columns two records agree; a column without a width holds categories."""
    agree = []
    for x, y, width in zip(original, released, widths, strict=True):
        if x is None or y is None or width is None:
            agree.append(x == y)
        else:
            agree.append(abs(float(x) - float(y)) <= width)
    return tuple(agree)


def link_by_probability(before: Sequence[Row], after: Sequence[Row], widths: Sequence[float | None]) -> float:
    """Return the share in percent of records whose own has the highest weight, EM over all pairs one by one."""
    n = len(before)
    pairs = [[agreements(x, y, widths) for y in after] for x in before]
    everyone = [pair for row in pairs for pair in row]
    m, u = _fitted(everyone, min(0.5, 1 / n))
    total = 0.0
    for record, row in enumerate(pairs):
        weights = [round(_weight(pair, m, u), 6) for pair in row]
        if weights[record] == max(weights):
            total += 1 / weights.count(max(weights))
    return 100 * total / n


def _fitted(pairs: Sequence[tuple[bool, ...]], share: float) -> tuple[list[float], list[float]]:
    columns = range(len(pairs[0]))
    u = [_within(sum(pair[j] for pair in pairs) / len(pairs)) for j in columns]
    m = [0.9 + 0.1 * one for one in u]
    for _ in range(500):
        odds = [share / (1 - share) * 2 ** _weight(pair, m, u) for pair in pairs]
        same = [one / (1 + one) for one in odds]
        old = m + u
        m = [_within(sum(s * p[j] for s, p in zip(same, pairs, strict=True)) / sum(same)) for j in columns]
        other = len(pairs) - sum(same)
        u = [_within(sum((1 - s) * p[j] for s, p in zip(same, pairs, strict=True)) / other) for j in columns]
        m = [max(both) for both in zip(m, u, strict=True)]
        if max(abs(a - b) for a, b in zip(old, m + u, strict=True)) < 1e-7:
            break
    return m, u


def _within(probability: float) -> float:
    return min(max(probability, 1e-6), 1 - 1e-6)


def _weight(pair: tuple[bool, ...], m: Sequence[float], u: Sequence[float]) -> float:
    ratios = [a / b if agrees else (1 - a) / (1 - b) for agrees, a, b in zip(pair, m, u, strict=True)]
    return sum(math.log2(ratio) for ratio in ratios)


def share_within(before: Sequence[Row], after: Sequence[Row], widths: Sequence[float | None]) -> float | None:
    """Return the share in percent of cells at most a width of their column from the released one.

    A width of None stands for 5 % of the released value.
    """
    near = []
    for old, new in zip(before, after, strict=True):
        near += [one for one in _cells_within(old, new, widths) if one is not None]
    return 100 * sum(near) / len(near) if near else None


def records_within(
    before: Sequence[Row], after: Sequence[Row], widths: Sequence[float | None], n_outside: int
) -> float | None:
    """Return the share in percent of records with at most so many cells outside, of those that have any."""
    rows = [_cells_within(old, new, widths) for old, new in zip(before, after, strict=True)]
    counted = [[one for one in row if one is not None] for row in rows]
    outside = [row.count(False) for row in counted if row]
    return 100 * sum(number <= n_outside for number in outside) / len(outside) if outside else None


def _cells_within(old: Row, new: Row, widths: Sequence[float | None]) -> list[bool | None]:
    found: list[bool | None] = []
    for x, y, width in zip(old, new, widths, strict=True):
        if x is None or y is None:
            found.append(None)
            continue
        reach = 0.05 * abs(float(y)) if width is None else width
        found.append(abs(float(x) - float(y)) <= reach * (1 + 1e-12))
    return found


def fewest(rows: Sequence[Hashable], strata: Sequence[Hashable], units: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return, by stratum, the fewest units that share a row."""
    cells = {
        pair: len({unit for one, unit in zip(zip(rows, strata, strict=True), units, strict=True) if one == pair})
        for pair in zip(rows, strata, strict=True)
    }
    return {stratum: min(n for (_, of), n in cells.items() if of == stratum) for stratum in strata}


def count_below(rows: Sequence[Hashable], size: int) -> int:
    """Count the records that share their row with fewer than so many, themselves included."""
    times = Counter(rows)
    return sum(times[row] < size for row in rows)
