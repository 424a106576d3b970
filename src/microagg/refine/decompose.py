"""TFRP2 and IGD: dissolve groups, split large ones, shrink others."""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from numpy.random import Generator

from microagg.checks import one_of
from microagg.partition import Partition
from microagg.progress import Progress
from microagg.refine.rounds import tick
from microagg.stop import Stop, StoppedError

_CENTROIDS = ("fixed", "moved")


@dataclass(frozen=True)
class Tfrp2:
    """Dissolve each group whose records are better off in their nearest groups, then split the groups of 2k or more.

    The second phase of TFRP, also of GSMS-T2: `Igd` cut off after its first step. O(n²·d/k).

    Parameters
    ----------
    centroids
        By which centroids a group is judged: "fixed" compares its sse with the squared distances of its records from
        the nearest centroids as they are, "moved" from where these would move, which is the exact sse. The paper's
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

    def __call__(self, partition: Partition, rng: Generator, stop: Stop, progress: Progress) -> Partition:
        """Refine the partition; `rng` is not needed."""
        return _rounds("tfrp2", partition, self.centroids == "moved", False, 1, stop, progress)


@dataclass(frozen=True)
class Igd:
    """Dissolve groups, split large ones, move records out of groups of more than k, in turn until nothing improves.

    Decompose, SplitLargeGroups, Shrink, SplitLargeGroups. Groups are gone through in the order of their first records.
    A round is O(n²·d/k): each record's nearest group is looked up once, and then only where groups have changed.

    Three readings that reproduce the published figures (docs/reproduction.md). Decompose judges by fixed centroids:
    see `centroids` of `Tfrp2`; "moved" loses up to 14 % less than published. Shrink judges by the exact sse.
    SplitLargeGroups goes on while k records are left, not k + 1. A round that loses more, which splitting may
    do, is undone and ends the search.

    Parameters
    ----------
    centroids
        By which centroids a group is judged before it is dissolved, "fixed" or "moved": see `Tfrp2`.

    References
    ----------
    Khomnotai, Lin, Peng & Santra (2018), Iterative group decomposition for refining microaggregation solutions,
    Symmetry 10(7), figures 1 to 4.
    """

    centroids: str = "fixed"
    reference: ClassVar[str] = "Khomnotai, Lin, Peng & Santra 2018"

    def __post_init__(self) -> None:
        one_of("centroids", self.centroids, _CENTROIDS)

    def __call__(self, partition: Partition, rng: Generator, stop: Stop, progress: Progress) -> Partition:
        """Refine the partition; `rng` is not needed."""
        return _rounds("igd", partition, self.centroids == "moved", True, None, stop, progress)


def _rounds(
    name: str, best: Partition, moved: bool, shrinks: bool, most: int | None, stop: Stop, progress: Progress
) -> Partition:
    """Do rounds while they improve, at most `most` of them."""
    from microagg.kernels import decompose as kernels
    from microagg.kernels.groups import gather

    problem, iteration = best.problem, 0
    while most is None or iteration < most:
        say = partial(tick, name, problem, stop, progress, best.sse, iteration)
        groups = gather(problem.X, best.labels, best.n_groups, 3 * (problem.n // problem.k))  # two splits make n/k each
        stopped = False
        try:
            say(None)
            kernels.decompose(problem.X, groups, moved, say)
            kernels.split(problem.X, groups, problem.k, say)
            if shrinks:
                kernels.shrink(problem.X, groups, problem.k, say)
                kernels.split(problem.X, groups, problem.k, say)
        except StoppedError:  # between slices the groups are legal
            stopped = True
        latest, iteration = Partition(problem, groups.labels), iteration + 1
        if stopped or not latest.sse < best.sse:
            return min(best, latest, key=lambda partition: partition.sse)
        best = latest
    return best
