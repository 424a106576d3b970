"""Price columns by branch and bound: find groups that lose less than the duals of their records add up to."""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import partial
from math import fsum
from typing import NamedTuple

import numpy as np

from microagg.arrays import BoolArray, FloatArray, IntArray
from microagg.problem import Problem
from microagg.set_partitioning import Columns

_ROOTS = 16  # that a thread prices before it looks up
_KEPT = 5  # columns of each root and size
_NEWS = 0.2  # seconds between two looks at whether to go on
PAYING = 1e-8  # of what a group loses on average: less than that below zero is no reduced cost


class TooDearError(Exception):
    """Say that there are too many groups to look at."""


class Priced(NamedTuple):
    """Hold what pricing with some duals has found."""

    columns: Columns  # below zero
    bound: float  # what no partition can beat: any duals give one, -inf where not all groups were priced
    cover: IntArray  # (n,) how often each record is in the columns that the bound adds up, or in those found if none is


class Split(NamedTuple):
    """Split the squared distance of two records unevenly, for some pairs."""

    one: IntArray  # (any number,)
    other: IntArray
    more: FloatArray  # what the one bears more than half


class BranchAndBound:
    """Price all columns, by adding records to a root one by one wherever that can still pay.

    Parameters
    ----------
    problem
        The records, at least two of them in a group.
    scale
        What squared distances are multiplied by.
    split
        How the squares of two records that are added both are split between them, not scaled: any split proves the
        same in the end, a good one (see `Neighbours`) earlier.
    threads
        That share the roots; how many there are changes nothing.
    """

    def __init__(self, problem: Problem, scale: float, split: Split, threads: ThreadPoolExecutor) -> None:
        from microagg.kernels.pricing import nearest_sums

        self.X, self.k, self.scale, self.threads = problem.X, problem.k, scale, threads
        self.squares = scaled_squares(problem.X, scale)
        self.halves = 0.5 * self.squares
        self.halves[split.one, split.other] += scale * split.more
        self.halves[split.other, split.one] -= scale * split.more
        self.sums = nearest_sums(self.halves, 2 * problem.k - 3)
        self.large = np.abs(self.sums[np.isfinite(self.sums)]).max()

    def __call__(self, duals: FloatArray, depth: int, most: int, hear: Callable[[], None]) -> Priced:
        """Find the best columns of each root and size, and what they prove.

        A group's root is the record of the highest dual. Every group has one root, and a partition holds at most one
        group of each root, and n/k groups: so it loses at least Σλ and, for the n/k roots where that is lowest, the
        least reduced cost that their groups have, if that is below zero. What rounding may have taken from that is
        less than `rounding`.

        Parameters
        ----------
        depth, most
            See `price_roots`. Short of `EXACT`, the bound takes the columns for cheaper than they are. Where so many
            sets are not enough, `TooDearError` is raised.
        """
        from microagg.kernels.pricing import FEW, no_prices, price_roots

        n, order = len(duals), np.argsort(-duals, kind="stable")
        every = [no_prices(n, _KEPT, size) for size in range(self.k, min(2 * self.k - 1, n) + 1)]
        price = partial(price_roots, self.squares, self.halves, self.sums, duals, order)
        calls = (
            partial(price, first, min(first + _ROOTS, n), 0.0, FEW, depth, most, prices)
            for prices in every
            for first in range(0, n, _ROOTS)
        )
        run_all(self.threads, calls, [prices.told for prices in every], hear)
        if any(prices.told[0] for prices in every):
            raise TooDearError
        found = [np.isfinite(prices.costs) for prices in every]
        groups = [prices.members[there] for prices, there in zip(every, found, strict=True)]
        costs = np.concatenate([prices.costs[there] for prices, there in zip(every, found, strict=True)])
        roots = np.concatenate([np.nonzero(there)[0] for there in found])
        columns = columns_of(self.X, groups, self.scale)
        by_cost = np.lexsort((roots, costs))
        least = by_cost[np.unique(roots[by_cost], return_index=True)[1]]  # of each root
        least = least[np.argsort(costs[least], kind="stable")][: n // self.k]
        large = float(np.abs(duals).max() + self.large)
        cover = np.bincount(columns.only(least).records, minlength=n)
        return Priced(columns, fsum([*duals, *costs[least], -rounding(self.X, self.k, large)]), cover)


def scaled_squares(X: FloatArray, scale: float) -> FloatArray:
    """Give all squared distances, multiplied by a number: O(n²) memory."""
    from microagg.kernels.paths import distance_matrix

    squares = distance_matrix(X)
    np.square(squares, out=squares)
    squares *= scale
    return squares


def rounding(X: FloatArray, k: int, large: float) -> float:
    """Say by how much a bound may be too high, made of numbers no larger than that: see `bound/README.md`."""
    n, d = X.shape
    return float(np.finfo(np.float64).eps * (n // k) * (d + 4 * k**2) * 2 * k * large)


def run_all(
    threads: ThreadPoolExecutor, calls: Iterable[Callable[[], object]], told: list[BoolArray], hear: Callable[[], None]
) -> None:
    """Make all calls side by side; leave them, by telling them, when `hear` raises."""
    running = {threads.submit(call) for call in calls}
    try:
        while running:
            hear()
            finished, running = wait(running, _NEWS, FIRST_EXCEPTION)
            for future in finished:
                future.result()
    except BaseException:
        for flag in told:
            flag[0] = True
        for future in running:
            future.cancel()
        raise


def columns_of(X: FloatArray, groups: list[IntArray], scale: float) -> Columns:
    """Make columns of groups, given as arrays of equal size."""
    sizes = np.concatenate([np.full(len(some), some.shape[1]) for some in groups])
    members = [X[some] for some in groups]
    sses = [np.square(some - some.mean(axis=1, keepdims=True)).sum(axis=(1, 2)) for some in members]
    records = np.concatenate([some.ravel() for some in groups])
    return Columns(len(X), np.concatenate([[0], np.cumsum(sizes)]), records, scale * np.concatenate(sses))
