"""Small tables and their releases, for measures of risk."""

import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from hypothesis import strategies as st

from microagg import Plan, read
from microagg.encode import fit_encoding
from microagg.measure.compared_tables import ComparedTables
from microagg.model.arrays import IntArray
from microagg.model.figure import Figure
from samples import random_labels


class Drawn(NamedTuple):
    """A table, its release, the columns that are protected, and the group of each record."""

    before: pl.DataFrame
    after: pl.DataFrame
    names: tuple[str, ...]
    labels: IntArray
    k: int

    @property
    def tables(self) -> ComparedTables:
        return compared(self.before, self.after, self.names, self.k)


def compared(
    before: pl.DataFrame,
    after: pl.DataFrame,
    names: Sequence[str],
    k: int | None = None,
    plan: Plan | None = None,
) -> ComparedTables:
    """Return two frames as the measures look at them."""
    original = read(before)
    treatment = None if plan is None else plan.codes
    return ComparedTables(original, read(after), fit_encoding(original, names, treatment), k, plan)


def numbers(before: Sequence[Any], after: Sequence[Any], k: int | None = None) -> ComparedTables:
    """Return tables of one column of numbers, "x"."""
    return compared(pl.DataFrame({"x": before}, strict=False), pl.DataFrame({"x": after}, strict=False), ["x"], k)


def of(figures: Sequence[Figure], name: str) -> float | None:
    """Return the value of one of some figures."""
    return next(figure for figure in figures if figure.name == name).value


def deviation(column: pl.Series) -> float:
    """Return the standard deviation of the numbers that are there, dividing by n − 1; 0 of a single one."""
    present = column.drop_nulls().to_list()
    return statistics.stdev(present) if len(present) > 1 else 0.0


@st.composite
def releases(draw: st.DrawFn, max_n: int = 24, *, with_missing: bool = True) -> Drawn:
    """Draw a table of numbers full of ties, and perhaps of categories, and a release by the means of random groups."""
    n = draw(st.integers(1, max_n))
    k = draw(st.integers(1, min(4, n)))
    labels = random_labels(np.random.default_rng(draw(st.integers(0, 999))), n, k)
    cells = st.one_of(st.none(), st.integers(-3, 3)) if with_missing and draw(st.booleans()) else st.integers(-3, 3)
    d = draw(st.integers(1, 3))
    before: dict[str, list[Any]] = {f"x{j}": draw(st.lists(cells, min_size=n, max_size=n)) for j in range(d)}
    after = {name: _means(values, labels) for name, values in before.items()}
    if draw(st.booleans()):
        before["c"] = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
        after["c"] = _modes(before["c"], labels)
    types = {name: pl.String if name == "c" else pl.Float64 for name in before}
    names = tuple(before)
    return Drawn(pl.DataFrame(before, schema=types), pl.DataFrame(after, schema=types), names, labels, k)


def _means(values: list[Any], labels: IntArray) -> list[Any]:
    """Return the mean of each record's group, over the cells that are there; what is missing stays so."""
    means = {}
    for group in set(labels.tolist()):
        present = [value for value, label in zip(values, labels, strict=True) if label == group and value is not None]
        means[group] = sum(present) / len(present) if present else None
    return [None if value is None else means[label] for value, label in zip(values, labels.tolist(), strict=True)]


def _modes(values: list[Any], labels: IntArray) -> list[Any]:
    modes = {}
    for group in set(labels.tolist()):
        inside = [value for value, label in zip(values, labels, strict=True) if label == group]
        modes[group] = max(sorted(set(inside)), key=inside.count)
    return [modes[label] for label in labels.tolist()]
