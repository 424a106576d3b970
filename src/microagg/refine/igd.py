"""TFRP2 and IGD: groups dissolved, split and shrunk."""

from dataclasses import dataclass
from typing import ClassVar

from numpy.random import Generator

from microagg.control.round_progress import RoundProgress
from microagg.control.run import Run
from microagg.control.stopping import StoppedError
from microagg.kernels.tick import Tick
from microagg.model.checks import one_of
from microagg.model.partition import Partition

_CENTROIDS = ("fixed", "moved")


@dataclass(frozen=True)
class Tfrp2:
    """Second phase of TFRP: groups whose records are nearer to other groups dissolved, groups of 2k or more split.

    Also that of GSMS-T2: the first two steps of the first round of `Igd`. O(n²·d/k).

    Parameters
    ----------
    centroids
        The centroids by which a group is judged: "fixed" compares its sse with the squared distances of its records
        from the nearest centroids as they are, "moved" from where these would move, which is the exact sse. The paper's
        pseudo-code says the latter, its figures come from the former.

    References
    ----------
    Chang, Li & Huang (2007), TFRP: an efficient microaggregation algorithm, Journal of Systems and Software 80(11); as
    figures 2 and 3 of the paper of `Igd`.
    """

    centroids: str = "fixed"
    reference: ClassVar[str] = "Chang, Li & Huang 2007"

    def __post_init__(self) -> None:
        one_of("centroids", self.centroids, _CENTROIDS)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        progress = RoundProgress("tfrp2", partition.problem, run)
        steps = _Steps(self.centroids == "moved", shrinks=False)
        return _repeat(steps, partition, progress, max_rounds=1)


@dataclass(frozen=True)
class Igd:
    """Iterative group decomposition: groups dissolved, split and shrunk in turn until nothing improves.

    Decompose, SplitLargeGroups, Shrink, SplitLargeGroups; Shrink moves records out of groups of more than k. Groups are
    visited in the order of their first records. A round is O(n²·d/k): each record's nearest group is computed once,
    and then only where groups have changed.

    Three readings that reproduce the published figures (docs/reproduction.md). Decompose judges by fixed centroids:
    see `centroids` of `Tfrp2`; "moved" loses up to 14 % less than published. Shrink judges by the exact sse.
    SplitLargeGroups goes on while k records are left, not k + 1. A round that loses more, which splitting may
    do, is undone and ends the search.

    Parameters
    ----------
    centroids
        The centroids by which a group is judged before it is dissolved, "fixed" or "moved": see `Tfrp2`.

    References
    ----------
    Khomnotai, Lin, Peng & Santra (2018), Iterative group decomposition for refining microaggregation solutions,
    Symmetry 10(7), figures 1 to 4.
    """

    centroids: str = "fixed"
    reference: ClassVar[str] = "Khomnotai, Lin, Peng & Santra 2018"

    def __post_init__(self) -> None:
        one_of("centroids", self.centroids, _CENTROIDS)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        progress = RoundProgress("igd", partition.problem, run)
        return _repeat(_Steps(self.centroids == "moved", shrinks=True), partition, progress)


@dataclass(frozen=True)
class _Steps:
    """Steps of a round.

    Parameters
    ----------
    moved
        Whether Decompose judges by moved centroids.
    shrinks
        Whether Shrink follows, and another split.
    """

    moved: bool
    shrinks: bool


def _repeat(steps: _Steps, partition: Partition, progress: RoundProgress, max_rounds: int | None = None) -> Partition:
    """Repeat a round while it improves the partition."""
    best = partition
    iteration = 0
    while max_rounds is None or iteration < max_rounds:
        latest, stopped = _round(steps, best, progress.ticker(iteration, best.sse))
        iteration += 1
        if stopped or not latest.sse < best.sse:
            return min(best, latest, key=lambda partition: partition.sse)
        best = latest
    return best


def _round(steps: _Steps, partition: Partition, tick: Tick) -> tuple[Partition, bool]:
    """Do one round; return its partition, and whether the run ended it."""
    from microagg.kernels.moves.decomposition import decompose, shrink, split
    from microagg.kernels.moves.linked_groups import link_groups

    problem = partition.problem
    X, k = problem.X, problem.k
    labels = partition.labels
    stopped = False
    try:
        tick()
        groups = link_groups(X, labels, partition.n_groups, 3 * (problem.n // k))  # two splits make n/k each
        labels = groups.labels
        decompose(X, groups, steps.moved, tick)
        split(X, groups, k, tick)
        if steps.shrinks:
            shrink(X, groups, k, tick)
            split(X, groups, k, tick)
    except StoppedError:  # between two slices of a kernel the groups are legal
        stopped = True
    return Partition(problem, labels), stopped
