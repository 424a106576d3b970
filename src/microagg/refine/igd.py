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
_SPLITS = ("from-k", "above-k")
_UNDO = ("yes", "no")


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
    split
        How long groups of k are split off from one of 2k or more: "from-k", while k records or more are left;
        "above-k", while more than k are, so that the last k may join other groups. The paper's pseudo-code says the
        latter, its figures come from the former.

    References
    ----------
    Chang, Li & Huang (2007), TFRP: an efficient microaggregation algorithm, Journal of Systems and Software 80(11); as
    figures 2 and 3 of the paper of `Igd`.
    """

    centroids: str = "fixed"
    split: str = "from-k"
    reference: ClassVar[str] = "Chang, Li & Huang 2007"

    def __post_init__(self) -> None:
        one_of("centroids", self.centroids, _CENTROIDS)
        one_of("split", self.split, _SPLITS)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        progress = RoundProgress("tfrp2", partition.problem, run)
        steps = _Steps(self.centroids == "moved", self.split == "above-k", shrinks=False)
        return _repeat(steps, partition, progress, max_rounds=1)


@dataclass(frozen=True)
class Igd:
    """Iterative group decomposition: groups dissolved, split and shrunk in turn until nothing improves.

    Decompose, SplitLargeGroups, Shrink, SplitLargeGroups; Shrink moves records out of groups of more than k. Groups are
    visited in the order of their first records. A round is O(n²·d/k): each record's nearest group is computed once,
    and then only where groups have changed.

    The defaults are what reproduces the published figures (docs/reproduction/igd.md). The pseudo-code to the letter is
    `igd(centroids=moved, split=above-k, undo=no)`. Shrink judges by the exact sse in both.

    Parameters
    ----------
    centroids
        The centroids by which a group is judged before it is dissolved, "fixed" or "moved": see `Tfrp2`. "moved" loses
        up to 14 % less than published.
    split
        How long groups of k are split off from a large one, "from-k" or "above-k": see `Tfrp2`.
    undo
        Whether a round that loses more, which splitting may do, is undone and ends the search: "yes" or "no". If not,
        rounds follow until one leaves everything as it is, as figure 1 says, or makes a partition that was there
        before. The last partition counts, unless it loses more than the first.

    References
    ----------
    Khomnotai, Lin, Peng & Santra (2018), Iterative group decomposition for refining microaggregation solutions,
    Symmetry 10(7), figures 1 to 4.
    """

    centroids: str = "fixed"
    split: str = "from-k"
    undo: str = "yes"
    reference: ClassVar[str] = "Khomnotai, Lin, Peng & Santra 2018"

    def __post_init__(self) -> None:
        one_of("centroids", self.centroids, _CENTROIDS)
        one_of("split", self.split, _SPLITS)
        one_of("undo", self.undo, _UNDO)

    def __call__(self, partition: Partition, rng: Generator, run: Run) -> Partition:
        """Refine the partition; `rng` is not needed."""
        progress = RoundProgress("igd", partition.problem, run)
        steps = _Steps(self.centroids == "moved", self.split == "above-k", shrinks=True)
        repeat = _repeat if self.undo == "yes" else _repeat_until_settled
        return repeat(steps, partition, progress)


@dataclass(frozen=True)
class _Steps:
    """Steps of a round.

    Parameters
    ----------
    moved
        Whether Decompose judges by moved centroids.
    above_k
        Whether SplitLargeGroups goes on only while more than k records are left.
    shrinks
        Whether Shrink follows, and another split.
    """

    moved: bool
    above_k: bool
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


def _repeat_until_settled(steps: _Steps, partition: Partition, progress: RoundProgress) -> Partition:
    """Repeat a round until its partition was there before; return it, or the first one if that is better."""
    latest = partition
    met: set[bytes] = set()
    stopped = False
    while not stopped and latest.labels.tobytes() not in met:
        met.add(latest.labels.tobytes())
        # What is reached for certain is the first sse: a later round may lose what this one gains.
        latest, stopped = _round(steps, latest, progress.ticker(len(met) - 1, partition.sse))
    return min(partition, latest, key=lambda one: one.sse)


def _round(steps: _Steps, partition: Partition, tick: Tick) -> tuple[Partition, bool]:
    """Do one round; return its partition, and whether the run ended it."""
    from microagg.kernels.moves.decomposition import decompose, shrink, split
    from microagg.kernels.moves.linked_groups import link_groups

    problem = partition.problem
    X, k = problem.X, problem.k
    min_left = k + 1 if steps.above_k else k
    labels = partition.labels
    stopped = False
    try:
        tick()
        groups = link_groups(X, labels, partition.n_groups, 3 * (problem.n // k))  # two splits make n/k each
        labels = groups.labels
        decompose(X, groups, steps.moved, tick)
        split(X, groups, k, min_left, tick)
        if steps.shrinks:
            shrink(X, groups, k, tick)
            split(X, groups, k, min_left, tick)
    except StoppedError:  # between two slices of a kernel the groups are legal
        stopped = True
    return Partition(problem, labels), stopped
