"""Search: rebuild a few groups at a time and descend, in several runs; recombine what they met; and again."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import sqrt
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator

from microagg.control.run import Run, StoppedError
from microagg.model.checks import one_of, positive_number, whole_number
from microagg.model.partition import Partition
from microagg.model.problem import Problem
from microagg.refine.descent import descended, neighbourhood
from microagg.refine.recombine import VisitedGroups, recombine

if TYPE_CHECKING:
    from microagg.kernels.moves.ruin_recreate import Walk

EFFORTS = {"quick": 1, "standard": 3, "thorough": 8}  # rounds
_ROUNDS = (  # units of trials, and share of the heat; the last two go on for ever
    (1, 1.0), (2, 1.0), (1, 0.5), (4, 1.0), (4, 0.5), (12, 1.0), (12, 0.5)
)  # fmt: skip
_UNIT = 750  # trials for each record, over k·min(k, _LARGE)^1.5
_MANY = 1_000  # records from which on a unit grows with the root of their number only
_WIDE, _LARGE = 16, 10  # columns, and k, from which on it shrinks with their number, as trials cost more
_SLICE = 2e6  # trials·k²·(d + k) of all runs between two returns to Python: a fraction of a second
_REMEMBERED = 6  # groups met, for each group there is
_PATIENCE = 6  # of recombining, for each unit and one more
_AFRESH = 4  # units from which half of the runs start afresh: they meet other groups
_YES_OR_NO = ("yes", "no")


@dataclass(frozen=True)
class Search:
    """Rebuild a few neighbouring groups at random and descend, in several runs; recombine what they met; and again.

    Ours. Each run goes its own way from the best partition so far: a trial rebuilds two to five neighbouring groups
    around random seeds, into as many or one more or less, and descends from there (see `Descent`); what loses is
    accepted with a falling probability, or undone. A trial costs its neighbourhood, not the whole. After a round of
    trials the groups that the runs met are recombined by set partitioning, and the next round begins from that; half of
    the runs of a long round start afresh. The runs share the processors, and find the same on any number of them.

    Parameters
    ----------
    effort
        How many rounds: "quick", "standard" or "thorough"; their trials grow with n. None: as many as the limits of
        time or iterations allow where one is set, else standard. An iteration is one trial of each run.
    runs
        How many runs go side by side.
    heat
        How readily a trial that loses is accepted at first, as a share of what a record loses.
    recombine
        Whether the groups that were met are recombined: "yes" or "no".
    regroup
        Whether the descent within a trial dissolves and distils groups: "yes" or "no".
    """

    effort: str | None = None
    runs: int = 4
    heat: float = 0.3
    recombine: str = "yes"
    regroup: str = "no"
    reference: ClassVar[str] = "microagg"

    def __post_init__(self) -> None:
        if self.effort is not None:
            one_of("effort", self.effort, EFFORTS)
        object.__setattr__(self, "runs", whole_number("runs", self.runs, at_least=1))
        object.__setattr__(self, "heat", positive_number("heat", self.heat))
        one_of("recombine", self.recombine, _YES_OR_NO)
        one_of("regroup", self.regroup, _YES_OR_NO)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""
        effort = self.effort or (None if run.limits.given else "standard")
        total = None if effort is None else sum(stage.length for stage in _rounds(partition.problem, effort))
        search = _Searching(self, partition, partial(_tick, partition, run, total))
        with suppress(StoppedError):
            search.prepare()
            for stage in _rounds(partition.problem, effort):
                search.round(stage, rng.spawn(self.runs), run)
        return search.best


class _Round(NamedTuple):
    """Say what is done in a round."""

    length: int  # trials of each run
    heat: float  # share of the heat that it begins with
    patience: int  # of recombining
    afresh: bool  # whether half of the runs do not start from the best partition, but from the first


def _rounds(problem: Problem, effort: str | None) -> Iterator[_Round]:
    """List the rounds of an effort; without one they go on for ever, where there is more than one group to be had."""
    n, k = problem.n, problem.k
    unit = 1 + int(_UNIT * min(n, sqrt(n * _MANY)) * min(1.0, _WIDE / problem.d) / (k * min(k, _LARGE) ** 1.5))
    if n >= 2 * k:
        for number in count() if effort is None else range(EFFORTS[effort]):
            units, heat = _ROUNDS[min(number, len(_ROUNDS) - 2 + (number - len(_ROUNDS)) % 2)]
            yield _Round(units * unit, heat, _PATIENCE * (1 + units), units >= _AFRESH)


def _tick(start: Partition, run: Run, total: int | None, iteration: int, n_groups: int, sse: float) -> None:
    """Say how far the search is, and leave it when told to."""
    limits = ((iteration, total), (iteration, run.limits.iterations), (run.elapsed, run.limits.time_limit))
    done = max((now / end for now, end in limits if end), default=None)
    gained = 1 - sse / start.sse if start.sse else 0.0
    loss = 100 * sse / start.problem.sst if start.problem.sst else 0.0
    run.tell("search", done and min(1.0, done), f"{n_groups} groups, loss {loss:.4f} %, {gained:.2%} below the start")
    run.check_round(iteration, sse)


class _Searching:
    """Hold the best partition so far, and search on from there, round by round."""

    def __init__(self, settings: Search, partition: Partition, tick: Callable[[int, int, float], None]) -> None:
        self.settings, self.problem, self.best = settings, partition.problem, partition
        self.tick, self.iteration = tick, 0

    def prepare(self) -> None:
        """Find out who is near whom, and descend."""

        def hear(sse: float, iteration: int, done: float | None) -> None:
            self.tick(0, self.best.n_groups, sse)

        self.near = neighbourhood(self.best, hear)
        self.best = self.start = descended(self.best, self.near, hear)

    def round(self, stage: _Round, rngs: list[Generator], run: Run) -> None:
        """Let every run make its trials from the best partition, then recombine what they met.

        All runs make as many trials between two looks at the clock, so that their number tells how far they all came;
        the clock is looked at after trials only, so that it tells what was recombined too.
        """
        from microagg.kernels.moves.local_descent import NO_END
        from microagg.kernels.moves.ruin_recreate import search, start_walk

        X, k, settings = self.problem.X, self.problem.k, self.settings
        heat, regroup, remembered = settings.heat * stage.heat, settings.regroup == "yes", _REMEMBERED * (len(X) // k)
        step = 1 + int(_SLICE / (settings.runs * k**2 * (X.shape[1] + k)))

        def start(number: int) -> "Walk":
            return start_walk(X, self.near, (self.start if number in afresh else self.best).labels, k, remembered)

        def go(number: int) -> None:
            search(walks[number], k, rngs[number], first, last, stage.length, heat, regroup, NO_END)

        runs = range(settings.runs)
        afresh = runs[1::2] if stage.afresh else ()
        walks = run.workers.map(start, runs)
        last = 0
        try:
            while last < stage.length:
                first, last = last, min(last + step, stage.length)
                if run.limits.iterations is not None:
                    last = min(last, first + run.limits.iterations - self.iteration)
                run.workers.map(go, runs)
                self.iteration += last - first
                best = min(walks, key=lambda walk: float(walk.sses[1]))
                self.tick(self.iteration, int(np.count_nonzero(best.draft.sizes)), max(0.0, float(best.sses[1])))
        finally:
            found = [Partition(self.problem, walk.best) for walk in walks]
            self.best = min(self.best, *found, key=lambda partition: partition.sse)
        if settings.recombine == "yes":
            self.recombine(found, walks, stage.patience, run)

    def recombine(self, found: list[Partition], walks: "list[Walk]", patience: int, run: Run) -> None:
        """Choose the best of all groups that the runs met, and descend from there; all of it in time, or none."""
        pool = VisitedGroups(*(np.concatenate(arrays) for arrays in zip(*(_met(walk) for walk in walks), strict=True)))
        best = recombine(self.best, found, pool, patience, run)
        if best is None:
            run.check()
            run.stop("time_limit")
        self.best = descended(best, self.near, lambda sse, iteration, done: None)


def _met(walk: "Walk") -> VisitedGroups:
    """Give the groups that a run remembers."""
    met = walk.met
    known = min(int(met.n_met[0]), len(met.sizes))
    return VisitedGroups(met.members[:known], met.sizes[:known], met.sses[:known], met.marks[:known])
