"""Price columns by branch and bound: find groups that lose less than the duals of their records add up to."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, wait
from functools import partial
from itertools import permutations
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microagg.control.workers import Workers
from microagg.lp.group_columns import Columns, Rows
from microagg.model.arrays import BoolArray, FloatArray, IntArray
from microagg.model.problem import Problem

if TYPE_CHECKING:
    from microagg.kernels.pricing.branch_and_bound import Prices
    from microagg.kernels.pricing.cut_penalties import Cuts

Pair = tuple[int, int, bool]
"""Two records, and whether they are in one group."""

_ROOTS = 16  # that a thread prices before it looks up
_KEPT = 5  # columns of each root and size
_LISTED = 16  # as `_KEPT`, where all are wanted: roots that have more are gone through twice
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
    workers
        That share the roots; how many there are changes nothing.
    """

    def __init__(self, problem: Problem, scale: float, split: Split, workers: Workers) -> None:
        from microagg.kernels.pricing.nearest_sums import nearest_sums

        self.problem, self.X, self.k, self.scale, self.workers = problem, problem.X, problem.k, scale, workers
        self.sizes = range(problem.k, min(2 * problem.k - 1, problem.n) + 1)
        self.squares = scaled_squares(problem.X, scale)
        self.halves = 0.5 * self.squares
        self.halves[split.one, split.other] += scale * split.more
        self.halves[split.other, split.one] -= scale * split.more
        self.sums = nearest_sums(self.halves, 2 * problem.k - 3)
        self.large = np.abs(self.sums[np.isfinite(self.sums)]).max()
        self.changed: IntArray = np.empty((2, 0), dtype=np.int64)  # pairs whose squares and halves are not their own
        self.kept: tuple[FloatArray, FloatArray] = np.empty(0), np.empty(0)  # which these are
        self.units: list[IntArray] = []  # see `obey`
        self.within: list[float] = []  # the squares of each
        self.mates = mates_of(problem.n, self.units)

    def __call__(self, duals: FloatArray, rows: Rows, depth: int, most: int, hear: Callable[[], None]) -> Priced:
        """Find the best columns of each root and size, and what they prove.

        A group's root is the record of the highest dual. Every group has one root, and a partition holds at most one
        group of each root, and n/k groups: so it loses at least Σλ, what the rows' duals make of their sides and, for
        the n/k roots where that is lowest, the least reduced cost that their groups have, if that is below zero. What
        rounding may have taken from that is less than `rounding`.

        Parameters
        ----------
        duals
            Of the records, then of the rows: these are not above zero.
        depth, most
            See `price_roots`. Short of `EXACT`, the bound takes the columns for cheaper than they are. Where so many
            sets are not enough, `TooDearError` is raised.
        """
        from microagg.kernels.pricing.branch_and_bound import no_prices

        n = len(self.X)
        every = [no_prices(n, _KEPT, size) for size in self.sizes]
        self._price(every, duals, rows, 0.0, depth, most, hear)
        found = [np.isfinite(prices.costs) for prices in every]
        columns = self._columns([prices.members[there] for prices, there in zip(every, found, strict=True)])
        costs = np.concatenate([prices.costs[there] for prices, there in zip(every, found, strict=True)])
        roots = np.concatenate([np.nonzero(there)[0] for there in found])
        least = least_of_roots(costs, roots, n // self.k)
        prices = np.repeat(np.abs(duals[n:]), np.diff(rows.starts))  # of rows, for each of their records
        large = np.abs(duals[:n]).max() + np.bincount(rows.records, prices, n).max() + self.large
        cover = np.bincount(columns.only(least).records, minlength=n)
        lost = rounding(self.X, self.k, float(large), rows)
        return Priced(columns, fsum([*base(duals, rows), *costs[least], -lost]), cover)

    def list_below(
        self, ceiling: float, duals: FloatArray, rows: Rows, looks: int, most: int, hear: Callable[[], None]
    ) -> Columns:
        """List every group whose reduced cost is below a ceiling.

        Parameters
        ----------
        looks
            See `price_roots`.
        most
            Where there are more groups than that, `TooDearError` is raised.
        """
        from microagg.kernels.pricing.branch_and_bound import EXACT, no_prices

        n = len(self.X)
        every = [no_prices(n, _LISTED, size, every=True) for size in self.sizes]

        def count() -> None:
            hear()
            if sum(int(prices.counts.sum()) for prices in every) > most:
                raise TooDearError

        self._price(every, duals, rows, ceiling, EXACT, looks, count)
        count()
        again = [
            no_prices(1, prices.counts[place], size, every=True, first=place)
            for prices, size in zip(every, self.sizes, strict=True)
            for place in np.flatnonzero(prices.counts > _LISTED).tolist()
        ]
        self._price(again, duals, rows, ceiling, EXACT, looks, hear)
        few = [(prices.members, np.isfinite(prices.costs) & (prices.counts <= _LISTED)[:, None]) for prices in every]
        groups = [members[there] for members, there in few] + [prices.members[0] for prices in again]
        return self._columns(groups)

    def obey(self, pairs: Iterable[Pair]) -> None:
        """Price only groups that hold both of two records or none, or that do not hold both; pairs before are free.

        Records that are together, directly or by others, are a unit. No group parts them: so nothing changes if what a
        unit costs is shared out among its records, and they are no distance apart.
        """
        from microagg.kernels.pricing.nearest_sums import nearest_sums

        for matrix, kept in zip((self.squares, self.halves), self.kept, strict=True):
            matrix[*self.changed] = kept
        pairs = list(pairs)
        self.units = units_of(len(self.X), pairs)
        self.within = [float(self.squares[np.ix_(unit, unit)].sum()) / 2 for unit in self.units]
        self.mates = mates_of(len(self.X), self.units)
        together = [both for unit in self.units for both in permutations(unit.tolist(), 2)]
        apart = [both for one, other, joined in pairs if not joined for both in ((one, other), (other, one))]
        self.changed = np.array([*together, *apart], dtype=np.int64).reshape(-1, 2).T
        self.kept = self.squares[*self.changed], self.halves[*self.changed]
        for matrix in (self.squares, self.halves):
            matrix[*self.changed] = np.repeat([0.0, np.inf], [len(together), len(apart)])
        self.sums = nearest_sums(self.halves, 2 * self.k - 3)

    def _price(
        self,
        every: "list[Prices]",
        duals: FloatArray,
        rows: Rows,
        ceiling: float,
        depth: int,
        most: int,
        hear: Callable[[], None],
    ) -> None:
        """Price the roots that there is room for."""
        from microagg.kernels.pricing.branch_and_bound import FEW, price_roots

        n = len(self.X)
        cuts, shared = cuts_of(rows, duals[n:]), {size: self._shared(size, duals[:n]) for size in self.sizes}
        order = np.argsort(-duals[:n], kind="stable")
        calls = (
            partial(
                price_roots,
                self.squares,
                self.halves,
                self.sums,
                shared[prices.members.shape[2]],
                self.mates,
                cuts,
                order,
                first,
                min(first + _ROOTS, prices.first + len(prices.counts)),
                ceiling,
                FEW,
                depth,
                most,
                prices,
            )
            for prices in every
            for first in range(prices.first, prices.first + len(prices.counts), _ROOTS)
        )
        run_all(self.workers, calls, [prices.told for prices in every], hear)
        if any(prices.told[0] for prices in every):
            raise TooDearError

    def _shared(self, size: int, duals: FloatArray) -> FloatArray:
        """Share out among the records of units what they cost in a group of a size."""
        shared = duals.copy()
        for unit, within in zip(self.units, self.within, strict=True):
            shared[unit] = (duals[unit].sum() - within / size) / len(unit)
        return shared

    def _columns(self, groups: list[IntArray]) -> Columns:
        return columns_of(self.X, groups, self.scale)


def units_of(n: int, pairs: Iterable[Pair]) -> list[IntArray]:
    """Give the sets of records that pairs put together, directly or by others."""
    names = np.arange(n)
    for one, other, together in pairs:
        if together:
            names[names == names[one]] = names[other]
    return [np.flatnonzero(names == name) for name in np.flatnonzero(np.bincount(names) > 1)]


def mates_of(n: int, units: Sequence[IntArray]) -> IntArray:
    """Give the others of the unit of each record, of shape (n, any number); −1: no more."""
    mates = np.full((n, max(map(len, units), default=2) - 1), -1, dtype=np.int64)
    for unit in units:
        for record in unit:
            mates[record, : len(unit) - 1] = unit[unit != record]
    return mates


def base(duals: FloatArray, rows: Rows) -> list[float]:
    """List what duals add up to: those of records, and those of rows times their sides."""
    return [*duals[: rows.n], *(duals[rows.n :] * rows.sides)]


def least_of_roots(costs: FloatArray, roots: IntArray, most: int) -> IntArray:
    """Give the cheapest of each root, and of these at most so many, the cheapest of all that are below zero."""
    by_cost = np.lexsort((roots, costs))
    least = by_cost[np.unique(roots[by_cost], return_index=True)[1]]
    least = least[costs[least] < 0.0]
    some: IntArray = least[np.argsort(costs[least], kind="stable")][:most]
    return some


def cuts_of(rows: Rows, duals: FloatArray) -> "Cuts":
    """Give the cuts that cost anything, as pricing wants them."""
    from microagg.kernels.pricing.cut_penalties import Cuts

    some = np.flatnonzero(duals < 0.0)
    rows, prices = rows.only(some), -duals[some]
    numbers = np.repeat(np.arange(rows.n_rows), np.diff(rows.starts))
    order = np.argsort(rows.records, kind="stable")
    starts = np.searchsorted(rows.records[order], np.arange(rows.n + 1))
    by_record = starts, numbers[order], rows.weights[order]
    return Cuts(*by_record, rows.starts, rows.records, rows.weights, rows.denominators, prices)


def scaled_squares(X: FloatArray, scale: float) -> FloatArray:
    """Give all squared distances, multiplied by a number: O(n²) memory."""
    from microagg.kernels.geometry.distances import distance_matrix

    squares = distance_matrix(X)
    np.square(squares, out=squares)
    squares *= scale
    return squares


def rounding(X: FloatArray, k: int, large: float, rows: Rows | None = None) -> float:
    """Say by how much a bound may be too high, made of numbers no larger than that: see `bound/README.md`."""
    n, d = X.shape
    touched = 0 if rows is None else int(np.bincount(rows.records, minlength=1).max())  # rows, by one record
    return float(np.finfo(np.float64).eps * (n // k) * (d + 4 * k**2 + 4 * k * touched) * 2 * k * large)


def run_all(
    workers: Workers, calls: Iterable[Callable[[], object]], told: list[BoolArray], hear: Callable[[], None]
) -> None:
    """Make all calls side by side; leave them, by telling them, when `hear` raises."""
    running = {workers.submit(call) for call in calls}
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
