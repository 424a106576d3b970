"""Small set-partitioning programmes whose groups can all be listed."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.random import Generator

import naive
from microagg import Partition, Problem, Run
from microagg.control.workers import Workers
from microagg.lp.group_columns import GroupColumns
from microagg.lp.group_pricing import BranchAndBoundPricer
from microagg.lp.lp_relaxation import solve_relaxation
from microagg.lp.lp_solution import LpSolution
from microagg.lp.pair_rules import PairRule
from microagg.lp.pricing_distances import DistanceSplit
from microagg.lp.rank_one_cuts import RankOneCuts
from microagg.model.arrays import IntArray

Group = tuple[int, ...]


def random_problem(random_state: int | Generator, n: int, k: int, d: int = 2, ties: bool = False) -> Problem:
    """Random records, on a grid full of ties or not."""
    rng = np.random.default_rng(random_state)
    X = rng.integers(0, 4, size=(n, d)).astype(np.float64) if ties else rng.normal(size=(n, d))
    return Problem(X - X.mean(axis=0), k)


def one_group(problem: Problem) -> Partition:
    """All records in one group."""
    return Partition(problem, np.zeros(problem.n, dtype=np.int64))


def every_group(n: int, k: int, rules: Sequence[PairRule] = ()) -> list[Group]:
    """All groups of k to 2k − 1 records that obey rules."""
    return [
        group
        for size in range(k, min(2 * k - 1, n) + 1)
        for group in combinations(range(n), size)
        if all(len({rule.first, rule.second} & {*group}) != (1 if rule.together else 2) for rule in rules)
    ]


def columns_of(problem: Problem, groups: Sequence[Sequence[int]]) -> GroupColumns:
    """Group columns of these groups."""
    sses = [naive.sse(problem.X[list(group)], np.zeros(len(group))) for group in groups]
    starts = np.cumsum([0, *(len(group) for group in groups)])
    records = np.concatenate([np.array(group, dtype=np.int64) for group in groups])
    return GroupColumns(problem.n, starts, records, np.array(sses))


def relaxed(columns: GroupColumns) -> LpSolution:
    """The solution of the linear programme over some columns."""
    solution = solve_relaxation(columns, Run())
    assert solution is not None
    return solution


def fractional(random_state: int, n: int, k: int) -> tuple[Problem, GroupColumns, LpSolution]:
    """A problem full of ties, all its groups, and the linear programme over them, whose solution may be fractional."""
    problem = random_problem(random_state, n, k, ties=True)
    columns = columns_of(problem, every_group(n, k))
    return problem, columns, relaxed(columns)


def random_cuts(rng: Generator, n: int, count: int) -> RankOneCuts:
    """Cuts of up to six records."""
    cuts = RankOneCuts.empty(n)
    for _ in range(count):
        size, q = int(rng.integers(2, min(6, n) + 1)), int(rng.integers(2, 6))
        records, weights = rng.choice(n, size=size, replace=False), rng.integers(1, q, size=size)
        cuts = cuts.extended(RankOneCuts(n, np.array([0, size]), records, weights, np.array([q])))
    return cuts


def pricer_of(problem: Problem, n_workers: int = 2) -> BranchAndBoundPricer:
    """Pricing of all groups, squared distances being split into halves."""
    return BranchAndBoundPricer(problem, 1.0, DistanceSplit.even(), Workers(n_workers))


def no_records() -> IntArray:
    """No indices."""
    return np.empty(0, dtype=np.int64)


def groups_of(partition: Partition) -> list[list[int]]:
    """The records of each group."""
    return [np.flatnonzero(partition.labels == group).tolist() for group in range(partition.n_groups)]
