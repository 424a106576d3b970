"""Search: simulated annealing by ruin and recreate, then set partitioning over the groups found, in rounds."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

from numpy.random import Generator

from microagg.control.loss_note import LossNote
from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.model.checks import one_of, positive_number, whole_number
from microagg.model.limits import Limits
from microagg.model.partition import Partition
from microagg.model.problem_shape import ProblemShape
from microagg.refine.annealing import AnnealingRuns, AnnealingSchedule
from microagg.refine.block_annealing import BlockAnnealing
from microagg.refine.block_schedule import block_rounds, length_in_part, length_of_whole, n_block_rounds
from microagg.refine.descent import neighbour_lists, run_descent
from microagg.refine.recombine import recombine
from microagg.refine.search_schedule import SearchRound, search_rounds

EFFORTS = {"quick": 1, "standard": 3, "thorough": 8}  # rounds
_YES_OR_NO = ("yes", "no")


@dataclass(frozen=True)
class Search:
    """Simulated annealing by ruin and recreate in several runs, then set partitioning over the groups found, in rounds.

    Ours, from known components. Each annealing run starts from the best partition so far: a trial ruins two to five
    neighbouring groups, recreates them around random records, as many or one more or less, and descends from there (see
    `Descent`); a worse partition is accepted with a probability that falls with its loss and with the temperature, or
    undone [1]. A trial costs its neighbourhood, not all records. After a round of trials, set partitioning chooses the
    best of the groups that the runs found, and the next round begins from that; half of the runs of a long round
    restart from the first partition, and so find other groups. The runs share the processors; their number changes no
    result.

    Parameters
    ----------
    effort
        The number of rounds: "quick", "standard" or "thorough"; their trials grow with n. None: as many as the limits
        of time or iterations allow where one is set, else standard. An iteration is one trial of each run.
    runs
        The number of annealing runs side by side.
    heat
        The initial temperature, as a share of the sse of a record.
    recombine
        Whether set partitioning recombines the groups found: "yes" or "no".
    regroup
        Whether the descent within a trial dissolves groups and forms new ones: "yes" or "no".
    length
        The number of trials of each round, as a share of the usual one.

    References
    ----------
    [1] Schrimpf, Schneider, Stamm-Wilbrandt & Dueck (2000), Record breaking optimization results using the ruin and
        recreate principle, Journal of Computational Physics 159(2).
    """

    effort: str | None = None
    runs: int = 4
    heat: float = 0.3
    recombine: str = "yes"
    regroup: str = "no"
    length: float = 1.0
    reference: ClassVar[str] = "microagg"
    weighted: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.effort is not None:
            one_of("effort", self.effort, EFFORTS)
        object.__setattr__(self, "runs", whole_number("runs", self.runs, at_least=1))
        object.__setattr__(self, "heat", positive_number("heat", self.heat))
        object.__setattr__(self, "length", positive_number("length", self.length))
        one_of("recombine", self.recombine, _YES_OR_NO)
        one_of("regroup", self.regroup, _YES_OR_NO)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition."""
        problem = partition.problem
        n_rounds = self._n_rounds(run.limits)
        n_trials = None
        if n_rounds is not None:
            n_trials = sum(one.n_trials for one in self.rounds(problem, n_rounds))
        state = _SearchState(self, partition, run, n_trials)
        with suppress(StoppedError):
            state.descend()
            for planned in self.rounds(problem, n_rounds):
                state.search(planned, rng.spawn(self.runs))
        return state.best

    def rounds(self, problem: ProblemShape, n_rounds: int | None) -> Iterator[SearchRound]:
        """Yield the rounds of a problem in one piece; None: rounds without end."""
        return search_rounds(problem, n_rounds, self.length * length_of_whole(self.effort, problem.n))

    def block_rounds(self, problem: ProblemShape, n_rounds: int | None) -> Iterator[BlockAnnealing]:
        """Yield the refiner of each round of blocks, where a problem is divided; None: of rounds without end."""
        return block_rounds(self.effort, self.heat, problem, n_rounds, self.length)

    def in_part(self, n: int, n_all: int) -> "Search":
        """Return the search of a part of a larger problem: quick ones are shorter there, as they are in blocks.

        Parameters
        ----------
        n
            The number of records of the part.
        n_all
            The number of records of all parts.
        """
        return replace(self, length=self.length * length_in_part(self.effort, n, n_all))

    def n_block_rounds(self, limits: Limits) -> int | None:
        """Return the number of rounds of blocks; None where only the limits end them."""
        return n_block_rounds(self.effort, limits)

    def _n_rounds(self, limits: Limits) -> int | None:
        """Return the number of rounds of the effort; None where only the limits end the search."""
        if self.effort is None and limits.given:
            return None
        return EFFORTS[self.effort or "standard"]


class _SearchState:
    """Best partition so far, and the number of trials behind it."""

    def __init__(self, settings: Search, partition: Partition, run: Run, n_trials: int | None) -> None:
        self.best = partition
        self._settings = settings
        self._run = run
        self._progress = _SearchProgress(partition, run, n_trials)
        self._iteration = 0

    def descend(self) -> None:
        """Compute the neighbour lists, and descend to the first partition."""
        self._near = neighbour_lists(self.best, self._progress)
        self._first = run_descent(self.best, self._near, self._progress)
        self.best = self._first

    def search(self, planned: SearchRound, rngs: list[Generator]) -> None:
        """Do a round: anneal, then recombine."""
        temperature = self._settings.heat * planned.temperature_share
        schedule = AnnealingSchedule(planned.n_trials, temperature, self._settings.regroup == "yes")
        starts = [self._first if planned.restarts and number % 2 else self.best for number in range(len(rngs))]
        runs = AnnealingRuns(starts, self._near, schedule, rngs, self._run.workers)
        try:
            self._anneal(runs)
        finally:
            found = runs.best_partitions()
            self.best = min(self.best, *found, key=lambda partition: partition.sse)
        if self._settings.recombine == "yes":
            self._recombine(found, runs, planned.patience)

    def _anneal(self, runs: AnnealingRuns) -> None:
        """Do all trials of a round.

        All runs do the same number of trials between two checks of the limits, so one number says how far they all are.
        The limits are checked after trials only, never after recombining, so that a run that was cancelled can be
        repeated by its number of iterations.
        """
        max_iterations = self._run.limits.iterations
        while not runs.finished:
            self._iteration += runs.advance(None if max_iterations is None else max_iterations - self._iteration)
            sse, self._progress.n_groups = runs.best_so_far()
            self._progress.report(self._iteration, sse)

    def _recombine(self, found: list[Partition], runs: AnnealingRuns, patience: int) -> None:
        """Choose the best of all groups found by set partitioning, and descend from there.

        If the run ends that, nothing of it is used: the result would depend on the time.
        """
        best = recombine(self.best, found, runs.remembered_groups(), patience, self._run)
        if best is None:
            self._run.check()
            self._run.stop("time_limit")
        self.best = run_descent(best, self._near)


class _SearchProgress(RoundProgress):
    """Progress of a search, by the limit that it is nearest to.

    Parameters
    ----------
    start
        The partition to refine.
    run
        The run that gets the reports and has the limits.
    n_trials
        The number of trials of each annealing run in all rounds; None where only the limits end them.
    """

    def __init__(self, start: Partition, run: Run, n_trials: int | None) -> None:
        super().__init__("search", start.problem, run)
        self.n_groups = start.n_groups
        self._start_sse = start.sse
        self._n_trials = n_trials

    def report(self, iteration: int, sse: float, done: float | None = None) -> None:
        """Report how far the search is; raise `StoppedError` if the run must end."""
        limits = self.run.limits
        ends = ((iteration, self._n_trials), (iteration, limits.iterations), (self.run.elapsed, limits.time_limit))
        share = max((now / end for now, end in ends if end), default=None)
        gain = 1 - sse / self._start_sse if self._start_sse else 0.0
        loss = 100 * sse / self.problem.sst if self.problem.sst else 0.0
        note = f"{self.n_groups} groups, loss {loss:.4f} %, {gain:.2%} below the start"
        self.run.report(self.stage, None if share is None else min(1.0, share), LossNote(note, loss))
        self.run.check_round(iteration, sse)
