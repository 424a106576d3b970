"""Price columns: find groups that lose less than the duals of their records add up to."""

from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import partial
from math import fsum
from typing import NamedTuple

import numpy as np

from microagg.arrays import FloatArray, IntArray
from microagg.problem import Problem
from microagg.set_partitioning import Columns

_ROOTS = 16  # that a thread prices before it looks up
_KEPT = 5  # columns of each root and size
_NEWS = 0.2  # seconds between two looks at whether to go on


class Priced(NamedTuple):
    """Hold what pricing with some duals has found."""

    columns: Columns  # below zero
    bound: float  # what no partition can beat: any duals give one


class BranchAndBound:
    """Price all columns, by adding records to a root one by one wherever that can still pay.

    Parameters
    ----------
    problem
        The records, at least two of them in a group.
    scale
        What squared distances are multiplied by.
    threads
        That share the roots; how many there are changes nothing.
    """

    def __init__(self, problem: Problem, scale: float, threads: ThreadPoolExecutor) -> None:
        from microagg.kernels.paths import distance_matrix
        from microagg.kernels.pricing import nearest_sums

        self.X, self.k, self.scale, self.threads = problem.X, problem.k, scale, threads
        self.squares = distance_matrix(problem.X)
        np.square(self.squares, out=self.squares)
        self.squares *= scale
        self.sums = nearest_sums(self.squares, 2 * problem.k - 3)

    def __call__(self, duals: FloatArray, hear: Callable[[], None]) -> Priced:
        """Find the best columns of each root and size, and what they prove.

        The roots are taken in the order of falling duals. Every group has one root, and a partition holds at most one
        group of each root: so it loses at least Σλ and, for each root, the least reduced cost that its groups have, if
        that is below zero. What rounding may have taken from that is less than the tolerance (`bound/README.md`).
        """
        from microagg.kernels.pricing import FEW, no_prices, price_roots

        n, d = self.X.shape
        order = np.argsort(-duals, kind="stable")
        every = [no_prices(n, _KEPT, size) for size in range(self.k, min(2 * self.k - 1, n) + 1)]
        price = partial(price_roots, self.squares, self.sums, duals, order)
        running = {
            self.threads.submit(price, first, min(first + _ROOTS, n), 0.0, FEW, prices)
            for prices in every
            for first in range(0, n, _ROOTS)
        }
        try:
            while running:
                hear()
                finished, running = wait(running, _NEWS, FIRST_EXCEPTION)
                for future in finished:
                    future.result()
        finally:
            for prices in every:
                prices.told[0] = True
            for future in running:
                future.cancel()
        least = np.minimum.reduce([prices.costs[:, 0] for prices in every]).clip(max=0.0)
        tolerance = np.finfo(np.float64).eps * (n // self.k) * (d + 4 * self.k**2) * 2 * self.k * np.abs(duals).max()
        groups = [prices.members[np.isfinite(prices.costs)] for prices in every]
        return Priced(self.columns(groups), fsum([*duals, *least, -tolerance]))

    def columns(self, groups: list[IntArray]) -> Columns:
        """Make columns of groups, given as arrays of equal size."""
        sizes = np.concatenate([np.full(len(some), some.shape[1]) for some in groups])
        members = [self.X[some] for some in groups]
        sses = [np.square(some - some.mean(axis=1, keepdims=True)).sum(axis=(1, 2)) for some in members]
        records = np.concatenate([some.ravel() for some in groups])
        return Columns(len(self.X), np.concatenate([[0], np.cumsum(sizes)]), records, self.scale * np.concatenate(sses))
