"""Subsets of the column generation paper, section 6: bounds and heuristics on each."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from cached_tasks import Result, Task
from microagg import Partition, Problem, Run, datasets, solve
from microagg.lp.group_columns import GroupColumns
from microagg.lp.rounding_heuristics import ROUNDINGS
from microagg.methods import pipeline
from microagg.model.arrays import FloatArray
from microagg.model.limits import Limits

SUBSETS = ("tarragona", "census")
CRITERIA = ("consecutive", "random", "norm", "distance")
SIZES = (30, 40, 50, 100, 200)
KS = (3, 4, 5)
NUMBERS = 5  # subsets of each size and criterion
OURS = "branch-and-bound"
PAPER = "paper"
PRICINGS = (PAPER, "paper,cuts=triangle", "enumeration", "ilp", OURS)
PAPER_LIMIT = 60.0  # seconds that the paper's pricing may take
PRICING_LIMIT = 20.0  # seconds, in the comparison of pricings
_PAPER_SIZE = 50  # records, up to which the paper's pricing is run where k is above 3
_RECORDED = "recorded"


def subset_tasks() -> list[Task]:
    """Return the task of each subset."""
    return [
        ("subset", name, criterion, size, number, k)
        for size in SIZES
        for name in SUBSETS
        for criterion in CRITERIA
        for number in range(NUMBERS)
        for k in KS
    ]


def pricing_tasks() -> list[Task]:
    """Return the task of each pricing on one subset of each size."""
    return [("pricing", pricing, size, k) for pricing in PRICINGS for size in SIZES for k in KS]


def standardised(name: str) -> FloatArray:
    """Load a data set with columns of mean 0 and variance 1."""
    X = datasets.matrix(name)
    return np.ascontiguousarray((X - X.mean(axis=0)) / X.std(axis=0))


def subset(name: str, criterion: str, size: int, number: int) -> FloatArray:
    """Return one of five subsets, on the scale of the complete data set.

    Ordered ones are runs of records that start at equal distances, from the first to the last possible. The norm is
    that of the original records: that of standardised ones is the distance from the centroid.
    """
    X = standardised(name)
    if criterion == "random":
        return X[np.random.default_rng(number).choice(len(X), size=size, replace=False)]
    order = np.arange(len(X))
    if criterion == "norm":
        order = np.argsort(np.square(datasets.matrix(name)).sum(axis=1), kind="stable")
    elif criterion == "distance":
        order = np.argsort(np.square(X).sum(axis=1), kind="stable")
    start = number * (len(X) - size) // (NUMBERS - 1)
    return X[order[start : start + size]]


def run_subset(name: str, criterion: str, size: int, number: int, k: int) -> Result:
    """Return the sse of each heuristic on a subset, and the bound; rounding with our pricing and with the paper's."""
    X = subset(name, criterion, size, number)
    sses = {method: solve(X, k, method=method, standardise=False).sse for method in ("mdav", "v-mdav", "search")}
    start = solve(X, k, method="mdav", standardise=False).partition
    found: Result = {**sses, OURS: _generate(start, OURS, None)}
    if k == min(KS) or size <= _PAPER_SIZE:
        found[PAPER] = _generate(start, PAPER, PAPER_LIMIT)
    return found


def run_pricing(pricing: str, size: int, k: int) -> Result:
    """Bound the first random subset of Census with one of the pricings."""
    start = solve(subset("census", "random", size, 0), k, method="mdav", standardise=False).partition
    return _generate(start, pricing, PRICING_LIMIT)


def _generate(start: Partition, pricing: str, limit: float | None) -> Result:
    """Generate columns as the paper does, from MDAV's and V-MDAV's; return the bound and the best of each rounding."""
    rounded = {"simple": np.inf, "tree": np.inf}

    def recorded(which: str) -> Callable[[Problem, GroupColumns, FloatArray], Iterator[Partition]]:
        def rounding(problem: Problem, columns: GroupColumns, values: FloatArray) -> Iterator[Partition]:
            for partition in ROUNDINGS[which][0](problem, columns, values):
                rounded[which] = min(rounded[which], partition.sse)
                yield partition

        return rounding

    ROUNDINGS[_RECORDED] = (recorded("simple"), recorded("tree"))
    system: Any = pipeline(f"column-generation(pricing={pricing})").bound
    generation = replace(system, rounding=_RECORDED)
    started = time.perf_counter()
    with Run(limit).under_way(Limits()) as run:
        bound, partition = generation(start.problem, start, run)
    facts = {"seconds": time.perf_counter() - started, "ended_by": bound.ended_by}
    if bound.sse > partition.sse:
        raise AssertionError(f"a bound of {bound.sse} lies above a partition of sse {partition.sse}")
    return facts | rounded | {"bound": bound.sse, "best": partition.sse}
