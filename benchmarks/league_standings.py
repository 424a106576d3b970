"""Standings of the league: losses, ranks and times of all methods, and whether ranks differ by more than chance."""

import math
from collections import defaultdict
from collections.abc import Iterable
from statistics import mean, median, stdev
from typing import Any

from cached_tasks import Result, Task

Cell = tuple[str, int, str]
"""Data set, k, method."""

_TIE = 1e-9  # relative difference of losses that share a rank
_LEVEL = 0.05  # of significance


class Standings:
    """Losses, ranks and times of all methods on all data sets: means over random states.

    Parameters
    ----------
    results
        The result of each run.

    Attributes
    ----------
    losses
        The loss with each random state.
    seconds
        The mean of the times.
    ranks
        The rank of the mean loss in its data set and k; methods of equal loss share the mean of their ranks.
    excesses
        By how many percent the mean loss is above the least one in its data set and k.
    """

    def __init__(self, results: dict[Task, Result]) -> None:
        self.losses: dict[Cell, list[float]] = defaultdict(list)
        times: dict[Cell, list[float]] = defaultdict(list)
        for task in sorted(results, key=lambda task: int(task[4])):
            cell: Cell = task[1:4]
            self.losses[cell].append(results[task]["loss"])
            times[cell].append(results[task]["seconds"])
        self.seconds = {cell: mean(found) for cell, found in times.items()}
        self.ranks: dict[Cell, float] = {}
        self.excesses: dict[Cell, float] = {}
        self._contests = {cell[:2] for cell in self.losses}
        for contest in self._contests:
            self._rank([cell for cell in self.losses if cell[:2] == contest])

    def _rank(self, cells: list[Cell]) -> None:
        """Rank the methods on a data set at one k."""
        losses = {cell: mean(self.losses[cell]) for cell in cells}
        best = min(losses.values())
        for cell, loss in losses.items():
            self.excesses[cell] = 100 * (loss / best - 1) if best else 0.0
        self.ranks |= shared_ranks(losses)

    @property
    def n_cells(self) -> int:
        """How many data sets there are, times how many k."""
        return len(self._contests)

    def of(self, method: str, kind: dict[Cell, float]) -> list[float]:
        """Return the ranks, excesses or seconds of a method."""
        return [kind[cell] for cell in sorted(kind) if cell[2] == method]

    def ranks_of(self, method: str) -> list[float]:
        """Return the ranks of a method."""
        return self.of(method, self.ranks)

    def excesses_of(self, method: str) -> list[float]:
        """Return by how many percent a method is above the least loss."""
        return self.of(method, self.excesses)

    def times_of(self, method: str) -> list[float]:
        """Return the seconds of a method."""
        return self.of(method, self.seconds)

    def usual_time(self, method: str) -> float:
        """Return the geometric mean of the seconds of a method."""
        return math.exp(mean(map(math.log, self.times_of(method))))

    def spreads_of(self, method: str) -> list[float]:
        """Return the standard deviation over random states in percent of the mean, for each cell with several."""
        several = [losses for cell, losses in self.losses.items() if cell[2] == method and len(losses) > 1]
        return [100 * stdev(losses) / mean(losses) if mean(losses) else 0.0 for losses in several]

    def n_states(self, method: str) -> str:
        """Return with how many random states a method ran, as text."""
        numbers = {len(losses) for cell, losses in self.losses.items() if cell[2] == method}
        return "–".join(map(str, sorted({min(numbers), max(numbers)})))

    def firsts(self, method: str) -> int:
        """Return in how many cells no method loses less."""
        return sum(excess <= 100 * _TIE for excess in self.excesses_of(method))

    def is_complete(self, method: str) -> bool:
        """Return whether a method ran on all data."""
        return len(self.ranks_of(method)) == self.n_cells

    def order(self) -> list[str]:
        """Return the methods by the mean of their ranks; those that did not run on all data come last."""
        methods = {cell[2] for cell in self.losses}
        return sorted(methods, key=lambda one: (not self.is_complete(one), mean(self.ranks_of(one)), one))

    def undominated(self) -> list[str]:
        """Return the methods than which none is faster and loses less in the median, the fastest first."""
        places = {one: (self.usual_time(one), median(self.excesses_of(one))) for one in self.order()}
        return sorted(undominated(places), key=lambda one: places[one])

    def data_ranks(self) -> dict[str, list[float]]:
        """Return the ranks of each complete method on the data sets: of the mean of its ranks at the several k.

        A data set counts once: what a method loses at one k is not independent of what it loses at another.
        """
        methods = [one for one in self.order() if self.is_complete(one)]
        found: dict[str, list[float]] = {one: [] for one in methods}
        for data in sorted({name for name, _ in self._contests}):
            means = {
                one: mean(rank for cell, rank in self.ranks.items() if (cell[0], cell[2]) == (data, one))
                for one in methods
            }
            for one, rank in shared_ranks(means).items():
                found[one].append(rank)
        return found


def shared_ranks(losses: dict[Any, float]) -> dict[Any, float]:
    """Return the rank of each loss; equal losses share the mean of their ranks."""
    values = list(losses.values())
    below = {one: sum(other < loss * (1 - _TIE) for other in values) for one, loss in losses.items()}
    equal = {one: sum(abs(other - loss) <= _TIE * loss for other in values) for one, loss in losses.items()}
    return {one: below[one] + (equal[one] + 1) / 2 for one in losses}


def undominated(places: dict[str, tuple[float, float]]) -> set[str]:
    """Return the methods of which none is both faster and better."""
    return {
        one
        for one, (time, excess) in places.items()
        if not any(other[0] < time and other[1] < excess for other in places.values())
    }


def friedman(ranks: Iterable[list[float]]) -> float:
    """Return the probability that ranks of methods that are all alike differ by as much: the Friedman test."""
    from scipy.stats import friedmanchisquare

    return float(friedmanchisquare(*ranks).pvalue)


def critical_difference(n_methods: int, n_data: int) -> float:
    """Return by how much mean ranks of two methods must differ to be significant at 5 %: the Nemenyi test."""
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1 - _LEVEL, n_methods, math.inf) / math.sqrt(2)
    return float(quantile * math.sqrt(n_methods * (n_methods + 1) / (6 * n_data)))
